// SPDX-License-Identifier: Apache-2.0
// coalesce, filter, nullspace, and the rearrangements of modes, against the layout's values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/layout/algebra/coalesce.hpp>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

std::string about(tree const& f) { return str(f); }

/// A random profile that fits the layout's nesting.
void add_profile(choices& c, tree& p, tree const& f, algebra::cursor& at) {
  if (!algebra::detail::tuple_at(f, at) || c.chance(30)) {
    p.add_leaf(c.below(2), 0);
    algebra::detail::skip_subtree(f, at);
    return;
  }
  int const rank = tree::children(f.node[at.node]);
  int const kept = rank - (c.chance(20) ? c.below(rank) : 0);
  p.add_open(kept);
  ++at.node;
  for (int i = 0; i < rank; ++i) {
    if (i < kept) {
      add_profile(c, p, f, at);
    } else {
      algebra::detail::skip_subtree(f, at);
    }
  }
}
tree random_profile(choices& c, tree const& f) {
  tree p;
  algebra::cursor at;
  add_profile(c, p, f, at);
  return p;
}

/// `result` is `f` with each part that a leaf of `p` stands for replaced as `judge` demands; the rest unchanged.
template <class Judge>
void check_by_profile(tree const& result, tree const& f, tree const& p, Judge&& judge) {
  if (p.is_leaf()) {
    judge(result, f);
    return;
  }
  same(result.rank(), f.rank(), [&] { return "rank of " + str(result) + " for " + str(f) + " by " + tuple_str(p); });
  RC_ASSERT(!result.is_leaf());
  for (int i = 0; i < f.rank(); ++i) {
    tree const r = mode(result, i), m = mode(f, i);
    if (i < p.rank()) {
      check_by_profile(r, m, mode(p, i), judge);
    } else {
      same(str(r), str(m), "a mode that the profile does not name");
    }
  }
}

void is_coalesced_form(tree const& r, tree const& f) {
  RC_ASSERT(coalesced(r));
  same(count(r), count(f), [&] { return "size of " + str(r) + " for " + str(f); });
  RC_ASSERT(values(r) == values(f));
}

/// The values where every mode of stride 0 stands at 0, in order.
std::vector<integer> moving_values(tree const& f) {
  tree moving;
  moving.add_open(0);
  for (int i = 0; i < f.leaves; ++i) {
    if (f.stride[i] != 0) moving.add_leaf(f.shape[i], f.stride[i]);
  }
  return values(moving);
}

TEST(Coalesce, KeepsTheFunctionInTheFewestModes) {
  EXPECT_TRUE(holds("coalesce", [](choices& c) {
    tree const f = random_layout(c, c.chance(50) ? laid::any : laid::repeating);
    is_coalesced_form(accepted([&] { return algebra::coalesce(f); }, about(f)), f);
  }));
}

TEST(Coalesce, ByProfileModeForMode) {
  EXPECT_TRUE(holds("coalesce by profile", [](choices& c) {
    tree const f = random_layout(c, c.chance(50) ? laid::compact : laid::any);
    tree const p = random_profile(c, f);
    check_by_profile(accepted([&] { return algebra::coalesce(f, p); }, about(f) + " by " + tuple_str(p)), f, p,
                     is_coalesced_form);
  }));
}

TEST(Coalesce, OfAShapeIsItsSize) {
  EXPECT_TRUE(holds("coalesce_shape", [](choices& c) {
    tree const f = random_shape(c);
    tree const r = algebra::coalesce_shape(f);
    RC_ASSERT(r.is_leaf());
    same(r.shape[0], count(f), [&] { return about(f); });
  }));
}

TEST(Filter, KeepsWhatMoves) {
  EXPECT_TRUE(holds("filter", [](choices& c) {
    tree const f = random_layout(c, c.chance(70) ? laid::repeating : laid::any);
    tree const r = accepted([&] { return algebra::filter(f); }, about(f));
    RC_ASSERT(coalesced(r));
    RC_ASSERT(values(r) == moving_values(f));
    for (int i = 0; i < r.leaves; ++i) RC_ASSERT(r.stride[i] != 0 || r.shape[i] == 1);
  }));
}

