// SPDX-License-Identifier: Apache-2.0
// Clusters in the style of CuTe's programs: tiles of both operands by multicast over clusters of several forms, with
// `tma_partition` and with slices, reductions, `ClusterBarrier` and stores to other blocks.
#include <cutlass/arch/barrier.h>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/tensor.hpp>
#include <cutlass/cluster_launch.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <vector>

using namespace cute;

namespace {

using T = half_t;
constexpr int tile_m = 64, tile_n = 32, tile_k = 64;
using LayoutA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, Shape<Int<tile_m>, Int<tile_k>, _1>{}));
using LayoutB = decltype(tile_to_shape(GMMA::Layout_K_SW64_Atom<T>{}, Shape<Int<tile_n>, Int<tile_k>, _1>{}));

struct Storage {
  alignas(1024) array_aligned<T, cosize_v<LayoutA>> a;
  alignas(1024) array_aligned<T, cosize_v<LayoutB>> b;
  uint64_t barrier;
};

/// Each block gets its tile of A, shared along the cluster's columns, and of B, shared along its rows, and writes what
/// came to shared memory.
template <class TmaA, class TmaB, class ClusterShape>
__global__ void take_tiles(CUTE_GRID_CONSTANT TmaA const tma_a, CUTE_GRID_CONSTANT TmaB const tma_b,
                           ClusterShape cluster, int M, int N, int K, float* out_a, float* out_b) {
  auto& storage = *cosmati::dynamic_shared<Storage>();
  Tensor sA = make_tensor(make_smem_ptr(storage.a.data()), LayoutA{});
  Tensor sB = make_tensor(make_smem_ptr(storage.b.data()), LayoutB{});
  Tensor mA = tma_a.get_tma_tensor(make_shape(M, K));
  Tensor mB = tma_b.get_tma_tensor(make_shape(N, K));
  auto const tiler = Shape<Int<tile_m>, Int<tile_n>, Int<tile_k>>{};
  auto const coord = make_coord(int(blockIdx.x), int(blockIdx.y), _);
  Tensor gA = local_tile(mA, tiler, coord, Step<_1, X, _1>{});
  Tensor gB = local_tile(mB, tiler, coord, Step<X, _1, _1>{});

  auto const vmnk = make_layout(make_shape(_1{}, size<0>(cluster), size<1>(cluster), _1{}));
  auto const place = vmnk.get_flat_coord(int(block_rank_in_cluster()));
  auto const [tAgA, tAsA] =
      tma_partition(tma_a, get<2>(place), make_layout(size<2>(vmnk)), group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  auto const [tBgB, tBsB] =
      tma_partition(tma_b, get<1>(place), make_layout(size<1>(vmnk)), group_modes<0, 2>(sB), group_modes<0, 2>(gB));
  uint16_t const mask_a = create_tma_multicast_mask<2>(vmnk, place);
  uint16_t const mask_b = create_tma_multicast_mask<1>(vmnk, place);

  bool const leader = threadIdx.x / 32 == 0 && elect_one_sync();
  if (leader) cutlass::arch::ClusterTransactionBarrier::init(&storage.barrier, 1);
  cutlass::arch::fence_barrier_init();
  cluster_arrive_relaxed();
  cluster_wait();
  for (int k = 0; k < size<2>(gA); ++k) {
    if (leader) {
      cutlass::arch::ClusterTransactionBarrier::arrive_and_expect_tx(
          &storage.barrier, sizeof(make_tensor_like(tensor<0>(tAsA))) + sizeof(make_tensor_like(tensor<0>(tBsB))));
      copy(tma_a.with(storage.barrier, mask_a), tAgA(_, k), tAsA(_, 0));
      copy(tma_b.with(storage.barrier, mask_b), tBgB(_, k), tBsB(_, 0));
    }
    cutlass::arch::ClusterTransactionBarrier::wait(&storage.barrier, k % 2);
    for (int i = int(threadIdx.x); i < tile_m * tile_k; i += int(blockDim.x)) {
      int const m = int(blockIdx.x) * tile_m + i / tile_k, c = k * tile_k + i % tile_k;
      out_a[(int(blockIdx.y) * M + m) * K + c] = float(sA(i / tile_k, i % tile_k, 0));
    }
    for (int i = int(threadIdx.x); i < tile_n * tile_k; i += int(blockDim.x)) {
      int const n = int(blockIdx.y) * tile_n + i / tile_k, c = k * tile_k + i % tile_k;
      out_b[(int(blockIdx.x) * N + n) * K + c] = float(sB(i / tile_k, i % tile_k, 0));
    }
    cluster_sync();
  }
}

template <class ClusterShape>
void check_cluster(ClusterShape const& cluster) {
  int const M = 2 * tile_m, N = 2 * tile_n, K = 2 * tile_k;
  std::vector<T> a(static_cast<std::size_t>(M * K)), b(static_cast<std::size_t>(N * K));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(float(i % 251));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(float(i % 239));
  cosmati::device_buffer<T> const in_a(a), in_b(b);
  cosmati::device_buffer<float> out_a(a.size() * 2), out_b(b.size() * 2);
  Tensor mA = make_tensor(make_gmem_ptr(in_a.data()), make_shape(M, K), make_stride(K, _1{}));
  Tensor mB = make_tensor(make_gmem_ptr(in_b.data()), make_shape(N, K), make_stride(K, _1{}));
  auto const tiler = Shape<Int<tile_m>, Int<tile_n>, Int<tile_k>>{};
  auto const tma_a = make_tma_copy_A_sm90(SM90_TMA_LOAD_MULTICAST{}, mA, LayoutA{}(_, _, 0), tiler,
                                          make_shape(size<0>(cluster), size<1>(cluster), _1{}));
  auto const tma_b = make_tma_copy_B_sm90(SM90_TMA_LOAD_MULTICAST{}, mB, LayoutB{}(_, _, 0), tiler,
                                          make_shape(size<0>(cluster), size<1>(cluster), _1{}));
  auto const kernel = reinterpret_cast<void const*>(
      &take_tiles<std::remove_const_t<decltype(tma_a)>, std::remove_const_t<decltype(tma_b)>, ClusterShape>);
  dim3 const clusters(size<0>(cluster), size<1>(cluster), 1);
  cutlass::ClusterLaunchParams const params{dim3(2, 2), dim3(128), clusters, int(sizeof(Storage)), nullptr};
  float *const to_a = out_a.data(), *const to_b = out_b.data();
  EXPECT_EQ(cutlass::launch_kernel_on_cluster(params, kernel, tma_a, tma_b, cluster, M, N, K, to_a, to_b),
            cutlass::Status::kSuccess);
  auto const got_a = out_a.download();
  auto const got_b = out_b.download();
  for (std::size_t i = 0; i < got_a.size(); ++i) ASSERT_EQ(got_a[i], float(a[i % a.size()])) << i;
  for (std::size_t i = 0; i < got_b.size(); ++i) ASSERT_EQ(got_b[i], float(b[i % b.size()])) << i;
}

TEST(CuteTmaClusters, TwoRows) { check_cluster(Shape<_2, _1>{}); }
TEST(CuteTmaClusters, TwoColumns) { check_cluster(Shape<_1, _2>{}); }
TEST(CuteTmaClusters, TwoByTwo) { check_cluster(Shape<_2, _2>{}); }

/// Each block of the cluster brings one part of the tile to all.
template <class Tma, class SLayout>
__global__ void take_slices(CUTE_GRID_CONSTANT Tma const tma, SLayout layout, int M, int N, T* out) {
  alignas(1024) __shared__ T memory[cosize_v<SLayout>];
  __shared__ uint64_t barrier;
  Tensor sA = make_tensor(make_smem_ptr(memory), layout);
  Tensor gA = tma.get_tma_tensor(make_shape(M, N));
  auto const slice = tma.get_slice(block_rank_in_cluster());
  Tensor tAgA = slice.partition_S(gA);
  Tensor tAsA = slice.partition_D(sA);
  uint16_t const mask = (1u << size(cluster_shape().x)) - 1u;
  if (threadIdx.x == 0) initialize_barrier(barrier, 1);
  cluster_sync();
  if (threadIdx.x == 0) {
    set_barrier_transaction_bytes(barrier, size(tAsA) * sizeof(T));
    copy(tma.with(barrier, mask), tAgA, tAsA);
  }
  wait_barrier(barrier, 0);
  for (int i = int(threadIdx.x); i < size(sA); i += int(blockDim.x)) out[int(blockIdx.x) * size(sA) + i] = sA(i);
  cluster_sync();
}

template <int blocks, class SLayout>
void check_slices(SLayout const& layout) {
  int const M = size<0>(layout), N = size<1>(layout);
  std::vector<T> host(static_cast<std::size_t>(M * N));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = T(float(i % 509));
  cosmati::device_buffer<T> const in(host);
  cosmati::device_buffer<T> out(host.size() * blocks);
  Tensor gA = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(M, N), GenRowMajor{}));
  auto const tma = make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, gA, layout, product_each(shape(layout)), Int<blocks>{});
  auto const kernel = reinterpret_cast<void const*>(&take_slices<std::remove_const_t<decltype(tma)>, SLayout>);
  T* const to = out.data();
  cutlass::ClusterLaunchParams const params{dim3(blocks), dim3(32), dim3(blocks), 0, nullptr};
  EXPECT_EQ(cutlass::launch_kernel_on_cluster(params, kernel, tma, layout, M, N, to), cutlass::Status::kSuccess);
  auto const got = out.download();
  for (int i = 0; i < M * N * blocks; ++i) {
    int const j = i % (M * N);
    ASSERT_EQ(got[static_cast<std::size_t>(i)], host[static_cast<std::size_t>(j % M * N + j / M)]) << i;
  }
}

