// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random layouts for the property tests, and the expectation for operations on them: a layout's value at an integer.
///
/// A case is a string of bytes, from which the layouts are read. RapidCheck shrinks the bytes towards 0, which mean the
/// simplest choices.
#pragma once

#include <rapidcheck.h>

#include <cosmati/layout/algebra/algebra.hpp>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "property/algebra_text.hpp"

namespace algebra_test {

namespace algebra = cosmati::algebra;
using integer = std::int64_t;
using tree = flat_tree<integer>;
using numbers = flat_tree<symbolic_integer>;
using bytes = std::vector<std::uint8_t>;

/// 10,000 cases for each property, unless RC_PARAMS says otherwise.
inline int const configured = setenv("RC_PARAMS", "max_success=10000", 0);

/// The layout's value at i, by the definition alone. Beyond the size, the last leaf continues.
inline integer value(tree const& f, integer i) {
  integer sum = 0;
  for (int k = 0; k < f.leaves; ++k) {
    bool const last = k + 1 == f.leaves;
    integer const here = last ? i : i % f.shape[k];
    sum += here * f.stride[k];
    if (!last) i /= f.shape[k];
  }
  return sum;
}
inline integer count(tree const& f) {
  integer n = 1;
  for (int k = 0; k < f.leaves; ++k) n *= f.shape[k];
  return n;
}
/// The values at 0, 1, ..., size - 1.
inline std::vector<integer> values(tree const& f) {
  std::vector<integer> v(static_cast<std::size_t>(count(f)));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = value(f, static_cast<integer>(i));
  return v;
}
/// The same tree of numbers, all known.
inline numbers as_numbers(tree const& f) {
  numbers r;
  int leaf = 0;
  for (int i = 0; i < f.nodes; ++i) {
    if (f.node[i] == tree::leaf) {
      r.add_leaf(f.shape[leaf], f.stride[leaf]);
      ++leaf;
    } else {
      r.add_node(f.node[i]);
    }
  }
  return r;
}
/// Starts of `how_many` copies of the places `taken`. Each copy starts at the lowest place that earlier copies do not
/// cover; the first starts at 0.
inline std::vector<integer> greedy_complement(std::vector<integer> const& taken, std::size_t how_many) {
  std::vector<integer> starts;
  std::vector<bool> covered;
  integer next = 0;
  while (starts.size() < how_many) {
    while (next < static_cast<integer>(covered.size()) && covered[static_cast<std::size_t>(next)]) ++next;
    starts.push_back(next);
    for (integer t : taken) {
      auto const place = static_cast<std::size_t>(next + t);
      if (place >= covered.size()) covered.resize(2 * place + 1);
      covered[place] = true;
    }
  }
  return starts;
}

/// Choices read from the bytes of a case; 0 after the last byte.
class choices {
 public:
  explicit choices(bytes const& from) : from_(from) {}
  int below(int n) { return at_ < from_.size() ? from_[at_++] % n : 0; }
  bool chance(int percent) { return below(100) >= 100 - percent; }
  integer of(std::vector<integer> const& list) { return list[static_cast<std::size_t>(below(int(list.size())))]; }
  integer divisor(integer n) {
    std::vector<integer> d;
    for (integer k = 1; k <= n; ++k) {
      if (n % k == 0) d.push_back(k);
    }
    return of(d);
  }

