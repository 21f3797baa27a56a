// SPDX-License-Identifier: Apache-2.0
// An empty kernel after <cute/layout.hpp> of compat/.
#include <cute/layout.hpp>

__global__ void kernel() {}
