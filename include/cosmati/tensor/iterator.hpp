// SPDX-License-Identifier: Apache-2.0
/// @file
/// The requirements of a tensor on its iterator (dereference, and a step by an integer), and iterators without memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integral_constant.hpp>
#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/core/tree_of_type.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace COSMATI_NAMESPACE {

/// @name The types of an iterator
/// They come from the iterator's members, or from the type of `*i`, so that a raw pointer is an iterator too.
/// @{
namespace detail {
template <class Iterator>
struct iterator_types {
  using reference = decltype(*std::declval<Iterator const&>());
  using element_type = std::remove_reference_t<reference>;
  using value_type = std::remove_cv_t<element_type>;
};
template <class Iterator>
requires requires {
  typename Iterator::reference;
  typename Iterator::element_type;
  typename Iterator::value_type;
}
struct iterator_types<Iterator> {
  using reference = typename Iterator::reference;
  using element_type = typename Iterator::element_type;
  using value_type = typename Iterator::value_type;
};
}  // namespace detail

/// The type of `*i`: `T&`, a `subbyte_reference<T>`, or a value.
template <class Iterator>
using iter_reference_t = typename detail::iterator_types<std::remove_cvref_t<Iterator>>::reference;
/// The type of the element, `const` if it cannot be written.
template <class Iterator>
using iter_element_t = typename detail::iterator_types<std::remove_cvref_t<Iterator>>::element_type;
/// The type of the element without `const`, in which a variable can hold one.
template <class Iterator>
using iter_value_t = typename detail::iterator_types<std::remove_cvref_t<Iterator>>::value_type;

/// Whether `*i` is valid.
template <class T>
concept dereferenceable = requires(T const& i) {
  *i;
};
template <class T>
struct has_dereference : bool_constant<dereferenceable<T>> {};
/// @}

namespace detail {
constexpr std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    std::int64_t const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
}  // namespace detail

/// The largest number of bits that divides every address of an iterator of type P. It is the alignment of the element,
/// more with a promise (`assume_aligned`), fewer than 8 for packed elements, and 0 without memory.
template <class P>
inline constexpr int pointer_alignment_bits_v = 0;
template <class T>
inline constexpr int pointer_alignment_bits_v<T*> = 8 * static_cast<int>(alignof(T));
template <>
inline constexpr int pointer_alignment_bits_v<void*> = 8;
template <>
inline constexpr int pointer_alignment_bits_v<void const*> = 8;
template <class P>
inline constexpr int pointer_alignment_bits_v<P const> = pointer_alignment_bits_v<P>;

/// The alignment of a pointer in whole bytes, on which a vectorised copy may rely. 0 means less than a byte.
template <class P>
inline constexpr int pointer_alignment_v = pointer_alignment_bits_v<std::remove_cvref_t<P>> / 8;

/// @name Iterators without memory
/// @{

/// Counts: `*(i + n)` is the start plus n.
template <class T = int>
struct counting_iterator {
  using value_type = T;
  using element_type = T const;
  using reference = T;
  using difference_type = std::ptrdiff_t;

  T n_;

  COSMATI_HD constexpr counting_iterator(T n = 0) : n_(n) {}  // NOLINT(google-explicit-constructor): as a number
  COSMATI_HD constexpr T operator*() const { return n_; }
  template <integer Step>
  COSMATI_HD constexpr T operator[](Step i) const {
    return static_cast<T>(n_ + i);
  }
  template <integer Step>
  COSMATI_HD constexpr counting_iterator operator+(Step i) const {
    return {static_cast<T>(n_ + i)};
  }
  COSMATI_HD constexpr counting_iterator& operator++() {
    ++n_;
    return *this;
  }
  COSMATI_HD constexpr difference_type operator-(counting_iterator other) const {
    return static_cast<difference_type>(n_) - static_cast<difference_type>(other.n_);
  }
  COSMATI_HD constexpr bool operator==(counting_iterator const& other) const { return n_ == other.n_; }
  COSMATI_HD constexpr bool operator<(counting_iterator const& other) const { return n_ < other.n_; }
};
template <class T>
counting_iterator(T) -> counting_iterator<T>;

