// SPDX-License-Identifier: Apache-2.0
// What the algebra refuses of static layouts: one error, with the numbers of the case and both layouts, at the call.
// expect 1: stride_does_not_fit_the_layout<6L?, 4L?, .*C<4>, cosmati::C<6>|left=6L, extent=4L, Operands=.*_4, cosmati::_6
// expect 2: stride_does_not_fit_the_layout<12L?, 8L?, .*C<8>, cosmati::C<3>|left=12L, extent=8L, Operands=.*_8, cosmati::_3
// expect 3: extent_does_not_fit_the_layout<5L?, 4L?, .*C<4>, cosmati::C<3>|left=5L, offered=4L, Operands=.*_4, cosmati::_3
// expect 4: extent_does_not_fit_the_layout<9L?, 6L?, .*C<6>, cosmati::C<2>|left=9L, offered=6L, Operands=.*<6>, cosmati::C<2>
// expect 5: stride_does_not_fit_the_layout<8L?, 6L?, .*C<6>, cosmati::C<8>|left=8L, extent=6L, Operands=.*_6, cosmati::_8
// expect 6: extent_does_not_fit_the_layout<4L?, 3L?, .*C<3>, cosmati::C<4>|left=4L, offered=3L, Operands=.*_3, cosmati::_4
// expect 7: layout_is_not_injective<2L?, 4L?, .*C<1>, cosmati::C<2>|stride=2L, reached=4L, Operands=.*_1, cosmati::_2
// expect 8: layout_is_not_injective<4L?, 6L?, .*C<2>, cosmati::C<4>|stride=4L, reached=6L, Operands=.*_2, cosmati::_4
// expect 9: strides_have_no_left_inverse<3L?, 2L?, .*C<2>, cosmati::C<3>|stride=3L, covered=2L, Operands=.*_2, cosmati::_3
// expect 10: strides_have_no_left_inverse<6L?, 4L?, .*C<4>, cosmati::C<6>|stride=6L, covered=4L, Operands=.*_4, cosmati::_6
// expect 11: block_does_not_divide_the_target<8L?, 20L?, |block=8L, target=20L
// expect 12: block_does_not_divide_the_target<16L?, 24L?, |block=16L, target=24L
// expect 13: layout_is_not_injective<1L?, 2L?, .*C<1>, cosmati::C<1>|stride=1L, reached=2L, Operands=.*_1, cosmati::_1
// expect 14: layout_is_not_injective<2L?, 3L?, .*C<1>, cosmati::C<2>|stride=2L, reached=3L, Operands=.*_1, cosmati::_2
// expect 15: tiler_has_more_modes_than_the_layout<1, 2>|layout_rank=1, tiler_rank=2
// expect 16: tiler_has_more_modes_than_the_layout<2, 3>|layout_rank=2, tiler_rank=3
// expect-lines < 22
// expect-bytes < 2500
#include <cosmati/cosmati.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 1
auto const result = composition(Layout<Shape<_4, _6>, Stride<_6, _1>>{}, Layout<_2, _6>{});
#elif COSMATI_FAIL == 2
auto const result = composition(Layout<Shape<_8, _3>, Stride<_3, _1>>{}, Layout<Shape<_2, _2>, Stride<_1, _12>>{});
#elif COSMATI_FAIL == 3
auto const result = composition(Layout<Shape<_4, _3>, Stride<_3, _1>>{}, Layout<_5, _1>{});
#elif COSMATI_FAIL == 4
auto const result =
    composition(Layout<Shape<_6, _8>, Stride<_8, _1>>{}, make_tile(_, _2{})).compose(Layout<Int<9>, _1>{});
#elif COSMATI_FAIL == 5
auto const result = logical_divide(Layout<Shape<_6, _8>, Stride<_8, _1>>{}, Layout<_2, _4>{});
#elif COSMATI_FAIL == 6
auto const result =
    zipped_divide(Layout<Shape<Shape<_3, _4>, _5>, Stride<Stride<_4, _1>, _12>>{}, make_tile(_4{}, _5{}));
#elif COSMATI_FAIL == 7
auto const result = complement(Layout<Shape<_4, _2>, Stride<_1, _2>>{}, _24{});
#elif COSMATI_FAIL == 8
auto const result = complement(Layout<Shape<_3, _5>, Stride<_2, _4>>{}, _64{});
#elif COSMATI_FAIL == 9
auto const result = left_inverse(Layout<Shape<_4, _2>, Stride<_2, _3>>{});
#elif COSMATI_FAIL == 10
auto const result = left_inverse(Layout<Shape<_2, _2>, Stride<_4, _6>>{});
#elif COSMATI_FAIL == 11
auto const result = tile_to_shape(Layout<Shape<_8, _8>>{}, Shape<Int<20>, _16>{});
#elif COSMATI_FAIL == 12
auto const result = tile_to_shape(Layout<Shape<_8, _16>>{}, Shape<_16, _24>{}, Step<_2, _1>{});
#elif COSMATI_FAIL == 13
auto const result = logical_product(Layout<Shape<_2, _2>, Stride<_1, _1>>{}, Layout<_4, _1>{});
#elif COSMATI_FAIL == 14
auto const result = tiled_divide(Layout<Shape<Int<24>>>{}, Layout<Shape<_3, _2>, Stride<_1, _2>>{});
#elif COSMATI_FAIL == 15
auto const result = logical_product(Layout<Shape<_8>>{}, make_tile(_2{}, _3{}));
#elif COSMATI_FAIL == 16
auto const result = flat_product(Layout<Shape<_8, _8>>{}, make_tile(_2{}, _3{}, _2{}));
#else
[[maybe_unused]] auto const a = composition(Layout<Shape<_4, _6>, Stride<_6, _1>>{}, Layout<_2, _2>{});
[[maybe_unused]] auto const b = composition(Layout<Shape<_4, _3>, Stride<_3, _1>>{}, Layout<_4, _1>{});
[[maybe_unused]] auto const c = logical_divide(Layout<Shape<_6, _8>, Stride<_8, _1>>{}, Layout<_2, _3>{});
[[maybe_unused]] auto const d =
    zipped_divide(Layout<Shape<Shape<_3, _4>, _5>, Stride<Stride<_4, _1>, _12>>{}, make_tile(_3{}, _5{}));
[[maybe_unused]] auto const e = complement(Layout<Shape<_4, _2>, Stride<_1, _4>>{}, _24{});
[[maybe_unused]] auto const f = left_inverse(Layout<Shape<_4, _2>, Stride<_2, _8>>{});
[[maybe_unused]] auto const g = tile_to_shape(Layout<Shape<_8, _8>>{}, Shape<Int<24>, _16>{});
[[maybe_unused]] auto const h = logical_product(Layout<Shape<_2, _2>, Stride<_1, _2>>{}, Layout<_4, _1>{});
[[maybe_unused]] auto const i = logical_product(Layout<Shape<_8>>{}, make_tile(_2{}));
#endif
#if COSMATI_FAIL
// What is done with it afterwards adds no error.
__global__ void kernel(float* p) {
  decltype(result) const layout{};
  auto const tensor = make_tensor(make_gmem_ptr(p), layout);
  tensor(0) = static_cast<float>(size(zipped_divide(layout, _2{})) + size(coalesce(layout)) + cosize(layout));
}
#endif
