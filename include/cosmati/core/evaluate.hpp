// SPDX-License-Identifier: Apache-2.0
/// @file
/// The border between values and types: applies an algebra function over `flat_tree<Num>` to tuples and layouts.
///
/// `evaluate<F>(args...)` works in four steps. It turns each argument's *type* into a `flat_tree` value, where run-time
/// integers become recorded inputs. It calls `F::apply` on these values in a class-scope constant. It turns the leaves
/// of the result back into a type. At run time it computes the few integers that the function recorded. A fully static
/// call has nothing to do at run time.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/recorded_steps.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A result with the expressions that its run-time leaves refer to.
struct recorded {
  flat_tree<symbolic_integer> tree;
  expression_list list;
};

template <class Num>
constexpr flat_tree<Num> as_tree(flat_tree<Num> const& f) {
  return f;
}
template <class Num>
constexpr flat_tree<Num> as_tree(Num const& n) {
  flat_tree<Num> f;
  f.add_leaf(n);
  return f;
}
template <class Num>
constexpr flat_tree<Num> as_tree(bool b) {
  flat_tree<Num> f;
  f.add_leaf(Num(b ? 1 : 0));
  return f;
}

/// The result of F on lifted arguments. All arguments of the same nesting share this function.
template <class F, class Num, std::size_t... Is, class... Tree>
constexpr flat_tree<Num> apply(std::index_sequence<Is...>, expression_list* list, Tree const&... t) {
  return as_tree<Num>(
      F::apply(lift<Num>(t, list, static_cast<int>(Is), F::operands.of(Is), F::operands.notes_refusals)...));
}

/// One application of F to the argument types A...: everything that the compiler knows about the result.
template <bool is_simple, class F, class... A>
struct operation_on;
template <class F, class... A>
struct operation_on<true, F, A...> {
  static constexpr bool is_recorded = false;
  static constexpr flat_tree<std::int64_t> tree =
      apply<F, std::int64_t>(std::index_sequence_for<A...>{}, nullptr, tree_of<A>...);
};
/// This is a function because of nvcc. nvcc repeats an argument in the type of a result; g++ would take a variable
/// template there for a dependent name and ask for a `typename` that nvcc does not write.
template <class... A>
constexpr bool all_are_simple() {
  return (is_simple<A> && ...);
}
template <class F, class... A>
using operation = operation_on<all_are_simple<A...>(), F, A...>;