TEST(Filter, ByProfileModeForMode) {
  EXPECT_TRUE(holds("filter by profile", [](choices& c) {
    tree const f = random_layout(c, laid::repeating);
    tree const p = random_profile(c, f);
    check_by_profile(accepted([&] { return algebra::filter(f, p); }, about(f)), f, p, [](tree const& r, tree const& m) {
      RC_ASSERT(coalesced(r));
      RC_ASSERT(values(r) == moving_values(m));
    });
  }));
}

TEST(FilterZeros, GivesStillModesTheExtent1) {
  EXPECT_TRUE(holds("filter_zeros", [](choices& c) {
    tree const f = random_layout(c, laid::repeating);
    tree const r = algebra::filter_zeros(f);
    RC_ASSERT(algebra::congruent(r, f));
    for (int i = 0; i < f.leaves; ++i) {
      same(r.shape[i], f.stride[i] == 0 ? 1 : f.shape[i], [&] { return about(f); });
      same(r.stride[i], f.stride[i], [&] { return about(f); });
    }
  }));
}

TEST(FilterZeros, ByProfile) {
  EXPECT_TRUE(holds("filter_zeros by profile", [](choices& c) {
    tree const f = random_layout(c, laid::compact);
    tree p = f;  // the same nesting, so that leaf i of one is leaf i of the other
    for (int i = 0; i < p.leaves; ++i) p.shape[i] = c.below(2);
    tree const r = algebra::filter_zeros(p, f);
    for (int i = 0; i < f.leaves; ++i) {
      same(r.shape[i], p.shape[i] == 0 ? 1 : f.shape[i], [&] { return about(f); });
      same(r.stride[i], f.stride[i], [&] { return about(f); });
    }
    tree zero;
    zero.add_leaf(0, 0);
    same(count(algebra::filter_zeros(zero, f)), integer(1), [&] { return about(f); });
  }));
}

TEST(Nullspace, MapsToZeroAndIsComplete) {
  EXPECT_TRUE(holds("nullspace", [](choices& c) {
    tree const f = random_layout(c, laid::repeating);
    tree const r = accepted([&] { return algebra::nullspace(f); }, about(f));
    integer still = 1;
    int modes = 0;
    for (int i = 0; i < f.leaves; ++i) {
      still *= f.stride[i] == 0 ? f.shape[i] : 1;
      modes += f.stride[i] == 0;
    }
    same(count(r), still, [&] { return "size for " + about(f); });
    same(r.leaves, modes == 0 ? 1 : modes, [&] { return "modes for " + about(f); });
    RC_ASSERT(r.is_leaf() == (modes <= 1));
    integer before = -1;
    for (integer at : values(r)) {
      RC_ASSERT(at > before);  // injective, and within the domain
      RC_ASSERT(at < count(f));
      same(value(f, at), integer(0), [&] { return about(f) + " at " + std::to_string(at); });
      before = at;
    }
  }));
}

TEST(DomainDistribute, DividesTheShapeInOrder) {
  EXPECT_TRUE(holds("domain_distribute", [](choices& c) {
    tree const f = random_shape(c);
    integer const n = c.chance(70) ? c.divisor(count(f)) : 1 + c.below(64);
    tree const r = accepted([&] { return algebra::domain_distribute(f, n); }, about(f));
    RC_ASSERT(coalesced(r));
    same(n % count(r), integer(0), [&] { return "size of " + str(r) + " for " + std::to_string(n); });
    // Greedy from the first mode on, each part dividing its mode.
    integer left = n, expected = 1, step = 1;
    std::vector<integer> places{0};
    for (int i = 0; i < f.leaves; ++i) {
      integer part = 1;
      for (integer k = 1; k <= f.shape[i]; ++k) {
        if (f.shape[i] % k == 0 && left % k == 0) part = k;
      }
      std::vector<integer> more;
      for (integer x = 0; x < part; ++x) {
        for (integer p : places) more.push_back(p + x * step);
      }
      places = more;
      expected *= part;
      left /= part;
      step *= f.shape[i];
    }
    same(count(r), expected, [&] { return "size for " + tuple_str(f) + ", " + std::to_string(n); });
    RC_ASSERT(values(r) == places);
  }));
}

