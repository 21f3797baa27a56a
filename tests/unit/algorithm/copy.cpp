// SPDX-License-Identifier: Apache-2.0
// copy: for every instruction, the destination receives the source's elements, and nothing else changes.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>

#include <vector>

using namespace cosmati;

namespace {

template <class Copy, class T, class SrcLayout, class DstLayout>
void check(Copy const& how, SrcLayout const& sl, DstLayout const& dl, T) {
  alignas(16) static T from[4096];
  alignas(16) static T to[4096];
  for (int i = 0; i < 4096; ++i) from[i] = static_cast<T>(i % 120 + 1), to[i] = static_cast<T>(0);
  auto const src = make_tensor(make_gmem_ptr(&from[0]), sl);
  auto dst = make_tensor(make_gmem_ptr(&to[0]), dl);
  how(src, dst);
  std::vector<bool> written(4096, false);
  for (int i = 0; i < static_cast<int>(size(sl)); ++i) {
    ASSERT_TRUE(dst(i) == src(i)) << "element " << i;
    written[static_cast<std::size_t>(&dst(i) - &to[0])] = true;
  }
  for (int i = 0; i < 4096; ++i) {
    if (!written[static_cast<std::size_t>(i)]) {
      ASSERT_TRUE(to[i] == static_cast<T>(0)) << "offset " << i;
    }
  }
}

template <class T>
void check_types() {
  auto const plain = [](auto const& s, auto& d) { copy(s, d); };
  auto const wide = [](auto const& s, auto& d) { copy(AutoVectorizingCopy{}, s, d); };
  auto const narrow = [](auto const& s, auto& d) { copy(DefaultCopy{}, s, d); };
  auto const atom = [](auto const& s, auto& d) {
    copy(Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<64>, T>{}, s, d);
  };
  auto const each = [](auto const& s, auto& d) { copy(Copy_Atom<UniversalCopy<T>, T>{}, s, d); };
  auto const all = [&](auto const& sl, auto const& dl) {
    check(plain, sl, dl, T{});
    check(wide, sl, dl, T{});
    check(narrow, sl, dl, T{});
    check(atom, sl, dl, T{});
    check(each, sl, dl, T{});
  };
  Layout<Shape<_16, _8>> const columns{};
  Layout<Shape<_16, _8>, Stride<_8, _1>> const rows{};
  all(columns, columns);
  all(rows, rows);
  all(rows, columns);
  all(columns, rows);
  all(columns, Layout<Shape<_16, _8>, Stride<_1, _32>>{});
  all(Layout<Shape<_5, _3>>{}, Layout<Shape<_3, _5>>{});
  all(Layout<Shape<Shape<_4, _4>, _8>, Stride<Stride<_1, Int<64>>, _4>>{}, columns);
  all(Layout<Shape<_16, _8>, Stride<_0, _1>>{}, columns);  // a broadcast
  all(composition(Swizzle<2, 3, 3>{}, columns), columns);
  all(make_layout(make_shape(16, 8)), make_layout(make_shape(16, 8), make_stride(32, 1)));
  all(make_layout(make_shape(_16{}, 8)), make_layout(make_shape(_16{}, 8), make_stride(_1{}, 32)));
}

TEST(Copy, EveryTypeLayoutAndPolicy) {
  check_types<std::int8_t>();
  check_types<std::int16_t>();
  check_types<float>();
  check_types<double>();
  check_types<half_t>();
  check_types<uint128_t>();
}

TEST(Copy, AddressesThatAreLessAligned) {
  alignas(16) float from[64];
  alignas(16) float to[64];
  for (int s = 0; s < 4; ++s) {
    for (int d = 0; d < 4; ++d) {
      for (int i = 0; i < 64; ++i) from[i] = static_cast<float>(i), to[i] = -1;
      copy(make_tensor(make_gmem_ptr(&from[s]), Layout<Int<60>>{}),
           make_tensor(make_gmem_ptr(&to[d]), Layout<Int<60>>{}));
      for (int i = 0; i < 64; ++i) ASSERT_EQ(to[i], i >= d && i < d + 60 ? from[i - d + s] : -1);
    }
  }
}

TEST(Copy, VectorAtoms) {
  auto const atom = [](auto const& s, auto& d) { copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, s, d); };
  check(atom, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _8>, Stride<_1, _16>>{}, 0.f);
  check(atom, Layout<Shape<Shape<_4, _2>, _3>>{}, Layout<Shape<Shape<_4, _2>, _3>, Stride<Stride<_1, _16>, Int<64>>>{},
        0.f);
}