/// The type and the value of one leaf of a recorded result.
template <class Op, bool of_stride, int leaf, class... A>
struct recorded_leaf {
  static constexpr symbolic_integer n = of_stride ? Op::value.tree.stride[leaf] : Op::value.tree.shape[leaf];
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

/// A copy that never held a pointer. g++ 12 does not accept an object as a constant if it held a pointer before.
constexpr flat_tree<symbolic_integer> without_list(flat_tree<symbolic_integer> const& f) {
  flat_tree<symbolic_integer> r;
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
  r.note = f.note;
  return r;
}
template <class F, class... A>
constexpr recorded record_operation() {
  expression_list list;  // kept apart from the result, which may not point into it
  flat_tree<symbolic_integer> tree = apply<F, symbolic_integer>(std::index_sequence_for<A...>{}, &list, tree_of<A>...);
  return {without_list(tree), list};
}
template <class F, class... A>
struct recorded_operation {
  static constexpr recorded value = record_operation<F, A...>();
};
template <class F, class... A>
struct operation_on<false, F, A...> : recorded_operation<F, A...> {
  static constexpr bool is_recorded = true;
  static constexpr flat_tree<symbolic_integer> tree =
      recorded_operation<F, A...>::value.tree;  // a copy, because device code cannot refer to the constant
  template <bool of_stride, int leaf>
  using leaf_type = typename recorded_leaf<operation_on, of_stride, leaf, A...>::type;
};

/// @name From a result's tree to types
/// @{
struct place {
  int node, leaf;
};
template <class Num>
constexpr place child_at(flat_tree<Num> const& f, int node, int leaf, int i) {
  ++node;
  for (; i > 0; --i) {
    int open = 1;
    while (open != 0) {
      std::uint8_t const code = f.node[node++];
      if (code == flat_tree<Num>::leaf) ++leaf;
      open += flat_tree<Num>::children(code) - 1;
    }
  }
  return {node, leaf};
}
/// The form of a node as a type: a count of integers that fit an int, or one of these.
enum node_form : int { one_int = -1, any_tuple = -2, one_leaf = -3, tuple_of_leaves = -4 };
constexpr bool fits_int(symbolic_integer const&) { return false; }
constexpr bool fits_int(std::int64_t v) { return v == static_cast<int>(v); }
template <class Num>
constexpr int form_of(flat_tree<Num> const& f, int node, int leaf) {
  bool const is_leaf = f.node[node] == flat_tree<Num>::leaf;
  int const n = is_leaf ? 1 : flat_tree<Num>::children(f.node[node]);
  bool ints = true;
  for (int i = 0; i < n; ++i) {
    if (!is_leaf && f.node[node + 1 + i] != flat_tree<Num>::leaf) return any_tuple;
    ints = ints && fits_int(f.shape[leaf + i]) && fits_int(f.stride[leaf + i]);
  }
  if (is_leaf) return ints ? one_int : one_leaf;
  return ints ? n : tuple_of_leaves;
}
/// The children of a tuple: their positions and forms.
template <int n>
struct children_table {
  int node[std::size_t{n}]{}, leaf[std::size_t{n}]{}, form[std::size_t{n}]{};
};
template <int n, class Num>
constexpr children_table<n> children_of(flat_tree<Num> const& f, int node, int leaf) {
  children_table<n> r;
  span_of_mode s{node, node + 1, leaf, leaf};
  for (int i = 0; i < n; ++i) {
    r.node[i] = s.node_end;
    r.leaf[i] = s.leaf_end;
    r.form[i] = form_of(f, s.node_end, s.leaf_end);
    if (i + 1 < n) s = algebra::subtree(f, s.node_end, s.leaf_end);
  }
  return r;
}

template <class Op, int leaf, class Seq>
struct lowered_ints;
template <class Op, int leaf, int... Is>
struct lowered_ints<Op, leaf, std::integer_sequence<int, Is...>> {
  using shape = tuple<C<static_cast<int>(Op::tree.shape[leaf + Is])>...>;
  using stride = tuple<C<static_cast<int>(Op::tree.stride[leaf + Is])>...>;
};
/// The type of a leaf that is 64 bits wide, has a basis, or is known at run time only.
template <class Op, bool of_stride, int leaf, bool is_recorded>
struct leaf_type {
  using type = literal<(of_stride ? Op::tree.stride[leaf] : Op::tree.shape[leaf])>;
};
template <class Op, bool of_stride, int leaf>
struct leaf_type<Op, of_stride, leaf, true> {
  using type = typename Op::template leaf_type<of_stride, leaf>;
};
template <class Op, int leaf, class Seq>
struct lowered_leaves;
template <class Op, int leaf, int... Is>
struct lowered_leaves<Op, leaf, std::integer_sequence<int, Is...>> {
  using shape = tuple<typename leaf_type<Op, false, leaf + Is, Op::is_recorded>::type...>;
  using stride = tuple<typename leaf_type<Op, true, leaf + Is, Op::is_recorded>::type...>;
};
template <class Op, int node, int leaf, class Seq>
struct lowered_children;

/// The types of a node's shape and stride. Most nodes are short tuples of ints, which cost one instantiation each.
template <class Op, int node, int leaf, int form>
struct lowered : lowered_ints<Op, leaf, std::make_integer_sequence<int, form>> {};
template <class Op, int node, int leaf>
using types_at = lowered<Op, node, leaf, form_of(Op::tree, node, leaf)>;

template <class Op, int node, int leaf>
struct lowered<Op, node, leaf, one_int> {
  using shape = C<static_cast<int>(Op::tree.shape[leaf])>;
  using stride = C<static_cast<int>(Op::tree.stride[leaf])>;
};
template <class Op, int node, int leaf>
struct lowered<Op, node, leaf, 1> {
  using shape = tuple<C<static_cast<int>(Op::tree.shape[leaf])>>;
  using stride = tuple<C<static_cast<int>(Op::tree.stride[leaf])>>;
};
template <class Op, int node, int leaf>
struct lowered<Op, node, leaf, 2> {
  using shape = tuple<C<static_cast<int>(Op::tree.shape[leaf])>, C<static_cast<int>(Op::tree.shape[leaf + 1])>>;
  using stride = tuple<C<static_cast<int>(Op::tree.stride[leaf])>, C<static_cast<int>(Op::tree.stride[leaf + 1])>>;
};
template <class Op, int node, int leaf>
struct lowered<Op, node, leaf, 3> {
  using shape = tuple<C<static_cast<int>(Op::tree.shape[leaf])>, C<static_cast<int>(Op::tree.shape[leaf + 1])>,
                      C<static_cast<int>(Op::tree.shape[leaf + 2])>>;
  using stride = tuple<C<static_cast<int>(Op::tree.stride[leaf])>, C<static_cast<int>(Op::tree.stride[leaf + 1])>,
                       C<static_cast<int>(Op::tree.stride[leaf + 2])>>;
};
template <class Op, int node, int leaf>
struct lowered<Op, node, leaf, one_leaf> {
  using shape = typename leaf_type<Op, false, leaf, Op::is_recorded>::type;
  using stride = typename leaf_type<Op, true, leaf, Op::is_recorded>::type;
};
template <class Op, int node, int leaf>
struct lowered<Op, node, leaf, tuple_of_leaves>
    : lowered_leaves<Op, leaf, std::make_integer_sequence<int, plain_tree::children(Op::tree.node[node])>> {};
template <class Op, int node, int leaf>
struct lowered<Op, node, leaf, any_tuple>
    : lowered_children<Op, node, leaf, std::make_integer_sequence<int, plain_tree::children(Op::tree.node[node])>> {};

template <class Op, int node, int leaf, int... Is>
struct lowered_children<Op, node, leaf, std::integer_sequence<int, Is...>> {
  static constexpr auto at = children_of<static_cast<int>(sizeof...(Is))>(Op::tree, node, leaf);
  using shape = tuple<typename lowered<Op, at.node[Is], at.leaf[Is], at.form[Is]>::shape...>;
  using stride = tuple<typename lowered<Op, at.node[Is], at.leaf[Is], at.form[Is]>::stride...>;
};
/// @}

template <class Op, int node, int leaf, int i>
struct child_of {
  static constexpr int node_index = child_at(Op::tree, node, leaf, i).node;
  static constexpr int leaf_index = child_at(Op::tree, node, leaf, i).leaf;
};

/// Builds the shape or the stride of a result. The arguments supply its run-time integers.
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
/// The answer of F, a yes-or-no question, about static arguments.
template <class F, class... A>
inline constexpr bool evaluate_bool = !algebra::is_zero(operation<F, A...>::tree.shape[0]);
}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
