// SPDX-License-Identifier: Apache-2.0
// Plans as constants of copies that there cannot be.
// expect 1: copy_elements_are_not_of_1_2_4_8_or_16_bytes
// expect 2: copy_has_more_than_2_to_56_elements
// expect 3: copy_reaches_further_than_2_to_56_elements
// expect 4: copied_extent_is_negative
// expect 5: copy_writes_one_place_twice
// expect 6: copy_writes_one_place_twice
// flags nvcc: -arch=sm_90a
// expect-lines < 50
// expect-bytes < 6000
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/copy.hpp>
using namespace cosmati;

constexpr std::int64_t large = std::int64_t{1} << 32;
constexpr auto square = make_layout(make_shape(4, 4));
constexpr auto huge = make_shape(large, large);

#if COSMATI_FAIL == 1
constexpr auto plans = plan_copy(square, square, 3);
#elif COSMATI_FAIL == 2
constexpr auto plans = plan_copy(make_layout(huge, make_stride(0, 0)), make_layout(huge, make_stride(1, large)), 4);
#elif COSMATI_FAIL == 3
constexpr auto plans = plan_copy(make_layout(make_shape(4, 4), make_stride(1, large*(large / 4))), square, 4);
#elif COSMATI_FAIL == 4
constexpr auto plans = plan_copy(make_layout(make_shape(-4, 8)), make_layout(make_shape(-4, 8)), 4);
#elif COSMATI_FAIL == 5
constexpr auto plans = plan_copy(square, make_layout(make_shape(4, 4), make_stride(1, 2)), 4);
#elif COSMATI_FAIL == 6
constexpr auto eight = make_shape(2, 2, 2);
constexpr auto plans = plan_copy(make_layout(eight), make_layout(eight, make_stride(3, 4, 7)), 4);
#else
constexpr auto plans = plan_copy(square, make_layout(make_shape(4, 4), make_stride(4, 1)), 4);
#endif
