// SPDX-License-Identifier: Apache-2.0
// An empty kernel that includes <cute/layout.hpp> of compat/.
#include <cute/layout.hpp>

__global__ void kernel() {}
