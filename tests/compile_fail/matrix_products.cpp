// SPDX-License-Identifier: Apache-2.0
// Copy atoms that do not feed a matrix instruction, fragments of another tiled MMA, an instruction without traits,
// permutations that are no multiples.
// flags nvcc: -gencode arch=compute_80,code=sm_80
// expect 1: transposing_copy_needs_16_bit_values<8, 16>|bits=8, needed=16
// expect 2: copy_is_wider_than_the_operand<8, 4>|copied=8, held=4
// expect 3: copy_does_not_feed_the_operand<2, 8>|adjacent=2, needed=8
// expect 4: matrix_rows_are_not_contiguous<1, 64, 1, 8>|mode=1, stride=64, adjacent=1, needed=8
// expect 5: matrix_rows_are_not_contiguous<0, 32, 1, 8>|mode=0, stride=32, adjacent=1, needed=8
// expect 6: gemm_extents_differ<'K', 2, 4>|gemm_extents_differ<(char)75, 2, 4>|what=75|what='K'
// expect 7: gemm_extents_differ<'M', 4, 2>|gemm_extents_differ<(char)77, 4, 2>|what=77|what='M'
// expect 8: MMA_Traits<Op>: this operation is not known
// expect 9: operand_has_fewer_than_two_modes<1>|rank=1
// expect 10: sums_come_out_elsewhere
// expect 12: atoms_do_not_divide_the_permutation<48, 32, 'M'>|atoms_do_not_divide_the_permutation<48, 32, (char)77>|extent=48, atoms=32
// expect 13: mma_tile_does_not_divide<40, 32, 'M'>|mma_tile_does_not_divide<40, 32, (char)77>|extent=40, tile=32
// expect 14: mma_tile_does_not_divide<24, 16, 'K'>|mma_tile_does_not_divide<24, 16, (char)75>|extent=24, tile=16
// expect 15: mma_tile_does_not_divide<16, 32, 'N'>|mma_tile_does_not_divide<16, 32, (char)78>|extent=16, tile=32
// expect 11: fragment_is_not_of_one_instruction<4, 8>|values=4, needed=8
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
using namespace cosmati;

using Load = Copy_Atom<SM75_U32x4_LDSM_N, half_t>;
struct unknown_operation {};

void start([[maybe_unused]] half_t* p, [[maybe_unused]] int thread) {
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  auto by_k = make_tensor(make_smem_ptr(p), Layout<Shape<_64, _32>, Stride<_32, _1>>{});
  auto mine = mma.get_slice(thread);
  auto rA = mine.partition_fragment_A(by_k);
  auto rB = mine.partition_fragment_B(by_k);
  auto rC = partition_fragment_C(mma, Shape<_64, _64>{});
#if COSMATI_FAIL == 1
  auto bytes = make_tiled_mma(SM80_16x8x32_S32S8S8S32_TN{}, Layout<Shape<_2, _2>>{});
  auto tiled_copy = make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, std::int8_t>{}, bytes);
#elif COSMATI_FAIL == 2
  auto one = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{});
  auto tiled_copy = make_tiled_copy_B(Load{}, one);
#elif COSMATI_FAIL == 3
  auto volta = make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  auto tiled_copy = make_tiled_copy_A(Load{}, volta);
#elif COSMATI_FAIL == 4
  auto by_m = make_tensor(make_smem_ptr(p), Layout<Shape<_64, _32>, Stride<_1, _64>>{});
  auto tiled_copy = make_tiled_copy_A(Load{}, mma);
  auto thr_copy = tiled_copy.get_slice(thread);
  copy(tiled_copy, thr_copy.partition_S(by_m), thr_copy.retile_D(rA));
#elif COSMATI_FAIL == 5
  auto tiled_copy = make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, half_t>{}, mma);
  auto thr_copy = tiled_copy.get_slice(thread);
  copy(tiled_copy, thr_copy.partition_S(by_k), thr_copy.retile_D(rA));
#elif COSMATI_FAIL == 6
  auto longer = make_tensor(make_smem_ptr(p), Layout<Shape<_64, _64>, Stride<_64, _1>>{});
  gemm(mma, rA, mine.partition_fragment_B(longer), rC);
#elif COSMATI_FAIL == 7
  gemm(mma, rB, rA, rC);
#elif COSMATI_FAIL == 8
  MMA_Atom<unknown_operation> atom;
#elif COSMATI_FAIL == 9
  auto wrong = mine.partition_A(make_tensor(p, Shape<_64>{}));
#elif COSMATI_FAIL == 11
  gemm(mma, rB(_, _, 0), rB(_, _, 0), make_tensor<float>(Shape<Shape<_2, _2>, _4, _4>{}));
#elif COSMATI_FAIL == 12
  auto odd = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<C<48>, _32, _16>{});
#elif COSMATI_FAIL == 13
  auto of_40 = mine.partition_C(make_tensor(p, Layout<Shape<_40, _32>>{}));
#elif COSMATI_FAIL == 14
  auto of_24 = mine.partition_fragment_A(make_tensor(make_smem_ptr(p), Layout<Shape<_64, _24>, Stride<_24, _1>>{}));
#elif COSMATI_FAIL == 15
  auto of_16 = mine.partition_B(make_tensor(p, make_layout(make_shape(_16{}, thread), make_stride(_1{}, _16{}))));
#elif COSMATI_FAIL == 10
  auto mixed = make_tiled_mma(SM70_8x8x4_F32F16F16F16_TN{});
#else
  auto ragged_c = make_tensor(p, Layout<Shape<_40, _24>>{});
  auto whole_tiles = mine.partition_C(ragged_c, ragged);
  auto places = mine.partition_C(make_identity_tensor(ragged_c.shape()));
  auto held = mine.partition_fragment_A(ragged_c, ragged);
  static_assert(decltype(size(whole_tiles))::value == decltype(size(places))::value);
  static_assert(decltype(size(held))::value == 32);
  auto by_m = make_tensor(make_smem_ptr(p), Layout<Shape<_64, _32>, Stride<_1, _64>>{});
  auto tiled_copy = make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, half_t>{}, mma);
  auto thr_copy = tiled_copy.get_slice(thread);
  copy(tiled_copy, thr_copy.partition_S(by_m), thr_copy.retile_D(rA));
  gemm(mma, rA, rB, rC);
#endif
}
