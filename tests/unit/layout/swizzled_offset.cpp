// SPDX-License-Identifier: Apache-2.0
// swizzled_offset joins the image of a sum from the images of its parts, for every offset and every value of the bits.
#include <gtest/gtest.h>

#include <cosmati/core/error.hpp>
#include <cosmati/layout/composed_layout.hpp>

using namespace cosmati;

namespace {

TEST(SwizzledOffset, BitsOfSumsCoverEverySum) {
  for (std::uint64_t a = 0; a < 64; ++a)
    for (std::uint64_t b = 0; b < 64; ++b)
      for (std::uint64_t x = a;; x = (x - 1) & a) {  // every subset of a's bits
        for (std::uint64_t y = b;; y = (y - 1) & b) {
          ASSERT_EQ((x + y) & ~detail::bits_of_sum(a, b), 0u) << a << " " << b;
          if (y == 0) break;
        }
        if (x == 0) break;
      }
}

TEST(SwizzledOffset, BitsOfMultiplesCoverEveryMultiple) {
  for (std::int64_t extent = 1; extent < 20; ++extent)
    for (std::int64_t step = 0; step < 40; ++step)
      for (std::int64_t i = 0; i < extent; ++i)
        ASSERT_EQ(static_cast<std::uint64_t>(i * step) & ~detail::bits_of_multiples(extent, step), 0u)
            << extent << ":" << step;
  // Powers of two are exact.
  EXPECT_EQ(detail::bits_of_multiples(8, 4), 28u);
  EXPECT_EQ(detail::bits_of_multiples(1, 4), 0u);
  EXPECT_EQ(detail::bits_of_multiples(4, -1), ~std::uint64_t{0});
}

TEST(SwizzledOffset, BitsOfALayout) {
  static_assert(detail::layout_bits<Layout<Shape<_8, _4>, Stride<_64, _8>>> == 0x1d8);
  static_assert(detail::layout_bits<Layout<Shape<_3>, Stride<_1>>> == 3);
  static_assert(detail::layout_bits<Layout<Shape<int>, Stride<_1>>> == ~std::uint64_t{0});
}

/// Every offset of the bits with every value of the other bits.
template <class Sw, std::uint64_t bits, std::uint64_t others>
void expect_joined() {
  static_assert((bits & others) == 0);
  constexpr int mask = Sw::yyy_msk::value, shift = Sw::num_shft;
  for (std::uint64_t x = bits;; x = (x - 1) & bits) {
    int const offset = static_cast<int>(x);
    auto const kept = detail::swizzled_offset<Sw, 0, 0, int>{}.template moved<bits>(offset);
    for (std::uint64_t y = others;; y = (y - 1) & others) {
      int const other = static_cast<int>(y), sum = offset + other;
      int const image =
          sum ^ (shift > 0 ? (sum & mask) >> (shift > 0 ? shift : 0) : (sum & mask) << (shift < 0 ? -shift : 0));
      ASSERT_EQ(kept.joined_image(other), image) << offset << " + " << other;
      auto const moved = kept.template moved<others>(other);
      ASSERT_EQ(moved.offset, sum);
      ASSERT_EQ(moved.image + moved.beyond, image);
      if (y == 0) break;
    }
    if (x == 0) break;
  }
}
TEST(SwizzledOffset, ImagesAreJoined) {
  expect_joined<Swizzle<3, 3, 3>, 0x1c0, 0x3f>();   // rows, columns
  expect_joined<Swizzle<3, 3, 3>, 0x38, 0xdc7>();   // columns, rows and stages
  expect_joined<Swizzle<3, 3, 3>, 0x148, 0x0b7>();  // a bit of each
  expect_joined<Swizzle<2, 0, 3>, 0x19, 0x06>();
  expect_joined<Swizzle<2, 4, -3>, 0x1f0, 0x0f>();  // upwards
  expect_joined<Swizzle<1, 2, 5>, 0x0ff, 0x700>();
}

/// A swizzle by hand: x ^ (its bits of `mask`, shifted by `shift`).
int swizzled_by_hand(int x, int mask, int shift) {
  return x ^ (shift > 0 ? (x & mask) >> (shift > 0 ? shift : 0) : (x & mask) << (shift < 0 ? -shift : 0));
}
/// Three parts, added one after the other, and a fourth part that joins: every value of their bits.
template <class Sw, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d>
void expect_moved_thrice() {
  auto const all = [](std::uint64_t bits, auto const& f) {
    for (std::uint64_t x = bits;; x = (x - 1) & bits) {
      f(static_cast<int>(x));
      if (x == 0) break;
    }
  };
  all(a, [&](int w) {
    all(b, [&](int x) {
      all(c, [&](int y) {
        auto const kept = detail::swizzled_offset<Sw, 0, 0, int>{}.template moved<a>(w).template moved<b>(x);
        auto const moved = kept.template moved<c>(y);
        all(d, [&](int z) {
          ASSERT_EQ(moved.joined_image(z), swizzled_by_hand(w + x + y + z, Sw::yyy_msk::value, Sw::num_shft))
              << w << " + " << x << " + " << y << " + " << z;
        });
      });
    });
  });
}
TEST(SwizzledOffset, PartsMoveInAnyOrder) {
  expect_moved_thrice<Swizzle<3, 3, 3>, 0xc00, 0x1c7, 0x200, 0x038>();  // stages, then a thread, then values
  expect_moved_thrice<Swizzle<3, 3, 3>, 0x1c8, 0xc00, 0x200, 0x037>();  // a thread first
  expect_moved_thrice<Swizzle<3, 3, 3>, 0x600, 0x007, 0x038, 0x1c0>();  // the mixed bits last
  expect_moved_thrice<Swizzle<2, 0, 3>, 0x100, 0x011, 0x082, 0x00c>();
  expect_moved_thrice<Swizzle<2, 4, -3>, 0x1c0, 0x00f, 0x010, 0x620>();  // upwards
  expect_moved_thrice<Swizzle<1, 2, 5>, 0x0c3, 0x300, 0x400, 0x03c>();
}
TEST(SwizzledOffset, WhatIsNotMixedIsKeptApart) {
  // A thread's row and column of a tile of 64 x 64, then a stage of 4096. Only the first offset is exclusive-ored.
  auto const thread = detail::swizzled_offset<Swizzle<3, 3, 3>, 0, 0, int>{}.template moved<0x1f8>(0x1c8);
  EXPECT_EQ(thread.image, 0x1f0);  // column group 1 becomes 1 ^ 7 = 6
  EXPECT_EQ(thread.beyond, 0);
  auto const stage = thread.template moved<0x3000>(0x2000);
  EXPECT_EQ(stage.image, 0x1f0);
  EXPECT_EQ(stage.beyond, 0x2000);
}

TEST(SwizzledOffset, SlicesKeepWhatTheyKnow) {
  // Rows of 64 halves, swizzled in groups of eight. A row is fixed at run time.
  auto const tile = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  for (int row = 0; row < 8; ++row) {
    auto const one = tile(row, _);
    static_assert(detail::is_swizzled_offset<std::remove_cvref_t<decltype(one.kept_offset())>>);
    EXPECT_EQ(one.offset(), 64 * row);
    for (int column = 0; column < 64; ++column) ASSERT_EQ(one(column), tile(row, column));
    auto const part = one.with_shape(make_shape(_8{}, _8{}));
    for (int group = 0; group < 8; ++group) {
      auto const eight = part(_, group);
      for (int k = 0; k < 8; ++k) ASSERT_EQ(eight(k), tile(row, 8 * group + k));
    }
  }
}

TEST(SwizzledOffset, ACoordinateBeyondItsModeIsAnError) {
  auto const tile = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  int const beyond = 8;  // row 8 has offset 512, a bit of no row; the result is right nevertheless
  int const swizzled = Swizzle<3, 3, 3>::apply(513);
  EXPECT_EQ(tile(beyond, _)(1), swizzled);
  auto const columns = tile(_, 64);  // the first bit of the rows
  try {
    (void)columns(1);
    FAIL() << "accepted";
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("beyond its modes: offsets 64 and 64"), std::string::npos) << e.what();
  }
}

}  // namespace
