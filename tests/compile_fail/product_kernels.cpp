// SPDX-License-Identifier: Apache-2.0
// Calls of a product kernel: tiles that warps do not divide, strides that do not say what is contiguous, too few modes,
// tensors that are elsewhere.
// expect 1: simt_tile_is_warps<40, 4, 4, (char)77>|simt_tile_is_warps<40, 4, 4, 'M'>|tile=40, values=4, lanes=4
// expect 2: simt_parts_have_steps<8, 8>|tile_k=8, parts=8
// expect 3: gemm_operand_is_contiguous<'A', -1>|name='A'|name=65
// expect 4: gemm_operand_is_contiguous<'B', -1>|name='B'|name=66
// expect 5: gemm_operand_rank<'C', 1>|name='C', rank=1|name=67, rank=1
// expect 6: gemm_operand_in_global_memory<'A', false>|name='A'|name=65
#include <cosmati/kernel/gemm/simt.hpp>
using namespace cosmati;

constexpr simt_config fine{.tile_m = 32, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8};
constexpr simt_config no_warps{.tile_m = 40, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8};
constexpr simt_config no_steps{.tile_m = 32, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8, .parts = 8};

void start([[maybe_unused]] float* p) {
  [[maybe_unused]] auto const of = [&](auto const& stride) {
    return make_tensor(make_gmem_ptr(p), make_shape(100, 100), stride);
  };
  [[maybe_unused]] auto const rows = of(make_stride(100, _1{}));
#if COSMATI_FAIL == 0
  using accepted = decltype(gemm_simt<fine>(rows, rows, rows));
  static_assert(std::is_void_v<accepted>);
#elif COSMATI_FAIL == 1
  gemm_simt<no_warps>(rows, rows, rows);
#elif COSMATI_FAIL == 2
  gemm_simt<no_steps>(rows, rows, rows);
#elif COSMATI_FAIL == 3
  gemm_simt(of(make_stride(100, 1)), rows, rows);
#elif COSMATI_FAIL == 4
  gemm_simt(rows, of(make_stride(2, 200)), rows);
#elif COSMATI_FAIL == 5
  gemm_simt(rows, rows, make_tensor(make_gmem_ptr(p), make_shape(100), make_stride(_1{})));
#elif COSMATI_FAIL == 6
  gemm_simt(make_tensor(p, make_shape(100, 100), make_stride(100, _1{})), rows, rows);
#endif
}
