// SPDX-License-Identifier: Apache-2.0
// AnyLayout, AnyTuple and AnyTiler compared with the layouts' values and with the functions of the algebra. Swizzles
// and swizzled layouts, at run time and as types, compared with their definition bit by bit.
#include <gtest/gtest.h>

#include <cstdlib>

static int const fewer = setenv("RC_PARAMS", "max_success=3000", 0);  // each case makes many comparisons

#include <cosmati/layout/any_composed_layout.hpp>
#include <cosmati/layout/composed_common.hpp>
#include <cosmati/layout/composed_inverse.hpp>

#include "property/random_layouts.hpp"

using namespace algebra_test;
using cosmati::AnyComposedLayout;
using cosmati::AnyLayout;
using cosmati::AnySwizzle;
using cosmati::AnyTiler;
using cosmati::AnyTuple;

namespace {

AnyLayout any(tree const& f) { return AnyLayout(as_numbers(f)); }
AnyTuple any_tuple(tree const& f) { return AnyTuple(algebra::shape(as_numbers(f))); }
std::string text(AnyLayout const& l) { return str(l.value()); }
std::string text(AnyTuple const& t) { return tuple_str(t.value()); }

/// Built leaf by leaf through AnyTuple's own constructors.
AnyTuple built(tree const& f, integer const* leaves, int& node, int& leaf) {
  std::uint8_t const code = f.node[node++];
  if (code == tree::leaf) return AnyTuple(leaves[leaf++]);
  std::vector<AnyTuple> m;
  for (int i = 0; i < tree::children(code); ++i) m.push_back(built(f, leaves, node, leaf));
  switch (m.size()) {
    case 1:
      return AnyTuple(std::initializer_list<AnyTuple>{m[0]});
    case 2:
      return AnyTuple{m[0], m[1]};
    case 3:
      return AnyTuple{m[0], m[1], m[2]};
    default:
      throw cosmati::error("random shapes have ranks up to 3");
  }
}
AnyTuple built(tree const& f, integer const* leaves) {
  int node = 0, leaf = 0;
  return built(f, leaves, node, leaf);
}

TEST(AnyLayout, AnswersAsItsValues) {
  EXPECT_TRUE(holds("AnyLayout's members", [](choices& c) {
    tree const f = random_layout(c, laid::any, 3, 512, true);
    AnyTuple const shape = built(f, f.shape), stride = built(f, f.stride);
    AnyLayout const l(shape, stride);
    same(text(l), str(f), "constructor");
    same(text(shape), tuple_str(f), "AnyTuple");
    RC_ASSERT(l.shape() == shape && l.stride() == stride && l == any(f));
    same(l.size(), count(f), str(f));
    same(l.cosize(), algebra::cosize(f), str(f));
    same(l.rank(), f.rank(), str(f));
    same(l.depth(), algebra::depth(f), str(f));
    same(cosmati::size(l), count(f), str(f));
    same(cosmati::cosize(l), algebra::cosize(f), str(f));
    same(cosmati::rank(shape), f.rank(), str(f));
    same(cosmati::depth(shape), algebra::depth(f), str(f));
    same(cosmati::size(shape), count(f), str(f));
    for (int i = 0; i < f.rank(); ++i) {
      same(text(l[i]), str(mode(f, i)), str(f));
      same(l.size(i), count(mode(f, i)), str(f));
      same(text(shape[i]), tuple_str(mode(f, i)), str(f));
    }
    tree coordinate = f;
    integer offset = 0;
    for (int i = 0; i < f.leaves; ++i) {
      coordinate.shape[i] = c.below(static_cast<int>(f.shape[i]));
      offset += coordinate.shape[i] * f.stride[i];
    }
    AnyTuple const at = any_tuple(coordinate);
    same(l(at), offset, str(f));
    same(l.at(at).integer(), offset, str(f));
    if (f.rank() == 2) same(l(at[0], at[1]), offset, str(f));
    if (f.rank() == 3) same(l(at[0], at[1], at[2]), offset, str(f));
    integer const i = c.below(static_cast<int>(count(f)));
    same(l(i), value(f, i), str(f));
    same(l(static_cast<int>(i)), value(f, i), str(f));
    // Unequal layouts and tuples are told apart.
    tree g = f;
    int const k = c.below(f.leaves);
    g.stride[k] += 1;
    RC_ASSERT(!(any(g) == l));
    g = f;
    g.shape[k] += 1;
    RC_ASSERT(!(any(g) == l) && !(any_tuple(g) == shape));
    same(text(AnyLayout(shape)), str(algebra::make_layout(f)), "compact");
    same(text(AnyLayout(shape, algebra::major::right)), str(algebra::make_layout(f, algebra::major::right)), "compact");
    AnyLayout const compact = any(algebra::make_layout(f));
    RC_ASSERT(compact(compact.get_hier_coord(i)) == i && compact.get_1d_coord(i) == i);
    same(compact.get_hier_coord(i).value().nodes, f.nodes, "get_hier_coord is nested as the shape");
    AnyTuple const flat_coordinate = compact.get_flat_coord(i);
    integer back = 0, before = 1;
    for (int m = 0; m < f.rank(); ++m) {
      back += (f.rank() == 1 ? flat_coordinate : flat_coordinate[m]).integer() * before;
      before *= count(mode(f, m));
    }
    same(back, i, "get_flat_coord");
    same(text(l.with_shape(AnyTuple(count(f)))), str(algebra::with_shape(f, algebra::make_leaf(count(f)))), str(f));
  }));
}

TEST(AnyLayout, ItsFunctionsAreTheAlgebras) {
  EXPECT_TRUE(holds("functions of AnyLayout", [](choices& c) {
    tree const f = random_layout(c, laid::compact, 2, 256, true), tile = random_layout(c, laid::compact, 1, 8, true);
    tree const g = random_layout(c, laid::compact, 2, 256, true);
    AnyLayout const l = any(f), t = any(tile), k = any(g);
    AnyTuple const shape = l.shape();
    auto const is = [&](char const* what, AnyLayout const& r, tree const& expected) {
      same(text(r), str(expected), [&] { return std::string(what) + " of " + str(f) + " and " + str(tile); });
    };
    is("coalesce", coalesce(l), algebra::coalesce(f));
    is("coalesce", coalesce(l, shape), algebra::coalesce(f, f));
    is("filter", filter(l), algebra::filter(f));
    is("filter_zeros", filter_zeros(l), algebra::filter_zeros(f));
    is("flatten", flatten(l), algebra::flatten(f));
    is("complement", complement(t), algebra::complement(tile));
    is("complement", complement(t, shape), algebra::complement(tile, f));
    is("right_inverse", right_inverse(l), algebra::right_inverse(f));
    is("left_inverse", left_inverse(l), algebra::left_inverse(f));
    is("nullspace", nullspace(l), algebra::nullspace(f));
    is("upcast", upcast(l, 1), algebra::upcast(f, 1));
    is("downcast", downcast(l, 2), algebra::downcast(f, 2));
    is("recast_layout", recast_layout(l, 32, 8), algebra::recast_layout(f, 32, 8));
    is("make_layout_like", make_layout_like(l), algebra::make_layout_like(f));
    is("make_fragment_like", make_fragment_like(l), algebra::make_fragment_like(f));
    is("make_layout", make_layout(l, t), algebra::concatenate(f, tile));
    is("take", take(l, 0, 1), algebra::take(f, 0, 1));
    is("group", group(l, 0, f.rank()), algebra::group(f, 0, f.rank()));
    is("append", append(l, f.rank() + 1), algebra::append(f, f.rank() + 1));
    is("prepend", prepend(l, f.rank() + 1), algebra::prepend(f, f.rank() + 1));
    is("zip", zip(l, l), algebra::zip(f, f));
    is("make_ordered_layout", make_ordered_layout(shape, l.stride()),
       algebra::make_ordered_layout(f, algebra::stride(f)));
    is("logical_divide", logical_divide(l, AnyTiler(2)), algebra::logical_divide(f, algebra::make_leaf<integer>(2, 1)));
    is("logical_product", logical_product(l, t), algebra::logical_product(f, tile));
    is("zipped_product", zipped_product(l, t), algebra::zipped_product(f, tile));
    is("tiled_product", tiled_product(l, t), algebra::tiled_product(f, tile));
    is("flat_product", flat_product(l, t), algebra::flat_product(f, tile));
    is("blocked_product", blocked_product(l, t), algebra::blocked_product(f, tile));
    is("raked_product", raked_product(l, t), algebra::raked_product(f, tile));
    same(max_common_vector(l, k), algebra::max_common_vector(f, g), "max_common_vector");
    is("max_common_layout", max_common_layout(l, k), algebra::max_common_layout(f, g));
    same(congruent(shape, k.shape()), algebra::congruent(f, g), "congruent");
    same(compatible(AnyTuple(count(f)), shape), true, "compatible");
    same(compatible(shape, k.shape()), algebra::compatible(f, g), "compatible");
    same(weakly_congruent(AnyTuple(7), shape), true, "weakly_congruent");
    same(weakly_congruent(shape, k.shape()), algebra::weakly_congruent(f, g), "weakly_congruent");
    tree coordinate = f;
    for (int i = 0; i < f.leaves; ++i) coordinate.shape[i] = 0;
    is("slice", slice(AnyTuple::underscore(), l), f);
    is("dice", dice(any_tuple(coordinate), l), algebra::dice(coordinate, f));
  }));
}

TEST(AnyTiler, DividesModeForMode) {
  EXPECT_TRUE(holds("AnyTiler", [](choices& c) {
    tree f;
    f.add_open(2);
    integer const extent[] = {1 + c.below(12), 1 + c.below(12)};
    f.add_leaf(extent[0], 1);
    f.add_leaf(extent[1], extent[0]);
    AnyLayout const l = any(f);
    integer const n[] = {c.divisor(extent[0]), c.divisor(extent[1])};
    tree tile;
    tile.add_leaf(n[0], 1);
    // In a divide, an integer 1 means 1:0, and the layout 1:1 means itself.
    AnyTiler const as_integers(AnyTuple{AnyTuple(n[0]), AnyTuple(n[1])});
    AnyTiler const mixed{AnyTiler(any(tile)), AnyTiler(static_cast<int>(n[1]))};
    auto const by_hand = [&](bool first_is_integer) {
      tree t;
      t.add_node(tree::tile(2));
      t.add_leaf(n[0], first_is_integer && n[0] == 1 ? 0 : 1);
      t.add_leaf(n[1], n[1] == 1 ? 0 : 1);
      return t;
    };
    for (bool const integers : {true, false}) {
      AnyTiler const& t = integers ? as_integers : mixed;
      tree const expected = by_hand(integers);
      same(text(logical_divide(l, t)), str(algebra::logical_divide(f, expected)), str(f));
      same(text(zipped_divide(l, t)), str(algebra::zipped_divide(f, expected)), str(f));
      same(text(tiled_divide(l, t)), str(algebra::tiled_divide(f, expected)), str(f));
      same(text(flat_divide(l, t)), str(algebra::flat_divide(f, expected)), str(f));
      tree once = expected;
      once.stride[0] = once.stride[1] = 1;
      same(text(composition(l, t)), str(algebra::composition(f, once)), str(f));
    }
    same(text(tile_to_shape(any(tile), AnyTuple(2 * n[0]))),
         str(algebra::tile_to_shape(tile, algebra::make_leaf<integer>(2 * n[0]))), str(tile));
  }));
}

/// The definition: bit base + i (or base - shift + i for a negative shift) is inverted if the bit `shift` places above
/// it is 1.
integer swizzled(AnySwizzle const& s, integer x) {
  integer r = x;
  for (int i = 0; i < s.bits; ++i) {
    int const target = s.base + i + (s.shift < 0 ? -s.shift : 0), source = target + s.shift;
    if ((x >> source & 1) != 0) r ^= integer{1} << target;
  }
  return r;
}
AnySwizzle random_swizzle(choices& c) {
  int const bits = c.below(4), base = c.below(4), distance = bits + c.below(3);
  return {bits, base, c.chance(30) ? -distance : distance};
}

TEST(AnySwizzle, IsItsDefinition) {
  EXPECT_TRUE(holds("AnySwizzle", [](choices& c) {
    AnySwizzle const s = random_swizzle(c);
    integer const x = c.below(250) * 9 + c.below(9);
    auto const about = [&] {
      return "Swizzle<" + std::to_string(s.bits) + "," + std::to_string(s.base) + "," + std::to_string(s.shift) +
             "> at " + std::to_string(x);
    };
    same(s(x), swizzled(s, x), about);
    same(s(s(x)), x, about);
    same(s.is_identity(), s.bits == 0, about);
    AnySwizzle const of_masks =
        accepted([&] { return cosmati::make_swizzle(s.source_mask(), s.target_mask()); }, about());
    RC_ASSERT(of_masks == (s.bits == 0 ? AnySwizzle() : s));
    integer const n = integer{1} << c.below(5);
    same(upcast(s, n)(x), s(x * n) / n, [&] { return "upcast of " + about(); });
    same(downcast(s, n)(x), s(x / n) * n + x % n, [&] { return "downcast of " + about(); });
    // Two adjacent swizzles are one swizzle.
    if (s.shift >= 0) {
      int const more = c.below(3);
      AnySwizzle const other(more, s.base + s.bits, s.bits + more), lower(s.bits, s.base, s.bits + more);
      if (more > 0 && s.bits > 0) same(composition(lower, other)(x), lower(other(x)), about);
    }
    // Linear in x if the offset alone has the bits that are read, or the bits that change.
    integer const free = x & ~(c.chance(50) ? s.source_mask() : s.target_mask()), offset = c.below(200) & ~free;
    same(AnyLayout(linear_part(s, offset))(free), s(offset + free) - s(offset),
         [&] { return "linear part at " + std::to_string(offset) + " of " + about(); });
  }));
}

TEST(AnySwizzle, MovesBehindALayoutThatKeepsItsBitsTogether) {
  int moved = 0;
  EXPECT_TRUE(holds("takes_bits_to_bits", [&](choices& c) {
    AnySwizzle const s = random_swizzle(c);
    integer const extent[] = {integer{2} << c.below(4), integer{2} << c.below(4)};
    bool const first = c.chance(50);
    integer const odd = c.chance(20) ? 3 : 1;  // with 3, single bits do not stay single bits
    integer const stride[] = {odd * (first ? 1 : extent[1]), odd * (first ? extent[0] : 1)};
    tree f;
    f.add_open(2);
    f.add_leaf(extent[0], stride[0]);
    f.add_leaf(extent[1], stride[1]);
    bool const moves = cosmati::detail::takes_bits_to_bits(extent, stride, s.source_mask()) &&
                       cosmati::detail::takes_bits_to_bits(extent, stride, s.target_mask());
    if (first && odd == 1) same(moves, true, str(f));  // bit k goes to bit k
    if (!moves || s.is_identity()) return;
    ++moved;
    AnySwizzle const behind =
        accepted([&] { return cosmati::make_swizzle(value(f, s.source_mask()), value(f, s.target_mask())); }, str(f));
    for (integer x = 0; x < count(f); ++x) same(behind(value(f, x)), value(f, s(x)), str(f));
  }));
  EXPECT_GT(moved, 300);
}

TEST(AnyComposedLayout, SwizzlesWhatTheLayoutGives) {
  EXPECT_TRUE(holds("AnyComposedLayout", [](choices& c) {
    AnySwizzle const s = random_swizzle(c);
    tree const f = random_layout(c, laid::compact, 2, 256, true);
    AnyComposedLayout const whole = composition(s, any(f));
    AnyComposedLayout const l{s, c.below(64), any(f)};
    integer const i = c.below(static_cast<int>(count(f)));
    same(whole(i), swizzled(s, value(f, i)), str(f));
    same(l(i), swizzled(s, l.offset + value(f, i)), str(f));
    same(l(static_cast<int>(i)), l(i), str(f));
    same(l(any(algebra::make_layout(f)).get_hier_coord(i)), l(i), str(f));
    same(l.size(), count(f), str(f));
    same(l.rank(), f.rank(), str(f));
    same(l.depth(), algebra::depth(f), str(f));
    same(text(l.shape()), tuple_str(f), str(f));
    integer const part = c.divisor(f.shape[0]);
    AnyComposedLayout const some = composition(l, AnyTiler(static_cast<int>(part)));
    for (integer k = 0; k < part; ++k) same(some(k), l(k), str(f));
    AnyComposedLayout other = l;
    RC_ASSERT(other == l);
    other.offset += 1;
    RC_ASSERT(!(other == l));
  }));
}

// As types: every law for a few dozen swizzles composed with each of these layouts.

template <int Bits, int M, int S>
AnySwizzle any_swizzle(cosmati::Swizzle<Bits, M, S>) {
  return {Bits, M, S};
}
using cosmati::C;

template <class Sw, class L, int offset>
void laws_of(L const& l) {
  using namespace cosmati;
  auto const composed = make_composed_layout(Sw{}, C<offset>{}, l);
  AnySwizzle const s = any_swizzle(Sw{});
  int const n = static_cast<int>(size(l));
  auto const at = [&](int x) { return swizzled(s, offset + x); };
  std::int64_t largest = 0;
  for (int i = 0; i < n; ++i) {
    std::int64_t const expected = at(static_cast<int>(l(i)));
    ASSERT_EQ(composed(i), expected);
    ASSERT_EQ(composed(composed.get_hier_coord(static_cast<int>(l.get_1d_coord(i)))), at(static_cast<int>(l(i))));
    largest = std::max(largest, expected);
    ASSERT_EQ(Sw::apply(offset + static_cast<int>(l(i))), expected);
  }
  ASSERT_EQ(static_cast<std::int64_t>(decltype(Sw::apply(C<3 * offset + 77>{}))::value), swizzled(s, 3 * offset + 77));
  ASSERT_GT(static_cast<std::int64_t>(cosize(composed)), largest);
  ASSERT_EQ(static_cast<int>(size(composed)), n);
  ASSERT_EQ(static_cast<int>(rank(composed)), L::rank);
  auto const divided = zipped_divide(composed, Shape<C<2>, C<2>>{});
  auto const plain = zipped_divide(l, Shape<C<2>, C<2>>{});
  auto const taken = composed(_, 1);
  for (int i = 0; i < n; ++i) ASSERT_EQ(divided(i), at(static_cast<int>(plain(i))));
  for (int i = 0; i < static_cast<int>(size<0>(l)); ++i) ASSERT_EQ(taken(i), at(static_cast<int>(l(i, 1))));
  auto const moved = get<0>(domain_offset(make_coord(1, 0), composed));
  ASSERT_EQ(moved(0), at(static_cast<int>(l(1, 0))));
  ASSERT_EQ(static_cast<int>(get<1>(domain_offset(make_coord(1, 0), composed))), 0);
  auto const finer = downcast<2>(composed);
  for (int i = 0; i < 2 * n; ++i) {
    ASSERT_EQ(finer(i), 2 * composed(static_cast<int>(i / 2 % n)) + i % 2) << i;
  }
  static_assert(std::is_same_v<decltype(finer), decltype(recast_layout_bits<32, 16>(composed)) const>);
  static_assert(std::is_same_v<decltype(composed), decltype(recast_layout_bits<16, 16>(composed)) const>);
  if constexpr (Sw::num_base >= 1 && offset % 2 == 0) {
    static_assert(std::is_same_v<decltype(upcast<2>(finer)), decltype(recast_layout_bits<16, 32>(finer))>);
    auto const back = upcast<2>(finer);
    for (int i = 0; i < n; ++i) ASSERT_EQ(back(i), composed(i));
  }
  constexpr int common = decltype(max_common_vector(composed, l))::value;
  ASSERT_EQ(decltype(max_common_vector(l, composed))::value, common);
  if constexpr (offset == 0) {
    for (int i = 0; i < common; ++i) {  // both keep runs of 2^M
      ASSERT_EQ(composed(right_inverse(l)(i)), static_cast<std::int64_t>(i));
    }
    int together = static_cast<int>(max_common_vector(l, l));
    ASSERT_EQ(common, std::min(together, 1 << Sw::num_base));
  }
}

/// Parts, other shapes, other units and inverses of composed layouts.
template <class Sw, class L>
void parts_of(L const& l) {
  using namespace cosmati;
  AnySwizzle const s = any_swizzle(Sw{});
  int const n = static_cast<int>(size(l)), rows = static_cast<int>(size<0>(l));
  auto const composed = composition(Sw{}, l);
  static_assert(is_composed_layout<std::remove_const_t<decltype(composed)>>::value == (Sw::num_bits > 0));
  auto const at = [&](std::int64_t x) { return swizzled(s, x); };
  auto const with_offset = composition(Sw{}, C<0>{}, l);
  static_assert(std::is_same_v<decltype(with_offset), decltype(composed)>);
  static_assert(is_composed_layout<decltype(composition(Sw{}, C<1>{}, l))>::value);
  for (int i = 0; i < n; ++i) ASSERT_EQ(composed(i), at(l(i)));
  if constexpr (Sw::num_bits > 0) {
    auto const moved = composition(Sw{}, 32, l);  // a run-time offset
    ASSERT_TRUE(composed == composed);
    ASSERT_FALSE(composed == moved);
    ASSERT_FALSE(composed == composition(Swizzle<Sw::num_bits, Sw::num_base + 1, Sw::num_shft>{}, l));
    ASSERT_FALSE(composed == composition(Sw{}, Layout<C<64>>{}));
    ASSERT_TRUE(shape(composed) == shape(l) && shape<1>(composed) == shape<1>(l) && composed.shape() == l.shape());
    ASSERT_EQ(static_cast<int>(depth(composed)), static_cast<int>(depth(l)));
    ASSERT_EQ(static_cast<int>(size<0>(composed)), rows);
    ASSERT_TRUE(composed.layout_a() == Sw{} && composed.layout_b() == l && get_nonswizzle_portion(composed) == l);
    ASSERT_TRUE(get_swizzle_portion(composed) == Sw{});
    ASSERT_TRUE(make_fragment_like(composed) == make_fragment_like(l) &&
                make_layout_like(composed) == make_layout_like(l));
    auto const tiled = composed.tile(C<2>{});
    auto const plain = l.tile(C<2>{});
    auto const other = composed.with_shape(C<4>{}, C<16>{});
    auto const part = composed.compose(C<4>{}, C<2>{});
    for (int i = 0; i < n; ++i) ASSERT_EQ(tiled(i), at(plain(i)));
    for (int i = 0; i < n; ++i) ASSERT_EQ(other(i), at(l(i)));
    for (int i = 0; i < 8; ++i) {
      ASSERT_EQ(part(i), at(l.compose(C<4>{}, C<2>{})(i)));
    }
    ASSERT_TRUE(composed.get_flat_coord(5) == l.get_flat_coord(5) && composed.get_1d_coord(5) == l.get_1d_coord(5));
    for (int i = 0; i < rows; ++i) {
      ASSERT_EQ(moved(i, 1), at(32 + l(i, 1)));
      ASSERT_EQ(get<0>(composed)(i), at(l(i, 0)));
      ASSERT_EQ(get<0>(slice_and_offset(make_coord(_, 1), moved))(i), at(32 + l(i, 1)));
      ASSERT_EQ(crd2idx(make_coord(i, 1), composed), at(l(i, 1)));
    }
    ASSERT_EQ(static_cast<int>(get<1>(slice_and_offset(make_coord(_, 1), moved))), 0);
    ASSERT_GE(static_cast<int>(cosize(moved)), 32 + n);
    constexpr int common = decltype(max_common_vector(composed, composition(Swizzle<1, 1, 3>{}, l)))::value;
    ASSERT_EQ(common, std::min(1 << std::min(Sw::num_base, 1), static_cast<int>(max_common_vector(l, l))));
    auto const right = right_inverse(composed);
    auto const left = left_inverse(moved);
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(composed(right(i)), i);
      ASSERT_EQ(left(static_cast<int>(moved(i))), i);
    }
    ASSERT_TRUE(right_inverse(Sw{}) == Sw{} && left_inverse(Sw{}) == Sw{});
  }
}
TEST(ComposedLayout, PartsAndInverses) {
  using L = cosmati::Layout<cosmati::Shape<C<4>, C<16>>, cosmati::Stride<C<1>, C<4>>>;
  parts_of<cosmati::Swizzle<0, 2, 3>>(L{});
  parts_of<cosmati::Swizzle<1, 0, 2>>(L{});
  parts_of<cosmati::Swizzle<2, 1, 3>>(L{});
  parts_of<cosmati::Swizzle<2, 0, -3>>(L{});
  parts_of<cosmati::Swizzle<1, 0, 7>>(L{});  // reads a bit beyond the layout
}

template <int offset, int... k>
void laws_of_swizzles(std::integer_sequence<int, k...>) {
  using namespace cosmati;
  // B is 0 to 3, M is 0 to 2, the shift is +-B or one more
  (laws_of<Swizzle<k % 4, k / 4 % 3, (k % 5 == 4 ? -1 : 1) * (k % 4 + k % 2)>,
           Layout<Shape<C<8>, C<16>>, Stride<C<1>, C<8>>>, offset>({}),
   ...);
}
TEST(ComposedLayout, OfEverySwizzle) {
  laws_of_swizzles<0>(std::make_integer_sequence<int, 12>{});
  laws_of_swizzles<4>(std::make_integer_sequence<int, 3>{});
}

}  // namespace
