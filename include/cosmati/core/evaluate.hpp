// SPDX-License-Identifier: Apache-2.0
/// @file
/// The border between values and types: an algebra function over `flat<Num>` applied to tuples and layouts.
///
/// `evaluate<F>(args...)` turns each argument's *type* into a `flat` value (run-time integers become recorded inputs),
/// calls `F::apply` on these in a class-scope constant, turns the result's leaves back into a type, and at run time
/// computes the few integers that the function recorded. A fully static call leaves nothing to do at run time.
#pragma once

#include <cosmati/core/basis.hpp>
#include <cosmati/core/flat.hpp>
#include <cosmati/core/underscore.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// Where the next leaf goes, and how it is named if it is a run-time input.
template <class Num>
struct lift_cursor {
  flat<Num>& to;
  expression_list* list;
  int argument;
  int leaf;       ///< ordinal of the next input leaf among the argument's leaves (strides follow shapes)
  bool as_tiler;  ///< tuples are tuples of tilers here
};

/// Turns a type into leaves of a flat; specialised for layouts by layout/.
template <class T>
struct lifter;

constexpr void put(std::int64_t& leaf, std::int64_t v, std::uint32_t) { leaf = v; }
constexpr void put(number& leaf, std::int64_t v, std::uint32_t basis) { leaf = number(v, basis); }
constexpr void put_input(number& leaf, expression_list* list, int argument, int ordinal, std::uint32_t basis) {
  leaf.node =
      list->record({expression::input, static_cast<std::int16_t>(argument), static_cast<std::int16_t>(ordinal), 0});
  leaf.list = list;
  leaf.basis = basis;
}

template <auto v>
struct lifter<C<v>> {
  static constexpr bool simple = true;  ///< std::int64_t suffices
  static constexpr int leaves = 1;
  template <class Num>
  static constexpr void shape(lift_cursor<Num>& c) {
    c.to.add_leaf(Num(static_cast<std::int64_t>(v)), Num(1));
    ++c.leaf;
  }
  template <class Num>
  static constexpr void stride(lift_cursor<Num>& c, int& at) {
    put(c.to.stride[at++], static_cast<std::int64_t>(v), 0);
    ++c.leaf;
  }
};
template <dynamic_integer T>
struct lifter<T> {
  static constexpr bool simple = false;
  static constexpr int leaves = 1;
  template <class Num>
  static constexpr void shape(lift_cursor<Num>& c) {
    c.to.add_leaf(Num(0), Num(1));
    put_input(c.to.shape[c.to.leaves - 1], c.list, c.argument, c.leaf++, 0);
  }
  template <class Num>
  static constexpr void stride(lift_cursor<Num>& c, int& at) {
    put_input(c.to.stride[at++], c.list, c.argument, c.leaf++, 0);
  }
};
template <class T, int... N>
struct lifter<ScaledBasis<T, N...>> {
  static constexpr bool simple = false;
  static constexpr int leaves = 1;
  template <class Num>
  static constexpr void leaf_value(Num& leaf, lift_cursor<Num>& c) {
    if constexpr (static_integer<T>)
      put(leaf, static_cast<std::int64_t>(T::value), basis_code<N...>());
    else
      put_input(leaf, c.list, c.argument, c.leaf, basis_code<N...>());
    ++c.leaf;
  }
  template <class Num>
  static constexpr void shape(lift_cursor<Num>& c) {
    c.to.add_leaf(Num(0), Num(1));
    leaf_value(c.to.shape[c.to.leaves - 1], c);
  }
  template <class Num>
  static constexpr void stride(lift_cursor<Num>& c, int& at) {
    leaf_value(c.to.stride[at++], c);
  }
};
template <>
struct lifter<Underscore> {
  static constexpr bool simple = true;
  static constexpr int leaves = 0;
  template <class Num>
  static constexpr void shape(lift_cursor<Num>& c) {
    c.to.add_node(flat<Num>::any);
  }
};
template <class... T>
struct lifter<tuple<T...>> {
  static constexpr bool simple = (lifter<T>::simple && ...);
  static constexpr int leaves = (0 + ... + lifter<T>::leaves);
  template <class Num>
  static constexpr void shape(lift_cursor<Num>& c) {
    c.to.add_node(c.as_tiler ? flat<Num>::tile(sizeof...(T)) : flat<Num>::open(sizeof...(T)));
    (lifter<T>::shape(c), ...);
  }
  template <class Num>
  static constexpr void stride(lift_cursor<Num>& c, int& at) {
    (lifter<T>::stride(c, at), ...);
  }
};
/// Tuples of static integers, the common case, cost no instantiation a leaf.
template <auto... v>
struct lifter<tuple<C<v>...>> {
  static constexpr bool simple = true;
  static constexpr int leaves = sizeof...(v);
  template <class Num>
  static constexpr void shape(lift_cursor<Num>& c) {
    c.to.add_node(c.as_tiler ? flat<Num>::tile(sizeof...(v)) : flat<Num>::open(sizeof...(v)));
    (c.to.add_leaf(Num(static_cast<std::int64_t>(v)), Num(1)), ...);
    c.leaf += static_cast<int>(sizeof...(v));
  }
  template <class Num>
  static constexpr void stride(lift_cursor<Num>& c, int& at) {
    (put(c.to.stride[at++], static_cast<std::int64_t>(v), 0), ...);
    c.leaf += static_cast<int>(sizeof...(v));
  }
};

