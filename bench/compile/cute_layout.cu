// SPDX-License-Identifier: Apache-2.0
// An empty kernel behind <cute/layout.hpp> of compat/.
#include <cute/layout.hpp>

__global__ void kernel() {}
