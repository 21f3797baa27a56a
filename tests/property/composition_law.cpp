// SPDX-License-Identifier: Apache-2.0
// composition is refused exactly where its law is broken: result(i) == a(b(i)) on the whole domain, by brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/layout/algebra/composition_law.hpp>
#include <cosmati/layout/algebra/divide.hpp>
#include <random>
#include <string>
#include <vector>

#include "property/run_time_inputs.hpp"

namespace algebra = cosmati::algebra;
using tree = cosmati::flat_tree<std::int64_t>;

namespace {

struct mode_of_layout {
  std::int64_t extent, stride;
};
using modes = std::vector<mode_of_layout>;

tree tree_of(modes const& m) {
  tree f;
  f.add_open(static_cast<int>(m.size()));
  for (mode_of_layout const& x : m) f.add_leaf(x.extent, x.stride);
  return f;
}
std::string text(modes const& m) {
  std::string s;
  for (mode_of_layout const& x : m) s += " " + std::to_string(x.extent) + ":" + std::to_string(x.stride);
  return s;
}
std::int64_t size_of(modes const& m) {
  std::int64_t n = 1;
  for (mode_of_layout const& x : m) n *= x.extent;
  return n;
}
/// The definition: digits of x in the extents, the last without bound.
std::int64_t value(modes const& m, std::int64_t x) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + 1 < m.size(); ++i) {
    sum += x % m[i].extent * m[i].stride;
    x /= m[i].extent;
  }
  return sum + x * m.back().stride;
}
/// a without modes of extent 1, each merged with the next where that continues it.
modes merged(modes const& a) {
  modes r;
  for (std::size_t k = 0; k < a.size(); ++k) {
    bool const last = k + 1 == a.size();
    if (a[k].extent == 1 && !last) continue;
    if (!r.empty() && r.back().extent * r.back().stride == a[k].stride)
      r.back().extent *= a[k].extent;
    else
      r.push_back(a[k]);
  }
  return r;
}
/// The composition with one mode of b as CuTe defines it; false where that refuses it: where steps, or what they offer,
/// do not divide.
bool composed(modes& r, modes const& a, mode_of_layout b) {
  std::int64_t const sign = b.stride < 0 ? -1 : 1;
  std::int64_t step = b.stride * sign, n = b.extent;
  r.clear();
  if (step == 0 || n == 1) {
    r.push_back({n, 0});
    return true;
  }
  for (std::size_t i = 0; i + 1 < a.size() && n > 1; ++i) {
    std::int64_t const s = a[i].extent;
    if (step >= s && step % s != 0) return false;
    if (step < s) {
      std::int64_t const taken = std::min((s + step - 1) / step, n);
      if (n % taken != 0) return false;
      r.push_back({taken, sign * step * a[i].stride});
      n /= taken;
    }
    step = step < s ? 1 : step / s;
  }
  r.push_back({n, n == 1 ? 0 : sign * step * a.back().stride});
  return true;
}

struct verdicts {
  int right = 0, wrong = 0, impossible = 0;
};
/// Judges one case; the three counts say what it was.
void judge(verdicts& v, modes const& a, modes const& b) {
  std::vector<modes> parts(b.size());
  bool possible = true;
  modes const left = merged(a);
  for (std::size_t k = 0; k < b.size(); ++k) possible = composed(parts[k], left, b[k]) && possible;
  bool law = possible;
  for (std::int64_t i = 0; i < size_of(b) && law; ++i) {
    std::int64_t at = i, x = 0, sum = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      x += at % b[k].extent * b[k].stride;
      sum += value(parts[k], at % b[k].extent);
      at /= b[k].extent;
    }
    law = sum == value(a, x);
  }
  ++(!possible ? v.impossible : law ? v.right : v.wrong);
  tree r;
  bool refused = false;
  try {
    r = algebra::composition(tree_of(a), tree_of(b));
  } catch (cosmati::error const&) {
    refused = true;
  }
  ASSERT_EQ(refused, !law) << text(a) << " o" << text(b);
  for (std::int64_t i = 0; i < size_of(b) && law; ++i) {
    std::int64_t at = i, x = 0;
    for (mode_of_layout const& m : b) {
      x += at % m.extent * m.stride;
      at /= m.extent;
    }
    ASSERT_EQ(algebra::crd2idx(i, r), value(a, x)) << text(a) << " o" << text(b) << " at " << i;
  }
}