template <class Num, class T>
constexpr flat<Num> lifted(expression_list* list, int argument, bool as_tiler) {
  flat<Num> f;
  lift_cursor<Num> c{f, list, argument, 0, as_tiler};
  lifter<T>::shape(c);
  return f;
}

/// A result together with the expressions that its run-time leaves stand for.
struct recorded {
  flat<number> tree;
  expression_list list;
};

template <class Num>
constexpr flat<Num> as_tree(flat<Num> const& f) {
  return f;
}
template <class Num>
constexpr flat<Num> as_tree(Num const& n) {
  flat<Num> f;
  f.add_leaf(n);
  return f;
}
template <class Num>
constexpr flat<Num> as_tree(bool b) {
  flat<Num> f;
  f.add_leaf(Num(b ? 1 : 0));
  return f;
}

/// One application of F to argument types A...: all that is known of the result while compiling.
template <bool simple, class F, class Seq, class... A>
struct operation_on;
template <class F, std::size_t... Is, class... A>
struct operation_on<true, F, std::index_sequence<Is...>, A...> {
  static constexpr bool is_recorded = false;
  static constexpr flat<std::int64_t> tree =
      as_tree<std::int64_t>(F::apply(lifted<std::int64_t, A>(nullptr, Is, (F::tilers >> Is) & 1)...));
  template <int leaf>
  using shape_leaf = literal<tree.shape[leaf]>;
  template <int leaf>
  using stride_leaf = literal<tree.stride[leaf]>;
};
template <class F, class... A>
using operation = operation_on<(lifter<A>::simple && ...), F, std::index_sequence_for<A...>, A...>;

/// @name Run-time inputs: leaf K of an argument, in the order in which it was lifted
/// @{
template <class T>
inline constexpr int leaves_of = lifter<T>::leaves;
}  // namespace detail

template <int K, integer T>
COSMATI_HD constexpr T leaf_at(T const& x) {
  return x;
}
template <int K, class T, int... N>
COSMATI_HD constexpr auto leaf_at(ScaledBasis<T, N...> const& x) {
  return T(x.value());
}
template <int K, class... T>
COSMATI_HD constexpr auto leaf_at(tuple<T...> const& t);

namespace detail {
template <int K, int i, class T>
COSMATI_HD constexpr auto leaf_from(T const& t) {
  constexpr int n = leaves_of<tuple_element_t<i, T>>;
  if constexpr (K < n)
    return leaf_at<K>(get<i>(t));
  else
    return leaf_from<K - n, i + 1>(t);
}
}  // namespace detail
template <int K, class... T>
COSMATI_HD constexpr auto leaf_at(tuple<T...> const& t) {
  return detail::leaf_from<K, 0>(t);
}
/// @}

namespace detail {
template <int i, class A, class... R>
COSMATI_HD constexpr auto const& pick(A const& a, R const&... r) {
  if constexpr (i == 0)
    return a;
  else
    return pick<i - 1>(r...);
}

/// Products of run-time integers are 64 bits wide: tensors pass 2^31 elements.
template <class A, class B>
COSMATI_HD constexpr auto wide_product(A const& a, B const& b) {
  return static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b);
}
template <class A, class B>
COSMATI_HD constexpr auto rounded_up_quotient(A const& a, B const& b) {
  using T = decltype(a / b);
  using U = std::make_unsigned_t<T>;
  return static_cast<T>((static_cast<U>(a) + static_cast<U>(b) - 1u) / static_cast<U>(b));
}

/// An extent of 0 that is known only at run time has no coordinates; 0 stands for them rather than a fault.
template <class A, class B>
COSMATI_HD constexpr auto guarded_quotient(A const& a, B const& b) {
  if constexpr (static_integer<B>)
    return a / b;
  else
    return b == 0 ? decltype(a / b)(0) : a / b;
}
template <class A, class B>
COSMATI_HD constexpr auto guarded_remainder(A const& a, B const& b) {
  if constexpr (static_integer<B>)
    return a % b;
  else
    return b == 0 ? decltype(a % b)(0) : a % b;
}

