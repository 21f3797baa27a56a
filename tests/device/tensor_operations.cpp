// SPDX-License-Identifier: Apache-2.0
// The instructions of tensor copies by the names of their operations: boxes of ranks 1 to 5 there and back, a sum, and
// pixels of the mode im2col.
#include <cosmati/arch/tensor_operations.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map_im2col.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int extent = 4, row = 8;  // of each mode, and of mode 0

/// Brings the box at (0, 1, 1, ...), stores it at (0, 2, 2, ...), and adds it there.
template <class Load, class Store, class Add, int... ones>
__device__ void move_box(TmaDescriptor const& tensor, int* box, std::uint64_t& full, seq<ones...>) {
  auto const hint = static_cast<std::uint64_t>(TMA::CacheHintSm90::EVICT_FIRST);
  Load::PREFETCH::copy(&tensor, 0, (ones - ones + 1)...);
  Load::copy(&tensor, &full, hint, box, 0, (ones - ones + 1)...);
  wait_barrier(full, 0);
  fence_proxy_async_shared();
  Store::copy(&tensor, box, 0, (ones - ones + 2)...);
  tma_store_arrive();
  bulk_store_wait<0>();
  Add::copy(&tensor, box, 0, (ones - ones + 2)...);
  tma_store_arrive();
  bulk_store_wait<0>();
}
template <class Load, class Store, class Add, int rank>
__global__ void move_one(TmaDescriptor const __grid_constant__ tensor) {
  __shared__ std::uint64_t full;
  int* const box = dynamic_shared<int>();
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  arrive_and_expect_bytes(full, row * sizeof(int));
  move_box<Load, Store, Add>(tensor, box, full, make_seq<std::size_t{rank - 1}>{});
}

template <class Load, class Store, class Add, int rank>
void expect_moved() {
  SCOPED_TRACE(rank);
  int count = row, at_one = 0;  // element (0, 1, 1, ...)
  tensor_map_config c{.element_bytes = 4, .rank = rank, .extent = {row}, .stride = {1}, .box = {row}};
  c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  for (int i = 1; i < rank; ++i) {
    c.extent[i] = extent, c.stride[i] = count, c.box[i] = 1;
    at_one += count;
    count *= extent;
  }
  std::vector<int> host(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) host[static_cast<std::size_t>(i)] = 3 * i + 1;
  device_buffer<int> memory(host);
  c.data = memory.data();
  launch(move_one<Load, Store, Add, rank>, {.grid = 1, .block = 32, .shared_bytes = row * sizeof(int)},
         make_tma_descriptor(c));
  for (int i = 0; i < row; ++i) host[static_cast<std::size_t>(2 * at_one + i)] = 2 * (3 * (at_one + i) + 1);
  EXPECT_EQ(memory.download(), host);
}

TEST(TensorOperations, BoxesOfEveryRank) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  expect_moved<SM90_TMA_LOAD_1D, SM90_TMA_STORE_1D, SM90_TMA_REDUCE_ADD_1D, 1>();
  expect_moved<SM90_TMA_LOAD_2D, SM90_TMA_STORE_2D, SM90_TMA_REDUCE_ADD_2D, 2>();
  expect_moved<SM90_TMA_LOAD_3D, SM90_TMA_STORE_3D, SM90_TMA_REDUCE_ADD_3D, 3>();
  expect_moved<SM90_TMA_LOAD_4D, SM90_TMA_STORE_4D, SM90_TMA_REDUCE_ADD_4D, 4>();
  expect_moved<SM90_TMA_LOAD_5D, SM90_TMA_STORE_5D, SM90_TMA_REDUCE_ADD_5D, 5>();
  expect_moved<SM90_TMA_LOAD, SM90_TMA_STORE, SM90_TMA_REDUCE_ADD, 2>();
}

/// Brings two pixels at an offset, and stores them without.
__global__ void move_pixels(TmaDescriptor const __grid_constant__ images) {
  __shared__ std::uint64_t full;
  int* const pixels = dynamic_shared<int>();
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  arrive_and_expect_bytes(full, 2 * 4 * sizeof(int));
  SM90_TMA_LOAD_IM2COL_4D::PREFETCH::copy(&images, 0, 1, 0, 0, 1, 2);
  SM90_TMA_LOAD_IM2COL_4D::copy(&images, &full, pixels, 0, 1, 0, 0, 1, 2);
  wait_barrier(full, 0);
  fence_proxy_async_shared();
  SM90_TMA_STORE_IM2COL_4D::copy(&images, pixels, 0, 0, 0, 0);
  tma_store_arrive();
  bulk_store_wait<0>();
}
TEST(TensorOperations, Pixels) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  std::vector<int> host(4 * 6 * 5);  // 6 x 5 pixels of 4 channels
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> memory(host);
  launch(move_pixels, {.grid = 1, .block = 32, .shared_bytes = 32},
         make_im2col_descriptor({.data = memory.data(),
                                 .element_bytes = 4,
                                 .rank = 4,
                                 .extent = {4, 6, 5, 1},
                                 .stride = {1, 4, 24, 120},
                                 .channels = 4,
                                 .pixels = 2,
                                 .swizzle = TMA::SmemSwizzleBits::DISABLE}));
  for (int i = 0; i < 8; ++i)  // pixels (2, 2) and (3, 2)
    host[static_cast<std::size_t>(i)] = 24 * 2 + 4 * 2 + i;
  EXPECT_EQ(memory.download(), host);
}

}  // namespace
