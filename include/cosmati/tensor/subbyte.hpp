// SPDX-License-Identifier: Apache-2.0
/// @file
/// Elements of fewer than 8 bits, packed without gaps: iterator, reference, array.
///
/// Element i of width w occupies the bits [i w, i w + w) of the memory, counted from the lowest bit of the first byte.
/// A write reads the byte, changes the element's bits and writes the byte back. It keeps the neighbours' bits but is
/// not atomic: **two threads must not write elements of one byte** without a barrier between them. Copies move whole
/// bytes wherever a layout allows it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/core/array.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/tensor/iterator.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Conversions of a sub-byte number to and from its bits, which are the low bits of its only member.
template <class T>
COSMATI_HD constexpr std::uint8_t packed_bits_of(T const& x) {
  return static_cast<std::uint8_t>(x.storage & ((1 << sizeof_bits_v<T>)-1));
}
template <class T>
COSMATI_HD constexpr T number_of(unsigned bits) {
  T x{};
  x.storage = static_cast<decltype(x.storage)>(bits & ((1u << sizeof_bits_v<T>)-1));
  return x;
}

/// The element of `T` whose lowest bit is bit `shift` (0 to 7) of byte[0].
template <class T>
COSMATI_HD constexpr T load_bits(std::uint8_t const* byte, int shift) {
  constexpr int width = sizeof_bits_v<T>;
  unsigned word = byte[0];
  if constexpr (8 % width != 0) {
    if (shift + width > 8) word |= static_cast<unsigned>(byte[1]) << 8;
  }
  return number_of<T>(word >> shift);
}
template <class T>
COSMATI_HD constexpr void store_bits(std::uint8_t* byte, int shift, T const& x) {
  constexpr int width = sizeof_bits_v<T>;
  unsigned const mask = ((1u << width) - 1) << shift;
  unsigned const bits = static_cast<unsigned>(packed_bits_of(x)) << shift;
  byte[0] = static_cast<std::uint8_t>((byte[0] & ~mask) | bits);
  if constexpr (8 % width != 0) {
    if (shift + width > 8) byte[1] = static_cast<std::uint8_t>((byte[1] & ~(mask >> 8)) | (bits >> 8));
  }
}
}  // namespace detail

/// A reference to a packed element, which can be assigned to. It reads as a `T`. `int(T(r))` or `int(r.get())` gives
/// its number.
template <class T>
struct subbyte_reference {
  static_assert(is_subbyte_v<T> && sizeof_bits_v<T> < 8 && !std::is_const_v<T>,
                "subbyte_reference<T>: T must be a type of fewer than 8 bits, not const");
  using value_type = T;
  using element_type = T;

  std::uint8_t* byte_;
  int shift_;  ///< the bit of byte_[0] at which the element begins

  COSMATI_HD constexpr subbyte_reference(std::uint8_t* byte, int shift) : byte_(byte), shift_(shift) {}
  constexpr subbyte_reference(subbyte_reference const&) = default;

  COSMATI_HD constexpr T get() const { return detail::load_bits<T>(byte_, shift_); }
  COSMATI_HD constexpr operator T() const { return get(); }  // NOLINT(google-explicit-constructor): stands for a T&

  /// A single bit is a truth value too.
  template <std::same_as<bool> U>
  requires(sizeof_bits_v<T> == 1) COSMATI_HD constexpr operator U() const {  // NOLINT(google-explicit-constructor)
    return detail::packed_bits_of(get()) != 0;
  }

