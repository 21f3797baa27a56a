// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions over the elements of a tuple: `apply`, `for_each`, `transform`, `find_if`, `any_of`, ...
///
/// Anything that is not a tuple is its own only element. No function recurses over elements; packs and folds over
/// `seq<i...>` visit them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integer_sequence.hpp>

// A function of the caller may be host-only. nvcc then warns of each call from a host-device function, even if no
// device code makes that call.
#if defined(__CUDACC__)
/// Stands before a host-device template that calls a function of the caller. It keeps nvcc from asking whether both
/// sides have that function.
#define COSMATI_ANY_FUNCTION _Pragma("nv_exec_check_disable")
#else
#define COSMATI_ANY_FUNCTION
#endif

namespace COSMATI_NAMESPACE {

namespace detail {
/// `make_tuple` as a function object.
struct make_tuple_fn {
  template <class... T>
  COSMATI_HD constexpr auto operator()(T const&... t) const {
    return make_tuple(t...);
  }
};

template <class... T>
inline constexpr bool same_sizes = true;
template <class A, class... T>
inline constexpr bool same_sizes<A, T...> = ((tuple_type<T> && tuple_size_v<A> == tuple_size_v<T>)&&...);

/// The name that the error shows for a function over several tuples of different sizes.
template <int... sizes>
struct tuples_differ_in_size {
  static_assert(sizeof...(sizes) == 0,
                "the tuples of this call must have as many elements as the first; the sizes are "
                "the arguments of tuples_differ_in_size");
};

/// Whether T is a tuple of another library, above all `std::tuple`.
template <class T>
concept standard_tuple = !tuple_type<T> && requires {
  std::tuple_size<std::decay_t<T>>::value;
};

COSMATI_ANY_FUNCTION
template <class T, class F, int... i>
COSMATI_HD constexpr auto apply_at(T&& t, F&& f, seq<i...>) {
  return f(get<i>(static_cast<T&&>(t))...);
}
COSMATI_ANY_FUNCTION
template <class T, class F, class G, int... i>
COSMATI_HD constexpr auto transform_apply_at(T&& t, F&& f, G&& g, seq<i...>) {
  return g(f(get<i>(static_cast<T&&>(t)))...);
}
COSMATI_ANY_FUNCTION
template <class T, class U, class F, class G, int... i>
COSMATI_HD constexpr auto transform_apply_at(T&& t, U&& u, F&& f, G&& g, seq<i...>) {
  return g(f(get<i>(static_cast<T&&>(t)), get<i>(static_cast<U&&>(u)))...);
}
COSMATI_ANY_FUNCTION
template <class T, class U, class V, class F, class G, int... i>
COSMATI_HD constexpr auto transform_apply_at(T&& t, U&& u, V&& v, F&& f, G&& g, seq<i...>) {
  return g(f(get<i>(static_cast<T&&>(t)), get<i>(static_cast<U&&>(u)), get<i>(static_cast<V&&>(v)))...);
}
COSMATI_ANY_FUNCTION
template <class T, class F, int... i>
COSMATI_HD constexpr void for_each_at(T&& t, F&& f, seq<i...>) {
  (static_cast<void>(f(get<i>(static_cast<T&&>(t)))), ...);
}
}  // namespace detail

/// Calls f(t0, t1, ...).
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto apply(T&& t, F&& f) {
  if constexpr (detail::standard_tuple<T>)
    return detail::apply_at(static_cast<T&&>(t), f,
                            make_seq<static_cast<int>(std::tuple_size<std::decay_t<T>>::value)>{});
  else if constexpr (tuple_type<T>)
    return detail::apply_at(static_cast<T&&>(t), f, tuple_seq<T>{});
  else
    return f(static_cast<T&&>(t));
}

/// @name g(f(t0), f(t1), ...) over one to three tuples
/// @{
COSMATI_ANY_FUNCTION
template <class T, class F, class G>
COSMATI_HD constexpr auto transform_apply(T&& t, F&& f, G&& g) {
  if constexpr (tuple_type<T>)
    return detail::transform_apply_at(static_cast<T&&>(t), f, g, tuple_seq<T>{});
  else
    return g(f(static_cast<T&&>(t)));
}
COSMATI_ANY_FUNCTION
template <class T, class U, class F, class G>
COSMATI_HD constexpr auto transform_apply(T&& t, U&& u, F&& f, G&& g) {
  if constexpr (!tuple_type<T>)
    return g(f(static_cast<T&&>(t), static_cast<U&&>(u)));
  else if constexpr (!detail::same_sizes<T, U>)
    return detail::tuples_differ_in_size<tuple_size_v<T>, tuple_size_v<U>>{};
  else
    return detail::transform_apply_at(static_cast<T&&>(t), static_cast<U&&>(u), f, g, tuple_seq<T>{});
}
COSMATI_ANY_FUNCTION
template <class T, class U, class V, class F, class G>
COSMATI_HD constexpr auto transform_apply(T&& t, U&& u, V&& v, F&& f, G&& g) {
  if constexpr (!tuple_type<T>) {
    return g(f(static_cast<T&&>(t), static_cast<U&&>(u), static_cast<V&&>(v)));
  } else if constexpr (!detail::same_sizes<T, U, V>) {
    return detail::tuples_differ_in_size<tuple_size_v<T>, tuple_size_v<U>, tuple_size_v<V>>{};
  } else {
    return detail::transform_apply_at(static_cast<T&&>(t), static_cast<U&&>(u), static_cast<V&&>(v), f, g,
                                      tuple_seq<T>{});
  }
}
/// @}

/// Calls f(t0); f(t1); ...
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr void for_each(T&& t, F&& f) {
  if constexpr (tuple_type<T>)
    detail::for_each_at(static_cast<T&&>(t), f, tuple_seq<T>{});
  else
    static_cast<void>(f(static_cast<T&&>(t)));
}

namespace detail {
template <class F>
struct for_each_leaf_fn;
template <class F>
struct transform_leaf_fn;
}  // namespace detail

/// Calls f for each leaf, in order.
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr void for_each_leaf(T&& t, F&& f) {
  if constexpr (tuple_type<T>) {
    detail::for_each_at(static_cast<T&&>(t), detail::for_each_leaf_fn<std::remove_reference_t<F>>{f}, tuple_seq<T>{});
  } else {
    static_cast<void>(f(static_cast<T&&>(t)));
  }
}

/// @name (f(t0), f(t1), ...) over one to three tuples
/// @{
COSMATI_ANY_FUNCTION
template <class T, class F, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto transform(T const& t, F&& f) {
  if constexpr (tuple_type<T>)
    return detail::transform_apply_at(t, f, detail::make_tuple_fn{}, tuple_seq<T>{});
  else
    return f(t);
}
COSMATI_ANY_FUNCTION
template <class T, class U, class F, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto transform(T const& t, U const& u, F&& f) {
  if constexpr (!tuple_type<T>)
    return f(t, u);
  else if constexpr (!detail::same_sizes<T, U>)
    return detail::tuples_differ_in_size<tuple_size_v<T>, tuple_size_v<U>>{};
  else
    return detail::transform_apply_at(t, u, f, detail::make_tuple_fn{}, tuple_seq<T>{});
}
COSMATI_ANY_FUNCTION
template <class T, class U, class V, class F, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto transform(T const& t, U const& u, V const& v, F&& f) {
  if constexpr (!tuple_type<T>) {
    return f(t, u, v);
  } else if constexpr (!detail::same_sizes<T, U, V>) {
    return detail::tuples_differ_in_size<tuple_size_v<T>, tuple_size_v<U>, tuple_size_v<V>>{};
  } else {
    return detail::transform_apply_at(t, u, v, f, detail::make_tuple_fn{}, tuple_seq<T>{});
  }
}
/// @}

/// @name f of each leaf, nested as t; the second overload takes two tuples
/// @{
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto transform_leaf(T const& t, F&& f) {
  if constexpr (tuple_type<T>)
    return transform(t, detail::transform_leaf_fn<std::remove_reference_t<F>>{f});
  else
    return f(t);
}
COSMATI_ANY_FUNCTION
template <class T, class U, class F>
COSMATI_HD constexpr auto transform_leaf(T const& t, U const& u, F&& f) {
  if constexpr (tuple_type<T>)
    return transform(t, u, detail::transform_leaf_fn<std::remove_reference_t<F>>{f});
  else
    return f(t, u);
}
/// @}

namespace detail {
template <class F>
struct for_each_leaf_fn {
  F& f;
  template <class T>
  COSMATI_HD constexpr void operator()(T&& t) const {
    for_each_leaf(static_cast<T&&>(t), f);
  }
};
template <class F>
struct transform_leaf_fn {
  F& f;
  template <class... T>
  COSMATI_HD constexpr auto operator()(T const&... t) const {
    return transform_leaf(t..., f);
  }
};

template <bool... answers>
constexpr int first_true() {
  bool const answer[] = {answers..., true};
  int i = 0;
  while (!answer[i]) ++i;
  return i;
}
template <bool... answers>
inline constexpr int first_true_v = first_true<answers...>();

struct first_true_fn {
  template <class... A>
  COSMATI_HD constexpr auto operator()(A...) const {
    return C<first_true_v<static_cast<bool>(A::value)...>>{};
  }
};
struct any_fn {
  template <class... A>
  COSMATI_HD constexpr auto operator()(A... a) const {
    return (C<false>{} || ... || a);
  }
};
struct all_fn {
  template <class... A>
  COSMATI_HD constexpr auto operator()(A... a) const {
    return (C<true>{} && ... && a);
  }
};
template <class X>
struct equals_fn {
  X const& x;
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& t) const {
    return t == x;
  }
};
}  // namespace detail

/// @name Search
/// @{
/// The index, as a static integer, of the first element for which f is statically true. It is the size if there is
/// none.
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto find_if(T const& t, F&& f) {
  return transform_apply(t, f, detail::first_true_fn{});
}
/// The index of the first element that is statically equal to x.
template <class T, class X>
COSMATI_HD constexpr auto find(T const& t, X const& x) {
  return transform_apply(t, detail::equals_fn<X>{x}, detail::first_true_fn{});
}
/// Whether f is true of any element. The result is static if every answer of f is, or if one static answer decides.
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto any_of(T const& t, F&& f) {
  return transform_apply(t, f, detail::any_fn{});
}
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto all_of(T const& t, F&& f) {
  return transform_apply(t, f, detail::all_fn{});
}
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto none_of(T const& t, F&& f) {
  return !transform_apply(t, f, detail::any_fn{});
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