TEST(Copy, ThroughFragments) {
  alignas(16) float from[64];
  alignas(16) float to[64] = {};
  for (int i = 0; i < 64; ++i) from[i] = static_cast<float>(i);
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<Shape<Shape<_4, _2>, _8>>{});
  auto fragment = make_fragment_like(src);
  copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, src, fragment);
  copy(fragment, make_tensor(make_gmem_ptr(&to[0]), src.layout()));
  for (int i = 0; i < 64; ++i) ASSERT_EQ(to[i], from[i]);
}

TEST(Copy, ConvertsElementByElement) {
  int from[4] = {1, -2, 3, 4};
  auto to = make_tensor<half_t>(Layout<_4>{});
  copy(make_tensor(&from[0], Layout<_4>{}), to);
  EXPECT_EQ(static_cast<float>(to(1)), -2.f);
}

// A swizzled pointer changes addresses. Each element is at the address that operator() gives.
TEST(Copy, ThroughASwizzledPointer) {
  alignas(16) float from[256];
  alignas(1024) float to[256];
  for (int i = 0; i < 256; ++i) from[i] = static_cast<float>(i);
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<Shape<_32, _8>>{});
  auto dst = make_tensor(make_smem_ptr(&to[0], Swizzle<3, 4, 3>{}), Layout<Shape<_32, _8>>{});
  auto const check = [&] {
    for (int i = 0; i < 256; ++i) ASSERT_EQ(dst(i), from[i]) << i;
    for (float& x : to) x = -1;
  };
  copy(src, dst);
  check();
  copy(AutoVectorizingCopy{}, src, dst);
  check();
  copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, src, dst);
  check();
  copy(src, dst);
  auto back = make_tensor<float>(Layout<Shape<_32, _8>>{});
  copy(Copy_Atom<UniversalCopy<uint64_t>, float>{}, dst, back);
  for (int i = 0; i < 256; ++i) ASSERT_EQ(back(i), from[i]);
  // Only 4 bytes stay together here, so no vector is wider.
  auto torn = make_tensor(make_smem_ptr(&to[0], Swizzle<3, 2, 3>{}), Layout<Shape<_32, _8>>{});
  copy(AutoVectorizingCopy{}, src, torn);
  for (int i = 0; i < 256; ++i) ASSERT_EQ(torn(i), from[i]);
}

TEST(Copy, PackedElements) {
  alignas(16) std::uint8_t from[40];
  for (int i = 0; i < 40; ++i) from[i] = static_cast<std::uint8_t>(31 * i + 5);
  for (int s = 0; s < 3; ++s) {
    for (int d = 0; d < 3; ++d) {  // views that begin inside a byte
      alignas(16) std::uint8_t to[40] = {};
      auto const src = make_tensor(make_gmem_ptr<uint4_t>(static_cast<void*>(from)) + s, Layout<Int<64>>{});
      auto dst = make_tensor(make_gmem_ptr<uint4_t>(static_cast<void*>(to)) + d, Layout<Int<64>>{});
      copy(src, dst);
      for (int i = 0; i < 64; ++i)
        ASSERT_EQ(static_cast<int>(dst(i).get()), static_cast<int>(src(i).get())) << s << ' ' << d << ' ' << i;
      ASSERT_EQ(to[33], 0);
    }
  }
  alignas(16) std::uint8_t to[40] = {};
  copy(Copy_Atom<UniversalCopy<uint64_t>, uint4_t>{},
       make_tensor(make_gmem_ptr<uint4_t>(static_cast<void*>(from)), Layout<Int<64>>{}),
       make_tensor(make_gmem_ptr<uint4_t>(static_cast<void*>(to)), Layout<Int<64>>{}));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(to[i], i < 32 ? from[i] : 0);
}