 private:
  bytes const& from_;
  std::size_t at_ = 0;
};

inline void add_shape(choices& c, tree& f, int depth, integer& room) {
  if (depth > 0 && f.leaves < 8 && c.chance(40)) {
    int const rank = 1 + c.below(3);
    f.add_open(rank);
    for (int i = 0; i < rank; ++i) add_shape(c, f, depth - 1, room);
    return;
  }
  static std::vector<integer> const extents{2, 1, 3, 4, 2, 4, 8, 6, 5, 12, 2, 16, 4, 7};
  integer const s = c.of(extents);
  f.add_leaf(s <= room ? s : 1, 0);
  room /= s <= room ? s : 1;
}
/// A shape of at most `depth` levels, with at least one tuple if `tuple`.
inline tree random_shape(choices& c, int depth = 3, integer largest = 4096, bool tuple = false) {
  tree f;
  integer room = largest;
  if (tuple || c.chance(70)) {
    int const rank = 1 + c.below(3);
    f.add_open(rank);
    for (int i = 0; i < rank; ++i) add_shape(c, f, depth - 1, room);
  } else {
    add_shape(c, f, depth, room);
  }
  return f;
}

/// How strides are chosen.
enum class laid {
  compact,    ///< compact, with the modes in any order: a bijection
  spaced,     ///< as compact, with gaps: injective, and each stride is a multiple of the span of smaller ones
  repeating,  ///< as spaced, with strides 0
  any         ///< strides may also overlap
};
inline void lay(choices& c, tree& f, laid how) {
  int order[cosmati::max_leaves];
  for (int i = 0; i < f.leaves; ++i) order[i] = i;
  if (c.chance(70)) {
    for (int i = f.leaves - 1; i > 0; --i) std::swap(order[i], order[c.below(i + 1)]);
  }
  integer next = how != laid::compact && c.chance(30) ? 1 + c.below(4) : 1;
  for (int k = 0; k < f.leaves; ++k) {
    int const i = order[k];
    f.stride[i] = next;
    if (how == laid::repeating && c.chance(30)) {
      f.stride[i] = 0;
      continue;
    }
    next *= f.shape[i];
    if (how != laid::compact && c.chance(25)) next *= 2 + c.below(2);
  }
  if (how != laid::any || c.chance(50)) return;
  for (int i = 0; i < f.leaves; ++i) f.stride[i] = c.of({0, 1, 2, 3, 4, 6, 8, 12, 24});
}
inline tree random_layout(choices& c, laid how, int depth = 3, integer largest = 4096, bool tuple = false) {
  tree f = random_shape(c, depth, largest, tuple);
  lay(c, f, how);
  return f;
}

/// Numbers of cases that an operation accepted and refused.
struct tally {
  int accepted = 0, refused = 0;
  bool half_accepted() const { return accepted >= refused && accepted > 0; }
};

/// Runs `body(choices&, tally&)` on random cases. An `error` that leaves `body` counts as refused.
template <class Body>
bool holds(char const* what, Body&& body) {
  tally t;
  bool const ok = rc::check(what, [&] {
    bytes const from =
        *rc::gen::container<bytes>(48, rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint8_t>(0, 255)));
    choices c(from);
    try {
      body(c);
      ++t.accepted;
    } catch (cosmati::error const&) {
      ++t.refused;
    }
  });
  if (!t.half_accepted()) {
    std::cerr << what << ": only " << t.accepted << " of " << t.accepted + t.refused << " cases were accepted\n";
  }
  return ok && t.half_accepted();
}

inline std::string shown(integer x) { return std::to_string(x); }
inline std::string shown(std::string const& x) { return x; }
/// Ends the case with a message if two things differ. `about` gives the text, and is called only then.
template <class A, class B, class About>
void same(A const& a, B const& b, About&& about) {
  if (a == b) return;
  if constexpr (std::is_invocable_v<About>) {
    RC_FAIL(about() + ": " + shown(a) + " is not " + shown(b));
  } else {
    RC_FAIL(std::string(about) + ": " + shown(a) + " is not " + shown(b));
  }
}
/// Runs an operation that must accept its arguments. An error fails the case, and so do nodes after the tree's last
/// one.
template <class Operation>
auto accepted(Operation&& operation, std::string const& about) {
  try {
    auto r = operation();
    if constexpr (std::is_same_v<decltype(r), tree>) {
      if (str(r).find("more") != std::string::npos) RC_FAIL(about + ": " + str(r));
    }
    return r;
  } catch (cosmati::error const& e) {
    RC_FAIL(about + ": refused: " + e.what());
    throw;
  }
}

