// SPDX-License-Identifier: Apache-2.0
// Vectors that the tensors do not hold whole or aligned, atoms narrower than a value, packed elements that share a byte.
// expect 1: values_are_no_whole_vectors<6, 4>|values=6, needed=4
// expect 2: source_vectors_are_not_aligned<6, 4>|multiple=6, needed=4
// expect 3: destination_vectors_are_not_aligned<1, 4>|multiple=1, needed=4
// expect 4: values_do_not_fill_the_atom<64, 32>|value_bits=64, atom_bits=32
// expect 5: threads_would_share_a_byte<4>|bits=4
// expect 6: vector_crosses_the_value_layout<0, 3, 4>|mode=0, adjacent=3, needed=4
// expect 7: source_vector_is_not_contiguous<1, 1, 2, 4>|mode=1, stride=1, adjacent=2, needed=4
// expect 8: destination_vectors_are_not_aligned<1, 4>|multiple=1, needed=4
// expect 9: source_vectors_are_not_aligned<2, 4>|multiple=2, needed=4
// expect 10: atom_is_of_another_type_size<float, .*, 32, 16>|atom_bits=32, element_bits=16
// expect 11: atom_is_of_another_type_size<float, double, 32, 64>|atom_bits=32, element_bits=64
// expect 12: instruction_has_no_predicate
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

using Wide = Copy_Atom<UniversalCopy<uint128_t>, float>;

/// The program's own: it moves two values, and cannot move one of them.
struct pair_copy {
  using SRegisters = std::uint64_t[1];
  using DRegisters = std::uint64_t[1];
  COSMATI_HD static void copy(std::uint64_t const& source, std::uint64_t& destination) { destination = source; }
};
template <>
struct cosmati::Copy_Traits<pair_copy> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, _64>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

