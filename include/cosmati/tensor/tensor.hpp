// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Tensor<Engine, Layout>`: elements, and the function from coordinates to elements.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/core/arithmetic_tuple.hpp>
#include <cosmati/layout/composed_common.hpp>
#include <cosmati/tensor/engine.hpp>
#include <cosmati/tensor/refused_calls.hpp>

#if defined(COSMATI_SIMULATED)
#include <cosmati/tensor/describe.hpp>
#endif

namespace COSMATI_NAMESPACE {

/// @tparam Engine owns elements (ArrayEngine) or views them (ViewEngine, ConstViewEngine)
/// @tparam Layout from coordinates to offsets, in elements
///
/// `t(coord)` and `t(c0, c1, ...)` return a reference to an element, or for a coordinate with `_` a tensor of the modes
/// with `_`. The simulated device reports an access outside the allocation with the tensor and the coordinate.
template <class Engine, class Layout>
struct Tensor {
  using iterator = typename Engine::iterator;
  using value_type = typename Engine::value_type;
  using element_type = typename Engine::element_type;
  using reference = typename Engine::reference;
  using engine_type = Engine;
  using layout_type = Layout;
  static constexpr int rank = Layout::rank;

  [[no_unique_address]] detail::stored<Tensor, 0, Layout> layout_;
  [[no_unique_address]] Engine engine_;
  char : 0;  // see detail::stored_elements

  Tensor() = default;
  COSMATI_HD constexpr Tensor(Engine const& engine, Layout const& layout) : layout_(layout), engine_(engine) {}

  /// The tensor itself.
  COSMATI_HD constexpr Tensor& tensor() { return *this; }
  COSMATI_HD constexpr Tensor const& tensor() const { return *this; }
  COSMATI_HD constexpr Engine& engine() { return engine_; }
  COSMATI_HD constexpr Engine const& engine() const { return engine_; }
  /// The iterator at offset 0.
  COSMATI_HD constexpr auto data() { return engine_.begin(); }
  COSMATI_HD constexpr auto data() const { return engine_.begin(); }
  COSMATI_HD constexpr decltype(auto) layout() const { return detail::unstore<Layout>(layout_); }
  template <int... k>
  COSMATI_HD constexpr decltype(auto) shape() const {
    return layout().template shape<k...>();
  }
  template <int... k>
  COSMATI_HD constexpr decltype(auto) stride() const {
    return layout().template stride<k...>();
  }
  template <int... k>
  COSMATI_HD constexpr auto size() const {
    return COSMATI_NAMESPACE::size<k...>(layout());
  }

  template <class Coord>
  COSMATI_HD constexpr decltype(auto) operator[](Coord const& coord) {
    return element(coord, layout()(coord), data());
  }
  template <class Coord>
  COSMATI_HD constexpr decltype(auto) operator[](Coord const& coord) const {
    return element(coord, layout()(coord), data());
  }
  template <class C0>
  COSMATI_HD constexpr decltype(auto) operator()(C0 const& coord) {
    if constexpr (detail::any_underscore<C0>)
      return sliced(coord, data());
    else
      return element(coord, layout()(coord), data());
  }
  template <class C0>
  COSMATI_HD constexpr decltype(auto) operator()(C0 const& coord) const {
    if constexpr (detail::any_underscore<C0>)
      return sliced(coord, data());
    else
      return element(coord, layout()(coord), data());
  }
  template <class C0, class C1, class... Cs>
  requires(2 + sizeof...(Cs) == rank) COSMATI_HD constexpr decltype(auto) operator()(C0 const& c0, C1 const& c1,
                                                                                     Cs const&... cs) {
    return operator()(make_tuple(c0, c1, cs...));
  }
  template <class C0, class C1, class... Cs>
  requires(2 + sizeof...(Cs) == rank) COSMATI_HD constexpr decltype(auto) operator()(C0 const& c0, C1 const& c1,
                                                                                     Cs const&... cs) const {
    return operator()(make_tuple(c0, c1, cs...));
  }

  template <class C0, class C1, class... Cs>
  requires(2 + sizeof...(Cs) != rank) COSMATI_HD detail::coordinate_rank_differs<2 + sizeof...(Cs), rank>
  operator()(C0 const& c0, C1 const& c1, Cs const&... cs) const;