TEST(Copy, NoElements) {
  float a[4] = {1, 2, 3, 4};
  float b[4] = {};
  int const none = 0;
  copy(make_tensor(&a[0], make_shape(none, 4)), make_tensor(&b[0], make_shape(none, 4)));
  EXPECT_EQ(b[0], 0);
}

constexpr bool in_constant_evaluation() {
  int from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int to[8] = {};
  copy(make_tensor(&from[0], Layout<Shape<_2, _4>>{}), make_tensor(&to[0], Layout<Shape<_2, _4>, Stride<_4, _1>>{}));
  return to[0] == 1 && to[1] == 3 && to[4] == 2 && to[7] == 8;
}
static_assert(in_constant_evaluation());

/// All threads of a tiled copy, one after the other.
template <class TC, class Src, class Dst, class... Bounds>
void by_all_threads(TC const& tc, Src const& src, Dst const& dst, Bounds const&... bounds) {
  for (int t = 0; t < static_cast<int>(decltype(size(tc))::value); ++t) {
    auto const thr = tc.get_slice(t);
    copy(tc, thr.partition_S(src), thr.partition_D(dst), bounds...);
  }
}

TEST(TiledCopies, EveryElementOfATensorTheyDivide) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                  Layout<Shape<_4, Shape<_2, _4>>, Stride<_8, Stride<_1, _2>>>{},
                                  Layout<Shape<_2, _4>, Stride<_4, _1>>{});
  check([&](auto const& s, auto& d) { by_all_threads(tc, s, d); }, Layout<Shape<_16, _64>, Stride<_64, _1>>{},
        Layout<Shape<_16, _64>, Stride<Int<128>, _1>>{}, 0.f);
}

// From MoYe's page: a tensor of 4 x 9 with the values 0.1, 0.2, .... The second thread copies directly, the third
// through a fragment.
TEST(TiledCopies, MoYesTwoThreads) {
  double from[36];
  double to[36] = {};
  for (int i = 0; i < 36; ++i) from[i] = (i + 1) / 10.0;
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<double>, double>{}, Layout<Shape<_2, _3>, Stride<_3, _1>>{},
                                  Layout<Shape<_2, _3>>{});
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<Shape<_4, _9>>{});
  auto const dst = make_tensor(make_gmem_ptr(&to[0]), Layout<Shape<_4, _9>>{});
  auto const row = [&](int i) {
    std::vector<double> r;
    for (int j = 3; j < 9; ++j) r.push_back(dst(i, j));
    return r;
  };
  copy(tc, tc.get_slice(1).partition_S(src), tc.get_slice(1).partition_D(dst));
  EXPECT_EQ(row(0), (std::vector<double>{1.3, 1.7, 2.1, 0, 0, 0}));
  EXPECT_EQ(row(1), (std::vector<double>{1.4, 1.8, 2.2, 0, 0, 0}));
  auto const mine = tc.get_slice(2).partition_S(src);
  auto fragment = make_fragment_like(mine);
  copy(tc, mine, fragment);
  copy(tc, fragment, tc.get_slice(2).partition_D(dst));
  EXPECT_EQ(row(0), (std::vector<double>{1.3, 1.7, 2.1, 2.5, 2.9, 3.3}));
  EXPECT_EQ(row(1), (std::vector<double>{1.4, 1.8, 2.2, 2.6, 3.0, 3.4}));
  for (int i = 0; i < 36; ++i) {
    if (i % 4 >= 2 || i < 12) {
      EXPECT_EQ(to[i], 0) << i;
    }
  }
}

}  // namespace
