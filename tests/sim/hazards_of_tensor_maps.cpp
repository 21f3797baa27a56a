// SPDX-License-Identifier: Apache-2.0
// Descriptors that kernels change: a missing fence of the tensormap proxy is said, impossible values and places too,
// and the right program is clean.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/arch/tensor_copy_im2col.hpp>
#include <cosmati/arch/tensor_map_update.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map_im2col.hpp>
#include <string>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

enum class fault {
  none,
  none_in_place,
  no_release,
  no_acquire,
  acquired_before,
  no_syncwarp,
  used_in_shared,
  bad_stride,
  bad_address,
  bad_box,
  parameter,
  other_mode,
};

__global__ void changed_descriptor(TmaDescriptor const __grid_constant__ original, TmaDescriptor* memory,
                                   float const* data, fault what) {
  __shared__ std::uint64_t full;
  __shared__ TmaDescriptor in_shared;
  auto* const box = dynamic_shared<float>();
  bool const leads = threadIdx.x == 0;
  bool const in_place = what == fault::none_in_place || what == fault::no_release;
  if (leads) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    in_shared = original;
    *memory = original;
    TmaDescriptor& changed = in_place ? *memory : in_shared;
    tensor_map_set_address(changed, what == fault::bad_address ? data + 1 : data);
    tensor_map_set_stride<2>(changed, 0);  // behind the rank
    if (what == fault::bad_stride) tensor_map_set_stride<1>(changed, 40);
    if (what == fault::bad_box) tensor_map_set_box<1>(changed, 300);
    if (what == fault::parameter) tensor_map_set_rank(const_cast<TmaDescriptor&>(original), 2);
    if (what == fault::none_in_place) tma_descriptor_fence_release();
  }
  if (what == fault::acquired_before) {
    __syncwarp();
    tma_descriptor_fence_acquire(memory);
  }
  if (what != fault::no_syncwarp) __syncwarp();
  if (!in_place) tma_descriptor_cp_fence_release(memory, in_shared);
  if (what != fault::no_acquire && what != fault::acquired_before) tma_descriptor_fence_acquire(memory);
  if (leads) {
    arrive_and_expect_bytes(full, 8 * 4 * sizeof(float));
    if (what == fault::other_mode)
      tensor_copy_im2col_g2s(box, *memory, {0, 0, 0}, {0}, full);
    else
      tensor_copy_g2s(box, what == fault::used_in_shared ? in_shared : *memory, {0, 0}, full);
    wait_barrier(full, 0);
  }
}

/// What the launch throws or prints.
std::string said(fault what) {
  device_buffer<float> const data(std::vector<float>(256));
  device_buffer<TmaDescriptor> memory(1);
  tensor_map_config c;
  c.data = data.data();
  c.type = tensor_map_type::f32;
  c.rank = 2;
  c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  c.extent[0] = 16, c.box[0] = 8;
  c.extent[1] = 8, c.stride[1] = 16, c.box[1] = 4;
  testing::internal::CaptureStderr();
  std::string text;
  try {
    launch(changed_descriptor, {.grid = 1, .block = 32, .shared_bytes = 8 * 4 * 4}, make_tma_descriptor(c),
           memory.data(), data.data() + 64, what);
  } catch (error const& e) {
    text = e.what();
  }
  return text + testing::internal::GetCapturedStderr();
}
void expect_said(fault what, char const* sentence) {
  std::string const text = said(what);
  EXPECT_NE(text.find(sentence), std::string::npos) << text;
}

TEST(HazardsOfTensorMaps, RightProgramsAreClean) {
  EXPECT_EQ(said(fault::none), "");
  EXPECT_EQ(said(fault::none_in_place), "");
}
TEST(HazardsOfTensorMaps, MissingFences) {
  expect_said(fault::no_release, "not released to the tensormap proxy: the copy may use the old one");
  expect_said(fault::no_acquire, "this block has not acquired it since");
  expect_said(fault::acquired_before, "this block has not acquired it since");
  expect_said(fault::no_acquire, "missing_proxy_fence");
}
TEST(HazardsOfTensorMaps, TheWarpCopiesBeforeTheChange) { expect_said(fault::no_syncwarp, "put __syncwarp()"); }
TEST(HazardsOfTensorMaps, PlacesAndValues) {
  expect_said(fault::used_in_shared, "the descriptor is in shared memory; it must be in global memory");
  expect_said(fault::parameter, "in neither shared nor global memory");
  expect_said(fault::bad_stride, "mode 1 has a stride of 40 bytes; multiples of 16 below 2^40");
  expect_said(fault::bad_address, "is no multiple of 16");
  expect_said(fault::bad_box, "the box has 300 elements of mode 1; 1 to 256");
}
TEST(HazardsOfTensorMaps, Modes) { expect_said(fault::other_mode, "3 coordinates for a tensor of 2 modes"); }

struct pixels {
  int first[4], offsets[2];
};
__global__ void load_pixels(TmaDescriptor const __grid_constant__ tensor, pixels at, int tile) {
  __shared__ std::uint64_t full;
  auto* const box = dynamic_shared<float>();
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  set_barrier_transaction_bytes(full, 8 * 4 * sizeof(float));
  if (tile != 0)
    tensor_copy_g2s(box, tensor, at.first, full);
  else
    tensor_copy_im2col_g2s(box, tensor, at.first, at.offsets, full);
  wait_barrier(full, 0);
}
std::string said_of_pixels(pixels const& at, int tile = 0) {
  device_buffer<float> const data(std::vector<float>(8 * 6 * 5));
  tensor_map_im2col_config c;
  c.data = data.data();
  c.type = tensor_map_type::f32;
  c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  c.channels = 8;
  c.pixels = 4;
  std::int64_t const extent[] = {8, 6, 5, 1}, stride[] = {1, 8, 48, 240};
  for (int i = 0; i < 4; ++i) c.extent[i] = extent[i], c.stride[i] = stride[i];
  c.lower[0] = c.lower[1] = -1;
  c.upper[0] = c.upper[1] = -1;
  try {
    launch(load_pixels, {.grid = 1, .block = 32, .shared_bytes = 8 * 4 * 4}, make_im2col_descriptor(c), at, tile);
  } catch (error const& e) {
    return e.what();
  }
  return "";
}
TEST(HazardsOfTensorMaps, PixelsOutsideTheirBox) {
  auto const says = [](std::string const& text, char const* what) { return text.find(what) != std::string::npos; };
  EXPECT_EQ(said_of_pixels({{0, 4, 3, 0}, {255, 2}}), "");
  EXPECT_TRUE(says(said_of_pixels({{0, 5, 0, 0}, {0, 0}}),
                   "begin at 5 of mode 1, outside of the descriptor's box of "
                   "pixels, -1 to 4"));
  EXPECT_TRUE(says(said_of_pixels({{0, 0, -2, 0}, {0, 0}}), "begin at -2 of mode 2"));
  EXPECT_TRUE(says(said_of_pixels({{0, 0, 0, 0}, {256, 0}}), "offset 256 along mode 1; 0 to 255"));
  EXPECT_TRUE(says(said_of_pixels({{2, 0, 0, 0}, {0, 0}}), "begins at element 2 of mode 0, byte 8"));
  EXPECT_TRUE(says(said_of_pixels({{0, 0, 0, 0}, {0, 0}}, 1), "the descriptor is one of the mode im2col"));
}

}  // namespace