  /// The tensor with another layout: the composition of its layout with the arguments, or its division by them.
  template <class... Other>
  COSMATI_HD constexpr auto compose(Other const&... other) const;
  template <class... Other>
  COSMATI_HD constexpr auto compose(Other const&... other);
  template <class... Other>
  COSMATI_HD constexpr auto tile(Other const&... other) const;
  template <class... Other>
  COSMATI_HD constexpr auto tile(Other const&... other);
  template <class N>
  COSMATI_HD constexpr auto get_hier_coord(N const& n) const {
    return layout().get_hier_coord(n);
  }
  template <class N>
  COSMATI_HD constexpr auto get_flat_coord(N const& n) const {
    return layout().get_flat_coord(n);
  }
  template <class N>
  COSMATI_HD constexpr auto get_1d_coord(N const& n) const {
    return layout().get_1d_coord(n);
  }

 private:
  template <class Coord, class Offset, class Iterator>
  COSMATI_HD constexpr decltype(auto) element([[maybe_unused]] Coord const& coord, Offset const& offset,
                                              Iterator const& first) const {
#if defined(COSMATI_SIMULATED)
    if (!__builtin_is_constant_evaluated() && access_is_watched())
      detail::note_element<Tensor>(*this, coord, first, offset);
#endif
    if constexpr (requires { first[offset]; })
      return first[offset];
    else
      return *detail::iterator_at<Layout>(first, offset);
  }
  template <class Coord, class Iterator>
  COSMATI_HD constexpr auto sliced(Coord const& coord, Iterator const& first) const;
};

/// Whether T is a Tensor.
template <class T>
inline constexpr bool is_tensor_v = false;
template <class E, class L>
inline constexpr bool is_tensor_v<Tensor<E, L>> = true;
COSMATI_ALSO_OF_REFERENCES(bool, is_tensor_v)
#undef COSMATI_ALSO_OF_REFERENCES  // the headers that use it are included above
/// Whether T is a Tensor, possibly const or a reference.
template <class T>
struct is_tensor : bool_constant<is_tensor_v<T>> {};
/// A Tensor, possibly const or a reference.
template <class T>
concept tensor_type = is_tensor_v<T>;
/// A Layout, possibly const or a reference.
template <class T>
concept layout_type_of = detail::is_layout_of<T>;

namespace detail {
/// The layout that the arguments of make_tensor describe.
template <class... Arguments>
COSMATI_HD constexpr auto layout_of_arguments(Arguments const&... a) {
  if constexpr (sizeof...(Arguments) == 1 && (layout_type_of<Arguments> && ...))
    return (a, ...);
  else
    return make_layout(a...);
}
template <class L>
struct owning_tensor_needs_a_static_layout : refused {
  static_assert(
      is_static_v<L>,
      "make_tensor<T>(layout): a tensor that owns its elements needs a layout of static integers, Int<N>{} or _8{} "
      "for every extent and stride of LAYOUT in owning_tensor_needs_a_static_layout<LAYOUT>, since its size is part "
      "of its type");
};
template <class... Arguments>
using layout_from = std::remove_cvref_t<decltype(layout_of_arguments(std::declval<Arguments const&>()...))>;
}  // namespace detail

/// @name make_tensor
/// @{
/// A view of elements, from an iterator and a layout, a shape, or a shape and a stride.
template <class Iterator, class Arg0, class... Args>
requires(!std::is_array_v<Iterator> && !refusal<Arg0> && requires(Iterator const& it) { *it; }) COSMATI_HD
    constexpr auto make_tensor(Iterator const& iterator, Arg0 const& arg0, Args const&... args) {
  auto const l = detail::layout_of_arguments(arg0, args...);
  auto const it = make_iterator(iterator);
  using L = std::remove_const_t<decltype(l)>;
  using It = std::remove_const_t<decltype(it)>;
  return Tensor<ViewEngine<It>, L>{ViewEngine<It>{it}, l};
}
/// Views a built-in array through a pointer to its first element.
template <class T, std::size_t N, class Arg0, class... Args>
COSMATI_HD constexpr auto make_tensor(T (&array)[N], Arg0 const& arg0, Args const&... args) {
  return make_tensor(&array[0], arg0, args...);
}
/// A tensor of T that owns its elements, in registers or shared memory. The elements are not initialised.
template <class T, class... Args>
requires(is_static_v<detail::layout_from<Args...>>) COSMATI_HD constexpr auto make_tensor(Args const&...) {
  using L = detail::layout_from<Args...>;
  return detail::unwritten_tensor<Tensor<ArrayEngine<T, static_cast<int>(cosize_v<L>)>, L>>();
}
template <class T, class... Args>
requires(!is_static_v<detail::layout_from<Args...>>) COSMATI_HD
    detail::owning_tensor_needs_a_static_layout<detail::layout_from<Args...>> make_tensor(Args const&... args);
/// An owning tensor with the type, the shape and the order of modes of another.
template <class T, class E, class L>
COSMATI_HD constexpr auto make_tensor_like(Tensor<E, L> const& t) {
  return make_tensor<T>(make_layout_like(t.layout()));
}
template <class E, class L>
COSMATI_HD constexpr auto make_tensor_like(Tensor<E, L> const& t) {
  return make_tensor_like<typename E::value_type>(t);
}
template <class T, class L>
requires(detail::is_layout_of<L>) COSMATI_HD constexpr auto make_tensor_like(L const& l) {
  return make_tensor<T>(make_layout_like(l));
}
/// An owning tensor for a thread's values. Mode 0 (the vector) is contiguous.
template <class T, class E, class L>
COSMATI_HD constexpr auto make_fragment_like(Tensor<E, L> const& t) {
  return make_tensor<T>(make_fragment_like(t.layout()));
}
template <class E, class L>
COSMATI_HD constexpr auto make_fragment_like(Tensor<E, L> const& t) {
  return make_fragment_like<typename E::value_type>(t);
}
template <class T, class L>
requires(detail::is_layout_of<L>) COSMATI_HD constexpr auto make_fragment_like(L const& l) {
  return make_tensor<T>(make_fragment_like(l));
}
/// The identity tensor: the element at a coordinate is that coordinate. Predicates compare these elements.
template <int_tuple S>
COSMATI_HD constexpr auto make_identity_tensor(S const& shape) {
  auto const l = make_identity_layout(shape);
  return make_tensor(make_inttuple_iter(repeat_like(shape, C<0>{})), l);
}
template <class L>
COSMATI_HD constexpr auto make_coord_tensor(L const& l) {
  return make_tensor(make_inttuple_iter(repeat_like(coshape(l), C<0>{})), l);
}
/// The tensor whose elements are its layout's offsets, in the integer type of these offsets.
template <class L>
requires(detail::is_layout_of<L>) COSMATI_HD constexpr auto make_counting_tensor(L const& l) {
  return make_tensor(counting_iterator<typename detail::index_of<L>::type>{0}, l);
}
/// @}

template <class Engine, class L>
template <class Coord, class Iterator>
COSMATI_HD constexpr auto Tensor<Engine, L>::sliced(Coord const& coord, Iterator const& first) const {
  if constexpr (requires { typename Engine::place_type; }) {
    return engine_.sliced(coord, first, layout());
  } else if constexpr (composed_layout<L>) {
    return make_tensor(first, slice(coord, layout()));
  } else {
    return make_tensor(detail::iterator_at<L>(first, crd2idx(coord, layout())), slice(coord, layout()));
  }
}

/// @name Parts and questions, answered by the layout; template arguments select a mode
/// @{
template <int... k, class E, class L>
COSMATI_HD constexpr decltype(auto) layout(Tensor<E, L> const& t) {
  if constexpr (sizeof...(k) == 0)
    return t.layout();
  else
    return layout<k...>(t.layout());
}
template <int... k, class E, class L>
COSMATI_HD constexpr decltype(auto) shape(Tensor<E, L> const& t) {
  return t.template shape<k...>();
}
template <int... k, class E, class L>
COSMATI_HD constexpr decltype(auto) stride(Tensor<E, L> const& t) {
  return t.template stride<k...>();
}
template <int... k, class E, class L>
COSMATI_HD constexpr auto size(Tensor<E, L> const& t) {
  return size<k...>(t.layout());
}
template <int... k, class E, class L>
COSMATI_HD constexpr auto rank(Tensor<E, L> const& t) {
  return rank<k...>(t.layout());
}
template <int... k, class E, class L>
COSMATI_HD constexpr auto depth(Tensor<E, L> const& t) {
  return depth<k...>(t.layout());
}
template <int... k, class E, class L>
COSMATI_HD constexpr auto cosize(Tensor<E, L> const& t) {
  return cosize<k...>(t.layout());
}
/// Mode k (, ...) of the tensor as a new tensor.
template <int... k, class T>
requires(tensor_type<T>) COSMATI_HD constexpr auto tensor(T&& t) {
  if constexpr (sizeof...(k) == 0)
    return t;
  else
    return detail::relaid(t, t.data(), layout<k...>(t.layout()));
}
/// @}

/// @name Rearranged views of the same elements
/// The result for an owning tensor is a view, so the tensor must outlive it.
/// @{
// Two overloads, not one with T&&: a function of tuples that takes T const& would match a const tensor better.
#define COSMATI_VIEW(name)                                               \
  template <class E, class L, class... X>                                \
  COSMATI_HD constexpr auto name(Tensor<E, L>& t, X const&... x) {       \
    return detail::relaid(t, t.data(), name(t.layout(), x...));          \
  }                                                                      \
  template <class E, class L, class... X>                                \
  COSMATI_HD constexpr auto name(Tensor<E, L> const& t, X const&... x) { \
    return detail::relaid(t, t.data(), name(t.layout(), x...));          \
  }
COSMATI_VIEW(flatten)
COSMATI_VIEW(coalesce)
COSMATI_VIEW(filter)
COSMATI_VIEW(filter_zeros)
COSMATI_VIEW(composition)
COSMATI_VIEW(logical_divide)
COSMATI_VIEW(zipped_divide)
COSMATI_VIEW(tiled_divide)
COSMATI_VIEW(flat_divide)
#undef COSMATI_VIEW
template <int B, int E, class T>
requires(tensor_type<T>) COSMATI_HD constexpr auto group_modes(T&& t) {
  return detail::relaid(t, t.data(), group<B, E>(t.layout()));
}
template <int B, int E, class Engine, class L>
COSMATI_HD constexpr auto take(Tensor<Engine, L>& t) {
  return detail::relaid(t, t.data(), take<B, E>(t.layout()));
}
template <int B, int E, class Engine, class L>
COSMATI_HD constexpr auto take(Tensor<Engine, L> const& t) {
  return detail::relaid(t, t.data(), take<B, E>(t.layout()));
}
template <int... k, class Engine, class L>
COSMATI_HD constexpr auto select(Tensor<Engine, L>& t) {
  return detail::relaid(t, t.data(), select<k...>(t.layout()));
}
template <int... k, class Engine, class L>
COSMATI_HD constexpr auto select(Tensor<Engine, L> const& t) {
  return detail::relaid(t, t.data(), select<k...>(t.layout()));
}
/// A view whose coordinates count from `coord`.
template <class Coord, class T>
requires(tensor_type<T>) COSMATI_HD constexpr auto domain_offset(Coord const& coord, T&& t) {
  auto const [l, offset] = domain_offset(coord, t.layout());
  return detail::relaid(t, detail::iterator_at<std::remove_cvref_t<decltype(l)>>(t.data(), offset), l);
}
/// The same memory as elements of NewT. @pre one size divides the other, and the layout allows it
template <class NewT, class T>
requires(tensor_type<T>) COSMATI_HD constexpr auto recast(T&& t) {
  using Old = typename std::remove_cvref_t<T>::value_type;
  return detail::relaid(t, recast_ptr<NewT>(t.data()),
                        recast_layout_bits<sizeof_bits_v<Old>, sizeof_bits_v<NewT>>(t.layout()));
}
/// @}

template <class E1, class L1, class E2, class L2>
COSMATI_HD constexpr auto max_common_vector(Tensor<E1, L1> const& a, Tensor<E2, L2> const& b) {
  return max_common_vector(a.layout(), b.layout());
}
template <class E1, class L1, class E2, class L2>
COSMATI_HD constexpr auto max_common_layout(Tensor<E1, L1> const& a, Tensor<E2, L2> const& b) {
  return max_common_layout(a.layout(), b.layout());
}
template <class E, class L>
COSMATI_HD constexpr auto max_alignment(Tensor<E, L> const& t) {
  return max_alignment(t.layout());
}
template <class Engine, class L>
template <class... Other>
COSMATI_HD constexpr auto Tensor<Engine, L>::compose(Other const&... other) const {
  if constexpr (sizeof...(Other) == 1)
    return make_tensor(data(), composition(layout(), other...));
  else
    return make_tensor(data(), composition(layout(), make_tile(other...)));
}
template <class Engine, class L>
template <class... Other>
COSMATI_HD constexpr auto Tensor<Engine, L>::compose(Other const&... other) {
  if constexpr (sizeof...(Other) == 1)
    return make_tensor(data(), composition(layout(), other...));
  else
    return make_tensor(data(), composition(layout(), make_tile(other...)));
}
template <class Engine, class L>
template <class... Other>
COSMATI_HD constexpr auto Tensor<Engine, L>::tile(Other const&... other) const {
  return make_tensor(data(), layout().tile(other...));
}
template <class Engine, class L>
template <class... Other>
COSMATI_HD constexpr auto Tensor<Engine, L>::tile(Other const&... other) {
  return make_tensor(data(), layout().tile(other...));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
