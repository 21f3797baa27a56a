// SPDX-License-Identifier: Apache-2.0
/// @file
/// Kernels whose counters are compared: the hardware's, read by Nsight Compute, and the simulated device's.
///
/// One source serves both. Loads and stores have the order and width in which they are counted. Loaded values are
/// stored, so that no load is dropped.
#pragma once

#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map.hpp>

namespace counters {

using namespace cosmati;

/// The size of the memory that every kernel reads and writes.
inline constexpr std::size_t bytes = std::size_t(1) << 20;

/// The launch of a kernel.
struct shape_of_launch {
  unsigned grid, block, shared_bytes;
};

/// A case with its name.
struct listed {
  char const* name;
  void (*run)(void const*, void*);
};

template <class Case>
__global__ void counted(void const* in, void* out) {
  Case::run(in, out);
}

/// Block b's tile of a matrix that begins at element `first` of the memory.
template <class Tile, class L, class T>
__device__ auto block_tile(T* memory, int first = 0) {
  return local_tile(make_tensor(make_gmem_ptr(memory + first), L{}), Tile{}, make_coord(blockIdx.x, _0{}));
}

/// A tiled copy of one warp with 16 bytes per thread, along the rows of a tile of 16-bit values.
template <class Tile, int along = decltype(size<1>(Tile{}))::value / 8>
using rows_of_16_bytes = Layout<Shape<C<32 / along>, C<along>>, Stride<C<along>, _1>>;

/// Copies from global to global memory through registers. @tparam L the layout of both matrices
/// @tparam first the elements before them
template <class T, class Atom, class Thr, class Val, class L, int first = 0>
struct direct {
  static auto tiled() { return make_tiled_copy(Copy_Atom<Atom, T>{}, Thr{}, Val{}); }
  using tiled_copy = decltype(make_tiled_copy(Copy_Atom<Atom, T>{}, Thr{}, Val{}));
  using tile = typename tiled_copy::Tiler_MN;
  static constexpr shape_of_launch launch = {3, size(Thr{}), 0};
  __device__ static void run(void const* in, void* out) {
    tiled_copy const copies;
    auto const thread = copies.get_slice(threadIdx.x);
    auto const source = thread.partition_S(block_tile<tile, L>(static_cast<T const*>(in), first));
    auto const target = thread.partition_D(block_tile<tile, L>(static_cast<T*>(out), first));
    auto held = make_fragment_like(source);
    copy(copies, source, held);
    copy(copies, held, target);
  }
};

/// The same for a ragged matrix, whose last tiles are cut. @tparam L the layout of a matrix with Shape rows by columns
template <class T, class Atom, class Thr, class Val, class Tile, class L>
struct ragged {
  using tiled_copy = decltype(make_tiled_copy(Copy_Atom<Atom, T>{}, Thr{}, Val{}));
  static constexpr shape_of_launch launch = {2, size(Thr{}), 0};
  __device__ static void run(void const* in, void* out) {
    tiled_copy const copies;
    auto const thread = copies.get_slice(threadIdx.x);
    auto const source = make_tensor(make_gmem_ptr(static_cast<T const*>(in)), L{});
    auto const target = make_tensor(make_gmem_ptr(static_cast<T*>(out)), L{});
    copy(copies, thread.partition_S(local_tile(source, Tile{}, make_coord(blockIdx.x, _0{}))),
         thread.partition_D(local_tile(target, Tile{}, make_coord(blockIdx.x, _0{}))), shape(source));
  }
};

/// Copies from global to shared to global memory. @tparam In, Out the tiled copies of the two ways
/// @tparam LIn, LOut the layouts of the matrices
template <class T, class In, class Out, class Tile, class Stage, class LIn, class LOut>
struct staged {
  static constexpr shape_of_launch launch = {2, In::TiledNumThr::value, cosize_v<Stage> * sizeof(T)};
  __device__ static void run(void const* in, void* out) {
    auto const stage = make_tensor(make_smem_ptr(dynamic_shared<T>()), Stage{});
    In const copy_in;
    Out const copy_out;
    auto const in_thread = copy_in.get_slice(threadIdx.x);
    auto const out_thread = copy_out.get_slice(threadIdx.x);
    copy(copy_in, in_thread.partition_S(block_tile<Tile, LIn>(static_cast<T const*>(in))),
         in_thread.partition_D(stage));
    cp_async_wait_all();
    __syncthreads();
    copy(copy_out, out_thread.partition_S(stage), out_thread.partition_D(block_tile<Tile, LOut>(static_cast<T*>(out))));
  }
};

/// Copies from global to shared to global memory by one thread's bulk copies. @tparam L the layout of the whole matrix
/// @tparam first the elements before it
template <class T, class Tile, class Stage, class L, int first = 0>
struct bulk {
  static constexpr shape_of_launch launch = {2, 32, cosize_v<Stage> * sizeof(T)};
  __device__ static void run(void const* in, void* out) {
    __shared__ std::uint64_t full;
    auto const stage = make_tensor(make_smem_ptr(dynamic_shared<T>()), Stage{});
    Copy_Atom<SM90_BULK_COPY_AUTO, T> const atom;
    if (threadIdx.x == 0) {
      initialize_barrier(full, 1);
      fence_barrier_init();
      set_barrier_transaction_bytes(full, size(Tile{}) * sizeof(T));
      copy(atom.with(full), block_tile<Tile, L>(static_cast<T const*>(in), first), stage);
      wait_barrier(full, 0);
      copy(atom, stage, block_tile<Tile, L>(static_cast<T*>(out), first));
      tma_store_arrive();
      bulk_store_wait<0>();
    }
  }
};

/// The same by tensor copies: boxes of `rows` rows of 128 bytes of a matrix of halves, whose rows are `pitch` elements
/// apart. Block b's box begins b boxes down, and `shift` elements along the rows.
template <int rows, int pitch, int shift>
struct boxes {
  static constexpr shape_of_launch launch = {2, 32, rows * 128};
  static TmaDescriptor of(void const* data) {
    return make_tma_descriptor({.data = data,
                                .element_bytes = 2,
                                .extent = {pitch, 2 * rows, 1, 1},
                                .stride = {1, pitch, 2 * rows * pitch, 2 * rows * pitch},
                                .box = {64, rows, 1, 1}});
  }
};
template <class Case, int rows, int shift>
__global__ void counted_boxes(TmaDescriptor const __grid_constant__ from, TmaDescriptor const __grid_constant__ to) {
  __shared__ std::uint64_t full;
  void* const stage = dynamic_shared<char>();
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(full, rows * 128);
    int const row = static_cast<int>(blockIdx.x) * rows;
    tensor_copy_g2s(stage, from, {shift, row, 0, 0}, full);
    wait_barrier(full, 0);
    tensor_copy_s2g(to, stage, {shift, row, 0, 0});
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}

/// Fills a stage of 16-bit values with 16 bytes per thread, then reads it by ldmatrix. The registers go to global
/// memory.
/// @tparam Load a tiled copy of one warp
template <class Load, class Tile, class Stage>
struct matrix_loads {
  using T = half_t;
  static constexpr shape_of_launch launch = {2, 32, cosize_v<Stage> * sizeof(T)};
  __device__ static void run(void const* in, void* out) {
    auto const stage = make_tensor(make_smem_ptr(dynamic_shared<T>()), Stage{});
    auto const fill =
        make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{}, rows_of_16_bytes<Tile>{}, Layout<Shape<_1, _8>>{});
    auto const filling = fill.get_slice(threadIdx.x);
    using L = decltype(make_layout(
        Shape<C<2 * decltype(size<0>(Tile{}))::value>, C<decltype(size<1>(Tile{}))::value>>{}, LayoutRight{}));
    copy(fill, filling.partition_S(block_tile<Tile, L>(static_cast<T const*>(in))), filling.partition_D(stage));
    __syncthreads();
    Load const load;
    auto const loading = load.get_slice(threadIdx.x);
    auto const rows = loading.partition_S(stage);
    auto registers = make_tensor<T>(shape(loading.partition_D(stage)));
    copy(load, rows, registers);
    auto const words = recast<std::uint32_t>(registers);
    auto* const target = static_cast<std::uint32_t*>(out) + threadIdx.x + 32 * blockIdx.x * size(words);
    for (int i = 0; i < size(words); ++i) target[32 * i] = words(i);
  }
};