/// Whether each leaf of `a` stands for a part of `b` of the same size.
inline bool refines(tree const& a, int& an, int& al, tree const& b, int& bn, int& bl) {
  if (a.node[an] != tree::leaf) {
    if (b.node[bn] != a.node[an]) return false;
    int const children = tree::children(a.node[an]);
    ++an;
    ++bn;
    for (int i = 0; i < children; ++i) {
      if (!refines(a, an, al, b, bn, bl)) return false;
    }
    return true;
  }
  ++an;
  integer const size = a.shape[al++];
  integer covered = 1;
  for (int open = 1; open > 0; --open) {
    std::uint8_t const code = b.node[bn++];
    open += tree::children(code);
    if (code == tree::leaf) covered *= b.shape[bl++];
  }
  return covered == size;
}
inline bool refines(tree const& a, tree const& b) {
  int an = 0, al = 0, bn = 0, bl = 0;
  return refines(a, an, al, b, bn, bl) && bn == b.nodes;
}
/// Whether the tree has depth 0, or is a tuple of two leaves or more without an extent of 1.
inline bool plain(tree const& f) {
  if (f.is_leaf()) return true;
  if (f.rank() < 2 || f.nodes != f.leaves + 1) return false;
  for (int i = 0; i < f.leaves; ++i) {
    if (f.shape[i] == 1) return false;
  }
  return true;
}
/// `plain`, and no mode continues the mode before it.
inline bool coalesced(tree const& f) {
  if (!plain(f)) return false;
  if (f.is_leaf()) return f.shape[0] != 1 || f.stride[0] == 0;
  for (int i = 0; i + 1 < f.leaves; ++i) {
    if (f.shape[i] * f.stride[i] == f.stride[i + 1]) return false;
  }
  return true;
}

/// The modes of `f` without extents of 1, merged where one mode continues the other, by the definition. A last extent
/// of 1 stays, because its stride continues beyond the size.
inline tree merged(tree const& f) {
  tree r;
  r.add_open(0);
  for (int i = 0; i < f.leaves; ++i) {
    bool const last = i + 1 == f.leaves;
    if (f.shape[i] == 1 && !last) continue;
    if (r.leaves > 0 && r.shape[r.leaves - 1] * r.stride[r.leaves - 1] == f.stride[i]) {
      r.shape[r.leaves - 1] *= f.shape[i];
    } else {
      r.add_leaf(f.shape[i], f.stride[i]);
    }
  }
  r.node[0] = tree::open(r.leaves);
  return r;
}
/// As `merged`, with each mode that a stride enters padded to a multiple of the stride, as a composition rounds up.
inline tree padded(tree const& f, integer stride) {
  tree r = merged(f);
  for (int i = 0; i < r.leaves && stride > 1; ++i) {
    if (stride < r.shape[i]) {
      r.shape[i] = (r.shape[i] + stride - 1) / stride * stride;
      stride = 1;
    } else {
      stride /= r.shape[i];
    }
  }
  return r;
}

/// Expects that r is a o b, mode by mode of b, whose strides are not negative.
inline void is_composition(tree const& r, tree const& a, tree const& b) {
  std::string const about = str(a) + " o " + str(b) + " = " + str(r);
  if (!refines(b, r)) RC_FAIL(about + ": the shape does not refine that of the right layout");
  if (!b.is_leaf()) {
    for (int i = 0; i < b.rank(); ++i) is_composition(mode(r, i), a, mode(b, i));
    return;
  }
  if (!plain(r)) RC_FAIL(about + ": an integer became something other than an integer or a tuple of extents above 1");
  tree const left = padded(a, b.stride[0]);
  for (integer i = 0; i < b.shape[0]; ++i) {
    same(value(r, i), value(left, i * b.stride[0]), [&] { return about + " at " + std::to_string(i); });
  }
}

}  // namespace algebra_test
