// SPDX-License-Identifier: Apache-2.0
/// @file
/// `array<T, N>`: N elements, as in `std::array`, for host and device code. It is also a tuple of N elements.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>

namespace COSMATI_NAMESPACE {

/// An aggregate: `array<int, 3> a{1, 2, 3};`.
template <class T, std::size_t N>
struct array {
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = element_type&;
  using const_reference = element_type const&;
  using pointer = element_type*;
  using const_pointer = element_type const*;
  using iterator = pointer;
  using const_iterator = const_pointer;

  element_type elements[N];

  COSMATI_HD constexpr reference operator[](size_type i) { return elements[i]; }
  COSMATI_HD constexpr const_reference operator[](size_type i) const { return elements[i]; }
  COSMATI_HD constexpr reference front() { return elements[0]; }
  COSMATI_HD constexpr const_reference front() const { return elements[0]; }
  COSMATI_HD constexpr reference back() { return elements[N - 1]; }
  COSMATI_HD constexpr const_reference back() const { return elements[N - 1]; }
  COSMATI_HD constexpr pointer data() { return elements; }
  COSMATI_HD constexpr const_pointer data() const { return elements; }
  COSMATI_HD constexpr iterator begin() { return elements; }
  COSMATI_HD constexpr const_iterator begin() const { return elements; }
  COSMATI_HD constexpr const_iterator cbegin() const { return elements; }
  COSMATI_HD constexpr iterator end() { return elements + N; }
  COSMATI_HD constexpr const_iterator end() const { return elements + N; }
  COSMATI_HD constexpr const_iterator cend() const { return elements + N; }
  COSMATI_HD static constexpr bool empty() { return false; }
  COSMATI_HD static constexpr size_type size() { return N; }
  COSMATI_HD static constexpr size_type max_size() { return N; }

  COSMATI_HD constexpr void fill(value_type const& x) {
    COSMATI_UNROLL
    for (size_type i = 0; i < N; ++i) elements[i] = x;
  }
  /// Sets every element to T(0).
  COSMATI_HD constexpr void clear() { fill(value_type(0)); }
  COSMATI_HD constexpr void swap(array& other) {
    COSMATI_UNROLL
    for (size_type i = 0; i < N; ++i) {
      value_type const x = elements[i];
      elements[i] = other.elements[i];
      other.elements[i] = x;
    }
  }
};

/// The array without elements.
template <class T>
struct array<T, 0> {
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = element_type&;
  using const_reference = element_type const&;
  using pointer = element_type*;
  using const_pointer = element_type const*;
  using iterator = pointer;
  using const_iterator = const_pointer;

  COSMATI_HD constexpr pointer data() { return nullptr; }
  COSMATI_HD constexpr const_pointer data() const { return nullptr; }
  COSMATI_HD constexpr iterator begin() { return nullptr; }
  COSMATI_HD constexpr const_iterator begin() const { return nullptr; }
  COSMATI_HD constexpr const_iterator cbegin() const { return nullptr; }
  COSMATI_HD constexpr iterator end() { return nullptr; }
  COSMATI_HD constexpr const_iterator end() const { return nullptr; }
  COSMATI_HD constexpr const_iterator cend() const { return nullptr; }
  COSMATI_HD static constexpr bool empty() { return true; }
  COSMATI_HD static constexpr size_type size() { return 0; }
  COSMATI_HD static constexpr size_type max_size() { return 0; }
  COSMATI_HD constexpr void fill(value_type const&) {}
  COSMATI_HD constexpr void clear() {}
  COSMATI_HD constexpr void swap(array&) {}
};

template <class T, std::size_t N>
COSMATI_HD constexpr bool operator==(array<T, N> const& a, array<T, N> const& b) {
  bool equal = true;
  if constexpr (N != 0) {
    COSMATI_UNROLL
    for (std::size_t i = 0; i < N; ++i) equal = equal && a[i] == b[i];
  }
  return equal;
}

template <class T, std::size_t N>
COSMATI_HD constexpr void fill(array<T, N>& a, T const& x) {
  a.fill(x);
}
template <class T, std::size_t N>
COSMATI_HD constexpr void clear(array<T, N>& a) {
  a.clear();
}
template <class T, std::size_t N>
COSMATI_HD constexpr void swap(array<T, N>& a, array<T, N>& b) {
  a.swap(b);
}
/// A new array with the elements in reverse order.
template <class T, std::size_t N>
COSMATI_HD constexpr array<T, N> reverse(array<T, N> const& a) {
  array<T, N> r = a;
  if constexpr (N != 0) {
    COSMATI_UNROLL
    for (std::size_t i = 0; i < N; ++i) r[i] = a[N - 1 - i];
  }
  return r;
}

/// @name As a tuple
/// @{
namespace detail {
template <class T, std::size_t N>
inline constexpr bool is_tuple_of<array<T, N>> = true;
}  // namespace detail
template <class T, std::size_t N>
inline constexpr int tuple_size_v<array<T, N>> = N;
template <std::size_t i, class T, std::size_t N>
struct tuple_element<i, array<T, N>> {
  using type = T;
};
template <std::size_t i, class T, std::size_t N>
COSMATI_HD constexpr T& get(array<T, N>& a) {
  static_assert(i < N, "get<i>: the array has fewer elements than i + 1");
  return a[i];
}
template <std::size_t i, class T, std::size_t N>
COSMATI_HD constexpr T const& get(array<T, N> const& a) {
  static_assert(i < N, "get<i>: the array has fewer elements than i + 1");
  return a[i];
}
template <std::size_t i, class T, std::size_t N>
COSMATI_HD constexpr T get(array<T, N>&& a) {
  static_assert(i < N, "get<i>: the array has fewer elements than i + 1");
  return a[i];
}
/// @}

/// An `array` aligned to `alignment` bytes, as accesses of 16 bytes need it.
template <class T, std::size_t N, std::size_t alignment = 16>
struct alignas(alignment) array_aligned : array<T, N> {};
namespace detail {
template <class T, std::size_t N, std::size_t alignment>
inline constexpr bool is_tuple_of<array_aligned<T, N, alignment>> = true;
}
template <class T, std::size_t N, std::size_t alignment>
inline constexpr int tuple_size_v<array_aligned<T, N, alignment>> = static_cast<int>(N);
template <std::size_t i, class T, std::size_t N, std::size_t alignment>
struct tuple_element<i, array_aligned<T, N, alignment>> : tuple_element<i, array<T, N>> {};

}  // namespace COSMATI_NAMESPACE

// Structured bindings.
template <class T, std::size_t N>
struct std::tuple_size<COSMATI_NAMESPACE::array<T, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t i, class T, std::size_t N>
struct std::tuple_element<i, COSMATI_NAMESPACE::array<T, N>> {
  using type = T;
};
template <class T, std::size_t N, std::size_t alignment>
struct std::tuple_size<COSMATI_NAMESPACE::array_aligned<T, N, alignment>> : std::integral_constant<std::size_t, N> {};
template <std::size_t i, class T, std::size_t N, std::size_t alignment>
struct std::tuple_element<i, COSMATI_NAMESPACE::array_aligned<T, N, alignment>> {
  using type = T;
};

#include <cosmati/core/macros_end.hpp>