  /// Writes the element through the reference, as an assignment to a `T&` does.
  COSMATI_HD constexpr subbyte_reference const& operator=(T const& x) const {
    detail::store_bits(byte_, shift_, x);
    return *this;
  }
  COSMATI_HD constexpr subbyte_reference const&
  operator=(  // NOLINT(bugprone-unhandled-self-assignment): writes what it reads
      subbyte_reference const& other) const {
    return *this = other.get();
  }
  template <class U>
  COSMATI_HD constexpr subbyte_reference const& operator+=(U const& x) const {
    return *this = static_cast<T>(get() + x);
  }
  template <class U>
  COSMATI_HD constexpr subbyte_reference const& operator-=(U const& x) const {
    return *this = static_cast<T>(get() - x);
  }
  template <class U>
  COSMATI_HD constexpr subbyte_reference const& operator*=(U const& x) const {
    return *this = static_cast<T>(get() * x);
  }

  friend COSMATI_HD constexpr bool operator==(subbyte_reference a, subbyte_reference b) { return a.get() == b.get(); }
  friend COSMATI_HD constexpr bool operator==(subbyte_reference a, T const& b) { return a.get() == b; }
  friend COSMATI_HD constexpr void swap(subbyte_reference a, subbyte_reference b) {
    T const x = a.get();
    a = b.get();
    b = x;
  }
};

/// An iterator over packed elements of `T`, which have 1 to 7 bits. With `T const` it only reads. Distances are 64 bits
/// wide.
template <class T>
struct subbyte_iterator {
  static_assert(is_subbyte_v<T> && sizeof_bits_v<T> < 8, "subbyte_iterator<T>: T must be a type of fewer than 8 bits");
  using value_type = std::remove_cv_t<T>;
  using element_type = T;
  using reference = std::conditional_t<std::is_const_v<T>, value_type, subbyte_reference<value_type>>;
  using difference_type = std::int64_t;
  using storage_type = std::conditional_t<std::is_const_v<T>, std::uint8_t const, std::uint8_t>;
  static constexpr int width = sizeof_bits_v<T>;

  storage_type* byte_;
  int shift_;  ///< the bit of byte_[0] at which the element begins: 0 to 7

  subbyte_iterator() = default;
  /// The element that begins at bit `shift` (0 to 7) of *byte.
  COSMATI_HD constexpr explicit subbyte_iterator(storage_type* byte, int shift = 0) : byte_(byte), shift_(shift) {}
  /// The first of the elements packed at an address. The address may be an `int4_t*`, whose pointee only names packed
  /// memory.
  template <class U>
  requires(std::is_same_v<std::remove_cv_t<U>, value_type> || std::is_void_v<U>) COSMATI_HD
      explicit subbyte_iterator(U* p)
      : byte_(reinterpret_cast<storage_type*>(p)), shift_(0) {}
  /// Converts an iterator that may write to one that only reads.
  template <class U>
  requires(std::is_same_v<T, U const>) COSMATI_HD
      constexpr subbyte_iterator(subbyte_iterator<U> const& p)  // NOLINT(google-explicit-constructor)
      : byte_(p.byte_), shift_(p.shift_) {}

  COSMATI_HD constexpr reference operator*() const {
    if constexpr (std::is_const_v<T>)
      return detail::load_bits<value_type>(byte_, shift_);
    else
      return reference(byte_, shift_);
  }
  template <integer Step>
  COSMATI_HD constexpr reference operator[](Step i) const {
    return *(*this + i);
  }

  template <integer Step>
  COSMATI_HD constexpr subbyte_iterator operator+(Step i) const {
    // An arithmetic shift and a mask are right for negative distances too.
    std::int64_t const bit = static_cast<std::int64_t>(detail::plain_integer(i)) * width + shift_;
    return subbyte_iterator(byte_ + (bit >> 3), static_cast<int>(bit & 7));
  }
  template <integer Step>
  COSMATI_HD constexpr subbyte_iterator operator-(Step i) const {
    return *this + -static_cast<std::int64_t>(detail::plain_integer(i));
  }
  template <integer Step>
  friend COSMATI_HD constexpr subbyte_iterator operator+(Step i, subbyte_iterator p) {
    return p + i;
  }
  template <integer Step>
  COSMATI_HD constexpr subbyte_iterator& operator+=(Step i) {
    return *this = *this + i;
  }
  template <integer Step>
  COSMATI_HD constexpr subbyte_iterator& operator-=(Step i) {
    return *this = *this - i;
  }
  COSMATI_HD constexpr subbyte_iterator& operator++() { return *this = *this + 1; }
  COSMATI_HD constexpr subbyte_iterator& operator--() { return *this = *this - 1; }
  COSMATI_HD constexpr subbyte_iterator operator++(int) {
    subbyte_iterator const before = *this;
    ++*this;
    return before;
  }
  COSMATI_HD constexpr subbyte_iterator operator--(int) {
    subbyte_iterator const before = *this;
    --*this;
    return before;
  }