/// Stores registers from global memory to a stage by stmatrix. The stage goes to global memory with 16 bytes per
/// thread.
template <class Store, class Tile, class Stage>
struct matrix_stores {
  using T = half_t;
  static constexpr shape_of_launch launch = {2, 32, cosize_v<Stage> * sizeof(T)};
  __device__ static void run(void const* in, void* out) {
    auto const stage = make_tensor(make_smem_ptr(dynamic_shared<T>()), Stage{});
    Store const store;
    auto const storing = store.get_slice(threadIdx.x);
    auto const rows = storing.partition_D(stage);
    auto registers = make_tensor<T>(shape(storing.partition_S(stage)));
    auto words = recast<std::uint32_t>(registers);
    auto const* const source = static_cast<std::uint32_t const*>(in) + threadIdx.x + 32 * blockIdx.x * size(words);
    for (int i = 0; i < size(words); ++i) words(i) = source[32 * i];
    copy(store, registers, rows);
    __syncthreads();
    auto const drain =
        make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{}, rows_of_16_bytes<Tile>{}, Layout<Shape<_1, _8>>{});
    auto const draining = drain.get_slice(threadIdx.x);
    using L = decltype(make_layout(
        Shape<C<2 * decltype(size<0>(Tile{}))::value>, C<decltype(size<1>(Tile{}))::value>>{}, LayoutRight{}));
    copy(drain, draining.partition_S(stage), draining.partition_D(block_tile<Tile, L>(static_cast<T*>(out))));
  }
};

}  // namespace counters
