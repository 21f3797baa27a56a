// SPDX-License-Identifier: Apache-2.0
// Boxes of tensor copies that GPUs do not take, or that would write behind the tensor, are said on the simulated
// device.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <cosmati/tma.hpp>
#include <string>
#include <vector>

using namespace cosmati;

namespace {

/// The sentence of the error that `body` throws; empty without one.
template <class Body>
std::string message_of(Body const& body) {
  try {
    body();
  } catch (error const& e) {
    return e.what();
  }
  return "";
}

struct place {
  int x, y;
};

__global__ void load_box(TmaDescriptor const __grid_constant__ tensor, place at) {
  __shared__ std::uint64_t full;
  auto* const box = dynamic_shared<float>();
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  set_barrier_transaction_bytes(full, 8 * 4 * sizeof(float));
  tensor_copy_g2s(box, tensor, {at.x, at.y}, full);
  wait_barrier(full, 0);
}

__global__ void store_box(TmaDescriptor const __grid_constant__ tensor, place at) {
  auto* const box = dynamic_shared<float>();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 8 * 4; ++i) box[i] = 1.f;
  fence_proxy_async_shared();
  tensor_copy_s2g(tensor, box, {at.x, at.y});
  tma_store_arrive();
  bulk_store_wait<0>();
}

/// A tensor of 6 rows of `columns` floats, 24 from row to row, and a box of (8, 4).
std::string said(void (*kernel)(TmaDescriptor, place), int columns, place at) {
  device_buffer<float> memory(std::vector<float>(6 * 24));
  tensor_map_config config;
  config.data = memory.data();
  config.type = tensor_map_type::f32;
  config.rank = 2;
  config.swizzle = TMA::SmemSwizzleBits::DISABLE;
  config.extent[0] = columns, config.stride[0] = 1, config.box[0] = 8;
  config.extent[1] = 6, config.stride[1] = 24, config.box[1] = 4;
  TmaDescriptor const tensor = make_tma_descriptor(config);
  return message_of([&] { launch(kernel, {.grid = 1, .block = 32, .shared_bytes = 8 * 4 * 4}, tensor, at); });
}

TEST(HazardsOfTensorCopies, FirstCoordinateInTheMiddleOf16Bytes) {
  EXPECT_EQ(said(load_box, 20, {4, 1}), "");
  EXPECT_EQ(said(load_box, 19, {-4, -1}), "");
  EXPECT_NE(said(load_box, 20, {5, 1})
                .find("begins at element 5 of mode 0, byte 20; tensor copies begin at multiples "
                      "of 16 bytes"),
            std::string::npos);
  EXPECT_NE(said(load_box, 20, {-2, 1}).find("begins at element -2 of mode 0, byte -8"), std::string::npos);
  EXPECT_NE(said(store_box, 20, {6, 1}).find("begins at element 6 of mode 0, byte 24"), std::string::npos);
}

TEST(HazardsOfTensorCopies, StoresAtNegativeCoordinates) {
  EXPECT_EQ(said(store_box, 20, {16, 4}), "");
  EXPECT_NE(said(store_box, 20, {-4, 0}).find("begins at element -4 of mode 0; a store takes no negative coordinates"),
            std::string::npos);
  EXPECT_NE(said(store_box, 20, {0, -1}).find("begins at element -1 of mode 1"), std::string::npos);
}

TEST(HazardsOfTensorCopies, StoresBehindRowsThatEndInTheMiddleOf16Bytes) {
  EXPECT_NE(said(store_box, 19, {16, 0})
                .find("rows of the tensor have 76 bytes, and a store writes whole chunks of 16: "
                      "it would write 4 bytes behind each row"),
            std::string::npos);
  EXPECT_EQ(said(store_box, 19, {8, 0}), "");   // does not reach the end of the rows
  EXPECT_EQ(said(store_box, 19, {20, 0}), "");  // begins behind it
}

TEST(HazardsOfTensorCopies, TheHostRefusesSuchRows) {
  device_buffer<float> memory(std::vector<float>(6 * 24));
  auto const shared = Layout<Shape<_4, _8>, Stride<_8, _1>>{};
  auto const made = [&](auto op, int columns) {
    return message_of([&] {
      make_tma_atom(op, make_tensor(make_gmem_ptr(memory.data()), make_shape(6, columns), make_stride(24, _1{})),
                    shared, Shape<_4, _8>{});
    });
  };
  EXPECT_EQ(made(SM90_TMA_LOAD{}, 19), "");
  EXPECT_EQ(made(SM90_TMA_STORE{}, 20), "");
  EXPECT_NE(made(SM90_TMA_STORE{}, 19)
                .find("mode 1 has 19 elements of 4 bytes, and a store writes whole chunks of 16 "
                      "bytes: it would write 4 bytes behind each row"),
            std::string::npos);
}

}  // namespace