TEST(CuteTmaClusters, SlicesOfTwoAndFour) {
  check_slices<2>(tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, Shape<_64, _64>{}));
  check_slices<4>(tile_to_shape(GMMA::Layout_K_SW32_Atom<T>{}, Shape<_32, _32>{}));
  check_slices<4>(Layout<Shape<_32, _32>, Stride<_32, _1>>{});
}

/// Adds a tile of every block to one place.
template <class Tma, class SLayout>
__global__ void add_tiles(CUTE_GRID_CONSTANT Tma const tma, SLayout layout, int M, int N) {
  alignas(128) __shared__ float memory[cosize_v<SLayout>];
  Tensor sA = make_tensor(make_smem_ptr(memory), layout);
  for (int i = int(threadIdx.x); i < size(sA); i += int(blockDim.x)) sA(i) = float(i) + float(blockIdx.x);
  tma_store_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    auto const slice = tma.get_slice(_0{});
    copy(tma, slice.partition_S(sA), slice.partition_D(tma.get_tma_tensor(make_shape(M, N))));
    tma_store_arrive();
    tma_store_wait<0>();
  }
}
TEST(CuteTmaClusters, Reductions) {
  using SLayout = Layout<Shape<_8, _32>, Stride<_32, _1>>;
  cosmati::device_buffer<float> sums(std::vector<float>(256, 1.f));
  Tensor g = make_tensor(make_gmem_ptr(sums.data()), make_shape(8, 32), make_stride(32, _1{}));
  auto const tma = make_tma_copy(SM90_TMA_REDUCE_ADD{}, g, SLayout{});
  auto const kernel = reinterpret_cast<void const*>(&add_tiles<std::remove_const_t<decltype(tma)>, SLayout>);
  EXPECT_EQ(cutlass::launch_kernel_on_cluster({dim3(3), dim3(32), dim3(1), 0, nullptr}, kernel, tma, SLayout{}, 8, 32),
            cutlass::Status::kSuccess);
  auto const got = sums.download();
  for (int i = 0; i < 256; ++i)  // element (i / 32, i % 32) is number i / 32 + 8 (i % 32)
    ASSERT_EQ(got[static_cast<std::size_t>(i)], 1.f + 3.f * float(i / 32 + 8 * (i % 32)) + 3.f) << i;
}

