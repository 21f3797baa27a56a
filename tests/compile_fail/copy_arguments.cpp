// SPDX-License-Identifier: Apache-2.0
// copy and copy_if called with what they cannot take.
// expect 1: the destination's elements are const
// expect 2: pass the tiled copy itself, copy\(tiled_copy, source partition, destination partition\)
// expect 3: neither tensor knows its coordinates
// expect 4: bounds_have_another_rank<2, 1>|rank=2, bounds=1
// expect 5: predicates_do_not_match<3, 8, 8>|predicates=3, elements=8, in_first_mode=8
// expect 6: source_and_destination_sizes_differ<8, 4, 0, 8, 4>|source=8, destination=4, mode=0, source_extent=8, destination_extent=4
// expect 7: values_are_no_whole_vectors<2, 4>|values=2, needed=4
// expect 8: source_vector_is_not_contiguous<0, 2, 1, 4>|mode=0, stride=2, adjacent=1, needed=4
// expect 9: the destination's elements are const
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

void start(float* p, float const* q, int thread, int rows) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_8, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto mine = tiled_copy.get_slice(thread);
  auto in = make_tensor(q, make_shape(rows, _32{}), make_stride(_32{}, _1{}));
  auto out = make_tensor(p, in.layout());
  auto from = mine.partition_S(in);
  auto to = mine.partition_D(out);
  auto eight = make_tensor(p, Shape<_8>{});
  auto predicates = make_tensor<bool>(Shape<_8>{});
  clear(predicates);
  using Wide = Copy_Atom<UniversalCopy<uint128_t>, float>;
#if COSMATI_FAIL == 1
  copy(tiled_copy, mine.partition_S(out), mine.partition_D(in));
#elif COSMATI_FAIL == 2
  copy(mine, from, to);
#elif COSMATI_FAIL == 3
  copy(tiled_copy, from(_, 0, _), to(_, 0, _), shape(in));
#elif COSMATI_FAIL == 4
  copy(tiled_copy, from, to, make_shape(rows));
#elif COSMATI_FAIL == 5
  copy_if(make_tensor<bool>(Shape<_3>{}), eight, eight);
#elif COSMATI_FAIL == 6
  copy_if(Wide{}, predicates, eight, make_tensor(p, Shape<_4>{}));
#elif COSMATI_FAIL == 7
  auto two = make_tensor(p, Shape<_2>{});
  copy_if(Wide{}, predicates, two, two);
#elif COSMATI_FAIL == 8
  copy_if(Wide{}, predicates, make_tensor(p, Layout<_8, _2>{}), eight);
#elif COSMATI_FAIL == 9
  auto const held = make_tensor<float>(Shape<_8>{});
  copy(Wide{}, eight, held);
#else
  copy(tiled_copy, from, to, shape(in));
  auto const view = make_tensor(p, Shape<_8>{});
  copy(Wide{}, eight, view);
  copy(eight, view);
  copy_if(Wide{}, predicates, eight, eight);
#endif
}