TEST(Modes, RearrangeAndKeepTheLeaves) {
  EXPECT_TRUE(holds("take, select, group, append, prepend, replace, remove, flatten, unflatten", [](choices& c) {
    tree const f = random_layout(c, laid::any), x = random_layout(c, laid::compact, 1);
    int const rank = f.is_leaf() ? 1 : tree::children(f.node[0]);
    int const begin = c.below(rank), end = begin + 1 + c.below(rank - begin);
    auto const modes_of = [](tree const& t) {
      std::vector<std::string> m;
      for (int i = 0; i < t.rank(); ++i) m.push_back(str(mode(t, i)));
      return m;
    };
    auto const all = modes_of(f);
    auto const taken = algebra::take(f, begin, end);
    RC_ASSERT(!taken.is_leaf());
    RC_ASSERT(modes_of(taken) == std::vector<std::string>(all.begin() + begin, all.begin() + end));

    int const chosen[] = {c.below(rank), c.below(rank)};
    RC_ASSERT((modes_of(algebra::select(f, chosen, 2)) ==
               std::vector<std::string>{all[std::size_t(chosen[0])], all[std::size_t(chosen[1])]}));

    auto const grouped = algebra::group(f, begin, end);
    same(grouped.rank(), rank - (end - begin) + 1, [&] { return "group of " + about(f); });
    RC_ASSERT(modes_of(mode(grouped, begin)) == modes_of(taken));
    for (int i = 0; i < begin; ++i) same(str(mode(grouped, i)), all[std::size_t(i)], "group");
    for (int i = end; i < rank; ++i) same(str(mode(grouped, i - (end - begin) + 1)), all[std::size_t(i)], "group");
    same(str(algebra::group(f, 0, -1)), str(algebra::group(f, 0, rank)), "group to the end");

    int const more = c.below(3);
    auto longer = all;
    longer.insert(longer.end(), std::size_t(more), str(x));
    RC_ASSERT(modes_of(algebra::append(f, rank + more, x)) == longer);
    longer = all;
    longer.insert(longer.begin(), std::size_t(more), str(x));
    RC_ASSERT(modes_of(algebra::prepend(f, rank + more, x)) == longer);
    if (more == 0) same(str(algebra::append(f, rank)), str(f), "append of nothing");
    RC_ASSERT(modes_of(algebra::append(f, rank + 1)).back() == "1:0");
    RC_ASSERT(modes_of(algebra::prepend(f, rank + 1)).front() == "1:0");

    if (!f.is_leaf()) {
      auto replaced = all;
      replaced[std::size_t(begin)] = str(x);
      RC_ASSERT(modes_of(algebra::replace(f, begin, x)) == replaced);
      auto removed = all;
      removed.erase(removed.begin() + begin);
      RC_ASSERT(modes_of(algebra::remove(f, begin)) == removed);
      auto reversed = all;
      std::reverse(reversed.begin(), reversed.end());
      RC_ASSERT(modes_of(algebra::reverse(f)) == reversed);
    }

    tree const parts[] = {x, f, x};
    RC_ASSERT((modes_of(algebra::concatenate(parts, 3)) == std::vector<std::string>{str(x), str(f), str(x)}));
    RC_ASSERT((modes_of(algebra::concatenate(f, x)) == std::vector<std::string>{str(f), str(x)}));

    auto const flat_f = algebra::flatten(f);
    RC_ASSERT(flat_f.is_leaf() == f.is_leaf());
    RC_ASSERT(f.is_leaf() || flat_f.nodes == f.leaves + 1);
    RC_ASSERT(values(flat_f) == values(f));
    same(str(algebra::unflatten(flat_f, f)), str(f), "unflatten");
  }));
}

