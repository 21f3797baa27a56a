// SPDX-License-Identifier: Apache-2.0
// Calls of product kernels: tiles that warps do not divide, strides that do not say what is contiguous, too few modes,
// tensors that are elsewhere, types that no matrix instruction multiplies.
// expect 1: simt_tile_is_warps<40, 4, 4, (char)77>|simt_tile_is_warps<40, 4, 4, 'M'>|tile=40, values=4, lanes=4
// expect 2: simt_fetches_before_the_last_step<8, 2, 6>|tile_k=8, from=2, steps=6
// expect 3: gemm_operand_is_contiguous<'A', -1>|name='A'|name=65
// expect 4: gemm_operand_is_contiguous<'B', -1>|name='B'|name=66
// expect 5: gemm_operand_rank<'C', 1>|name='C', rank=1|name=67, rank=1
// expect 6: gemm_operand_in_global_memory<'A', false>|name='A'|name=65
// expect 7: no_matrix_instruction<float, float>|A=float, B=float
// expect 8: A and B are both half_t, bfloat16_t, tfloat32_t, int8_t, uint8_t or double
// expect 8: no_matrix_instruction<(cosmati::)?(half_t|minifloat<.*>), (float|double)>|, B=double
// expect 9: gemm_operand_is_contiguous<'B', -1>|name='B'|name=66
// expect 10: mma_stages_fit<294960, 232448>|bytes=294960UL, most=232448
// expect 11: mma_tile_is_warps<48, 2, 16, (char)77>|mma_tile_is_warps<48, 2, 16, 'M'>|tile=48, warps=2, needed=16
// expect 12: mma_tile_is_rows<32, 64, (char)75>|mma_tile_is_rows<32, 64, 'K'>|extent=32, needed=64
// expect 13: mma_warp_is_rows<48, 64, (char)77>|mma_warp_is_rows<48, 64, 'M'>|extent=48, row=64
// expect 14: mma_threads_are_rows<12>|rows=12
// expect 15: mma_tile_is_rows<64, 128, (char)75>|mma_tile_is_rows<64, 128, 'K'>|extent=64, needed=128
#include <cosmati/kernel/gemm/mma.hpp>
#include <cosmati/kernel/gemm/simt.hpp>
using namespace cosmati;

constexpr simt_config fine{.tile_m = 32, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8};
constexpr simt_config no_warps{.tile_m = 40, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8};
constexpr simt_config late_copies{
    .tile_m = 32, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8, .fetch_steps = 6};

constexpr mma_config six_stages{.stages = 6};
constexpr mma_config odd_warps{.tile_m = 48, .tile_n = 64, .warps_m = 2, .warps_n = 2};
constexpr mma_config cut_rows{.tile_m = 192, .tile_n = 64, .warps_m = 4, .warps_n = 1};
constexpr mma_config twelve_rows{.tile_m = 96, .tile_n = 96, .warps_m = 3, .warps_n = 1};
constexpr mma_config many_threads{.tile_m = 16, .tile_n = 128, .warps_m = 1, .warps_n = 8};
constexpr mma_config short_rows{.tile_m = 64, .tile_n = 64, .tile_k = 32, .warps_m = 2, .warps_n = 2};

void start([[maybe_unused]] float* p, [[maybe_unused]] half_t* h, [[maybe_unused]] double* d) {
  [[maybe_unused]] auto const of = [&](auto const& stride) {
    return make_tensor(make_gmem_ptr(p), make_shape(100, 100), stride);
  };
  [[maybe_unused]] auto const rows = of(make_stride(100, _1{}));
  [[maybe_unused]] auto const rows_of = [&](auto* x) {
    return make_tensor(make_gmem_ptr(x), make_shape(100, 100), make_stride(100, _1{}));
  };
#if COSMATI_FAIL == 0
  using accepted = decltype(gemm_simt<fine>(rows, rows, rows));
  static_assert(std::is_void_v<accepted>);
  using multiplied = decltype(gemm_mma(rows_of(h), rows_of(h), rows));
  static_assert(std::is_void_v<decltype(gemm_mma<cut_rows>(rows_of(h), rows_of(h), rows))>);
  static_assert(std::is_void_v<multiplied>);
#elif COSMATI_FAIL == 1
  gemm_simt<no_warps>(rows, rows, rows);
#elif COSMATI_FAIL == 2
  gemm_simt<late_copies>(rows, rows, rows);
#elif COSMATI_FAIL == 3
  gemm_simt(of(make_stride(100, 1)), rows, rows);
#elif COSMATI_FAIL == 4
  gemm_simt(rows, of(make_stride(2, 200)), rows);
#elif COSMATI_FAIL == 5
  gemm_simt(rows, rows, make_tensor(make_gmem_ptr(p), make_shape(100), make_stride(_1{})));
#elif COSMATI_FAIL == 6
  gemm_simt(make_tensor(p, make_shape(100, 100), make_stride(100, _1{})), rows, rows);
#elif COSMATI_FAIL == 7
  gemm_mma(rows, rows, rows, 2.f);
#elif COSMATI_FAIL == 8
  gemm_mma<six_stages>(rows_of(h), rows_of(d), rows_of(d));
#elif COSMATI_FAIL == 9
  gemm_mma(rows_of(h), make_tensor(make_gmem_ptr(h), make_shape(100, 100), make_stride(2, 200)), rows);
#elif COSMATI_FAIL == 10
  gemm_mma<six_stages>(rows_of(h), rows_of(h), rows);
#elif COSMATI_FAIL == 11
  gemm_mma<odd_warps>(rows_of(h), rows_of(h), rows);
#elif COSMATI_FAIL == 12
  gemm_mma<short_rows>(rows_of(h), rows_of(h), rows);
#elif COSMATI_FAIL == 13
  gemm_mma<cut_rows>(make_tensor(make_gmem_ptr(h), make_shape(100, 100), make_stride(_1{}, 100)), rows_of(h), rows);
#elif COSMATI_FAIL == 14
  gemm_mma<twelve_rows>(rows_of(h), rows_of(h), rows);
#elif COSMATI_FAIL == 15
  gemm_mma<many_threads>(rows_of(h), rows_of(h), rows);
#endif
}
