// SPDX-License-Identifier: Apache-2.0
/// @file
/// The value of an expression of `cosmati eval`.
#pragma once

#include <cosmati/core/flat_tree.hpp>
#include <cosmati/layout/any_swizzle.hpp>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace cosmati::cli {

using tree = flat_tree<symbolic_integer>;

/// The kinds of values.
enum class kind : std::uint8_t {
  boolean,
  tuple,  ///< an integer, `_`, or a tuple of them
  layout,
  tiler,  ///< a tuple that contains layouts
  swizzle,
  composed,  ///< swizzle (or layout) o offset o layout
  inverted,  ///< layout o offset o swizzle: the inverse of a swizzle with an offset
  stacked,   ///< swizzle o offset o composed layout (with a swizzle)
  several,   ///< a tuple that contains composed layouts, see `arrangement`
  order,     ///< LayoutLeft, LayoutRight
};

/// The words for messages, such as "a layout".
inline char const* name_of(kind k) {
  switch (k) {
    case kind::boolean:
      return "a truth value";
    case kind::tuple:
      return "an integer or a tuple";
    case kind::layout:
      return "a layout";
    case kind::tiler:
      return "a tuple of layouts";
    case kind::swizzle:
      return "a swizzle";
    case kind::composed:
      return "a composed layout";
    case kind::inverted:
      return "a layout after a swizzle";
    case kind::stacked:
      return "a layout after two swizzles";
    case kind::several:
      return "a tuple with composed layouts";
    case kind::order:
      return "LayoutLeft or LayoutRight";
  }
  return "a value";
}

/// The elements of a tuple that contains composed layouts. CuTe's functions of tuples make such tuples, and pairs with
/// an offset.
struct arrangement {
  std::uint8_t before = 0;  ///< how often the layout `outer` comes first
  std::uint8_t copies = 1;  ///< the copies of the composed layout
  bool apart = false;       ///< whether each of its modes is separate
  bool layout = false;      ///< whether the layout `outer` comes last
  bool offset = false;      ///< whether the offset `outer` comes last; it is 0 if `outer` is a function
  friend bool operator==(arrangement const&, arrangement const&) = default;
};

/// A value. `what` decides which members are valid. Nothing is ever allocated.
struct value {
  kind what = kind::tuple;
  bool flag = false;              ///< boolean; order: whether it is LayoutRight; composed: whether the outer function
                                  ///< is the layout `outer`
  arrangement around;             ///< the arrangement of `several`
  AnySwizzle swizzle;             ///< the swizzle of a swizzle, composed, inverted or several value; stacked: the inner
                                  ///< one
  AnySwizzle above;               ///< stacked: the outer swizzle
  std::int64_t above_offset = 0;  ///< stacked: the offset of the outer swizzle
  std::uint64_t integers = 0;     ///< tiler: the leaves that are integers instead of layouts
  tree main;    ///< the tuple, layout or tiler; composed, several, stacked: the inner layout; inverted: the outer one
  tree offset;  ///< the offset of a composed, inverted or several value; stacked: that of the inner swizzle
  tree outer;   ///< composed: the outer layout; several: the same, or the other element

  bool is_integer() const { return what == kind::tuple && main.is_leaf() && main.nodes == 1; }
};

/// Copies only the used part of `from`, because a `tree` is mostly empty.
inline void copy_tree(tree& to, tree const& from) {
  to.nodes = from.nodes;
  to.leaves = from.leaves;
  std::memcpy(to.node, from.node, static_cast<std::size_t>(from.nodes));
  for (int i = 0; i < from.leaves; ++i) {
    to.shape[i] = from.shape[i];
    to.stride[i] = from.stride[i];
  }
}

inline void copy_value(value& to, value const& from) {
  to.what = from.what;
  to.flag = from.flag;
  to.around = from.around;
  to.swizzle = from.swizzle;
  to.integers = from.integers;
  copy_tree(to.main, from.main);
  to.above = from.above;
  to.above_offset = from.above_offset;
  if (from.what == kind::inverted || from.what == kind::stacked) copy_tree(to.offset, from.offset);
  if (from.what == kind::composed || from.what == kind::several) {
    copy_tree(to.offset, from.offset);
    copy_tree(to.outer, from.outer);
  }
}

/// @name Functions that set a value's content
/// `make` returns a tree, which is built in place.
/// @{
template <class Make>
void emplace(tree& to, Make&& make) {
  ::new (static_cast<void*>(&to)) tree(std::forward<Make>(make)());
}
inline void clear(tree& t) { t.nodes = t.leaves = 0; }
inline void set_leaf(tree& t, symbolic_integer const& x) {
  clear(t);
  t.add_leaf(x);
}
inline void set_integer(value& v, symbolic_integer const& x) {
  v.what = kind::tuple;
  clear(v.main);
  v.main.add_leaf(x);
}
inline void set_integer(value& v, std::int64_t x) { set_integer(v, symbolic_integer(x)); }
inline void set_boolean(value& v, bool flag) {
  v.what = kind::boolean;
  v.flag = flag;
}
/// @}

/// The text with which the command answers: CuTe's without underscores, and `true` or `false` for booleans.
void append_text(std::string& out, value const& v);

}  // namespace cosmati::cli
