// SPDX-License-Identifier: Apache-2.0
// Tensor copies whose layouts no descriptor can express, and calls with the wrong tensors.
// expect 1: shared_tile_is_not_dense<64, 2048>|reached=64, elements=2048
// expect 2: tensor_is_not_contiguous_there<0, 64>|leaf=0, apart=64
// expect 3: no_tensor_copy_swizzles_like_this<3, 4, 3, 2>|bits=3, base=4, shift=3, element_bytes=2
// expect 4: rows_of_the_box_are_too_short<8>|row_bytes=8
// expect 5: shared_tile_has_another_size<2048, 1024>|shared_elements=2048, tile_elements=1024
// expect 6: tensor_copy_needs_its_mbarrier
// expect 6: atom.with\(barrier\)
// expect 7: tensor_copy_needs_coordinates
// expect 8: tensor_copy_needs_shared_memory
// expect 9: tensor_copy_is_no_whole_boxes<2048, 1024, 2048>|coordinates=2048, shared=1024, box=2048
// expect 10: cluster_of_several_blocks<2>|blocks=2
// expect 11: instruction_has_no_predicate
// expect 12: tensor copies take one to five coordinates
// expect 13: box_has_no_equal_parts<2048, 3>|elements=2048, blocks=3
// expect 14: tile_spans_modes_of_run_time_extents<1, 2048>|reached=1, elements=2048
// expect 15: tensor_copy_needs_static_tiles<false, true, true>|shared=false, tiler=true, cluster=true|<\(bool\)0, \(bool\)1, \(bool\)1>
// expect 16: tensor_copy_needs_static_tiles<true, true, false>|shared=true, tiler=true, cluster=false|<\(bool\)1, \(bool\)1, \(bool\)0>
// expect 17: tensor_in_global_memory_is_swizzled<false>|plain=false|tensor_in_global_memory_is_swizzled<\(bool\)0>
// expect 18: no_tensor_copy_operation<false>|op=false|no_tensor_copy_operation<\(bool\)0>
// flags nvcc: -arch=sm_90a
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
using namespace cosmati;

using Block = Shape<_32, _64>;
using RowMajor = Layout<Block, Stride<_64, _1>>;
using Matrix =
    decltype(make_tensor(make_gmem_ptr(static_cast<half_t*>(nullptr)), Layout<Shape<int, _64>, Stride<_64, _1>>{}));

template <class Shared, class TileShape = Block, class Cluster = _1>
auto atom(Matrix const& matrix) {
  return make_tma_atom(SM90_TMA_LOAD{}, matrix, Shared{}, TileShape{}, Cluster{});
}

void start(Matrix const& matrix, [[maybe_unused]] half_t* shared, [[maybe_unused]] std::uint64_t& barrier) {
#if COSMATI_FAIL == 1
  atom<Layout<Block, Stride<C<72>, _1>>>(matrix);
#elif COSMATI_FAIL == 2
  atom<Layout<Block>>(matrix);
#elif COSMATI_FAIL == 3
  atom<decltype(composition(Swizzle<3, 4, 3>{}, RowMajor{}))>(matrix);
#elif COSMATI_FAIL == 4
  atom<Layout<Shape<_32, _4>, Stride<_4, _1>>, Shape<_32, _4>>(matrix);
#elif COSMATI_FAIL == 5
  atom<RowMajor, Shape<_16, _64>>(matrix);
#elif COSMATI_FAIL == 10
  atom<RowMajor, Block, _2>(matrix);
#elif COSMATI_FAIL == 14
  auto const nested = make_layout(make_shape(make_shape(4, 16), _64{}), make_stride(make_stride(64, 256), _1{}));
  make_tma_atom(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(static_cast<half_t const*>(nullptr)), nested), RowMajor{},
                Block{});
#elif COSMATI_FAIL == 15
  make_tma_atom(SM90_TMA_LOAD{}, matrix, make_layout(make_shape(32, 64), make_stride(64, _1{})), Block{});
#elif COSMATI_FAIL == 16
  make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, matrix, RowMajor{}, Block{}, 2);
#elif COSMATI_FAIL == 17
  make_tma_atom(SM90_TMA_LOAD{}, make_tensor(matrix.data(), composition(Swizzle<3, 3, 3>{}, RowMajor{})), RowMajor{},
                Block{});
#elif COSMATI_FAIL == 18
  make_tma_atom(UniversalCopy<half_t>{}, matrix, RowMajor{}, Block{});
#elif COSMATI_FAIL == 13
  make_tma_atom(SM90_TMA_LOAD_MULTICAST{}, matrix, RowMajor{}, Block{}, _3{});
#else
  auto const tma = atom<RowMajor>(matrix);
  [[maybe_unused]] auto const coordinates = local_tile(tma.get_tma_tensor(matrix.shape()), Block{}, make_coord(0, 0));
  [[maybe_unused]] auto stage = make_tensor(make_smem_ptr(shared), RowMajor{});
#if COSMATI_FAIL == 6
  copy(tma, coordinates, stage);
#elif COSMATI_FAIL == 7
  copy(tma.with(barrier), local_tile(matrix, Block{}, make_coord(0, 0)), stage);
#elif COSMATI_FAIL == 8
  copy(tma.with(barrier), coordinates, make_tensor(make_gmem_ptr(shared), RowMajor{}));
#elif COSMATI_FAIL == 9
  copy(tma.with(barrier), coordinates, make_tensor(make_smem_ptr(shared), Layout<Shape<_16, _64>, Stride<_64, _1>>{}));
#elif COSMATI_FAIL == 11
  auto const store = make_tma_copy(SM90_TMA_STORE{}, matrix, RowMajor{});
  copy(store, store.get_slice(0).partition_S(stage), store.get_slice(0).partition_D(coordinates), make_shape(30, 64));
#elif COSMATI_FAIL == 12
  tensor_copy_g2s(shared, *tma.get_tma_descriptor(), {0, 0, 0, 0, 0, 0}, barrier);
#endif
#endif
}
