// SPDX-License-Identifier: Apache-2.0
// Tensor copies on either device, both ways: boxes of tensors with gaps between rows, their 16-byte chunks exchanged as
// Swizzle<3, 4, 3> exchanges them; and what a descriptor refuses.
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
    tensor_copy_g2s(box, tensor, 0, x1, x2, x3, full);
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
    tensor_copy_s2g(tensor, dynamic_shared<std::uint16_t>(), 0, x1, x2, 1);
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

template <class Call>
std::string refusal(Call const& call) {
  try {
    call();
  } catch (error const& e) {
    return e.what();
  }
  return "";
}

TEST(TensorCopies, DescriptorsRefuse) {
  alignas(16) static float memory[64 * 64];
  tensor_map_config const good{
      .data = memory, .element_bytes = 4, .extent = {32, 64, 2, 1}, .stride = {1, 64, 32, 32}, .box = {32, 8, 1, 1}};
  auto const refused = [&](auto const& change) {
    tensor_map_config c = good;
    change(c);
    return refusal([&] { make_tma_descriptor(c); });
  };
  auto const says = [](std::string const& text, char const* what) { return text.find(what) != std::string::npos; };
  EXPECT_TRUE(says(refused([](auto& c) { c.data = memory + 1; }), "no multiple of 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.data = nullptr; }), "data is null"));
  EXPECT_TRUE(says(refused([](auto& c) { c.element_bytes = 0; }), "element_bytes is 0"));
  EXPECT_TRUE(says(refused([](auto& c) { c.element_bytes = 3; }), "element_bytes is 3"));
  EXPECT_TRUE(says(refused([](auto& c) { c.element_bytes = 16, c.box[0] = 8; }), "element_bytes is 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.box[0] = 0x40000020; }), "boxes of 4294967424 bytes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.box[0] = -32; }), "boxes of -128 bytes"));
  EXPECT_TRUE(
      says(refused([](auto& c) { c.stride[1] = std::int64_t{1} << 38; }), "mode 1 has a stride of 1099511627776"));
  EXPECT_TRUE(
      says(refused([](auto& c) { c.stride[2] = INT64_MAX - 15; }), "mode 2 has a stride of 9223372036854775792"));
  EXPECT_TRUE(says(refused([](auto& c) { c.extent[1] = -5; }), "mode 1 has -5 elements"));
  EXPECT_EQ(refused([](auto& c) { c.stride[1] = (std::int64_t{1} << 38) - 4; }), "");
  EXPECT_TRUE(says(refused([](auto& c) { c.box[0] = 16; }), "boxes of 64 bytes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[0] = 2; }), "stride 2"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[1] = 33; }), "mode 1 has a stride of 132 bytes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[2] = -32; }), "mode 2 has a stride of -128 bytes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.box[1] = 257; }), "mode 1 has 64 elements in boxes of 257"));
  EXPECT_TRUE(says(refused([](auto& c) { c.extent[3] = 0; }), "mode 3 has 0 elements"));
}

#if defined(COSMATI_SIMULATED)
TEST(TensorCopies, BoxesStayInside) {
  std::vector<float> const host(64 * 64);
  device_buffer<float> const in(host);
  device_buffer<float> out(rows * sections * 32);
  auto const tensor = make_tma_descriptor({.data = in.data(),
                                           .element_bytes = 4,
                                           .extent = {32, 64, 2, 1},
                                           .stride = {1, 64, 32, 32},
                                           .box = {32, rows, sections, 1}});
  auto const at = [&](int x1, int x2) {
    return refusal([&] {
      launch(through_shared<float>, {.grid = 1, .block = 64, .shared_bytes = rows * sections * 128}, tensor, x1, x2, 0,
             out.data());
    });
  };
  EXPECT_EQ(at(40, 0), "");
  EXPECT_NE(at(41, 0).find("a box of 24 elements that begins at 41 leaves the tensor along mode 1, which has 64"),
            std::string::npos);
  EXPECT_NE(at(0, 1).find("mode 2, which has 2"), std::string::npos);
}
#endif

}  // namespace