/// Computes step `node` of an operation's recorded expressions.
template <class Op, int node, class... A>
COSMATI_HD constexpr auto compute(A const&... a) {
  constexpr expression e = Op::value.list.step[node];
  if constexpr (e.op == expression::input) {
    return leaf_at<e.b>(pick<e.a>(a...));
  } else if constexpr (e.op == expression::constant) {
    return literal<e.value>{};
  } else {
    auto const x = compute<Op, e.a>(a...);
    auto const y = compute<Op, e.b>(a...);
    if constexpr (e.op == expression::multiply)
      return wide_product(x, y);
    else if constexpr (e.op == expression::add)
      return x + y;
    else if constexpr (e.op == expression::subtract)
      return x - y;
    else if constexpr (e.op == expression::divide)
      return guarded_quotient(x, y);
    else if constexpr (e.op == expression::modulo)
      return guarded_remainder(x, y);
    else if constexpr (e.op == expression::ceil_divide)
      return rounded_up_quotient(x, y);
    else if constexpr (e.op == expression::minimum)
      return y < x ? std::common_type_t<decltype(x + y)>(y) : std::common_type_t<decltype(x + y)>(x);
    else if constexpr (e.op == expression::maximum)
      return x < y ? std::common_type_t<decltype(x + y)>(y) : std::common_type_t<decltype(x + y)>(x);
    else if constexpr (e.op == expression::absolute)
      return x < 0 ? -x : x;
    else
      return static_cast<int>(x > 0) - static_cast<int>(x < 0);
  }
}

template <class T, std::uint32_t basis>
struct with_basis {
  template <class Seq>
  struct expand;
  template <std::size_t... Is>
  struct expand<std::index_sequence<Is...>> {
    using type = ScaledBasis<T, static_cast<int>((basis >> (4 * Is)) & 15) - 1 ...>;
  };
  static constexpr int depth() {
    int n = 0;
    for (std::uint32_t b = basis; b != 0; b >>= 4) ++n;
    return n;
  }
  using type = typename expand<std::make_index_sequence<static_cast<std::size_t>(depth())>>::type;
  template <class V>
  COSMATI_HD static constexpr type make(V const& v) {
    return type{T(v)};
  }
};
template <class T>
struct with_basis<T, 0> {
  using type = T;
  template <class V>
  COSMATI_HD static constexpr T make(V const& v) {
    return v;
  }
};

/// The type of one leaf of a recorded result, and its value.
template <class Op, bool of_stride, int leaf, class... A>
struct recorded_leaf {
  static constexpr number n = of_stride ? Op::value.tree.stride[leaf] : Op::value.tree.shape[leaf];
  COSMATI_HD static constexpr auto get(A const&... a) {
    if constexpr (n.node < 0)
      return with_basis<literal<n.value>, n.basis>::make(literal<n.value>{});
    else {
      auto const v = compute<Op, n.node>(a...);
      return with_basis<std::remove_const_t<decltype(v)>, n.basis>::make(v);
    }
  }
  using type = decltype(get(std::declval<A const&>()...));
};

/// A copy that never held a pointer: g++ 12 takes an object that once did for no constant.
constexpr flat<number> without_list(flat<number> const& f) {
  flat<number> r;
  for (int i = 0; i < f.nodes; ++i) r.node[i] = f.node[i];
  for (int i = 0; i < f.leaves; ++i) {
    r.shape[i].value = f.shape[i].value;
    r.shape[i].basis = f.shape[i].basis;
    r.shape[i].node = f.shape[i].node;
    r.stride[i].value = f.stride[i].value;
    r.stride[i].basis = f.stride[i].basis;
    r.stride[i].node = f.stride[i].node;
  }
  r.nodes = f.nodes;
  r.leaves = f.leaves;
  return r;
}
template <class F, class... A, std::size_t... Is>
constexpr recorded record_operation(std::index_sequence<Is...>) {
  expression_list list;  // apart from the result, into which no pointer to it may go
  flat<number> tree = as_tree<number>(F::apply(lifted<number, A>(&list, Is, (F::tilers >> Is) & 1)...));
  return {without_list(tree), list};
}
template <class F, class... A>
struct recorded_operation {
  static constexpr recorded value = record_operation<F, A...>(std::index_sequence_for<A...>{});
};
template <class F, std::size_t... Is, class... A>
struct operation_on<false, F, std::index_sequence<Is...>, A...> : recorded_operation<F, A...> {
  static constexpr bool is_recorded = true;
  static constexpr flat<number> tree = recorded_operation<F, A...>::value.tree;  // no reference: device code reads it
  template <int leaf>
  using shape_leaf = typename recorded_leaf<operation_on, false, leaf, A...>::type;
  template <int leaf>
  using stride_leaf = typename recorded_leaf<operation_on, true, leaf, A...>::type;
};

