// SPDX-License-Identifier: Apache-2.0
// A swizzled layout whose inverse is no swizzled layout.
// expect 1: layout_tears_the_swizzled_bits<3, 896, 56|bits=3, mask_read=896, mask_changed=56
// expect 2: layout_tears_the_swizzled_bits<2, 12, 3|bits=2, mask_read=12, mask_changed=3
// expect 3: the layout behind the swizzle has run-time integers
#include <cosmati/cosmati.hpp>
using namespace cosmati;

int program([[maybe_unused]] int n) {
#if COSMATI_FAIL == 1
  auto l = right_inverse(composition(Swizzle<3, 3, 4>{}, Layout<Shape<_16, _4, _2>, Stride<_2, Int<32>, _1>>{}));
#elif COSMATI_FAIL == 2
  auto l = left_inverse(composition(Swizzle<2, 0, 2>{}, Layout<Shape<_3, _8>, Stride<_8, _1>>{}));
#elif COSMATI_FAIL == 3
  auto l = right_inverse(composition(Swizzle<2, 0, 2>{}, make_layout(make_shape(n, _8{}), make_stride(_8{}, _1{}))));
#else
  auto l = right_inverse(composition(Swizzle<2, 1, 2>{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{}));
#endif
  return static_cast<int>(l(1));
}
