// SPDX-License-Identifier: Apache-2.0
// Static layouts are taken as aligned to the vectors that they allow. A misaligned address is an error in every memory
// space.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>

#include "message.hpp"

using namespace cosmati;

namespace {

using Eight = Layout<Shape<_8>, Stride<_1>>;
using Rows = Layout<Shape<_4, _2>, Stride<_1, _4>>;

template <class L>
__global__ void through_shared(float const* in, float* out, int in_offset, int stage_offset, int out_offset) {
  float* const stage = dynamic_shared<float>() + stage_offset;
  auto const s = make_tensor(make_smem_ptr(stage), L{});
  copy(make_tensor(make_gmem_ptr(in + in_offset), L{}), s);
  copy(s, make_tensor(make_gmem_ptr(out + out_offset), L{}));
}
template <class T>
__global__ void untagged(T const* in, T* out, int offset) {
  auto const held = make_fragment_like(make_tensor(in + offset, Eight{}));
  auto fragment = held;
  copy(make_tensor(in + offset, Eight{}), fragment);
  copy(fragment, make_tensor(make_gmem_ptr(out), Eight{}));
}
/// An array of the thread, aligned as its elements. It is in registers on the GPU, so it is no error.
__global__ void local_array(float const* in, float* out) {
  float memory[11];
  for (float& x : memory) x = 0;
  for (int first = 0; first < 3; ++first) {
    auto const local = make_tensor(&memory[first], Eight{});
    copy(make_tensor(make_gmem_ptr(in), Eight{}), local);
    copy(local, make_tensor(make_gmem_ptr(out), Eight{}));
  }
}
/// Packed elements may begin within a byte, so their addresses are checked.
__global__ void packed(std::uint8_t const* in, std::uint8_t* out) {
  auto const from = make_tensor(make_gmem_ptr<uint4b_t>(in), Layout<Shape<_16>>{});
  auto const to = make_tensor(make_gmem_ptr<uint4b_t>(out), Layout<Shape<_16>>{});
  auto const odd = make_tensor(from.data() + 1, Eight{});
  copy(odd, make_tensor(to.data(), Eight{}));
}

template <class L>
void expect_all_offsets_checked() {
  std::vector<float> host(16);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(16);
  launch_config const one{.grid = 1, .block = 1, .shared_bytes = 64};
  for (int offset = 0; offset < 8; ++offset) {
    if (offset % 4 == 0) {
      launch(through_shared<L>, one, in.data(), out.data(), offset, offset, offset);
      auto const got = out.download();
      for (std::size_t i = 0; i < 8; ++i)
        EXPECT_EQ(got[i + static_cast<std::size_t>(offset)], host[i + static_cast<std::size_t>(offset)]);
    } else {
      EXPECT_MESSAGE(launch(through_shared<L>, one, in.data(), out.data(), offset, 0, 0), "misaligned");
      EXPECT_MESSAGE(launch(through_shared<L>, one, in.data(), out.data(), 0, offset, 0), "misaligned");
      EXPECT_MESSAGE(launch(through_shared<L>, one, in.data(), out.data(), 0, 0, offset), "misaligned");
    }
  }
}

TEST(StaticAlignment, EveryOffsetOfEachSide) {
  expect_all_offsets_checked<Eight>();
  expect_all_offsets_checked<Rows>();
}
TEST(StaticAlignment, UntaggedPointersToDeviceMemory) {
  device_buffer<float> in(std::vector<float>(16, 1.f)), out(16);
  launch(untagged<float>, {.grid = 1, .block = 1}, in.data(), out.data(), 4);
  EXPECT_EQ(out.download()[7], 1.f);
  EXPECT_MESSAGE(launch(untagged<float>, {.grid = 1, .block = 1}, in.data(), out.data(), 1), "misaligned");
  device_buffer<std::uint16_t> in2(std::vector<std::uint16_t>(16, 7)), out2(16);
  EXPECT_MESSAGE(launch(untagged<std::uint16_t>, {.grid = 1, .block = 1}, in2.data(), out2.data(), 3), "misaligned");
}
TEST(StaticAlignment, ArraysOfTheThreadAreNoError) {
  device_buffer<float> in(std::vector<float>(8, 3.f)), out(8);
  launch(local_array, {.grid = 1, .block = 1}, in.data(), out.data());
  EXPECT_EQ(out.download()[5], 3.f);
}
TEST(StaticAlignment, PackedElementsMayBeginWithinAByte) {
  device_buffer<std::uint8_t> in(std::vector<std::uint8_t>{0x10, 0x32, 0x54, 0x76, 0x98, 0, 0, 0}), out(8);
  out.clear();
  launch(packed, {.grid = 1, .block = 1}, in.data(), out.data());
  auto const got = out.download();
  EXPECT_EQ(got[0], 0x21);
  EXPECT_EQ(got[3], 0x87);
}

}  // namespace