enum class strides { injective, any, overlapping };
modes random_left(std::mt19937& random, strides kind) {
  static std::int64_t const extents[] = {1, 2, 3, 4, 5, 6, 8, 10, 12};
  static std::int64_t const any[] = {1, 2, 3, 5, 6, 7, 8, 12, 24, 30, 100};
  modes m;
  std::int64_t next = 1;
  for (unsigned k = 0, rank = 1 + random() % 4; k < rank; ++k) {
    std::int64_t const extent = extents[random() % std::size(extents)];
    std::int64_t stride = next;
    if (kind == strides::any) stride = any[random() % std::size(any)];
    if (kind == strides::overlapping) stride = random() % 8;  // 0 among them
    next = stride * extent + random() % 3;
    m.push_back({extent, stride});
  }
  if (kind == strides::injective) std::shuffle(m.begin(), m.end(), random);
  return m;
}
modes random_right(std::mt19937& random, int percent_negative) {
  static std::int64_t const extents[] = {1, 2, 2, 3, 4, 5, 6, 8}, steps[] = {0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24};
  modes m;
  for (unsigned k = 0, rank = 1 + random() % 3; k < rank; ++k) {
    std::int64_t const step = steps[random() % std::size(steps)];
    bool const negative = static_cast<int>(random() % 100) < percent_negative;
    m.push_back({extents[random() % std::size(extents)], negative ? -step : step});
  }
  return m;
}
void judge_many(strides kind, int percent_negative, int cases) {
  std::mt19937 random(static_cast<unsigned>(kind) + 1);
  verdicts v;
  for (int i = 0; i < cases; ++i) {
    modes const a = random_left(random, kind), b = random_right(random, percent_negative);
    judge(v, a, b);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(v.right, cases / 5);
  EXPECT_GT(v.wrong, cases / 100) << "that a composition mode by mode would have given";
}

TEST(CompositionLaw, InjectiveLeftLayouts) { judge_many(strides::injective, 0, 20000); }
TEST(CompositionLaw, AnyLeftLayouts) { judge_many(strides::any, 0, 20000); }
TEST(CompositionLaw, LeftLayoutsThatRepeat) { judge_many(strides::overlapping, 0, 20000); }
TEST(CompositionLaw, RightStridesOfBothSigns) {
  judge_many(strides::injective, 30, 20000);
  judge_many(strides::overlapping, 30, 20000);
}
TEST(CompositionLaw, TwoModes) {
  std::mt19937 random(5);
  verdicts v;
  for (int i = 0; i < 20000; ++i) {
    auto const one_to = [&](int n) { return static_cast<std::int64_t>(1 + random() % static_cast<unsigned>(n)); };
    std::int64_t const s = 1 + one_to(11), t = one_to(4);
    modes const a = {{s, 1}, {t, s + one_to(3)}}, b = {{1 + one_to(4), one_to(6)}, {1 + one_to(4), one_to(6)}};
    judge(v, a, b);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(v.wrong, 1000);
}

/// A plain divide of modes that turn out to be one is exact or an error at run time. The divides that make tiles round
/// such modes up without a word, as they do all that is ragged. By hand: m x n elements are one mode of m n.
TEST(CompositionLaw, WhoMeansToRoundUp) {
  int uneven = 0;
  for (std::int64_t m = 2; m <= 9; ++m) {
    for (std::int64_t n = 2; n <= 5; ++n) {
      for (std::int64_t t = 2; t <= 8; ++t) {
        algebra_test::run_time_inputs plain_inputs, tile_inputs;
        auto const layout = [&](algebra_test::run_time_inputs& inputs) {
          cosmati::flat_tree<cosmati::symbolic_integer> f;
          f.add_open(2);
          f.add_leaf(cosmati::symbolic_integer(m), cosmati::symbolic_integer(1));
          f.add_leaf(cosmati::symbolic_integer(n), inputs.input(m));
          f.note.is_read = true;
          return f;
        };
        cosmati::flat_tree<cosmati::symbolic_integer> tile;
        tile.add_leaf(cosmati::symbolic_integer(t), cosmati::symbolic_integer(1));
        auto const plain = algebra::logical_divide(layout(plain_inputs), tile);
        auto const tiles = algebra::ragged_divide(layout(tile_inputs), tile);
        ASSERT_EQ(plain.note.why, tiles.note.why);
        if (plain.note.why != cosmati::algebra::refusal_reason::none) continue;
        std::int64_t const wanted = (m * n + t - 1) / t * t;  // whole tiles of one mode
        auto const size_of = [](algebra_test::run_time_inputs const& inputs,
                                cosmati::flat_tree<cosmati::symbolic_integer> const& f) {
          std::int64_t product = 1;
          for (int i = 0; i < f.leaves; ++i) product *= inputs.value(f.shape[i]);
          return product;
        };
        EXPECT_TRUE(tile_inputs.checks_hold(false)) << m << " x " << n << " by " << t;
        EXPECT_GE(size_of(tile_inputs, tiles), m * n);
        if (plain_inputs.checks_hold(false)) {
          EXPECT_EQ(size_of(plain_inputs, plain), wanted) << m << " x " << n << " by " << t;
        } else {
          ++uneven;
        }
      }
    }
  }
  EXPECT_GT(uneven, 10);
}
/// A tile that repeats its places covers no more for that: what a plain divide lets pass has room for all m x n
/// elements, each of them `repeated` times.
TEST(CompositionLaw, RepeatedPlacesOfATileCoverNothing) {
  using cosmati::symbolic_integer;
  int held = 0, refused = 0;
  for (std::int64_t m = 2; m <= 12; ++m) {
    for (std::int64_t n = 2; n <= 3; ++n) {
      for (std::int64_t stride = 1; stride <= 12; ++stride) {
        for (std::int64_t const repeated : {2, 4}) {
          algebra_test::run_time_inputs inputs;
          cosmati::flat_tree<symbolic_integer> layout, tile;
          layout.add_open(2);
          layout.add_leaf(symbolic_integer(m), symbolic_integer(1));
          layout.add_leaf(symbolic_integer(n), inputs.input(m));
          layout.note.is_read = true;
          tile.add_open(2);
          tile.add_leaf(symbolic_integer(repeated), symbolic_integer(0));
          tile.add_leaf(symbolic_integer(2), symbolic_integer(stride));
          auto const divided = algebra::logical_divide(layout, tile);
          if (divided.note.why != cosmati::algebra::refusal_reason::none || !inputs.checks_hold(false)) {
            ++refused;
            continue;
          }
          std::int64_t size = 1;
          for (int i = 0; i < divided.leaves; ++i) size *= inputs.value(divided.shape[i]);
          EXPECT_GE(size, repeated * m * n) << m << " x " << n << " by (" << repeated << ",2):(0," << stride << ")";
          ++held;
        }
      }
    }
  }
  EXPECT_GT(held, 50);
  EXPECT_GT(refused, 50);
}

}  // namespace