/// Gives the same value at every offset.
template <class T>
struct constant_iterator {
  using value_type = T;
  using element_type = T const;
  using reference = T const&;

  T value_;

  COSMATI_HD constexpr T const& operator*() const { return value_; }
  template <integer Step>
  COSMATI_HD constexpr T const& operator[](Step) const {
    return value_;
  }
  template <integer Step>
  COSMATI_HD constexpr constant_iterator operator+(Step) const {
    return *this;
  }
  COSMATI_HD constexpr bool operator==(constant_iterator const& other) const { return value_ == other.value_; }
};
template <class T>
constant_iterator(T) -> constant_iterator<T>;
template <class T>
COSMATI_HD constexpr constant_iterator<T> make_constant_iter(T const& value) {
  return {value};
}

/// Applies f to the values of another iterator. It steps by anything that the other steps by: an integer, or a
/// coordinate if the other counts coordinates.
template <class F, class Iterator>
struct transform_iter {
  using reference = decltype(std::declval<F const&>()(*std::declval<Iterator const&>()));
  using element_type = std::remove_reference_t<reference>;
  using value_type = std::remove_cv_t<element_type>;

  F fn_;
  Iterator ptr_;

  COSMATI_HD constexpr Iterator get() const { return ptr_; }
  COSMATI_HD constexpr decltype(auto) operator*() const { return fn_(*ptr_); }
  template <class Step>
  requires requires(Iterator const& p, Step const& n) { p + n; }
  COSMATI_HD constexpr decltype(auto) operator[](Step const& n) const { return fn_(*(ptr_ + n)); }
  template <class Step>
  requires requires(Iterator const& p, Step const& n) { p + n; }
  COSMATI_HD constexpr auto operator+(Step const& n) const {
    using To = decltype(ptr_ + n);
    return transform_iter<F, To>{fn_, ptr_ + n};
  }
  COSMATI_HD constexpr bool operator==(transform_iter const& other) const { return ptr_ == other.ptr_; }
  COSMATI_HD constexpr auto operator-(transform_iter const& other) const { return ptr_ - other.ptr_; }
};
template <class F, class Iterator>
using transform_iterator = transform_iter<F, Iterator>;
template <class F, class Iterator>
COSMATI_HD constexpr transform_iter<F, Iterator> make_transform_iter(F const& fn, Iterator const& ptr) {
  return {fn, ptr};
}
/// @}

namespace detail {
/// Every stride is known to be 0.
template <class Stride>
inline constexpr bool strides_are_zero = [] {
  bool zero = is_simple<Stride>;
  for (int i = 0; i < tree_of<Stride>.leaves; ++i) zero = zero && tree_of<Stride>.shape[i] == 0;
  return zero;
}();
template <class L>
struct strides_in {
  using type = std::remove_cvref_t<decltype(std::declval<L const&>().stride())>;
};
template <class L>
requires requires { typename L::type; }
struct strides_in<L> : strides_in<typename L::type> {};
template <class L>
using strides_of = typename strides_in<L>::type;
/// The iterator of the element at `offset` of a layout L. One whose steps are tuples, as an identity tensor's are,
/// takes no integer; an integer is the offset where all strides are 0, and there the iterator stays.
/// @tparam L a layout, or what has one as its `type`
template <class L, class Iterator, class Offset>
COSMATI_HD constexpr auto iterator_at(Iterator const& first, Offset const& offset) {
  if constexpr (requires { first + offset; }) {
    return first + offset;
  } else {
    static_assert(strides_are_zero<strides_of<L>>,
                  "a tensor of coordinates needs strides with a basis, such as E<0>{}; make it with "
                  "make_identity_tensor, or tile one that is");
    return first;
  }
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
