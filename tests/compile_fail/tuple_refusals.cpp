// SPDX-License-Identifier: Apache-2.0
// Shapes that shape_div cannot divide, and tilers that are too long inside of a mode.
// expect 1: neither_divides_the_other<12L?, 5L?,|dividend=12L?, divisor=5L?,
// expect 2: neither_divides_the_other<8L?, 3L?,|dividend=8L?, divisor=3L?,
// expect 3: neither_divides_the_other<12L?, 7L?,|dividend=12L?, divisor=7L?,
// expect 4: tiler_has_more_modes_than_the_layout<2, 3>|layout_rank=2, tiler_rank=3
// expect 5: tiler_has_more_modes_than_the_layout<1, 2>|layout_rank=1, tiler_rank=2
// expect 6: tiler_has_more_modes_than_the_layout<3, 4>|layout_rank=3, tiler_rank=4
#include <cosmati/cosmati.hpp>
using namespace cosmati;

void algebra() {
  using Nested = Layout<Shape<Shape<_4, _2>, _8>>;
  auto const ok_div = shape_div(Shape<Shape<_12, _2>, _8>{}, Shape<_4, _16>{});
  auto const ok = zipped_divide(Nested{}, make_tile(make_tile(_2{}, _2{}), _4{}));
  (void)ok_div, (void)ok;
#if COSMATI_FAIL == 1
  auto const x = shape_div(Shape<_12, _8>{}, Shape<_5, _4>{});
#elif COSMATI_FAIL == 2
  auto const x = shape_div(Shape<Shape<_12, _2>, _8>{}, Shape<_4, _3>{});
#elif COSMATI_FAIL == 3
  auto const x = shape_div(_12{}, _7{});
#elif COSMATI_FAIL == 4
  auto const x = zipped_divide(Nested{}, make_tile(make_tile(_2{}, _2{}, _2{}), _4{}));
#elif COSMATI_FAIL == 5
  auto const x = composition(Nested{}, make_tile(make_tile(_2{}, make_tile(_1{}, _1{})), _4{}));
#elif COSMATI_FAIL == 6
  auto const x =
      logical_divide(Layout<Shape<_8, Shape<_4, _2, _2>>>{}, make_tile(_4{}, make_tile(_1{}, _1{}, _1{}, _2{})));
#else
  auto const x = 0;
#endif
  (void)x;
}
