// SPDX-License-Identifier: Apache-2.0
// cooperative_copy: all threads together move every element once, for all sizes.
#include <gtest/gtest.h>
#include <cosmati/algorithm/cooperative_copy.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>

#include <cstring>
#include <vector>

using namespace cosmati;

namespace {

/// Copies with all threads, and with three threads more. Afterwards the destination holds the source's elements, and
/// nothing else has changed.
template <unsigned threads, unsigned max_bits, class T, class SrcLayout, class DstLayout>
void check(SrcLayout const& sl, DstLayout const& dl, bool to_shared = true) {
  alignas(16) static T from[1 << 14];
  alignas(16) static T to[1 << 14];
  for (int i = 0; i < (1 << 14); ++i) from[i] = static_cast<T>(i % 120 + 1), to[i] = static_cast<T>(0);
  auto const src = make_tensor(make_gmem_ptr(&from[0]), sl);
  auto const run = [&](auto dst) {
    for (unsigned t = 0; t < threads + 3; ++t) cooperative_copy<threads, max_bits>(t, src, dst);
    std::vector<bool> written(1 << 14, false);
    for (int i = 0; i < static_cast<int>(size(sl)); ++i) {
      ASSERT_TRUE(dst(i) == src(i)) << "element " << i;
      written[static_cast<std::size_t>(&dst(i) - &to[0])] = true;
    }
    for (int i = 0; i < (1 << 14); ++i) {
      if (!written[static_cast<std::size_t>(i)]) {
        ASSERT_TRUE(to[i] == static_cast<T>(0)) << "offset " << i;
      }
    }
  };
  if (to_shared)
    run(make_tensor(make_smem_ptr(&to[0]), dl));
  else
    run(make_tensor(make_gmem_ptr(&to[0]), dl));
}

template <unsigned threads, unsigned max_bits, class T>
void check_layouts() {
  using Columns = Layout<Shape<_32, _8>>;
  using Rows = Layout<Shape<_32, _8>, Stride<_8, _1>>;
  using Padded = Layout<Shape<_32, _8>, Stride<_1, Int<36>>>;
  using Swizzled = decltype(composition(Swizzle<2, 3, 3>{}, Columns{}));
  check<threads, max_bits, T>(Columns{}, Columns{});
  check<threads, max_bits, T>(Columns{}, Rows{});
  check<threads, max_bits, T>(Rows{}, Rows{});
  check<threads, max_bits, T>(Rows{}, Columns{}, false);
  check<threads, max_bits, T>(Columns{}, Padded{});
  check<threads, max_bits, T>(Columns{}, Swizzled{});
  check<threads, max_bits, T>(Layout<Shape<_7, _5>>{}, Layout<Shape<_7, _5>, Stride<_5, _1>>{});
  check<threads, max_bits, T>(Layout<Shape<_3>>{}, Layout<Shape<_3>>{});
  check<threads, max_bits, T>(Layout<Shape<Shape<_2, _4>, _6>, Stride<Stride<_4, Int<48>>, _8>>{},
                              Layout<Shape<Shape<_2, _4>, _6>>{});
}

TEST(CooperativeCopy, EveryElementOnce) {
  check_layouts<32, 0, float>();
  check_layouts<32, 128, float>();
  check_layouts<24, 0, half_t>();
  check_layouts<100, 64, half_t>();
  check_layouts<1, 8, std::int8_t>();
  check_layouts<128, 128, std::int8_t>();
  check_layouts<256, 0, double>();
}

template <int n>
struct bytes_together {
  unsigned char byte[n];
  bool operator==(bytes_together const&) const = default;
};
template <int n>
void check_copies_of_bytes_together() {
  using T = bytes_together<n>;
  T from[64], to[64] = {};
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < n; ++k) from[i].byte[k] = static_cast<unsigned char>(7 * i + k);
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<_64>{});
  auto dst = make_tensor(make_smem_ptr(&to[0]), Layout<_64>{});
  for (unsigned t = 0; t < 8; ++t) cooperative_copy<8>(t, src, dst);
  EXPECT_EQ(std::memcmp(from, to, sizeof from), 0) << n << " bytes";
  std::memset(to, 0, sizeof to);
  copy(src, dst);
  EXPECT_EQ(std::memcmp(from, to, sizeof from), 0) << n << " bytes, by one thread";
}
TEST(CooperativeCopy, ElementsOfAnyNumberOfBytes) {
  check_copies_of_bytes_together<3>();
  check_copies_of_bytes_together<6>();
  check_copies_of_bytes_together<12>();
  check_copies_of_bytes_together<16>();
  check_copies_of_bytes_together<24>();
}

