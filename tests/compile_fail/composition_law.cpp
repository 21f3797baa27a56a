// SPDX-License-Identifier: Apache-2.0
// Compositions that no strides can express: one error, with the sum and the extent, or the two strides, of the case.
// expect 1: modes_carry_in_the_layout<7L?, 6L?, .*C<6>, cosmati::C<2>|sum=7L, extent=6L, Operands=.*<6>, cosmati::C<2>|sum=7L, extent=6L, Operands=.*_6, cosmati::_2
// expect 2: modes_carry_in_the_layout<9L?, 8L?, .*C<8>, cosmati::C<4>|sum=9L, extent=8L, Operands=.*_8, cosmati::_4
// expect 3: stride_does_not_fit_the_layout<4L?, 6L?, .*C<6>, cosmati::C<4>|left=4L, extent=6L, Operands=.*_6, cosmati::_4
// expect 4: modes_carry_in_the_layout<10L?, 10L?, .*C<10>, int|sum=10L, extent=10L, Operands=.*_10, int
// expect 5: strides_run_both_ways<8L?, -1L?, .*C<8>|positive=8L, negative=-1L, Operands=.*_8
// expect 6: strides_run_both_ways<12L?, -2L?, .*C<12>|positive=12L, negative=-2L, Operands=.*<12>|positive=12L, negative=-2L, Operands=.*_12
// expect 7: modes_carry_in_the_layout<4L?, 4L?, |sum=4L, extent=4L
// expect 8: modes_carry_in_the_layout<5L?, 4L?, |sum=5L, extent=4L
#include <cosmati/cosmati.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 1
auto const result = composition(Layout<Shape<_6, _2>, Stride<_1, _7>>{}, Layout<Shape<_3, _2>, Stride<_2, _3>>{});
#elif COSMATI_FAIL == 2
auto const result = composition(Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_4, _2>, Stride<_2, _3>>{});
#elif COSMATI_FAIL == 3
auto const result = composition(Layout<Shape<_6, _4>, Stride<_1, _7>>{}, Layout<_4, _4>{});
#elif COSMATI_FAIL == 4
// The extent of the last mode does not matter.
auto result(int n) {
  return composition(make_layout(make_shape(_10{}, n), Stride<_1, _12>{}), Layout<Shape<_2, _2>, Stride<_5, _5>>{});
}
#elif COSMATI_FAIL == 5
auto const result = composition(Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_2, _2>, Stride<_8, _m1>>{});
#elif COSMATI_FAIL == 6
auto const result = composition(Layout<Shape<_12, _4>, Stride<_5, _1>>{}, Layout<Shape<_2, _3>, Stride<_12, _m2>>{});
#elif COSMATI_FAIL == 7
// In a product it is the places that the block leaves free.
auto const result =
    logical_product(Layout<Shape<_2, _2>, Stride<_1, _8>>{}, Layout<Shape<_3, _2>, Stride<_1, _2>>{}).compose(_1{});
#elif COSMATI_FAIL == 8
float data[64];
auto const result = make_tensor(&data[0], Layout<Shape<_4, _8>, Stride<_8, _1>>{})
                        .compose(Layout<Shape<_2, _2, _2>, Stride<_1, _2, _2>>{});
#else
[[maybe_unused]] auto const a =
    composition(Layout<Shape<_6, _2>, Stride<_1, _7>>{}, Layout<Shape<_3, _2>, Stride<_2, _6>>{});
[[maybe_unused]] auto const b =
    composition(Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_4, _2>, Stride<_2, _1>>{});
[[maybe_unused]] auto const c = composition(Layout<Shape<_6, _4>, Stride<_1, _7>>{}, Layout<_2, _4>{});
[[maybe_unused]] auto d(int n) {
  return composition(make_layout(make_shape(_10{}, n), Stride<_1, _12>{}), Layout<Shape<_2, _2>, Stride<_5, _10>>{});
}
[[maybe_unused]] auto const e =
    composition(Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_2, _2>, Stride<_m8, _m1>>{});
[[maybe_unused]] auto const f = composition(Layout<_12, _5>{}, Layout<Shape<_2, _3>, Stride<_6, _m2>>{});
// Beyond its size the left layout goes on in its last mode; strides of 0 repeat.
[[maybe_unused]] auto const g =
    composition(Layout<Shape<_4, _2>, Stride<_1, _8>>{}, Layout<Shape<_4, _6, _3>, Stride<_1, _4, _0>>{});
static_assert(g(Int<23>{}) == 43 && g(Int<71>{}) == 43);
#endif
#if COSMATI_FAIL == 8
float after() { return result(0); }
#endif
