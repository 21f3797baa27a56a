// SPDX-License-Identifier: Apache-2.0
// Tensor copies on the simulated device: a box's rows of 128 bytes with their chunks exchanged, there and back, and a
// box that leaves the tensor.
#include <gtest/gtest.h>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/runtime/tensor_map.hpp>

#include <algorithm>
#include <numeric>

using namespace cosmati;

namespace {

constexpr int rows = 12, box_bytes = rows * 128;  // boxes of 32 floats, 4 rows, 3 planes

TmaDescriptor floats(float* data) {
  return make_tma_descriptor(
      {.data = data, .element_bytes = 4, .extent = {40, 6, 5, 1}, .stride = {1, 48, 300, 16}, .box = {32, 4, 3, 1}});
}
__global__ void bring(TmaDescriptor const __grid_constant__ in, TmaDescriptor const __grid_constant__ out, float* seen,
                      int x0, int x1, int x2) {
  __shared__ __align__(1024) float box[box_bytes / 4];
  __shared__ std::uint64_t barrier;
  initialize_barrier(barrier);
  fence_barrier_init();
  arrive_and_expect_bytes(barrier, box_bytes);
  tensor_copy_g2s(box, in, {x0, x1, x2, 0}, barrier);
  wait_barrier(barrier, 0);
  for (int i = 0; i < box_bytes / 4; ++i) seen[i] = box[i];
  fence_proxy_async_shared();
  tensor_copy_s2g(out, box, {x0, x1, x2, 0});
  tma_store_arrive();
  bulk_store_wait<0>();
}

TEST(TensorCopy, RowsStandWithTheirChunksExchanged) {
  std::vector<float> host(5 * 300);
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(host.size()), seen(box_bytes / 4);
  out.clear();
  launch(bring, {.grid = 1, .block = 1}, floats(in.data()), floats(out.data()), seen.data(), 8, 2, 1);
  auto const box = seen.download(), back = out.download();
  int moved = 0;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < 32; ++i) {
      // Swizzle<3,4,3> of the byte: bits 4 to 6 are exclusive-ored with bits 7 to 9.
      int const byte = 128 * row + 4 * i, swizzled = byte ^ (byte >> 3 & 0x70);
      auto const at = static_cast<std::size_t>(8 + i + 48 * (2 + row % 4) + 300 * (1 + row / 4));
      EXPECT_EQ(box[static_cast<std::size_t>(swizzled / 4)], host[at]) << row << ", " << i;
      EXPECT_EQ(back[at], host[at]);
    }
  }
  for (float const x : back) moved += x != 0;
  EXPECT_EQ(moved, 32 * rows) << "nothing else is written";
}

TEST(TensorCopy, ABoxThatLeavesTheTensor) {
  // Columns from 12 on leave 40 - 12 = 28 of 32 inside; rows from 3 on leave 3 of 4; planes from 3 on leave 2 of 3.
  device_buffer<float> in(std::vector<float>(5 * 300, 1.f)), out(5 * 300), seen(box_bytes / 4);
  out.clear();
  launch(bring, {.grid = 1, .block = 1}, floats(in.data()), floats(out.data()), seen.data(), 12, 3, 3);
  auto const box = seen.download(), back = out.download();
  EXPECT_EQ(std::count(box.begin(), box.end(), 1.f), 28 * 3 * 2) << "from outside come zeros";
  EXPECT_EQ(std::count(box.begin(), box.end(), 0.f), box_bytes / 4 - 28 * 3 * 2);
  EXPECT_EQ(std::count(back.begin(), back.end(), 1.f), 28 * 3 * 2) << "nothing outside is written";
  for (int plane = 3; plane < 5; ++plane) {
    for (int row = 3; row < 6; ++row)
      EXPECT_EQ(back[static_cast<std::size_t>(12 + 48 * row + 300 * plane)], 1.f) << plane << ", " << row;
  }
}

}  // namespace