  /// The distance in elements. Both iterators must count from a common first element.
  friend COSMATI_HD constexpr difference_type operator-(subbyte_iterator a, subbyte_iterator b) {
    return (static_cast<difference_type>(a.byte_ - b.byte_) * 8 + (a.shift_ - b.shift_)) / width;
  }
  friend COSMATI_HD constexpr bool operator==(subbyte_iterator a, subbyte_iterator b) {
    return a.byte_ == b.byte_ && a.shift_ == b.shift_;
  }
  friend COSMATI_HD constexpr bool operator<(subbyte_iterator a, subbyte_iterator b) {
    return a.byte_ < b.byte_ || (a.byte_ == b.byte_ && a.shift_ < b.shift_);
  }
  friend COSMATI_HD constexpr bool operator>(subbyte_iterator a, subbyte_iterator b) { return b < a; }
  friend COSMATI_HD constexpr bool operator<=(subbyte_iterator a, subbyte_iterator b) { return !(b < a); }
  friend COSMATI_HD constexpr bool operator>=(subbyte_iterator a, subbyte_iterator b) { return !(a < b); }
};

/// Converts a raw pointer to the iterator of a tensor: a `subbyte_iterator` for packed elements, otherwise the pointer
/// itself.
template <class P>
COSMATI_HD constexpr auto make_iterator(P p) {
  if constexpr (std::is_pointer_v<P> && is_subbyte_v<std::remove_pointer_t<P>>) {
    return subbyte_iterator<std::remove_pointer_t<P>>(p);
  } else {
    return p;
  }
}

template <class T>
inline constexpr int pointer_alignment_bits_v<subbyte_iterator<T>> =
    static_cast<int>(detail::greatest_common_divisor(8, sizeof_bits_v<T>));

/// N elements of `T`, packed into `(N * sizeof_bits_v<T> + 7) / 8` bytes. It is an aggregate; `{}` sets it to zeros.
///
/// Its alignment is the largest power of two, up to 16 bytes, that divides its size. Copies use vectors of that size.
template <class T, int N>
struct array_subbyte {
  static_assert(is_subbyte_v<T> && N >= 0,
                "array_subbyte<T, N>: T must be a type of fewer than 8 bits, N not negative");
  using value_type = T;
  using element_type = T;
  using size_type = std::size_t;
  using difference_type = std::int64_t;
  using reference = subbyte_reference<T>;
  using const_reference = T;
  using iterator = subbyte_iterator<T>;
  using const_iterator = subbyte_iterator<T const>;
  static constexpr int bytes = (N * sizeof_bits_v<T> + 7) / 8;
  static constexpr int alignment = bytes == 0 ? 1 : static_cast<int>(detail::greatest_common_divisor(bytes, 16));

  alignas(alignment) std::uint8_t storage[std::size_t{bytes == 0 ? 1 : bytes}];

  COSMATI_HD static constexpr size_type size() { return N; }
  COSMATI_HD static constexpr size_type max_size() { return N; }
  COSMATI_HD static constexpr bool empty() { return N == 0; }

