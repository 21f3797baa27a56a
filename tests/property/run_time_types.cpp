// SPDX-License-Identifier: Apache-2.0
// The functions of the algebra on layouts as types, with run-time integers in every place. At run time, each result
// equals that of the twin that knows all integers, or a check throws, or the call does not compile. The types are a few
// layouts with each subset of their integers at run time. The run-time values are random.
#undef NDEBUG  // what run-time integers leave open is looked at in debug builds
#include <gtest/gtest.h>

#include <cosmati/layout/any_layout.hpp>
#include <cosmati/layout/operations.hpp>
#include <random>
#include <string>
#include <vector>

using namespace cosmati;
using cosmati::detail::layout_result;

namespace {

/// Static extents and strides of a layout.
template <int... v>
struct ints {};

struct counts {
  int equal = 0, refused = 0, caught = 0, types = 0;
};
counts total;

template <bool is_dynamic, int v>
auto leaf(int at_run_time) {
  if constexpr (is_dynamic)
    return at_run_time;
  else
    return C<v>{};
}

/// A run-time value for an extent or a stride.
int value_for(std::mt19937& random, bool is_stride, int v) {
  static int const extents[] = {1, 2, 3, 4, 6, 8, 16}, strides[] = {0, 1, 2, 3, 4, 8, 12, 16, 32};
  if (random() % 2 == 0) return v;
  return is_stride ? strides[random() % std::size(strides)] : extents[random() % std::size(extents)];
}

enum class compared { everywhere, as_right_inverse, as_left_inverse };

/// F of `x` and static arguments, compared with `twin` of the values of `x` at run time.
template <compared how, class F, class L, class Twin, class... A>
void compare(char const* name, L const& x, AnyLayout const& known, Twin&& twin, A const&... arguments) {
  using R = layout_result<F, L, A...>;
  ++total.types;
  if constexpr (R::Op::tree.note.why != refusal_reason::none) {
    ++total.refused;
  } else {
    AnyLayout expected;
    bool twin_refuses = false;
    try {
      expected = twin(known);
    } catch (error const&) {
      twin_refuses = true;
    }
    try {
      auto const r = R::make(x, arguments...);
      std::string about = name;
      for (int i = 0; i < known.rank(); ++i)
        about += " " + std::to_string(known.shape()[i].integer()) + ":" + std::to_string(known.stride()[i].integer());
      ASSERT_FALSE(twin_refuses) << about;
      auto const n = static_cast<std::int64_t>(size(r));
      bool const injective = is_injective(filter(known));
      if (how != compared::as_left_inverse && (how == compared::everywhere || injective)) {
        ASSERT_EQ(n, expected.size()) << about;
      }
      if (how == compared::as_left_inverse) {
        for (std::int64_t i = 0; is_injective(known) && i < known.size(); ++i) ASSERT_EQ(r(known(i)), i) << about;
      } else {
        for (std::int64_t i = 0; i < n; ++i) {
          if (how == compared::everywhere)
            ASSERT_EQ(r(i), expected(i)) << about << " at " << i;
          else
            ASSERT_EQ(known(static_cast<std::int64_t>(r(i))), i) << about;
        }
      }
      ++total.equal;
    } catch (error const&) {
      ++total.caught;
    }
  }
}

template <class L>
void all_functions(L const& x, AnyLayout const& known) {
  namespace d = cosmati::detail;
  constexpr auto everywhere = compared::everywhere;
#define EACH(name, ...) \
  compare<everywhere, d::name##_object>(#name, x, known, [](AnyLayout const& l) { return name(l); } __VA_ARGS__)
  EACH(coalesce);
  EACH(complement);
#undef EACH
  compare<compared::as_right_inverse, d::right_inverse_object>("right_inverse", x, known,
                                                               [](AnyLayout const& l) { return right_inverse(l); });
  compare<compared::as_left_inverse, d::left_inverse_object>("left_inverse", x, known,
                                                             [](AnyLayout const& l) { return left_inverse(l); });
  compare<everywhere, d::upcast_object<2>>("upcast<2>", x, known, [](AnyLayout const& l) { return upcast(l, 2); });
  compare<everywhere, d::upcast_object<4>>("upcast<4>", x, known, [](AnyLayout const& l) { return upcast(l, 4); });
  // Parts join a mode of stride 1. If there are two such modes, the order of the parts is not specified.
  int contiguous = 0;
  for (int i = 0; i < known.rank(); ++i) contiguous += known.stride()[i].integer() == 1;
  if (contiguous < 2) {
    compare<everywhere, d::downcast_object<2>>("downcast<2>", x, known,
                                               [](AnyLayout const& l) { return downcast(l, 2); });
  }
  compare<everywhere, d::recast_object<16, 32>>("recast<16, 32>", x, known,
                                                [](AnyLayout const& l) { return recast_layout(l, 16, 32); });
  compare<everywhere, d::complement_object>(
      "complement in 96", x, known, [](AnyLayout const& l) { return complement(l, AnyTuple(96)); }, C<96>{});
  compare<everywhere, d::composition_object>(
      "composition", x, known,
      [](AnyLayout const& l) {
        return composition(l, AnyLayout(AnyTuple{2, 4}, AnyTuple{4, 1}));
      },
      Layout<Shape<_2, _4>, Stride<_4, _1>>{});
  compare<everywhere, d::composition_object>(
      "composition", x, known,
      [](AnyLayout const& l) {
        return composition(l, AnyLayout(AnyTuple{3, 2}, AnyTuple{2, 3}));
      },
      Layout<Shape<_3, _2>, Stride<_2, _3>>{});
  compare<everywhere, d::logical_divide_object>(
      "logical_divide", x, known, [](AnyLayout const& l) { return logical_divide(l, AnyLayout(AnyTuple(4))); },
      Layout<_4>{});
  compare<everywhere, d::zipped_divide_object>(
      "zipped_divide", x, known,
      [](AnyLayout const& l) {
        return zipped_divide(l, AnyTiler(AnyTuple{2, 4}));
      },
      make_tile(_2{}, _4{}));
}

template <unsigned mask, int... s, int... d, std::size_t... i>
void with_mask(std::mt19937& random, ints<s...>, ints<d...>, std::index_sequence<i...>) {
  constexpr int rank = static_cast<int>(sizeof...(s));
  for (int repeat = 0; repeat < 40; ++repeat) {
    int const shape[] = {((mask >> i) & 1) != 0 ? value_for(random, false, s) : s...};
    int const stride[] = {((mask >> (rank + static_cast<int>(i))) & 1) != 0 ? value_for(random, true, d) : d...};
    auto const layout =
        make_layout(make_shape(leaf<((mask >> i) & 1) != 0, s>(shape[i])...),
                    make_stride(leaf<((mask >> (rank + static_cast<int>(i))) & 1) != 0, d>(stride[i])...));
    all_functions(layout, AnyLayout(AnyTuple{shape[i]...}, AnyTuple{stride[i]...}));
    if (::testing::Test::HasFatalFailure()) return;
  }
}
template <unsigned... mask, class S, class D, std::size_t rank>
void with_masks(S shape, D stride, std::integral_constant<std::size_t, rank>) {
  std::mt19937 random(1);
  (with_mask<mask>(random, shape, stride, std::make_index_sequence<rank>{}), ...);
}
template <int... s, int... d>
void two_modes(ints<s...> shape, ints<d...> stride) {
  with_masks<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(shape, stride,
                                                                   std::integral_constant<std::size_t, 2>{});
}

TEST(RunTimeTypes, AreTheirTwinsOrRefused) {
  two_modes(ints<8, 4>{}, ints<1, 8>{});
  two_modes(ints<4, 8>{}, ints<8, 1>{});
  two_modes(ints<6, 2>{}, ints<1, 7>{});
  two_modes(ints<4, 8>{}, ints<0, 1>{});
  with_masks<1, 2, 4, 8, 16, 32, 6, 24, 63>(ints<4, 2, 3>{}, ints<2, 1, 8>{}, std::integral_constant<std::size_t, 3>{});
  with_masks<1, 4, 8, 16, 32, 56, 63>(ints<2, 4, 1>{}, ints<1, 2, 5>{}, std::integral_constant<std::size_t, 3>{});
  RecordProperty("equal", total.equal);
  // Refused: at compile time. Caught: by a check of debug builds.
  EXPECT_GT(total.equal, total.types / 3)
      << total.refused << " refused, " << total.caught << " caught of " << total.types;
}

}  // namespace