/// Blocks send their rank to the next block, by a store that an mbarrier there counts.
__global__ void send_ranks(int* out) {
  __shared__ uint32_t received;
  __shared__ uint64_t barrier, ready;
  uint32_t const rank = block_rank_in_cluster(), blocks = cluster_shape().x;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    cutlass::arch::ClusterBarrier::init(&ready, blocks);
    set_barrier_transaction_bytes(barrier, sizeof(uint32_t));
  }
  cutlass::arch::fence_barrier_init();
  cluster_arrive();
  cluster_wait();
  if (threadIdx.x == 0) {
    store_shared_remote(100 + rank, cast_smem_ptr_to_uint(&received), cast_smem_ptr_to_uint(&barrier),
                        (rank + 1) % blocks);
    wait_barrier(barrier, 0);
    out[blockIdx.x] = static_cast<int>(received);
    for (uint32_t b = 0; b < blocks; ++b) cutlass::arch::ClusterBarrier::arrive(&ready, b, true);
  }
  cutlass::arch::ClusterBarrier::wait(&ready, 0);
  cluster_sync();
}
TEST(CuteTmaClusters, StoresToOtherBlocks) {
  cosmati::device_buffer<int> out(std::size_t{8});
  int* const to = out.data();
  cutlass::ClusterLaunchParams const params{dim3(8), dim3(32), dim3(4), 0, nullptr};
  EXPECT_EQ(cutlass::launch_kernel_on_cluster(params, reinterpret_cast<void const*>(&send_ranks), to),
            cutlass::Status::kSuccess);
  EXPECT_EQ(out.download(), (std::vector<int>{103, 100, 101, 102, 103, 100, 101, 102}));
}

__global__ void places(int* out) {
  auto const [leads, leader] = elect_one_leader_sync();
  dim3 const grid = cluster_grid_dims(), id = cluster_id_in_grid(), block = block_id_in_cluster(),
             shape = cluster_shape();
  if (leads != 0) {
    int const i = int(blockIdx.x + gridDim.x * blockIdx.y);
    out[i] = int(grid.x * 10000 + id.x * 1000 + block.y * 100 + shape.x * 10 + leader);
  }
}
TEST(CuteTmaClusters, Places) {
  cosmati::device_buffer<int> out(std::size_t{8});
  int* const to = out.data();
  cutlass::ClusterLaunchParams const params{dim3(4, 2), dim3(32), dim3(2, 2), 0, nullptr};
  EXPECT_EQ(cutlass::launch_kernel_on_cluster(params, reinterpret_cast<void const*>(&places), to),
            cutlass::Status::kSuccess);
  EXPECT_EQ(out.download(), (std::vector<int>{20020, 20020, 21020, 21020, 20120, 20120, 21120, 21120}));
}

}  // namespace
