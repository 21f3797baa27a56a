// SPDX-License-Identifier: Apache-2.0
// A precondition in device code: a kernel that may call `fail` compiles for every architecture.
#include <cosmati/core/error.hpp>

__global__ void halve(float* out, int n) {
  if (n % 2 != 0) cosmati::fail("%d is not even", n);
  out[threadIdx.x] = static_cast<float>(n / 2);
}
