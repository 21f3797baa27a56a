// SPDX-License-Identifier: Apache-2.0
// Calls of gemm_hopper: types and orders of modes that wgmma does not read, results of another size, tiles, stages and
// sums that do not fit, and splits and schedules that cannot be.
// expect 1: no_warpgroup_instruction<float, float>|A=float, B=float
// expect 2: no_warpgroup_instruction<|A=cosmati::half_t|A=cosmati::minifloat
// expect 3: hopper_operand_along_k<'B', 1, 0>|hopper_operand_along_k<\(char\)66, 1, 0>|name='B', bytes=1|name=66, bytes=1
// expect 3: make NAME contiguous along K
// expect 4: hopper_result_type<double>|C_=double
// expect 5: hopper_tile_fits<96, 128, 256, |tile=96, needed=128
// expect 6: hopper_tile_fits<96, 64, 256, |tile=96, needed=64
// expect 7: hopper_stages_fit<278704, 232448>|bytes=278704UL, most=232448
// expect 8: hopper_sums_fit<256, 192>|sums=256, most=192
// expect 9: hopper_has_stages<1>|stages=1
// expect 10: hopper_has_consumers<4>|consumers=4
// expect 11: gemm_operand_is_contiguous<'A', -1>|name='A'|name=65
// expect 12: hopper_split_fits<3, 1, 64>|split=3, cluster=1, sums=64
// expect 13: hopper_pingpong_has_two<1>|consumers=1
// expect 14: hopper_promotes_floats<1, int>|promote=1, Sum=int
// expect 15: hopper_group_ranks<2, 2, 2>|a=2, b=2, c=2
// expect 16: hopper_result_along_n<0>|mode=0
// expect 17: hopper_offsets_are_ints<false>|is=false|hopper_offsets_are_ints<\(bool\)0>
// expect 18: hopper_scales_fit<0, 64, 256|promote=0, tile_k=64, tile_n=256
// expect 19: gemm_scalars_are_sums<int>|Sum=int
// expect 20: gemm_result_is_writable<false>|is=false|gemm_result_is_writable<\(bool\)0>
// expect 21: gemm_operand_has_flat_modes<'A', false>|name='A', is=false|name=65, is=false
#include <cosmati/kernel/gemm/hopper_grouped.hpp>
using namespace cosmati;

constexpr hopper_config short_tile{.tile_m = 96, .tile_n = 128};
constexpr hopper_config cut_rows{.tile_n = 96};
constexpr hopper_config five_stages{.stages = 5};
constexpr hopper_config many_sums{.tile_m = 128, .tile_n = 256, .consumers = 1};
constexpr hopper_config one_stage{.stages = 1};
constexpr hopper_config by_three{.tile_n = 128, .split = 3};
constexpr hopper_config alone{.tile_m = 64, .consumers = 1, .schedule = hopper_schedule::pingpong};
constexpr hopper_config promoted{.tile_n = 128, .promote = 1};
constexpr hopper_config crowd{.tile_m = 256, .tile_n = 128, .consumers = 4};

void start([[maybe_unused]] float* p, [[maybe_unused]] half_t* h, [[maybe_unused]] double* d,
           [[maybe_unused]] std::int8_t* i) {
  [[maybe_unused]] auto const rows_of = [&](auto* x) {
    return make_tensor(make_gmem_ptr(x), make_shape(96, 96), make_stride(96, _1{}));
  };
  [[maybe_unused]] auto const matrices_of = [&](auto* x) {
    return make_tensor(make_gmem_ptr(x), make_shape(96, 96, 2), make_stride(96, _1{}, 96 * 96));
  };
  [[maybe_unused]] auto const columns_of = [&](auto* x) {
    return make_tensor(make_gmem_ptr(x), make_shape(96, 96), make_stride(_1{}, 96));
  };
#if COSMATI_FAIL == 0
  static_assert(std::is_void_v<decltype(gemm_hopper(columns_of(h), rows_of(h), rows_of(p)))>);
  static_assert(std::is_void_v<decltype(gemm_hopper<hopper_config{}>(rows_of(i), rows_of(i), columns_of(p)))>);
  static_assert(std::is_void_v<decltype(gemm_hopper(rows_of(i), rows_of(i), rows_of(i), 2))>);
#elif COSMATI_FAIL == 1
  gemm_hopper(rows_of(p), rows_of(p), rows_of(p));
#elif COSMATI_FAIL == 2
  gemm_hopper(rows_of(h), rows_of(i), rows_of(p));
#elif COSMATI_FAIL == 3
  gemm_hopper(rows_of(i), columns_of(i), rows_of(p), 2);
#elif COSMATI_FAIL == 4
  gemm_hopper(rows_of(h), rows_of(h), rows_of(d));
#elif COSMATI_FAIL == 5
  gemm_hopper<short_tile>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 6
  gemm_hopper<cut_rows>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 7
  gemm_hopper<five_stages>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 8
  gemm_hopper<many_sums>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 9
  gemm_hopper<one_stage>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 10
  gemm_hopper<crowd>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 11
  gemm_hopper(make_tensor(make_gmem_ptr(h), make_shape(96, 96), make_stride(96, 1)), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 12
  gemm_hopper<by_three>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 13
  gemm_hopper<alone>(rows_of(h), rows_of(h), rows_of(h));
#elif COSMATI_FAIL == 14
  gemm_hopper<promoted>(rows_of(i), rows_of(i), rows_of(p), 2);
#elif COSMATI_FAIL == 15
  gemm_hopper_grouped(rows_of(h), rows_of(h), rows_of(h), static_cast<int*>(nullptr));
#elif COSMATI_FAIL == 16
  gemm_hopper_scaled(rows_of(h), rows_of(p), rows_of(h), rows_of(p), columns_of(h));
#elif COSMATI_FAIL == 17
  gemm_hopper_grouped(rows_of(h), matrices_of(h), rows_of(h), d);
#elif COSMATI_FAIL == 18
  gemm_hopper_scaled<hopper_config{}>(rows_of(h), rows_of(p), rows_of(h), rows_of(p), rows_of(h));
#elif COSMATI_FAIL == 19
  gemm_hopper(rows_of(i), rows_of(i), rows_of(i), 0.5f);
#elif COSMATI_FAIL == 20
  gemm_hopper(rows_of(h), rows_of(h), rows_of(static_cast<half_t const*>(h)));
#elif COSMATI_FAIL == 21
  gemm_hopper(make_tensor(make_gmem_ptr(h), make_shape(96, make_shape(8, 2)), make_stride(96, make_stride(_1{}, 16))),
              rows_of(h), rows_of(h));
#endif
}