/// @name From a result's tree to types
/// @{
struct place {
  int node, leaf;
};
template <class Num>
constexpr place child_at(flat<Num> const& f, int node, int leaf, int i) {
  ++node;
  for (; i > 0; --i) {
    int open = 1;
    while (open != 0) {
      std::uint8_t const code = f.node[node++];
      if (code == flat<Num>::leaf) ++leaf;
      open += flat<Num>::children(code) - 1;
    }
  }
  return {node, leaf};
}
template <class Num>
constexpr bool only_leaves(flat<Num> const& f, int node) {
  int const n = flat<Num>::children(f.node[node]);
  for (int i = 1; i <= n; ++i) {
    if (f.node[node + i] != flat<Num>::leaf) return false;
  }
  return true;
}

template <class Op, int node, int leaf, bool only_leaves, class Seq>
struct subtree_types;
template <class Op, int node, int leaf>
struct leaf_types {
  using shape = typename Op::template shape_leaf<leaf>;
  using stride = typename Op::template stride_leaf<leaf>;
};
template <bool is_leaf>
struct pick_types {
  template <class Op, int node, int leaf>
  using type = leaf_types<Op, node, leaf>;
};
template <>
struct pick_types<false> {
  template <class Op, int node, int leaf>
  using type = subtree_types<Op, node, leaf, only_leaves(Op::tree, node),
                             std::make_integer_sequence<int, flat<number>::children(Op::tree.node[node])>>;
};
template <class Op, int node, int leaf>
using types_at = typename pick_types<Op::tree.node[node] == 0>::template type<Op, node, leaf>;

template <class Op, int node, int leaf, int... Is>
struct subtree_types<Op, node, leaf, true, std::integer_sequence<int, Is...>> {
  using shape = tuple<typename Op::template shape_leaf<leaf + Is>...>;
  using stride = tuple<typename Op::template stride_leaf<leaf + Is>...>;
};
template <class Op, int node, int leaf, int... Is>
struct subtree_types<Op, node, leaf, false, std::integer_sequence<int, Is...>> {
  using shape = tuple<typename types_at<Op, child_at(Op::tree, node, leaf, Is).node,
                                        child_at(Op::tree, node, leaf, Is).leaf>::shape...>;
  using stride = tuple<typename types_at<Op, child_at(Op::tree, node, leaf, Is).node,
                                         child_at(Op::tree, node, leaf, Is).leaf>::stride...>;
};
/// @}

template <class Op, int node, int leaf, int i>
struct child_of {
  static constexpr int node_index = child_at(Op::tree, node, leaf, i).node;
  static constexpr int leaf_index = child_at(Op::tree, node, leaf, i).leaf;
};

/// Builds the shape (or the stride) of a result out of the arguments that hold its run-time integers.
template <class Op, bool of_stride, int node, int leaf, class... A>
COSMATI_HD constexpr auto build(A const&... a) {
  using T = types_at<Op, node, leaf>;
  using R = std::conditional_t<of_stride, typename T::stride, typename T::shape>;
  if constexpr (__is_empty(R)) {
    return R{};
  } else if constexpr (Op::tree.node[node] == 0) {
    return recorded_leaf<Op, of_stride, leaf, A...>::get(a...);
  } else {
    return [&]<int... Is>(std::integer_sequence<int, Is...>) {
      return make_tuple(
          build<Op, of_stride, child_of<Op, node, leaf, Is>::node_index, child_of<Op, node, leaf, Is>::leaf_index>(
              a...)...);
    }
    (std::make_integer_sequence<int, tuple_size_v<R>>{});
  }
}

/// The shape part of F's result as a tuple or an integer.
template <class F, class... A>
COSMATI_HD constexpr auto evaluate_tuple(A const&... a) {
  using Op = operation<F, A...>;
  if constexpr (!Op::is_recorded)
    return typename types_at<Op, 0, 0>::shape{};
  else
    return build<Op, false, 0, 0>(a...);
}
/// F's answer to a yes-or-no question about static arguments.
template <class F, class... A>
inline constexpr bool evaluate_bool = !algebra::is_zero(operation<F, A...>::tree.shape[0]);
}  // namespace detail
}  // namespace COSMATI_NAMESPACE
