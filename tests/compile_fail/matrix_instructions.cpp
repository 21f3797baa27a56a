// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix and movmatrix with tensors that are elsewhere, of other elements, shapes or strides.
// expect 1: source_is_not_in_shared_memory<|source_is_not_in_shared_memory
// expect 1: make_smem_ptr
// expect 2: source_is_not_in_shared_memory<|source_is_not_in_shared_memory
// expect 3: destination_is_not_in_registers
// expect 4: source_is_not_in_registers
// expect 5: destination_is_not_in_shared_memory
// expect 6: source_is_not_in_registers
// expect 7: atom_is_of_another_type_size<.*16, 8>|atom_bits=16, element_bits=8
// expect 8: element_types_differ_in_size<.*16, 32>|from_bits=16, to_bits=32
// expect 9: source_and_destination_instructions_differ<1, 2>|source=1, destination=2
// expect 10: source_and_destination_instructions_differ<2, 1>|source=2, destination=1
// expect 11: register_values_are_not_adjacent<1, 2>|adjacent=1, needed=2
// expect 12: register_values_are_not_adjacent<1, 4>|adjacent=1, needed=4
// expect 13: source_vectors_are_not_aligned<36, 8>|multiple=36, needed=8
// expect 14: destination_vectors_are_not_aligned<12, 8>|multiple=12, needed=8
// expect 15: instruction_has_no_predicate
// expect 16: atom_splits_values<32, .*>|value_bits=32
// expect 17: matrix_rows_are_not_contiguous<.*8>|needed=8
// flags nvcc: -arch=sm_90a
#include <cosmati/cosmati.hpp>
using namespace cosmati;

using Load = Copy_Atom<SM75_U32x4_LDSM_N, half_t>;
using Store = Copy_Atom<SM90_U32x4_STSM_N, half_t>;
using Turn = Copy_Atom<SM75_U32x1_MOVM_T, half_t>;

void start(half_t* p, [[maybe_unused]] float* q, [[maybe_unused]] int thread) {
  auto row = make_tensor(make_smem_ptr(p), Layout<_8>{});
  auto held = make_tensor<half_t>(Layout<_8>{});
#if COSMATI_FAIL == 1
  copy(Load{}, make_tensor(make_gmem_ptr(p), Layout<_8>{}), held);
#elif COSMATI_FAIL == 2
  copy(Copy_Atom<SM75_U16x2_LDSM_T, half_t>{}, make_tensor(p, Layout<_8>{}), make_tensor<half_t>(Layout<_2>{}));
#elif COSMATI_FAIL == 3
  copy(Load{}, row, make_tensor(make_smem_ptr(p), Layout<_8>{}));
#elif COSMATI_FAIL == 4
  copy(Store{}, row, row);
#elif COSMATI_FAIL == 5
  copy(Store{}, held, make_tensor(make_gmem_ptr(p), Layout<_8>{}));
#elif COSMATI_FAIL == 6
  copy(Turn{}, make_tensor(make_smem_ptr(p), Layout<_2>{}), make_tensor<half_t>(Layout<_2>{}));
#elif COSMATI_FAIL == 7
  copy(Load{}, make_tensor(make_smem_ptr(reinterpret_cast<std::int8_t*>(p)), Layout<_16>{}),
       make_tensor<std::int8_t>(Layout<_16>{}));
#elif COSMATI_FAIL == 8
  copy(Load{}, row, make_tensor<float>(Layout<_8>{}));
#elif COSMATI_FAIL == 9
  copy(Load{}, row, make_tensor<half_t>(Layout<_16>{}));
#elif COSMATI_FAIL == 10
  copy(Store{}, make_tensor<half_t>(Layout<_16>{}), row);
#elif COSMATI_FAIL == 11
  copy(Load{}, row, make_tensor<half_t>(Layout<Shape<_2, _4>, Stride<_4, _1>>{}));
#elif COSMATI_FAIL == 12
  copy(Copy_Atom<SM90_U32x1_STSM_N, std::int8_t>{}, make_tensor<std::int8_t>(Layout<Shape<_4, _1>, Stride<_4, _1>>{}),
       make_tensor(make_smem_ptr(reinterpret_cast<std::int8_t*>(p)), Layout<_16>{}));
#elif COSMATI_FAIL == 13
  copy(Load{}, make_tensor(make_smem_ptr(p), Layout<Shape<_8, _4>, Stride<_1, Int<36>>>{}),
       make_tensor<half_t>(Layout<Shape<_8, _4>>{}));
#elif COSMATI_FAIL == 14
  copy(Store{}, make_tensor<half_t>(Layout<Shape<_8, _2>>{}),
       make_tensor(make_smem_ptr(p), Layout<Shape<_8, _2>, Stride<_1, _12>>{}));
#elif COSMATI_FAIL == 15
  auto tiled_copy =
      make_tiled_copy(Load{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_4, _2>, Stride<_2, _1>>{});
  auto tile = make_tensor(make_smem_ptr(p), Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  auto mine = tiled_copy.get_slice(thread);
  auto fragment = make_tensor<half_t>(Layout<Shape<_8, _1, _1>>{});
  copy(tiled_copy, mine.partition_S(tile), fragment, shape(tile));
#elif COSMATI_FAIL == 16
  copy(Copy_Atom<SM75_U16x8_LDSM_T, float>{}, make_tensor(make_smem_ptr(q), Layout<_4>{}),
       make_tensor<float>(Layout<_4>{}));
#elif COSMATI_FAIL == 17
  copy(Load{}, make_tensor(make_smem_ptr(p), Layout<_8, _32>{}), held);
#else
  copy(Load{}, row, held);
  copy(Copy_Atom<SM75_U16x2_LDSM_T, half_t>{}, row, make_tensor<half_t>(Layout<_2>{}));
  copy(Store{}, held, row);
  copy(Turn{}, make_tensor<half_t>(Layout<_2>{}), make_tensor<half_t>(Layout<_2>{}));
  copy(Copy_Atom<SM75_U32x4_LDSM_N, std::int8_t>{},
       make_tensor(make_smem_ptr(reinterpret_cast<std::int8_t*>(p)), Layout<_16>{}),
       make_tensor<std::int8_t>(Layout<_16>{}));
  copy(Load{}, make_tensor(make_smem_ptr(p), Layout<Shape<_8, _4>, Stride<_1, Int<40>>>{}),
       make_tensor<half_t>(Layout<Shape<_8, _4>>{}));
  copy(Copy_Atom<SM75_U32x4_LDSM_N, float>{}, make_tensor(make_smem_ptr(q), Layout<_4>{}),
       make_tensor<float>(Layout<_4>{}));
#endif
  (void)row, (void)held;
}