TEST(CooperativeCopy, LongLoops) { check<2, 8, std::int8_t>(Layout<Int<4096>>{}, Layout<Int<4096>>{}); }

TEST(CooperativeCopy, AddressesThatAreLessAligned) {
  alignas(16) float from[64];
  alignas(16) float to[64];
  for (int offset = 0; offset < 4; ++offset) {
    for (int i = 0; i < 64; ++i) from[i] = static_cast<float>(i), to[i] = -1;
    auto const src = make_tensor(make_gmem_ptr(&from[offset]), Layout<Int<60>>{});
    auto const dst = make_tensor(make_smem_ptr(&to[0]), Layout<Int<60>>{});
    for (unsigned t = 0; t < 8; ++t) cooperative_copy<8>(t, src, dst);
    for (int i = 0; i < 60; ++i) ASSERT_EQ(to[i], from[offset + i]);
    ASSERT_EQ(to[60], -1);
  }
}

TEST(CooperativeCopy, NoElements) {
  float none[1] = {5};
  cooperative_copy<32>(0, make_tensor(make_gmem_ptr(&none[0]), Layout<Shape<_0, _4>>{}),
                       make_tensor(make_smem_ptr(&none[0]), Layout<Shape<_0, _4>>{}));
  EXPECT_EQ(none[0], 5);
}

template <class T, int n>
void check_packed() {
  alignas(16) static std::uint8_t from[n];
  alignas(16) static std::uint8_t to[n];
  for (int i = 0; i < n; ++i) from[i] = static_cast<std::uint8_t>(37 * i + 11), to[i] = 0;
  Layout<C<n * 8 / sizeof_bits_v<T>>> const layout{};
  auto const src = make_tensor(make_gmem_ptr<T>(static_cast<void*>(from)), layout);
  auto const dst = make_tensor(make_smem_ptr<T>(static_cast<void*>(to)), layout);
  for (unsigned t = 0; t < 5; ++t) cooperative_copy<5>(t, src, dst);
  EXPECT_EQ(std::memcmp(from, to, n), 0);
  std::memset(to, 0, n);
  for (unsigned t = 0; t < 5; ++t) naive_cooperative_copy<5>(t, src, dst);
  EXPECT_EQ(std::memcmp(from, to, n), 0);
}

TEST(CooperativeCopy, PackedElementsBytePerThread) {
  check_packed<int4_t, 64>();
  check_packed<uint2_t, 33>();
  check_packed<uint1_t, 24>();
  check_packed<uint6_t, 48>();
}

TEST(NaiveCooperativeCopy, RunTimeShapesAndConversions) {
  std::vector<int> from(35);
  std::vector<float> to(35, -1);
  for (int i = 0; i < 35; ++i) from[static_cast<std::size_t>(i)] = i;
  auto const shape = make_shape(7, 5);
  for (unsigned t = 0; t < 10; ++t) {
    naive_cooperative_copy<8>(t, make_tensor(make_gmem_ptr(from.data()), shape),
                              make_tensor(make_gmem_ptr(to.data()), make_layout(shape, LayoutRight{})));
  }
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 5; ++j) EXPECT_EQ(to[static_cast<std::size_t>(5 * i + j)], static_cast<float>(i + 7 * j));
  }
}

TEST(CooperativeCopy, ThroughASwizzledPointer) {
  alignas(128) float from[256];
  alignas(1024) float to[256];
  for (int i = 0; i < 256; ++i) from[i] = static_cast<float>(i);
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<Shape<_32, _8>>{});
  auto const dst = make_tensor(make_smem_ptr(&to[0], Swizzle<3, 4, 3>{}), Layout<Shape<_32, _8>>{});
  for (unsigned t = 0; t < 32; ++t) cooperative_copy<32, 128>(t, src, dst);
  for (int i = 0; i < 256; ++i) ASSERT_EQ(dst(i), from[i]) << i;
  EXPECT_NE(to[32], from[32]) << "the second column is swizzled";
}

}  // namespace
