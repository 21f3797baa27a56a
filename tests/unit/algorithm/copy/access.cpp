// SPDX-License-Identifier: Apache-2.0
// load and store of one vector access the address that the layout and the pointer's swizzle name.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>

#include <cstring>

using namespace cosmati;

namespace {

template <int bytes, class T>
void expect_bytes(T const& t, int i, unsigned char const* where) {
  auto const held = detail::load<bytes>(t, i);
  EXPECT_EQ(std::memcmp(&held, where, bytes), 0) << bytes << " bytes from element " << i;
}

struct Access : testing::Test {
  alignas(16) unsigned char memory[256];
  Access() {
    for (int i = 0; i < 256; ++i) memory[i] = static_cast<unsigned char>(i);
  }
};

TEST_F(Access, FromTheElementsAddressOn) {
  auto const t = make_tensor(make_gmem_ptr(&memory[0]), Layout<Shape<_16, _8>, Stride<_1, _32>>{});
  expect_bytes<1>(t, 3, memory + 3);
  expect_bytes<4>(t, 16 + 4, memory + 32 + 4);
  expect_bytes<16>(t, 7 * 16, memory + 7 * 32);
  auto const words = make_tensor(make_smem_ptr(reinterpret_cast<std::uint32_t*>(memory)), make_layout(make_shape(64)));
  expect_bytes<8>(words, 10u, memory + 40);
}

TEST_F(Access, ThroughASwizzledPointer) {
  // Swizzle<1,4,3> exchanges 16-byte pieces where bit 7 of the address is set. The memory itself is aligned to 256
  // bytes.
  alignas(256) unsigned char here[256];
  std::memcpy(here, memory, 256);
  auto const p = make_swizzle_ptr(&here[0], Swizzle<1, 4, 3>{});
  auto const t = make_tensor(make_smem_ptr(p), Layout<Int<256>>{});
  expect_bytes<16>(t, 0, memory);
  expect_bytes<16>(t, 128, memory + 144);
  expect_bytes<8>(t, 144, memory + 128);
}

TEST_F(Access, StoresItsBytesAndNoOthers) {
  auto t =
      make_tensor(make_smem_ptr(reinterpret_cast<std::uint16_t*>(memory)), Layout<Shape<_4, _4>, Stride<_4, _1>>{});
  detail::store<8>(t, 2, std::uint64_t{0});  // element 2 has offset 8
  for (int i = 0; i < 256; ++i) EXPECT_EQ(memory[i], i >= 16 && i < 24 ? 0 : i) << i;
}

TEST_F(Access, OfAFragment) {
  auto t = make_tensor<float>(Layout<_4>{});
  for (int i = 0; i < 4; ++i) t(i) = static_cast<float>(i);
  auto other = make_tensor<float>(Layout<_4>{});
  detail::store<16>(other, 0, detail::load<16>(t, 0));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(other(i), t(i));
}

TEST_F(Access, AddressesWhereAVectorMayBegin) {
  EXPECT_TRUE(detail::may_begin_at<16>(make_gmem_ptr(&memory[32])));
  EXPECT_FALSE(detail::may_begin_at<16>(make_gmem_ptr(&memory[40])));
  EXPECT_TRUE(detail::may_begin_at<8>(make_gmem_ptr(&memory[40])));
  auto const nibbles = recast_ptr<uint4_t>(&memory[0]);
  EXPECT_TRUE(detail::may_begin_at<4>(nibbles + 8));
  EXPECT_FALSE(detail::may_begin_at<1>(nibbles + 1));
}

}  // namespace