void start(float* p, [[maybe_unused]] double* q, [[maybe_unused]] int thread) {
#if COSMATI_FAIL == 1
  copy(Wide{}, make_tensor(p, Shape<_6>{}), make_tensor(p, Shape<_6>{}));
#elif COSMATI_FAIL == 2
  auto held = make_tensor<float>(Shape<_4, _8>{});
  copy(Wide{}, make_tensor(p, Layout<Shape<_4, _8>, Stride<_1, _6>>{}), held);
#elif COSMATI_FAIL == 3
  // A row of padding keeps banks apart, and vectors off their addresses.
  auto tiled_copy =
      make_tiled_copy(Wide{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}, Layout<Shape<_2, _4>, Stride<_4, _1>>{});
  auto source = make_tensor(p, Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  auto padded = make_tensor(make_smem_ptr(p), Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{});
  auto mine = tiled_copy.get_slice(thread);
  copy(tiled_copy, mine.partition_S(source), mine.partition_D(padded));
#elif COSMATI_FAIL == 4
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint32_t>, double>{}, Layout<Shape<_8, _8>>{});
  auto mine = tiled_copy.get_slice(thread);
  auto tensor = make_tensor(q, Shape<_8, _8>{});
  copy(tiled_copy, mine.partition_S(tensor), mine.partition_D(tensor));
#elif COSMATI_FAIL == 5
  auto nibbles = make_tensor(recast_ptr<uint4_t>(p), Shape<_8, _8>{});
  copy(Copy_Atom<UniversalCopy<uint4_t>, uint4_t>{}, nibbles, nibbles);
#elif COSMATI_FAIL == 6
  auto tiled_copy = make_tiled_copy(Wide{}, Layout<Shape<_8, _8>>{}, Layout<Shape<_3, _4>>{});
  auto mine = tiled_copy.get_slice(thread);
  auto tensor = make_tensor(p, Shape<_24, _32>{});
  copy(tiled_copy, mine.partition_S(tensor), mine.partition_D(tensor));
#elif COSMATI_FAIL == 7
  // The swizzle moves pairs: it takes vectors of four apart.
  auto swizzled = composition(Swizzle<3, 1, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{});
  auto tiled_copy = make_tiled_copy(Wide{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto mine = tiled_copy.get_slice(thread);
  auto source = make_tensor(make_smem_ptr(p), swizzled);
  copy(tiled_copy, mine.partition_S(source),
       mine.partition_D(make_tensor(p, Layout<Shape<_8, _32>, Stride<_32, _1>>{})));
#elif COSMATI_FAIL == 8
  // A thread's own vectors are four rows apart, and so aligned if its first is; the rows of other threads are not.
  auto tiled_copy = make_tiled_copy(Wide{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto mine = tiled_copy.get_slice(thread);
  copy(tiled_copy, mine.partition_S(make_tensor(p, Layout<Shape<_32, _32>, Stride<_32, _1>>{})),
       mine.partition_D(make_tensor(make_smem_ptr(p), Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{})));
#elif COSMATI_FAIL == 9
  auto tiled_copy = make_tiled_copy(Wide{}, Layout<Shape<_8, _4>>{}, Layout<_4>{});
  auto mine = tiled_copy.get_slice(thread);
  auto source = make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _4>, Stride<_1, Int<34>>>{});
  copy(tiled_copy, mine.partition_S(source), mine.partition_D(make_tensor(make_smem_ptr(p), Layout<Shape<_32, _4>>{})));
#elif COSMATI_FAIL == 10
  // An atom of one value that is wider than the element would run over the tensor's end.
  auto halves = make_tensor(recast_ptr<half_t>(p), Shape<_8>{});
  copy(Copy_Atom<UniversalCopy<float>, float>{}, halves, halves);
#elif COSMATI_FAIL == 11
  auto doubles = make_tensor(q, Shape<_8, _4>{});
  copy_if(Copy_Atom<UniversalCopy<float>, float>{}, make_tensor(p, Shape<_8, _4>{}), doubles, doubles);
#elif COSMATI_FAIL == 12
  auto tiled_copy = make_tiled_copy(Copy_Atom<pair_copy, float>{}, Layout<_32>{}, Layout<_2>{});
  auto mine = tiled_copy.get_slice(thread).partition_S(make_tensor(make_gmem_ptr(p), Layout<_128>{}));
  copy(tiled_copy, mine, mine, make_shape(99));
#else
  copy(Copy_Atom<AutoVectorizingCopy, float>{}, make_tensor(q, Shape<_8>{}), make_tensor(q, Shape<_8>{}));
  copy(Wide{}, make_tensor(p, Shape<_8>{}), make_tensor(p, Shape<_8>{}));
  auto tiled_copy = make_tiled_copy(Wide{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto source = make_tensor(p, Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  auto padded = make_tensor(make_smem_ptr(p), Layout<Shape<_32, _32>, Stride<Int<36>, _1>>{});
  auto mine = tiled_copy.get_slice(thread);
  copy(tiled_copy, mine.partition_S(source), mine.partition_D(padded));
  auto nibbles = make_tensor(recast_ptr<uint4_t>(p), Shape<_8, _8>{});
  copy(Copy_Atom<UniversalCopy<std::uint32_t>, uint4_t>{}, nibbles, nibbles);
  auto doubles = make_tensor(q, Shape<_8>{});
  copy(Copy_Atom<UniversalCopy<std::uint64_t>, double>{}, doubles, doubles);
  auto by_pairs = make_tiled_copy(Copy_Atom<pair_copy, float>{}, Layout<_32>{}, Layout<_2>{});
  auto pairs = by_pairs.get_slice(thread).partition_S(make_tensor(make_gmem_ptr(p), Layout<_128>{}));
  copy(by_pairs, pairs, pairs);
  auto swizzled =
      make_tensor(make_smem_ptr(p), composition(Swizzle<3, 2, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}));
  copy(tiled_copy, mine.partition_S(swizzled),
       mine.partition_D(make_tensor(p, Layout<Shape<_8, _32>, Stride<_32, _1>>{})));
#endif
}
