// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cosmati/interop/strided.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <vector>

namespace {
using namespace cosmati;

/// The members of std::mdspan that the library reads.
template <class T, std::size_t... Extents>
struct view {
  T* data;
  std::array<std::size_t, sizeof...(Extents)> extents, strides;

  static constexpr std::size_t rank() { return sizeof...(Extents); }
  static constexpr std::size_t static_extent(std::size_t r) { return std::array{Extents...}[r]; }
  constexpr T* data_handle() const { return data; }
  constexpr std::size_t extent(std::size_t r) const { return extents[r]; }
  constexpr std::size_t stride(std::size_t r) const { return strides[r]; }
};
constexpr std::size_t dynamic = static_cast<std::size_t>(-1);
template <class T>
struct aligned_view : view<T, dynamic> {
  struct accessor_type {
    static constexpr std::size_t byte_alignment = 16;
  };
};

TEST(MakeStrided, FromWhatLooksLikeAnMdspan) {
  float x[24];
  view<float, dynamic, 4, dynamic> const v{x, {2, 4, 3}, {12, 3, 1}};
  auto s = make_strided(v);
  static_assert(
      std::is_same_v<decltype(s),
                     strided_view<float*, tuple<int, Int<4>, int>, tuple<std::int64_t, std::int64_t, std::int64_t>>>);
  EXPECT_EQ(s.data, x);
  EXPECT_TRUE(s.shape == make_tuple(2, Int<4>{}, 3));
  EXPECT_TRUE(s.stride == make_tuple(INT64_C(12), INT64_C(3), INT64_C(1)));
  EXPECT_TRUE(s.layout().shape() == s.shape);
}

TEST(MakeStrided, KeepsAnAlignedAccessorsPromise) {
  alignas(16) float x[8];
  aligned_view<float> const v{{x, {8}, {1}}};
  static_assert(pointer_alignment_v<decltype(make_strided(v).data)> == 16);
}

TEST(MakeStrided, FromAPointerAndArrays) {
  std::uint8_t memory[3] = {0x21, 0x43, 0x65};
  int const extents[] = {2, 3};
  std::vector<std::int64_t> const strides{3, 1};
  auto s = make_strided(reinterpret_cast<uint4_t*>(memory), extents, strides);
  EXPECT_EQ(int(s.data[5].get()), 6);
  EXPECT_TRUE(s.stride == make_tuple(INT64_C(3), INT64_C(1)));
  std::vector<int> const four{1, 2, 3, 4};
  auto t = make_strided<4>(memory, four, four.data());
  EXPECT_TRUE(t.shape == make_tuple(1, 2, 3, 4));
}

TEST(MakeLayoutFrom, RankOfTheArrayOrGiven) {
  auto a = make_layout_from(std::array<long, 2>{5, 6}, std::array<int, 2>{1, 5});
  static_assert(std::is_same_v<decltype(a), Layout<tuple<int, int>, tuple<std::int64_t, std::int64_t>>>);
  EXPECT_TRUE(a.shape() == make_tuple(5, 6) && a.stride() == make_tuple(INT64_C(1), INT64_C(5)));
  std::int64_t const extents[] = {2, 3, 4}, strides[] = {INT64_C(1) << 40, -4, 0};
  auto b = make_layout_from<3>(extents, strides);
  EXPECT_TRUE(b.stride() == make_tuple(INT64_C(1) << 40, INT64_C(-4), INT64_C(0)));
  int const one[] = {7};
  EXPECT_TRUE(make_layout_from(one, one).shape() == make_tuple(7));
}

TEST(MakeLayoutFrom, WithoutStridesIsRowMajor) {
  int const extents[] = {2, 3, 4};
  EXPECT_TRUE(make_layout_from(extents).stride() == make_tuple(INT64_C(12), INT64_C(4), INT64_C(1)));
  int const large[] = {3, 65536, 65536};
  EXPECT_TRUE(make_layout_from(large).stride() == make_tuple(INT64_C(1) << 32, INT64_C(65536), INT64_C(1)));
  EXPECT_TRUE(make_layout_from<2>(std::vector<int>{0, 5}).shape() == make_tuple(0, 5));
}

TEST(MakeLayoutFrom, AnExtentThatIsNoIntIsAnError) {
  std::int64_t const large[] = {2, INT64_C(1) << 31}, negative[] = {-1, 2};
  EXPECT_THROW(make_layout_from(large), error);
  EXPECT_THROW(make_layout_from(negative, large), error);
  try {
    make_layout_from(large);
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("dimension 1 has extent 2147483648"), std::string::npos) << e.what();
  }
}

}  // namespace