  COSMATI_HD constexpr iterator begin() { return iterator(storage); }
  COSMATI_HD constexpr iterator end() { return begin() + N; }
  COSMATI_HD constexpr const_iterator begin() const { return const_iterator(storage); }
  COSMATI_HD constexpr const_iterator end() const { return begin() + N; }
  COSMATI_HD constexpr const_iterator cbegin() const { return begin(); }
  COSMATI_HD constexpr const_iterator cend() const { return end(); }
  COSMATI_HD constexpr iterator data() { return begin(); }
  COSMATI_HD constexpr const_iterator data() const { return begin(); }

  template <integer Step>
  COSMATI_HD constexpr reference operator[](Step i) {
    return begin()[i];
  }
  template <integer Step>
  COSMATI_HD constexpr T operator[](Step i) const {
    return begin()[i];
  }
  /// Element i. An index outside the array fails.
  COSMATI_HD constexpr reference at(std::int64_t i) {
    check(i);
    return begin()[i];
  }
  COSMATI_HD constexpr T at(std::int64_t i) const {
    check(i);
    return begin()[i];
  }
  COSMATI_HD constexpr reference front() { return begin()[0]; }
  COSMATI_HD constexpr T front() const { return begin()[0]; }
  COSMATI_HD constexpr reference back() { return begin()[N - 1]; }
  COSMATI_HD constexpr T back() const { return begin()[N - 1]; }

  COSMATI_HD constexpr void fill(T const& x) {
    COSMATI_UNROLL
    for (int i = 0; i < N; ++i) begin()[i] = x;
  }
  /// Sets all bits to zero.
  COSMATI_HD constexpr void clear() {
    COSMATI_UNROLL
    for (int i = 0; i < bytes; ++i) storage[i] = 0;
  }

 private:
  COSMATI_HD static constexpr void check(std::int64_t i) {
    if (i < 0 || i >= N) index_is_outside_array_subbyte(i);
  }
  [[noreturn]] COSMATI_HD static void index_is_outside_array_subbyte(std::int64_t i) {
    fail_as("out_of_bounds", "array_subbyte::at(%lld): the array has %d elements", static_cast<long long>(i), N);
  }
};

/// Compares element by element. The padding bits of the last byte do not count.
template <class T, int N>
COSMATI_HD constexpr bool operator==(array_subbyte<T, N> const& a, array_subbyte<T, N> const& b) {
  for (int i = 0; i < N; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

template <class T, int N>
COSMATI_HD constexpr void fill(array_subbyte<T, N>& a, std::type_identity_t<T> const& x) {
  a.fill(x);
}
template <class T, int N>
COSMATI_HD constexpr void clear(array_subbyte<T, N>& a) {
  a.clear();
}

/// Types of whole bytes are not packed; the container is an `array`.
template <class T, int N>
requires(sizeof_bits_v<T> % 8 == 0 && !std::is_same_v<T, bool>) struct array_subbyte<T, N>
    : array<T, static_cast<std::size_t>(N)> {
};
/// N truth values of one bit each. Its iterators are those of packed bits, `uint1b_t`, so that tensors of it are
/// packed.
template <int N>
struct array_subbyte<bool, N> : array_subbyte<uint1b_t, N> {
  using value_type = bool;
  using element_type = bool;
};

/// @name Element i of a packed array, as of a tuple
/// @{
template <std::size_t i, class T, int N>
requires(sizeof_bits_v<T> % 8 != 0 || std::is_same_v<T, bool>) COSMATI_HD constexpr auto get(array_subbyte<T, N>& a) {
  static_assert(i < std::size_t{N}, "get<i>(array_subbyte): the array has fewer elements");
  return a[static_cast<int>(i)];
}
template <std::size_t i, class T, int N>
requires(sizeof_bits_v<T> % 8 != 0 || std::is_same_v<T, bool>) COSMATI_HD constexpr T
    get(array_subbyte<T, N> const& a) {
  static_assert(i < std::size_t{N}, "get<i>(array_subbyte): the array has fewer elements");
  return static_cast<T>(a[static_cast<int>(i)]);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
