// SPDX-License-Identifier: Apache-2.0
// copy_if moves the elements whose predicates hold, and touches nothing else.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy_if.hpp>

#include <numeric>
#include <vector>

using namespace cosmati;

namespace {

constexpr int untouched = -7;

/// A pair of 8 x 8 matrices; the source's values count from 1.
template <class T, class SrcLayout = Layout<Shape<_8, _8>>, class DstLayout = SrcLayout>
struct Pair {
  alignas(16) T from[64];
  alignas(16) T to[64];
  Pair() {
    for (int i = 0; i < 64; ++i) from[i] = static_cast<T>(i + 1), to[i] = static_cast<T>(untouched);
  }
  auto src() { return make_tensor(make_gmem_ptr(&from[0]), SrcLayout{}); }
  auto dst() { return make_tensor(make_gmem_ptr(&to[0]), DstLayout{}); }
  /// Expects that elements where `moves` holds are copied, and all others unchanged.
  template <class F>
  bool moved_exactly(F const& moves) {
    for (int i = 0; i < 64; ++i) {
      T const expected = moves(i) ? src()(i) : static_cast<T>(untouched);
      if (!(dst()(i) == expected)) {
        ADD_FAILURE() << "element " << i;
        return false;
      }
    }
    return true;
  }
};

bool every_fifth_stays(int i) { return i % 5 != 0; }

template <class Layout>
auto predicates_of(bool (*f)(int)) {
  auto p = make_tensor<bool>(Layout{});
  for (int i = 0; i < static_cast<int>(size(p)); ++i) p(i) = f(i);
  return p;
}

template <class T>
void check_every_form() {
  auto const p = predicates_of<Layout<Shape<_8, _8>>>(every_fifth_stays);
  using Wide = Copy_Atom<UniversalCopy<uint128_t>, T>;
  using One = Copy_Atom<UniversalCopy<T>, T>;
  {
    Pair<T> m;
    copy_if(p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  }
  {
    Pair<T> m;
    copy_if(One{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  }
  if constexpr (64 % (16 / sizeof(T)) == 0) {
    Pair<T> m;
    copy_if(Wide{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  }
  {
    Pair<T> m;
    copy_if(AutoVectorizingCopy{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  }
  {
    Pair<T> m;
    copy_if(DefaultCopy{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  }
  {
    Pair<T> m;
    copy_if(AutoCopyAsync{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  }
  {
    Pair<T> m;
    copy_if(Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<64>, T>{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  }
}

TEST(CopyIf, APredicateAnElement) {
  check_every_form<std::int8_t>();
  check_every_form<std::int16_t>();
  check_every_form<int>();
  check_every_form<float>();
  check_every_form<double>();
  check_every_form<half_t>();
}

TEST(CopyIf, APredicateAVector) {
  auto const p = predicates_of<Layout<Shape<_8>>>([](int i) { return i % 3 != 1; });
  auto const moves = [](int i) { return i / 8 % 3 != 1; };
  {
    Pair<float> m;
    copy_if(p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(moves));
  }
  {
    Pair<float> m;
    copy_if(Copy_Atom<UniversalCopy<uint128_t>, float>{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(moves));
  }
  {
    Pair<float> m;
    copy_if(AutoVectorizingCopy{}, p, m.src(), m.dst());
    EXPECT_TRUE(m.moved_exactly(moves));
  }
}

TEST(CopyIf, ABroadcastPredicate) {
  // A predicate of the source's shape, equal for all elements of a column.
  auto p = make_tensor<bool>(Layout<Shape<_8, _8>, Stride<_0, _1>>{});
  for (int j = 0; j < 8; ++j) p(0, j) = j % 2 == 0;
  Pair<float> m;
  copy_if(Copy_Atom<UniversalCopy<uint64_t>, float>{}, p, m.src(), m.dst());
  EXPECT_TRUE(m.moved_exactly([](int i) { return i / 8 % 2 == 0; }));
}

TEST(CopyIf, VectorsAlongTheSecondMode) {
  using Rows = Layout<Shape<_8, _8>, Stride<_8, _1>>;
  auto const p = predicates_of<Layout<Shape<_8, _8>>>(every_fifth_stays);
  Pair<float, Rows> m;
  copy_if(AutoVectorizingCopy{}, p, m.src(), m.dst());
  EXPECT_TRUE(m.moved_exactly(every_fifth_stays));
  Pair<float, Rows, Layout<Shape<_8, _8>>> transposed;
  copy_if(AutoVectorizingCopy{}, p, transposed.src(), transposed.dst());
  EXPECT_TRUE(transposed.moved_exactly(every_fifth_stays));
}

TEST(CopyIf, AFunctionOfTheIndex) {
  Pair<int> m;
  copy_if([](int i) { return i > 40; }, m.src(), m.dst());
  EXPECT_TRUE(m.moved_exactly([](int i) { return i > 40; }));
}

// Here CuTe's vector atom writes elements 3, 4 and 5.
TEST(CopyIf, ATailIsNotWritten) {
  auto const first_three = predicates_of<Layout<_8>>([](int i) { return i < 3; });
  for (int form = 0; form < 2; ++form) {
    alignas(16) float from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    alignas(16) float to[8] = {};
    auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<_8>{});
    auto dst = make_tensor(make_gmem_ptr(&to[0]), Layout<_8>{});
    if (form == 0)
      copy_if(AutoVectorizingCopy{}, first_three, src, dst);
    else
      copy_if(Copy_Atom<UniversalCopy<uint128_t>, float>{}, first_three, src, dst);
    EXPECT_EQ(std::vector<float>(to, to + 8), (std::vector<float>{1, 2, 3, 0, 0, 0, 0, 0}));
  }
}

TEST(CopyIf, NeitherReadsNorWritesWhatHasNoPredicate) {
  // Each allocation ends with the last element that may be touched, so the address sanitizer finds accesses beyond it.
  std::vector<float> const from{1, 2, 3, 4, 5};
  std::vector<float> to(5, 0);
  auto const inside = predicates_of<Layout<_8>>([](int i) { return i < 5; });
  auto const src = make_tensor(make_gmem_ptr(from.data()), Layout<_8>{});
  copy_if(AutoVectorizingCopy{}, inside, src, make_tensor(make_gmem_ptr(to.data()), Layout<_8>{}));
  EXPECT_EQ(to, from);
}

TEST(CopyIf, RunTimeSizes) {
  for (int n : {0, 1, 5, 64}) {
    Pair<float> m;
    auto const src = make_tensor(make_gmem_ptr(&m.from[0]), make_shape(n));
    auto dst = make_tensor(make_gmem_ptr(&m.to[0]), make_shape(n));
    bool flags[64];
    for (int i = 0; i < 64; ++i) flags[i] = i % 3 == 0;
    copy_if(make_tensor(&flags[0], make_shape(n)), src, dst);
    EXPECT_TRUE(m.moved_exactly([&](int i) { return i < n && i % 3 == 0; }));
  }
  Pair<float> m;  // one predicate for each column
  bool flags[8] = {true, false, true, true, false, false, true, false};
  int const columns = 8;
  copy_if(make_tensor(&flags[0], make_shape(columns)),
          make_tensor(make_gmem_ptr(&m.from[0]), make_shape(_8{}, columns)),
          make_tensor(make_gmem_ptr(&m.to[0]), make_shape(_8{}, columns)));
  EXPECT_TRUE(m.moved_exactly([&](int i) { return flags[i / 8]; }));
}

TEST(CopyIf, RunTimeSizesThatDisagree) {
  bool flags[64] = {};
  Pair<float> m;
  int const n = 64;
  int const wrong = 7;
  auto const src = make_tensor(make_gmem_ptr(&m.from[0]), make_shape(n));
  auto dst = make_tensor(make_gmem_ptr(&m.to[0]), make_shape(n));
  EXPECT_THROW(copy_if(make_tensor(&flags[0], make_shape(wrong)), src, dst), error);
  EXPECT_THROW(
      copy_if(make_tensor(&flags[0], make_shape(n)), src, make_tensor(make_gmem_ptr(&m.to[0]), make_shape(wrong))),
      error);
}

TEST(CopyIf, ConvertsWhereTypesDiffer) {
  int from[4] = {1, 2, 3, 4};
  double to[4] = {};
  copy_if(predicates_of<Layout<_4>>([](int i) { return i != 2; }), make_tensor(&from[0], Layout<_4>{}),
          make_tensor(&to[0], Layout<_4>{}));
  EXPECT_EQ(std::vector<double>(to, to + 4), (std::vector<double>{1, 2, 0, 4}));
}

TEST(CopyIf, PackedElementsAndPackedPredicates) {
  auto from = make_tensor<int4_t>(Layout<Shape<_8, _4>>{});
  auto to = make_tensor<int4_t>(Layout<Shape<_8, _4>>{});
  auto p = make_tensor<uint1_t>(Layout<Shape<_8, _4>>{});
  for (int i = 0; i < 32; ++i)
    from(i) = static_cast<int4_t>(i % 7), to(i) = static_cast<int4_t>(-1), p(i) = static_cast<uint1_t>(i % 3 == 0);
  auto const check = [&] {
    for (int i = 0; i < 32; ++i) EXPECT_EQ(static_cast<int>(static_cast<int4_t>(to(i))), i % 3 == 0 ? i % 7 : -1) << i;
  };
  copy_if(p, from, to);
  check();
  for (int i = 0; i < 32; ++i) to(i) = static_cast<int4_t>(-1);
  copy_if(AutoVectorizingCopy{}, p, from, to);
  check();
  for (int i = 0; i < 32; ++i) to(i) = static_cast<int4_t>(-1);
  copy_if(Copy_Atom<UniversalCopy<uint32_t>, int4_t>{}, p, from, to);
  check();
}

TEST(CopyIf, PartitionsOfATiledCopy) {
  // A part of 5 x 12 of a tile of 8 x 16. Threads compute predicates from coordinates.
  std::vector<float> from(5 * 12), to(5 * 12, 0);
  std::iota(from.begin(), from.end(), 1.f);
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{},
                                  Layout<Shape<_1, _4>>{});
  auto const shape = make_shape(5, 12);
  auto const src = make_tensor(make_gmem_ptr(from.data()), make_layout(shape, LayoutRight{}));
  auto const dst = make_tensor(make_gmem_ptr(to.data()), make_layout(shape, LayoutRight{}));
  for (int t = 0; t < 32; ++t) {
    auto const thr = tc.get_slice(t);
    auto const s = thr.partition_S(src);
    auto const c = thr.partition_S(make_identity_tensor(shape));
    bool flag[1] = {elem_less(c(0), shape)};
    copy_if(tc, make_tensor(&flag[0], Layout<Shape<_1, _1>>{}), s(_, 0, 0), thr.partition_D(dst)(_, 0, 0));
  }
  EXPECT_EQ(to, from);
}

constexpr bool in_constant_evaluation() {
  int from[4] = {1, 2, 3, 4};
  int to[4] = {};
  copy_if([](int i) { return i % 2 == 0; }, make_tensor(&from[0], Layout<_4>{}), make_tensor(&to[0], Layout<_4>{}));
  return to[0] == 1 && to[1] == 0 && to[2] == 3 && to[3] == 0;
}
static_assert(in_constant_evaluation());

}  // namespace
