// SPDX-License-Identifier: Apache-2.0
// An empty kernel behind <cute/tensor.hpp> of compat/.
#include <cute/tensor.hpp>

__global__ void kernel() {}
