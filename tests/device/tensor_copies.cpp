// SPDX-License-Identifier: Apache-2.0
// Tensor copies on either device, both ways: boxes of tensors with gaps between rows, their 16-byte chunks exchanged as
// Swizzle<3, 4, 3> exchanges them.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <string>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int rows = 24, sections = 2;  // of a box: rows of 128 bytes

/// Brings the box at (0, x1, x2, x3) and stores it with the exchange undone.
template <class T>
__global__ void through_shared(TmaDescriptor const __grid_constant__ tensor, int x1, int x2, int x3, T* out) {
  __shared__ std::uint64_t full;
  T* const box = dynamic_shared<T>();
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x < 32 && elect_one_sync()) {
    arrive_and_expect_bytes(full, rows * sections * 128);
    tensor_copy_g2s(box, tensor, {0, x1, x2, x3}, full);
  }
  wait_barrier(full, 0);
  constexpr int of_vector = sizeof(T) == 1 ? 4 : sizeof(T) == 2 ? 3 : sizeof(T) == 4 ? 2 : 1;
  for (int i = static_cast<int>(threadIdx.x); i < rows * sections * 128 / static_cast<int>(sizeof(T)); i += 64)
    out[i] = make_tensor(make_smem_ptr(box), composition(Swizzle<3, of_vector, 3>{}, make_layout(C<1 << 14>{})))(i);
}

template <class T>
void expect_boxes() {
  COSMATI_REQUIRE_DEVICE();
  constexpr int row = 128 / static_cast<int>(sizeof(T));
  constexpr int y = 40, pad = 16, leading = 3 * row + pad, batch = y * leading + 32, batches = 2;
  std::vector<T> host(batch * batches);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i * 2654435761u >> 7);
  device_buffer<T> const in(host);
  device_buffer<T> out(static_cast<std::size_t>(rows * sections * row));
  auto const tensor = make_tma_descriptor({.data = in.data(),
                                           .element_bytes = static_cast<int>(sizeof(T)),
                                           .extent = {row, y, 3, batches},
                                           .stride = {1, leading, row, batch},
                                           .box = {row, rows, sections, 1}});
  for (int const x1 : {0, 7, y - rows}) {
    for (int const x2 : {0, 1}) {
      int const x3 = x2;
      launch(through_shared<T>, {.grid = 1, .block = 64, .shared_bytes = rows * sections * 128}, tensor, x1, x2, x3,
             out.data());
      auto const got = out.download();
      int wrong = 0;
      for (int s = 0; s < sections; ++s) {
        for (int j = 0; j < rows; ++j) {
          for (int i = 0; i < row; ++i)
            wrong += got[static_cast<std::size_t>((s * rows + j) * row + i)] !=
                     host[static_cast<std::size_t>(x3 * batch + (x1 + j) * leading + (x2 + s) * row + i)];
        }
      }
      EXPECT_EQ(wrong, 0) << x1 << " " << x2;
    }
  }
}

TEST(TensorCopies, Bytes) { expect_boxes<std::uint8_t>(); }
TEST(TensorCopies, Halves) { expect_boxes<std::uint16_t>(); }
TEST(TensorCopies, Words) { expect_boxes<std::uint32_t>(); }
TEST(TensorCopies, Doubles) { expect_boxes<double>(); }

/// Numbers a box in shared memory and stores it at (0, x1, x2, 1), each thread's elements behind a fence.
__global__ void store_box(TmaDescriptor const __grid_constant__ tensor, int x1, int x2) {
  auto box = make_tensor(make_smem_ptr(dynamic_shared<std::uint16_t>()),
                         composition(Swizzle<3, 3, 3>{}, make_layout(C<rows * sections * 64>{})));
  for (int i = static_cast<int>(threadIdx.x); i < size(box); i += 64) box(i) = static_cast<std::uint16_t>(1 + i);
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x < 32 && elect_one_sync()) {
    tensor_copy_s2g(tensor, dynamic_shared<std::uint16_t>(), {0, x1, x2, 1});
    tma_store_arrive();
    tma_store_wait<0>();
  }
}

TEST(TensorCopies, BoxesGoBack) {
  COSMATI_REQUIRE_DEVICE();
  constexpr int row = 64, y = 40, leading = 3 * row + 16, batch = y * leading + 32, batches = 2;
  std::vector<std::uint16_t> expected(batch * batches, 0);
  device_buffer<std::uint16_t> out(expected);
  int const x1 = 7, x2 = 1;
  auto const tensor = make_tma_descriptor({.data = out.data(),
                                           .element_bytes = 2,
                                           .extent = {row, y, 3, batches},
                                           .stride = {1, leading, row, batch},
                                           .box = {row, rows, sections, 1}});
  launch(store_box, {.grid = 1, .block = 64, .shared_bytes = rows * sections * 128}, tensor, x1, x2);
  for (int i = 0; i < rows * sections * row; ++i) {
    int const j = i / row % rows, section = i / row / rows;
    expected[static_cast<std::size_t>(batch + (x1 + j) * leading + (x2 + section) * row + i % row)] =
        static_cast<std::uint16_t>(1 + i);
  }
  EXPECT_EQ(out.download(), expected);
}

}  // namespace
