// SPDX-License-Identifier: Apache-2.0
// What the algebra cannot decide while an integer is known only at run time: one error, which says of which mode.
// expect 1: complement_needs_static_strides<1L?, 2L?, .*C<24>|mode=1L, modes=2L, Operands=.*C<24>
// expect 2: complement_needs_static_strides<0L?, 2L?, .*C<8>|mode=0L, modes=2L, Operands=.*_8
// expect 3: left_inverse_needs_static_strides<1L?, 2L?, .*C<4>|mode=1L, modes=2L, Operands=.*_4
// expect 4: left_inverse_needs_static_strides<2L?, 3L?, .*C<2>|mode=2L, modes=3L, Operands=.*_2
// expect 5: tile_to_shape_needs_a_static_block<0L?, 2L?, .*C<16>|mode=0L, modes=2L, Operands=.*_16
// expect 6: domain_distribute_needs_static_extents<1L?, 3L?, .*C<6>|mode=1L, modes=3L, Operands=.*C<6>
// expect 7: group_does_not_fit_the_stride<6L?, 4L?, .*C<6>|stride=6L, group=4L, Operands=.*C<6>
// expect 8: no_mode_is_contiguous<4L?, 2L?, .*C<8>|parts=4L, modes=2L, Operands=.*_8
// expect 9: right_inverse_needs_static_integers<1L?, 2L?, .*C<4>|mode=1L, modes=2L, Operands=.*_4
// expect 10: right_inverse_needs_static_integers<0L?, 2L?, .*int, cosmati::C<3>|mode=0L, modes=2L, Operands=.*int, cosmati::_3
// expect 11: order_must_be_static<0L?, 2L?, .*C<4>|mode=0L, modes=2L, Operands=.*_4
// expect 12: order_must_be_static<2L?, 3L?, .*C<5>|mode=2L, modes=3L, Operands=.*_5
// expect 13: layout_is_not_injective<2L?, 4L?, .*C<4>|stride=2L, reached=4L, Operands=.*_4
// reject: undecidable_for_a_run_time_integer
// expect-lines < 22
// expect-bytes < 2500
#include <cosmati/layout/operations.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 1
auto result(int k) { return complement(make_layout(make_shape(_3{}, _2{}), make_stride(_1{}, k)), Int<24>{}); }
#elif COSMATI_FAIL == 2
auto result(int k) { return zipped_product(make_layout(make_shape(k, _8{}), make_stride(k, _1{})), Layout<_8>{}); }
#elif COSMATI_FAIL == 3
auto result(int k) { return left_inverse(make_layout(make_shape(_4{}, k), make_stride(_1{}, k))); }
#elif COSMATI_FAIL == 4
auto result(int k) { return left_inverse(make_layout(make_shape(_4{}, _3{}, k), make_stride(_2{}, _1{}, k))); }
#elif COSMATI_FAIL == 5
auto result(int k) { return tile_to_shape(make_layout(make_shape(k, _2{})), Shape<_16, _16>{}); }
#elif COSMATI_FAIL == 6
auto result(int k) { return domain_distribute(make_shape(_4{}, k, _6{}), Int<6>{}); }
#elif COSMATI_FAIL == 7
auto result(int k) { return upcast<4>(make_layout(make_shape(k, _2{}), make_stride(Int<6>{}, k))); }
#elif COSMATI_FAIL == 8
auto result(int k) { return downcast<4>(make_layout(make_shape(_8{}, _2{}), make_stride(k, _8{}))); }
#elif COSMATI_FAIL == 9
auto result(int k) { return right_inverse(make_layout(make_shape(_4{}, k), make_stride(_1{}, k))); }
#elif COSMATI_FAIL == 10
auto result(int k) { return right_inverse(make_layout(make_shape(k, _3{}), make_stride(_1{}, _8{}))); }
#elif COSMATI_FAIL == 11
auto result(int k) { return make_ordered_layout(Shape<_4, _6>{}, make_step(k, _1{})); }
#elif COSMATI_FAIL == 12
auto result(int k) { return make_ordered_layout(Shape<_5, _2, _7>{}, make_step(_1{}, _2{}, k)); }
#elif COSMATI_FAIL == 13
auto result(int k) { return left_inverse(make_layout(make_shape(_4{}, k), make_stride(_1{}, _2{}))); }
#else
[[maybe_unused]] void right(int k) {
  (void)complement(make_layout(make_shape(_3{}, k), make_stride(_1{}, _3{})), Int<24>{});
  (void)zipped_product(make_layout(make_shape(k, _8{}), make_stride(_8{}, _1{})), Layout<_8>{});
  (void)left_inverse(make_layout(make_shape(_4{}, k), make_stride(_1{}, _4{})));
  (void)right_inverse(make_layout(make_shape(_4{}, k), make_stride(_1{}, _4{})));
  (void)make_ordered_layout(make_shape(k, _6{}), Step<_2, _1>{});
  (void)tile_to_shape(make_layout(make_shape(_4{}, _2{})), make_shape(k, _16{}));
  (void)domain_distribute(Shape<_4, _2, _6>{}, Int<6>{});
  (void)upcast<4>(make_layout(make_shape(k, _2{}), make_stride(_8{}, k)));
  (void)downcast<4>(make_layout(make_shape(_8{}, _2{}), make_stride(_1{}, k)));
}
#endif
