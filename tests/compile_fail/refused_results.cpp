// SPDX-License-Identifier: Apache-2.0
// What is done with the result of a refused call adds nothing to the message of that call.
// expect 1: extent_does_not_fit_the_layout
// expect 2: layout_is_not_injective
// expect 3: value_layout_too_short
// expect 4: stride_does_not_match_the_shape
// expect 5: coordinate_rank_differs
// expect 6: tiler_has_more_modes_than_the_layout
// reject: no match|not declared|no matching|invalid operands|ambiguous
// expect-lines < 25
// expect-bytes < 3000
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
using namespace cosmati;

void refused_calls([[maybe_unused]] float* p) {
#if COSMATI_FAIL == 1
  auto x = composition(Layout<Shape<_6, _2>, Stride<_1, _7>>{}, Layout<_3, _4>{});
#elif COSMATI_FAIL == 2
  auto x = complement(Layout<Shape<_4, _4>, Stride<_1, _2>>{}, Int<32>{});
#elif COSMATI_FAIL == 3
  auto x = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<_32>{}, Layout<_4>{});
#elif COSMATI_FAIL == 4
  auto x = make_layout(make_shape(2, 3), make_stride(1));
#elif COSMATI_FAIL == 5
  auto x = Layout<Shape<_4, _4>>{}(1, 2, 3);
#elif COSMATI_FAIL == 6
  auto x = logical_divide(Layout<_8>{}, Shape<_2, _2>{});
#endif
#if COSMATI_FAIL != 0
  { print(x); }
  { size(x); }
  { size<0>(x); }
  { rank(x); }
  { depth(x); }
  { cosize(x); }
  { shape(x); }
  { shape<0>(x); }
  { stride(x); }
  { stride<0>(x); }
  { layout(x); }
  { print_layout(x); }
  { print_tensor(x); }
  { x(0); }
  { x[0]; }
  { x(0, 1); }
  { x(make_coord(0, 0)); }
  { make_tensor(p, x); }
  { make_tensor<float>(x); }
  { make_tensor(make_gmem_ptr(p), x); }
  { x.layout(); }
  { x.shape(); }
  { x.stride(); }
  { x.size(); }
  { x + 1; }
  { 1 + x; }
  { x - x; }
  { -x; }
  { x * 2; }
  { x / 2; }
  { x % 2; }
  { x == x; }
  { x == 1; }
  { x < 1; }
  { x != 0; }
  {
    int y = x(0);
    (void)y;
  }
  {
    for (auto e : x) (void)e;
  }
  {
    if (x(0) < 3) {
    };
  }
  { coalesce(x); }
  { flatten(x); }
  { right_inverse(x); }
  { left_inverse(x); }
  { composition(x, x); }
  { composition(Layout<_4>{}, x); }
  { composition(x, Layout<_4>{}); }
  { complement(x, Int<32>{}); }
  { complement(x); }
  { logical_divide(x, Layout<_2>{}); }
  { logical_divide(Layout<_4>{}, x); }
  { zipped_divide(x, Shape<_2>{}); }
  { zipped_divide(Layout<_4>{}, x); }
  { logical_product(x, x); }
  { logical_product(Layout<_4>{}, x); }
  { blocked_product(x, x); }
  { raked_product(Layout<_4>{}, x); }
  { tile_to_shape(x, Shape<_8>{}); }
  { get<0>(x); }
  { filter(x); }
  { filter_zeros(x); }
  { select<0>(x); }
  { group<0, 1>(x); }
  { take<0, 1>(x); }
  { append(x, x); }
  { prepend(x, x); }
  { make_layout(x); }
  { make_layout(x, x); }
  { make_shape(x, 2); }
  { crd2idx(0, x); }
  { idx2crd(0, x); }
  { with_shape(x, Shape<_4>{}); }
  { recast_layout<float, char>(x); }
  { upcast<2>(x); }
  { local_tile(x, Shape<_2>{}, 0, Step<_1>{}); }
  { downcast<2>(x); }
  { max_common_vector(x, x); }
  { is_static<decltype(x)>::value; }
  { congruent(x, x); }
  { compatible(x, x); }
  { max_alignment(x); }
  { nullspace(x); }
  { slice(0, x); }
  { dice(0, x); }
  { product(x); }
  { ceil_div(x, 2); }
  { make_fragment_like(x); }
  { make_tensor_like(x); }
  { clear(x); }
  { fill(x, 1); }
  { copy(x, x); }
  { axpby(1, x, 0, x); }
  { gemm(x, x, x); }
  { local_tile(x, Shape<_2>{}, 0); }
  { local_partition(x, Layout<_2>{}, 0); }
  { recast<float>(x); }
  { make_tiled_copy(x, x, x); }
  { x.get_slice(0); }
  { x.get_slice(0).partition_S(x); }
  { x.tiled_mma(); }
  { make_identity_tensor(x); }
  { elem_less(x, x); }
  { elem_less(1, x); }
  {
    for_each(x, [](auto) {});
  }
  {
    transform(x, [](auto e) { return e; });
  }
  { group_modes<0, 1>(x); }
  { x.data(); }
  { tile_size(x); }
  { x.partition_C(x); }
  { x.partition_fragment_A(x); }
  { cooperative_copy<32, 32>(0, x, x); }
#endif
}
