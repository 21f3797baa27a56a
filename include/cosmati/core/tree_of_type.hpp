// SPDX-License-Identifier: Apache-2.0
/// @file
/// From types to values: `tree_of<T>` is the content of a tuple's, layout's or tiler's *type*, as one constant object.
///
/// Each type instantiates one variable and nothing else. The functions here depend on the nesting alone, so that
/// layouts that differ only in their integers share them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/basis.hpp>
#include <cosmati/core/flat_tree.hpp>
#include <cosmati/core/underscore.hpp>

namespace COSMATI_NAMESPACE {

template <class... T>
struct ArithmeticTuple;

namespace detail {

/// The properties of an integer, apart from its value.
struct leaf_mark {
  std::uint32_t basis = 0;
  std::int32_t input = -1;  ///< >= 0: the integer is known at run time only; the value is its ordinal among the
                            ///< integers of the type
};
struct no_marks {};
template <int leaves, bool has_strides>
struct leaf_marks {
  leaf_mark shape[std::size_t{leaves == 0 ? 1 : leaves}]{};
  leaf_mark stride[std::size_t{has_strides && leaves != 0 ? leaves : 1}]{};
};

/// The nesting and integers of a type.
/// @tparam is_simple_ whether all integers are static and without a basis
/// @tparam has_strides_ whether the type is a layout or holds one
template <bool is_simple_, int nodes_, int leaves_, bool has_strides_>
struct sized_tree {
  static constexpr bool is_simple = is_simple_, has_strides = has_strides_;
  static constexpr int nodes = nodes_, leaves = leaves_;
  int integers = 0;  ///< number of leaves, and of strides if they are part of the type
  std::uint8_t node[std::size_t{
      nodes}]{};  ///< the nesting, as in a tiler's `flat_tree`: tuples are `tile(k)`, those inside a layout `open(k)`
  std::int64_t shape[std::size_t{leaves == 0 ? 1 : leaves}]{};
  std::int64_t stride[std::size_t{has_strides && leaves != 0 ? leaves : 1}]{};
  std::conditional_t<is_simple, no_marks, leaf_marks<leaves, has_strides>> mark{};
};

/// The tree of a type that the algebra does not know. Overload resolution may ask for it, but nothing may use it.
template <class T>
struct no_tree : sized_tree<true, 1, 1, false> {};
template <class Tree>
inline constexpr bool is_tree = true;
template <class T>
inline constexpr bool is_tree<no_tree<T>> = false;

/// Marks the missing stride of an integer in a tuple of tilers. `lift` gives the integer a stride.
inline constexpr std::int64_t no_stride = INT64_MIN;

/// How an operation reads an operand as a value.
enum class read_as : std::uint8_t {
  layout,   ///< a layout or a tuple of integers
  tiler,    ///< a tiler; an integer n stands for n:1
  divisor,  ///< a tiler whose integers are read as `make_layout(n)`: the static 1 is 1:0
};
/// How an operation F reads its operands, as `F::operands`. By default all are layouts.
struct operand_forms {
  read_as first{}, second{}, third{}, fourth{}, fifth{};
  bool notes_refusals = false;  ///< whether a refusal is noted in F's result, `flat_tree::note`; otherwise F throws
  /// How operand i (from 0) is read. Operands after the fifth are layouts.
  constexpr read_as of(std::size_t i) const {
    read_as const form[] = {first, second, third, fourth, fifth};
    return i < 5 ? form[i] : read_as::layout;
  }
};

using plain_tree = flat_tree<std::int64_t>;
constexpr std::uint8_t without_tile_flag(std::uint8_t code) {
  return static_cast<std::uint8_t>(code == plain_tree::any ? code : code & ~plain_tree::tile_flag);
}

/// The position of the next part of a tuple.
struct place_in_tree {
  int node, leaf, integers;
};
constexpr leaf_mark moved(leaf_mark m, int integers) {
  if (m.input >= 0) m.input += integers;
  return m;
}
template <class To, class From>
constexpr void add_part(To& to, place_in_tree& at, From const& from) {
  for (int i = 0; i < From::nodes; ++i) to.node[at.node++] = from.node[i];
  for (int i = 0; i < From::leaves; ++i) {
    to.shape[at.leaf + i] = from.shape[i];
    if constexpr (From::has_strides)
      to.stride[at.leaf + i] = from.stride[i];
    else if constexpr (To::has_strides)
      to.stride[at.leaf + i] = no_stride;
    if constexpr (!From::is_simple) {
      to.mark.shape[at.leaf + i] = moved(from.mark.shape[i], at.integers);
      if constexpr (From::has_strides) to.mark.stride[at.leaf + i] = moved(from.mark.stride[i], at.integers);
    }
  }
  at.leaf += From::leaves;
  at.integers += from.integers;
}
template <class... Tree>
constexpr auto tree_of_tuple(Tree const&... part) {
  static_assert((is_tree<Tree> && ...),
                "an operation of the algebra takes integers, tuples of such, layouts, and tuples of tilers");
  sized_tree<(Tree::is_simple && ...), (1 + ... + Tree::nodes), (0 + ... + Tree::leaves), (Tree::has_strides || ...)> r;
  r.node[0] = plain_tree::tile(sizeof...(Tree));
  place_in_tree at{1, 0, 0};
  (add_part(r, at, part), ...);
  r.integers = at.integers;
  return r;
}
template <class Shape, class Stride>
constexpr auto tree_of_layout(Shape const& shape, Stride const& stride) {
  static_assert(Shape::leaves == Stride::leaves,
                "this Layout's stride has another number of integers than its shape: give every extent one stride");
  sized_tree<Shape::is_simple && Stride::is_simple, Shape::nodes, Shape::leaves, true> r;
  for (int i = 0; i < r.nodes; ++i) r.node[i] = without_tile_flag(shape.node[i]);
  for (int i = 0; i < r.leaves; ++i) {
    r.shape[i] = shape.shape[i];
    r.stride[i] = stride.shape[i];
    if constexpr (!Shape::is_simple) r.mark.shape[i] = shape.mark.shape[i];
    if constexpr (!Stride::is_simple) r.mark.stride[i] = moved(stride.mark.shape[i], shape.integers);
  }
  r.integers = shape.integers + stride.integers;
  return r;
}
constexpr auto tree_of_marked_leaf(std::int64_t value, std::uint32_t basis, bool is_input) {
  sized_tree<false, 1, 1, false> r;
  r.integers = 1;
  r.shape[0] = value;
  r.mark.shape[0].basis = basis;
  r.mark.shape[0].input = is_input ? 0 : -1;
  return r;
}
template <class T, int... N>
constexpr auto tree_of_basis(ScaledBasis<T, N...>*) {
  if constexpr (static_integer<T>)
    return tree_of_marked_leaf(static_cast<std::int64_t>(T::value), basis_code<N...>(), false);
  else
    return tree_of_marked_leaf(0, basis_code<N...>(), true);
}

template <class T>
constexpr auto tree_of_integer() {
  if constexpr (std::is_integral_v<T>)
    return tree_of_marked_leaf(0, 0, true);
  else
    return no_tree<T>{};
}
template <class T>
inline constexpr auto tree_of = tree_of_integer<T>();
template <auto v>
inline constexpr sized_tree<true, 1, 1, false> tree_of<C<v>>{1, {plain_tree::leaf}, {static_cast<std::int64_t>(v)}};
template <class T, int... N>
inline constexpr auto tree_of<ScaledBasis<T, N...>> = tree_of_basis(static_cast<ScaledBasis<T, N...>*>(nullptr));
template <>
inline constexpr sized_tree<true, 1, 0, false> tree_of<Underscore>{0, {plain_tree::any}};
template <class... T>
inline constexpr auto tree_of<tuple<T...>> = tree_of_tuple(tree_of<T>...);
template <auto... v>
inline constexpr sized_tree<true, 1 + sizeof...(v), sizeof...(v), false> tree_of<tuple<C<v>...>>{
    sizeof...(v), {plain_tree::tile(sizeof...(v))}, {static_cast<std::int64_t>(v)...}};
template <class... T>
inline constexpr auto tree_of<ArithmeticTuple<T...>> = tree_of<tuple<T...>>;

template <class T>
inline constexpr bool is_simple = tree_of<T>.is_simple;
/// The number of integers of a type, including the strides of layouts.
template <class T>
inline constexpr int leaves_of = tree_of<T>.integers;

constexpr void lift_leaf(std::int64_t& to, std::int64_t value, leaf_mark, expression_list*, int) { to = value; }
constexpr void lift_leaf(symbolic_integer& to, std::int64_t value, leaf_mark mark, expression_list* list,
                         int argument) {
  to.value = value;
  to.basis = mark.basis;
  if (mark.input < 0) return;
  to.node =
      list->record({expression::input, static_cast<std::int16_t>(argument), static_cast<std::int16_t>(mark.input), 0});
  to.list = list;
}
/// The value that the algebra computes on. Run-time integers are recorded as inputs of `argument`.
template <class Num, class Tree>
constexpr flat_tree<Num> lift(Tree const& t, expression_list* list, int argument, read_as as,
                              bool note_is_read = false) {
  static_assert(is_tree<Tree>,
                "an operation of the algebra takes integers, tuples of such, layouts, and tuples of tilers");
  if (Tree::leaves > flat_tree<Num>::capacity) algebra::too_many_leaves(Tree::leaves, flat_tree<Num>::capacity);
  if (Tree::nodes > 2 * flat_tree<Num>::capacity) algebra::too_many_leaves(Tree::nodes, flat_tree<Num>::capacity);
  flat_tree<Num> f;
  f.note.is_read = note_is_read;
  f.nodes = Tree::nodes;
  f.leaves = Tree::leaves;
  for (int i = 0; i < Tree::nodes; ++i) f.node[i] = as == read_as::layout ? without_tile_flag(t.node[i]) : t.node[i];
  std::int64_t const stride_of_1 = as == read_as::divisor ? 0 : 1;
  for (int i = 0; i < Tree::leaves; ++i) {
    if constexpr (Tree::is_simple)
      f.shape[i] = Num(t.shape[i]);
    else
      lift_leaf(f.shape[i], t.shape[i], t.mark.shape[i], list, argument);
    if (!Tree::has_strides || t.stride[i] == no_stride)
      f.stride[i] = Num(t.shape[i] == 1 ? stride_of_1 : 1);
    else if constexpr (Tree::is_simple)
      f.stride[i] = Num(t.stride[i]);
    else
      lift_leaf(f.stride[i], t.stride[i], t.mark.stride[i], list, argument);
  }
  return f;
}
template <class Num, class T>
constexpr flat_tree<Num> lifted(read_as as = read_as::layout, expression_list* list = nullptr) {
  return lift<Num>(tree_of<T>, list, 0, as);
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