TEST(Zip, Transposes) {
  EXPECT_TRUE(holds("zip", [](choices& c) {
    int const rows = 1 + c.below(3), columns = 1 + c.below(3);
    tree f;
    f.add_open(rows);
    for (int i = 0; i < rows; ++i) {
      f.add_open(columns);
      for (int j = 0; j < columns; ++j) f.append(random_layout(c, laid::any, 1, 16));
    }
    tree const r = accepted([&] { return algebra::zip(f); }, about(f));
    same(r.rank(), columns, [&] { return about(f); });
    for (int j = 0; j < columns; ++j) {
      same(mode(r, j).rank(), rows, [&] { return about(f); });
      for (int i = 0; i < rows; ++i)
        same(str(mode(mode(r, j), i)), str(mode(mode(f, i), j)), [&] { return "zip of " + about(f); });
    }
    if (rows == 2) same(str(algebra::zip(mode(f, 0), mode(f, 1))), str(r), "zip of two");
  }));
}

TEST(Slice, FixesTheIntegersAndKeepsTheRest) {
  EXPECT_TRUE(holds("slice, dice, slice_and_offset", [](choices& c) {
    tree const f = random_layout(c, laid::any);
    // A coordinate that follows the nesting, with `_` here and there.
    tree coord;
    std::vector<int> open_leaves;
    algebra::cursor at;
    auto const add = [&](auto&& self) -> void {
      if (c.chance(35)) {
        coord.add_node(tree::any);
        span_of_mode const s = subtree(f, at.node, at.leaf);
        for (int i = s.leaf; i < s.leaf_end; ++i) open_leaves.push_back(i);
        algebra::detail::skip_subtree(f, at);
      } else if (!algebra::detail::tuple_at(f, at) || c.chance(20)) {
        span_of_mode const s = subtree(f, at.node, at.leaf);
        integer size = 1;
        for (int i = s.leaf; i < s.leaf_end; ++i) size *= f.shape[i];
        coord.add_leaf(c.below(static_cast<int>(size)), 0);
        at = {s.node_end, s.leaf_end};
      } else {
        int const rank = tree::children(f.node[at.node]);
        coord.add_open(rank);
        ++at.node;
        for (int i = 0; i < rank; ++i) self(self);
      }
    };
    add(add);
    auto const sliced = accepted([&] { return algebra::slice_and_offset(coord, f); }, about(f) + tuple_str(coord));
    same(sliced.layout.leaves, static_cast<int>(open_leaves.size()),
         [&] { return "slice of " + about(f) + " at " + tuple_str(coord); });
    for (std::size_t k = 0; k < open_leaves.size(); ++k) {
      same(sliced.layout.shape[k], f.shape[open_leaves[k]], "slice");
      same(sliced.layout.stride[k], f.stride[open_leaves[k]], "slice");
    }
    same(algebra::dice(coord, f).leaves, f.leaves - sliced.layout.leaves, [&] { return "dice of " + about(f); });
    if (!coord.is_leaf() && coord.node[0] != tree::any) {
      int kept = 0, dropped = 0;
      for (int i = 0; i < coord.nodes; ++i) {
        kept += coord.node[i] == tree::any;
        dropped += coord.node[i] == tree::leaf;
      }
      same(sliced.layout.rank(), kept, [&] { return "modes of " + str(sliced.layout); });
      same(algebra::dice(coord, f).rank(), dropped, [&] { return "modes diced from " + about(f); });
    }
    // The offset: the value with every `_` at 0.
    integer offset = 0;
    int leaf = 0, next = 0;
    algebra::cursor node;
    auto const sum = [&](auto&& self) -> void {
      std::uint8_t const code = coord.node[next++];
      span_of_mode const s = subtree(f, node.node, node.leaf);
      if (code == tree::any) {
        node = {s.node_end, s.leaf_end};
      } else if (code == tree::leaf) {
        offset += value(part(f, s), coord.shape[leaf++]);
        node = {s.node_end, s.leaf_end};
      } else {
        ++node.node;
        for (int i = 0; i < tree::children(code); ++i) self(self);
      }
    };
    sum(sum);
    same(sliced.offset.shape[0], offset, [&] { return "offset of " + about(f) + " at " + tuple_str(coord); });
    same(algebra::domain_offset(coord, f).offset.shape[0], offset, "domain_offset");
  }));
}

}  // namespace
