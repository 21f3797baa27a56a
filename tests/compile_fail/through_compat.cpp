// SPDX-License-Identifier: Apache-2.0
// Mistakes that CuTe's users report, in programs that include CuTe's headers through compat/.
// flags: -Icompat
// flags nvcc: -arch=sm_80
// expect 1: thread_is_no_number|a slice is of one thread, by its number
// expect 1: threadIdx.x
// expect 2: thread_is_no_number|a slice is of one thread, by its number
// expect 3: cp_async_atom_width<2, |moves 4, 8 or 16 bytes
// expect 4: cp_async_atom_width<8, |cp.async.cg moves 16 bytes
// expect 5: swizzle_moves_smaller|the swizzle mixes bits below the new element's size
// expect 6: a table has two modes
// expect 7: mode_is_out_of_range<3, 2>|i=3.*, N=2
// expect 8: mode_is_out_of_range<2, 2>|i=2.*, N=2
// expect 9: gemm_extents_differ
// expect 10: source_is_not_in_shared_memory
// expect 11: value_layout_too_short<4, 8>|values=4, needed=8
// expect 12: source_vector_is_not_contiguous<1, 64, 1, 8>|mode=1, stride=64, adjacent=1, needed=8
// expect 13: pass the tiled copy itself
// expect 14: source_and_destination_sizes_differ<4096, 2048|source=4096, destination=2048
// expect 15: values_are_no_whole_vectors<7, 4>|values=7, needed=4
// expect 16: a tensor that owns its elements needs a layout
// expect 17: coordinate_rank_differs<2, 3>|coordinate_rank=2, layout_rank=3
// expect 18: operand_has_fewer_than_two_modes<1>|rank=1
// expect 19: copy_does_not_feed_the_operand
// expect 20: copy_is_wider_than_the_operand
// expect 21: atoms_do_not_divide_the_permutation<24, 32, |extent=24, atoms=32
// expect 22: destination_vector_is_not_contiguous
// expect 23: extent_does_not_fit_the_layout
// expect 24: Int_product<65536, 65536>|a=65536, b=65536
// expect-lines < 25
// expect-bytes < 3000
#include <cute/tensor.hpp>

using namespace cute;

__global__ void kernel(half_t* g, float* f, [[maybe_unused]] int n) {
  __shared__ half_t memory[64 * 64];
  using Rows = Layout<Shape<_64, _64>, Stride<_64, _1>>;
  using Wide = Copy_Atom<UniversalCopy<uint128_t>, half_t>;
  auto gA = make_tensor(make_gmem_ptr(g), Rows{});
  auto sA = make_tensor(make_smem_ptr(&memory[0]), Rows{});
  auto half = make_tensor(make_smem_ptr(&memory[0]), Layout<Shape<_64, _32>>{});
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{});
  auto thread = mma.get_slice(threadIdx.x);
  auto rA = thread.partition_fragment_A(sA);
  auto rB = thread.partition_fragment_B(sA);
  auto rC = partition_fragment_C(mma, Shape<_64, _64>{});
  auto loads = make_tiled_copy(Wide{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto load = loads.get_slice(threadIdx.x);
  auto columns = make_tensor(make_gmem_ptr(g), Layout<Shape<_64, _64>>{});
  auto swizzled = make_tensor(make_smem_ptr(&memory[0]),
                              composition(Swizzle<3, 1, 3>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{}));
  clear(rC);
#if COSMATI_FAIL == 1  // threadIdx instead of threadIdx.x
  auto slice = mma.get_slice(threadIdx);
#elif COSMATI_FAIL == 2
  auto slice = loads.get_thread_slice(blockDim);
#elif COSMATI_FAIL == 3  // cp.async of one half
  auto narrow = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<half_t>, half_t>{}, Layout<_32>{}, Layout<_1>{});
#elif COSMATI_FAIL == 4  // #1768: 8 bytes by cp.async.cg
  auto narrow = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint64_t>, half_t>{}, Layout<_32>{}, Layout<_4>{});
#elif COSMATI_FAIL == 5  // wider elements than the swizzle keeps together
  auto wide = recast<uint128_t>(swizzled);
#elif COSMATI_FAIL == 6  // print_layout of three modes
  print_layout(make_layout(Shape<_2, _3, _4>{}));
#elif COSMATI_FAIL == 7
  auto mode = get<3>(gA.layout());
#elif COSMATI_FAIL == 8
  auto mode = size<2>(gA);
#elif COSMATI_FAIL == 9   // extents of K that differ
  gemm(mma, thread.partition_fragment_A(half), rB, rC);
#elif COSMATI_FAIL == 10  // ldmatrix of global memory
  auto from_a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto mine = from_a.get_slice(threadIdx.x);
  copy(from_a, mine.partition_S(gA), mine.retile_D(rA));
#elif COSMATI_FAIL == 11  // #1905: fewer values than the atom moves
  auto narrow = make_tiled_copy(Wide{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
#elif COSMATI_FAIL == 12  // #2542: values along the wrong mode
  copy(loads, load.partition_S(columns), load.partition_D(sA));
#elif COSMATI_FAIL == 13  // the ThrCopy instead of the TiledCopy
  copy(load, load.partition_S(gA), load.partition_D(sA));
#elif COSMATI_FAIL == 14
  copy(gA, half);
#elif COSMATI_FAIL == 15  // #3488: a wide atom and a fragment that it does not divide
  auto seven = make_tensor<half_t>(Shape<Int<7>>{});
  copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>{}, seven, seven);
#elif COSMATI_FAIL == 16  // registers of a run-time extent
  auto registers = make_tensor<float>(make_shape(n, 4));
#elif COSMATI_FAIL == 17  // a slice of a fragment with one index too few
  for (int k = 0; k < size<2>(rA); ++k) gemm(mma, rA(_, _, k), rB(_, k), rC);
#elif COSMATI_FAIL == 18
  auto part = thread.partition_C(make_tensor(make_gmem_ptr(f), Layout<_64>{}));
#elif COSMATI_FAIL == 19
  auto from_a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, float>{}, mma);
#elif COSMATI_FAIL == 20
  auto to_c = make_tiled_copy_C(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
#elif COSMATI_FAIL == 21
  auto permuted = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<Int<24>, _16, _16>{});
#elif COSMATI_FAIL == 22  // a vector of 16 bytes and a swizzle that moves 4
  copy(loads, load.partition_S(gA), load.partition_D(swizzled));
#elif COSMATI_FAIL == 23
  auto composed = composition(Layout<Shape<_4, _3>, Stride<_3, _1>>{}, Layout<_5, _2>{});
#elif COSMATI_FAIL == 24  // #3269: it was a run-time 0
  auto pixels = make_layout(Int<65536>{} * Int<65536>{});
#else
  copy(loads, load.partition_S(gA), load.partition_D(sA));
  gemm(mma, rA, rB, rC);
#endif
  (void)f;
}
