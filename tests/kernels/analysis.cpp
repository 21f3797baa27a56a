// SPDX-License-Identifier: Apache-2.0
// The cost functions in device code: a kernel may ask what its own accesses cost.
#include <cosmati/analysis/warp_cost.hpp>

using namespace cosmati;

constexpr warp_access column() {
  warp_access a;
  for (int l = 0; l < 32; ++l) a.offset[l] = 128 * l;
  return a;
}
static_assert(warp_cost_of(load_shared(4), column()).shared.bank_conflicts == 31);

__global__ void cost_of_a_stride(int stride, int* out) {
  warp_access a;
  for (int l = 0; l < 32; ++l) a.offset[l] = std::int64_t{l} * stride;
  warp_cost const cost = warp_cost_of(copy_async(16), a);
  out[0] = cost.shared.wavefronts;
  out[1] = cost.global.sectors;
}
