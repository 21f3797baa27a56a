// SPDX-License-Identifier: Apache-2.0
// The cost functions in device code: a kernel may ask what its own accesses cost.
#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/analysis/verify.hpp>
#include <cosmati/analysis/warp_cost.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

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

/// What a kernel is to stand for, said where its layouts are.
template <class TiledCopy, class SmemLayout>
__global__ void without_conflicts(TiledCopy tiled_copy, SmemLayout smem_layout, int* out) {
  static_assert(bank_conflicts(TiledCopy{}, SmemLayout{}) == 0);
  out[0] = static_cast<int>(bank_conflicts(tiled_copy, smem_layout));
}
using rows = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                      Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{}));
template __global__ void without_conflicts(rows, Layout<Shape<_64, _64>, Stride<_64, _1>>, int*);
using matrices = decltype(make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, std::uint16_t>{}, Layout<Shape<_16, _2>>{},
                                          Layout<Shape<_2, _4>>{}));
static_assert(bank_conflicts(matrices{}, Layout<Shape<_64, _64>>{}) == 64);
static_assert(copy_cost_of(rows{}, in_global(Layout<Shape<_64, _64>, Stride<_64, _1>>{}), in_registers)
                  .source.sector_ratio() == 1);
static_assert(verify(rows{}, in_global(Layout<Shape<_64, _64>, Stride<_64, _1>>{}), in_registers));
template <class TiledCopy>
__global__ void verified(TiledCopy tiled_copy, int* out) {
  static_assert(verify(TiledCopy{}, in_global(Layout<Shape<_64, _64>, Stride<_64, _1>>{}), in_registers).ok());
  out[0] = verify(tiled_copy, in_shared(Layout<Shape<_64, _64>, Stride<_64, _1>>{}), in_registers).ok() ? 1 : 0;
}
template __global__ void verified(rows, int*);
