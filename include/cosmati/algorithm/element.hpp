// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions of single elements, and loops over elements, for the algorithms that compute.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/counting.hpp>
#include <cosmati/algorithm/refused_calls.hpp>
#include <cosmati/core/tuple/transform.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The number of elements if it is static, otherwise -1. It is an int unless it is too large for one.
template <class T>
inline constexpr auto elements_of = [] {
  using N = decltype(size(std::declval<T const&>()));
  if constexpr (static_integer<N>)
    return narrowest<static_cast<std::int64_t>(N::value)>;
  else
    return -1;
}();

/// Whether the type stores its elements in memory at addresses.
template <class T>
inline constexpr bool has_addresses = requires(T const& t) {
  static_cast<void const volatile*>(raw_pointer_cast(t.data()));
};
/// Whether one load or store instruction moves an element.
template <class T>
inline constexpr bool is_one_access = [] {
  constexpr int bits = static_cast<int>(sizeof_bits_v<typename T::value_type>);
  return has_addresses<T> && is_memory<T> && is_bits_of_one_access(bits);
}();

#if defined(COSMATI_SIMULATED)
template <class T, class Index>
auto load_reported(T const& t, Index i) {
  note_vector<static_cast<int>(sizeof(typename T::value_type)), access_kind::load>(t, i);
  unseen_scope const unseen;
  return static_cast<typename T::value_type>(t(i));
}
template <class T, class Index, class X>
void store_reported(T& t, Index i, X const& x) {
  note_vector<static_cast<int>(sizeof(typename T::value_type)), access_kind::store>(t, i);
  unseen_scope const unseen;
  t(i) = static_cast<typename T::value_type>(x);
}
#endif

/// Element i (colexicographic) by value. The load is reported to the simulated device.
template <class T, class Index>
COSMATI_HD constexpr auto load_element(T const& t, Index i) {
#if defined(COSMATI_SIMULATED)
  if constexpr (is_one_access<T>) {
    if (!__builtin_is_constant_evaluated()) return load_reported(t, i);
  }
#endif
  if constexpr (std::is_convertible_v<decltype(t(i)), typename T::value_type>)
    return static_cast<typename T::value_type>(t(i));
  else
    return t(i);
}
/// Sets the element to x, converted to its type.
template <class T, class Index, class X>
COSMATI_HD constexpr void store_element(T& t, Index i, X const& x) {
#if defined(COSMATI_SIMULATED)
  if constexpr (is_one_access<T>) {
    if (!__builtin_is_constant_evaluated()) return store_reported(t, i, x);
  }
#endif
  t(i) = static_cast<typename T::value_type>(x);
}
/// Stores the result of `f` for these elements.
COSMATI_ANY_FUNCTION
template <class T, class Index, class F, class... X>
COSMATI_HD constexpr void store_computed(T& t, Index i, F& f, X const&... x) {
  store_element(t, i, as_written_as(static_cast<typename T::value_type>(f(x...)), x...));
}

/// Calls f(i) for every element index of t.
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr void for_each_index(T const& t, F const& f) {
  constexpr auto n = elements_of<T>;
  if constexpr (n >= 0 && n <= 256) {
    COSMATI_UNROLL
    for (int i = 0; i < n; ++i) f(i);
  } else if constexpr (n >= 0) {
    COSMATI_NO_UNROLL
    for (auto i = n - n; i < n; ++i) f(i);
  } else {
    count_up(size(t), 0, 1, f);
  }
}

template <auto first, auto second>
struct tensors_have_different_sizes {
  static_assert(first == second,
                "the tensors have different numbers of elements (tensors_have_different_sizes<FIRST, SECOND>); slice "
                "one of them so that both have as many");
  static constexpr bool ok = first == second;
};
template <class Element>
struct tensor_is_read_only {
  static_assert(!std::is_const_v<Element>,
                "the tensor that is written has const elements; make it from a pointer to non-const");
  static constexpr bool ok = !std::is_const_v<Element>;
};

/// Checks that both tensors have the same number of elements, at compile time if it is known, otherwise at run time.
template <class A, class B>
COSMATI_HD constexpr bool as_many_elements([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
  if constexpr (elements_of<A> >= 0 && elements_of<B> >= 0) {
    return tensors_have_different_sizes<elements_of<A>, elements_of<B>>::ok;
  } else {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
    if (!__builtin_is_constant_evaluated() &&
        static_cast<std::int64_t>(size(a)) != static_cast<std::int64_t>(size(b))) {
      fail("the tensors have %lld and %lld elements; slice one of them so that both have as many",
           static_cast<long long>(size(a)), static_cast<long long>(size(b)));
    }
#endif
    return true;
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
