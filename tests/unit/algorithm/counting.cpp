// SPDX-License-Identifier: Apache-2.0
// Loops over more than 2^32 elements.
#include <gtest/gtest.h>
#include <cosmati/algorithm/cooperative_copy.hpp>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/copy_if.hpp>
#include <cosmati/algorithm/counting.hpp>

#include <type_traits>
#include <vector>

using namespace cosmati;

namespace {

constexpr long long beyond = (1LL << 32) + 5;

template <class Size>
std::vector<long long> visited(Size const& size, std::int64_t first, std::int64_t step) {
  std::vector<long long> r;
  detail::count_up(size, first, step, [&](auto i) { r.push_back(static_cast<long long>(i)); });
  return r;
}

TEST(CountUp, ReachesEveryIndexOfAnySize) {
  long long const half = 1LL << 31;
  EXPECT_EQ(visited(4 * half, 0, half), (std::vector<long long>{0, half, 2 * half, 3 * half}));
  EXPECT_EQ(visited(C<(1LL << 33)>{}, 7, 3 * half), (std::vector<long long>{7, 3 * half + 7}));
  EXPECT_EQ(visited(2 * half - 1, 0, half), (std::vector<long long>{0, half}));
  EXPECT_EQ(visited(5, 1, 2), (std::vector<long long>{1, 3}));
  EXPECT_EQ(visited(0, 0, 1), std::vector<long long>{});
}

TEST(CountUp, IsUnsignedWhileThatIsEnough) {
  auto const narrow = [](auto i) { static_assert(std::is_same_v<decltype(i), unsigned>); };
  detail::count_up(3, 0, 1, narrow);
  detail::count_up(_4{}, 0, 1, narrow);
  bool wide = false, both = false;
  detail::count_up(3LL, 0, 1, [&](auto i) { both = sizeof(i) == 4; });
  detail::count_up(beyond, beyond - 1, 1, [&](auto i) { wide = sizeof(i) == 8; });
  EXPECT_TRUE(both);
  EXPECT_TRUE(wide);
}

TEST(Counts, OfStaticSizesAreNotCutTo32Bits) {
  using Large = Tensor<ViewEngine<float*>, Layout<Shape<C<beyond>>>>;
  using Small = Tensor<ViewEngine<float*>, Layout<Shape<_8, _4>>>;
  static_assert(detail::elements_of<Large> == beyond);
  static_assert(std::is_same_v<decltype(detail::elements_of<Small>), int const>);
  static_assert(detail::size_or<Large, -1> == beyond);
  static_assert(detail::extent_of_mode<Large, 0> == beyond);
  static_assert(detail::extent_of_tile<C<beyond>> == beyond);
  // 5 would be taken for the size of both tensors.
  using Five = Tensor<ViewEngine<float*>, Layout<Shape<_5>>>;
  static_assert(!detail::copyable<detail::copy_by_layout, Large, Five>);
  static_assert(detail::copyable<detail::copy_by_layout, Large, Large>);
}

// Sanitizers and unoptimised builds would execute every step of the loop.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COSMATI_COUNTS_SLOWLY
#endif
#endif
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(COSMATI_COUNTS_SLOWLY)
TEST(Counts, EveryElementOfATensorBeyond32Bits) {
  char byte = 0;
  auto const count = [](auto const& t) {
    unsigned long long n = 0;
    detail::for_each_index(t, [&](auto) { ++n; });
    return n;
  };
  long long const n = beyond;
  int const m = 65537;
  EXPECT_EQ(count(make_tensor(&byte, make_shape(n), make_stride(_0{}))), 4294967301u);
  EXPECT_EQ(count(make_tensor(&byte, make_shape(C<beyond>{}), make_stride(_0{}))), 4294967301u);
  EXPECT_EQ(count(make_tensor(&byte, make_shape(m, m), make_stride(_0{}, _0{}))), 4295098369u);
}
#endif

}  // namespace
