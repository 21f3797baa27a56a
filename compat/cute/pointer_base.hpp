// SPDX-License-Identifier: Apache-2.0
/// @file
/// Iterators: `counting_iterator`, `transform_iter`, `raw_pointer_cast`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/iterator.hpp>
#include <cute/numeric/integral_constant.hpp>
#include <cute/numeric/numeric_types.hpp>

namespace COSMATI_NAMESPACE {

/// @name What an iterator gives
/// @{
template <class T>
struct iter_reference {
  using type = iter_reference_t<T>;
};
template <class T>
struct iter_element {
  using type = iter_element_t<T>;
};
template <class T>
struct iter_value {
  using type = iter_value_t<T>;
};
template <class Iterator>
struct iterator_traits {
  using reference = iter_reference_t<Iterator>;
  using element_type = iter_element_t<Iterator>;
  using value_type = iter_value_t<Iterator>;
};
/// @}

/// A base for iterators that are another iterator but for some functions. `Derived` is made from an `Iterator`.
template <class Iterator, class Derived>
struct iter_adaptor {
  using iterator = Iterator;
  using reference = iter_reference_t<Iterator>;
  using element_type = iter_element_t<Iterator>;
  using value_type = iter_value_t<Iterator>;

  iterator ptr_;

  COSMATI_HD constexpr iter_adaptor(iterator ptr = {}) : ptr_(ptr) {}  // NOLINT(google-explicit-constructor)
  COSMATI_HD constexpr reference operator*() const { return *ptr_; }
  template <class Step>
  COSMATI_HD constexpr reference operator[](Step const& n) const {
    return ptr_[n];
  }
  template <class Step>
  COSMATI_HD constexpr Derived operator+(Step const& n) const {
    return {ptr_ + n};
  }
  COSMATI_HD constexpr iterator get() const { return ptr_; }

  friend COSMATI_HD constexpr bool operator==(Derived const& a, Derived const& b) { return a.ptr_ == b.ptr_; }
  friend COSMATI_HD constexpr bool operator<(Derived const& a, Derived const& b) { return a.ptr_ < b.ptr_; }
  friend COSMATI_HD constexpr bool operator<=(Derived const& a, Derived const& b) { return !(b < a); }
  friend COSMATI_HD constexpr bool operator>(Derived const& a, Derived const& b) { return b < a; }
  friend COSMATI_HD constexpr bool operator>=(Derived const& a, Derived const& b) { return !(a < b); }
};
template <class Iterator, class Derived>
COSMATI_HD constexpr auto raw_pointer_cast(iter_adaptor<Iterator, Derived> const& x) {
  return raw_pointer_cast(x.ptr_);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
