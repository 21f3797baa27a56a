// SPDX-License-Identifier: Apache-2.0
// What CuTe compiles in silence, or explains in 200 lines; the number is that of its users' complaint. What is known at run
// time only is in tests/sim/cute_pains.cpp.
// expect 1: source_and_destination_sizes_differ<4, 3, 0, 4, 3>|source=4, destination=3, mode=0, source_extent=4, destination_extent=3
// expect 2: values_are_no_whole_vectors<3, 4>|values=3, needed=4
// expect 3: source_and_destination_sizes_differ<4, 3, 0, 4, 3>|source=4, destination=3, mode=0, source_extent=4, destination_extent=3
// expect 4: partition_reaches_beyond_the_tensor<0, 8, 16>|mode=0, extent=8, tile=16
// expect 5: partition_reaches_beyond_the_tensor<0, 20, 16>|mode=0, extent=20, tile=16
// expect 6: partition_reaches_beyond_the_tensor<0, 12, 5>|mode=0, extent=12, tile=5
// expect 7: source_vector_is_not_contiguous<0, 64, 1, 4>|mode=0, stride=64, adjacent=1, needed=4
// expect 8: tensor_has_fewer_modes_than_the_tile<1, 2>|tensor_rank=1, tile_rank=2
// expect 9: thread_layout_must_be_static<0, |mode=0, ThreadLayout
// expect 10: element_types_differ_in_size<float, .*half.*, 32, 16>|from_bits=32, to_bits=16
// expect 11: Int_product<65536, 65536>|Int_product<a, b> \[with a=65536, b=65536\]
// expect 12: threads_would_share_a_byte<4>|bits=4
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

using Wide = Copy_Atom<UniversalCopy<uint128_t>, float>;

void pains(float* p, half_t* q, int n) {
  auto four = make_tensor(p, Shape<_4>{});
  auto three = make_tensor(p, Shape<_3>{});
  auto predicates = make_tensor<bool>(Shape<_4>{});
  auto square = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_16, _16>>{});
  auto down = make_tiled_copy(Wide{}, Layout<Shape<_4, _16>>{}, Layout<Shape<_4, _1>>{});
  auto rows = make_tensor(p, Layout<Shape<_64, _64>, Stride<_64, _1>>{});
  auto columns = make_tensor(p, Layout<Shape<_64, _64>>{});
  auto thread = square.get_slice(n);
#if COSMATI_FAIL == 1  // pain 1: a wide atom wrote past a smaller destination
  copy(Wide{}, four, three);
#elif COSMATI_FAIL == 2
  copy(Wide{}, three, three);
#elif COSMATI_FAIL == 3
  copy_if(Wide{}, predicates, four, three);
#elif COSMATI_FAIL == 4  // pain 3: a TiledCopy larger than the tile
  auto small = make_tensor(p, Shape<_8, _16>{});
  copy(square, thread.partition_S(small), thread.partition_D(small));
#elif COSMATI_FAIL == 5
  auto tall = make_tensor(p, Shape<Int<20>, _16>{});
  copy(square, thread.partition_S(tall), thread.partition_D(tall));
#elif COSMATI_FAIL == 6  // pain 5: a tiler that does not divide
  auto mine = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_5, _8>>{}).get_slice(n);
  auto tensor = make_tensor(p, Layout<Shape<_12, _32>, Stride<_64, _1>>{});
  auto tiles = local_tile(tensor, Shape<_5, _8>{}, make_coord(_, 0));
  copy(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_5, _8>>{}), mine.partition_S(tiles),
       mine.partition_D(tiles));
#elif COSMATI_FAIL == 7  // pain 6: three messages
  copy(down, down.get_slice(n).partition_S(rows), down.get_slice(n).partition_D(columns));
#elif COSMATI_FAIL == 8
  copy(down, down.get_slice(n).partition_S(four), down.get_slice(n).partition_D(columns));
#elif COSMATI_FAIL == 9
  auto dynamic = make_tiled_copy(Wide{}, make_layout(make_shape(n, 8)), Layout<Shape<_4, _1>>{});
  copy(dynamic, dynamic.get_slice(n).partition_S(columns), dynamic.get_slice(n).partition_D(columns));
#elif COSMATI_FAIL == 10  // pain 7: an instruction that would have to convert
  copy(Wide{}, four, make_tensor(q, Shape<_4>{}));
#elif COSMATI_FAIL == 11  // pain 11: the product became a run-time 0
  auto pixels = make_layout(Int<65536>{} * Int<65536>{});
  p[pixels(0)] = 1.f;
#elif COSMATI_FAIL == 12  // pain 12: threads that write halves of one byte
  auto packed = make_tensor(recast_ptr<uint4_t>(p), Shape<_16, _16>{});
  auto halves = make_tiled_copy(Copy_Atom<UniversalCopy<uint4_t>, uint4_t>{}, Layout<Shape<_16, _16>>{});
  copy(halves, halves.get_slice(n).partition_S(packed), halves.get_slice(n).partition_D(packed));
#else
  copy(Wide{}, four, four);
  copy_if(Wide{}, predicates, four, four);
  copy(square, thread.partition_S(rows), thread.partition_D(rows));
  copy(down, down.get_slice(n).partition_S(columns), down.get_slice(n).partition_D(columns));
  copy(three, make_tensor(q, Shape<_3>{}));
#endif
  (void)p, (void)q;
}
