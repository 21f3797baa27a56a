// SPDX-License-Identifier: Apache-2.0
// cp.async and bulk copies with tensors that are elsewhere, of other elements, widths or strides; pipelines of one stage.
// expect 1: source_is_not_in_global_memory
// expect 1: make_gmem_ptr
// expect 2: destination_is_not_in_shared_memory
// expect 3: destination_is_not_in_shared_memory
// expect 4: atom_is_of_another_type_size<.*16, 32>|atom_bits=16, element_bits=32
// expect 5: source_vectors_are_not_aligned<6, 4>|multiple=6, needed=4
// expect 6: destination_vectors_are_not_aligned<1, 4>|multiple=1, needed=4
// expect 7: cp.async.cg moves 16 bytes
// expect 8: cp.async.ca moves 4, 8 or 16 bytes
// expect 9: bulk_copy_needs_its_mbarrier
// expect 9: atom.with\(barrier\)
// expect 10: bulk_copy_is_not_of_16_bytes<12>|bytes=12
// expect 11: bulk_copy_is_not_of_16_bytes<4>|bytes=4
// expect 12: instruction_has_no_predicate
// expect 13: source_is_not_in_shared_memory
// expect 14: destination_is_not_in_global_memory
// expect 15: pipeline_has_stages<1>|stages=1
// expect 16: pipeline_has_stages<17>|stages=17
// expect 17: source_vector_is_not_contiguous<0, 8, 1, 4>|mode=0, stride=8, adjacent=1, needed=4
// expect 18: destination_vector_is_not_contiguous<0, 16, 1, 2>|mode=0, stride=16, adjacent=1, needed=2
// flags nvcc: -arch=sm_90a
#include <cosmati/cosmati.hpp>
using namespace cosmati;

using Async = Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>;
using Bulk = Copy_Atom<SM90_BULK_COPY_AUTO, float>;

void start(float* p, [[maybe_unused]] float* q, [[maybe_unused]] std::uint64_t& barrier) {
  auto global = make_tensor(make_gmem_ptr(p), Layout<_8>{});
  auto shared = make_tensor(make_smem_ptr(q), Layout<_8>{});
#if COSMATI_FAIL == 1
  copy(Async{}, shared, shared);
#elif COSMATI_FAIL == 2
  copy(Async{}, global, make_tensor<float>(Layout<_8>{}));
#elif COSMATI_FAIL == 3
  copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<std::uint64_t>, float>{}, global, global);
#elif COSMATI_FAIL == 4
  copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{}, global, shared);
#elif COSMATI_FAIL == 5
  copy(Async{}, make_tensor(make_gmem_ptr(p), Layout<Shape<_4, _8>, Stride<_1, _6>>{}),
       make_tensor(make_smem_ptr(q), Layout<Shape<_4, _8>>{}));
#elif COSMATI_FAIL == 6
  copy(Async{}, make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _2>>{}),
       make_tensor(make_smem_ptr(q), Layout<Shape<_32, _2>, Stride<_1, Int<33>>>{}));
#elif COSMATI_FAIL == 7
  copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<std::uint64_t>, float>{}, global, shared);
#elif COSMATI_FAIL == 8
  copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<std::uint16_t>, half_t>{},
       make_tensor(make_gmem_ptr(reinterpret_cast<half_t*>(p)), Layout<_8>{}),
       make_tensor(make_smem_ptr(reinterpret_cast<half_t*>(q)), Layout<_8>{}));
#elif COSMATI_FAIL == 9
  copy(Bulk{}, global, shared);
#elif COSMATI_FAIL == 10
  copy(Bulk{}.with(barrier), make_tensor(make_gmem_ptr(p), Layout<Shape<_3, _4>, Stride<_1, _4>>{}),
       make_tensor(make_smem_ptr(q), Layout<Shape<_3, _4>>{}));
#elif COSMATI_FAIL == 11
  copy(Bulk{}, make_tensor(make_smem_ptr(q), Layout<Shape<_8, _8>, Stride<_8, _1>>{}),
       make_tensor(make_gmem_ptr(p), Layout<Shape<_8, _8>>{}));
#elif COSMATI_FAIL == 12
  copy_if(
      Bulk{}.with(barrier), [](auto const&) { return true; }, global, shared);
#elif COSMATI_FAIL == 13
  copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, global, global);
#elif COSMATI_FAIL == 14
  copy(Bulk{}, shared, make_tensor(make_smem_ptr(p), Layout<_8>{}));
#elif COSMATI_FAIL == 15
  for (auto [tile, stage] : cp_async_stages<1>(4, [](int, int) {})) q[tile] = p[stage];
#elif COSMATI_FAIL == 16
  for (auto [tile, stage] : cp_async_stages<17>(4, [](int, int) {})) q[tile] = p[stage];
#elif COSMATI_FAIL == 17
  copy(Async{}, make_tensor(make_gmem_ptr(p), Layout<_8, _8>{}), shared);
#elif COSMATI_FAIL == 18
  copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<std::uint64_t>, float>{}, global,
       make_tensor(make_smem_ptr(q), Layout<_8, _16>{}));
#else
  copy(Async{}, global, shared);
  copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<std::uint64_t>, float>{}, global, shared);
  copy(Async{}, make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _2>>{}),
       make_tensor(make_smem_ptr(q), Layout<Shape<_32, _2>, Stride<_1, Int<36>>>{}));
  copy(Bulk{}.with(barrier), global, shared);
  copy(Bulk{}, shared, global);
  copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, shared, global);
  copy(Bulk{}.with(barrier), make_tensor(make_gmem_ptr(p), Layout<Shape<_4, _4>, Stride<_1, _8>>{}),
       make_tensor(make_smem_ptr(q), Layout<Shape<_4, _4>>{}));
  for (auto [tile, stage] : cp_async_stages<2>(4, [](int, int) {})) q[tile] = p[stage];
#endif
  (void)global, (void)shared;
}
