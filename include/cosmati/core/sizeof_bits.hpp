// SPDX-License-Identifier: Apache-2.0
/// @file
/// The number of bits that an element occupies in memory: 8 times its size, or fewer for packed types.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE {

/// The bits that one element of `T` takes in a tensor. Types narrower than a byte specialise it (`sizeof_bits<int4_t>`
/// is 4); a program may specialise it for its own types.
///
/// A `bool` is a byte, as in C++; the packed single bit is `bin1_t`. In CuTe `bin1_t` *is* `bool`, and every tensor of
/// `bool` is packed.
template <class T>
struct sizeof_bits {
  static constexpr int value = static_cast<int>(8 * sizeof(T));
};
template <class T>
struct sizeof_bits<T const> : sizeof_bits<T> {};
template <class T>
struct sizeof_bits<T volatile> : sizeof_bits<T> {};
template <class T>
struct sizeof_bits<T const volatile> : sizeof_bits<T> {};
template <>
struct sizeof_bits<void> {
  static constexpr int value = 0;
};

/// The bits of an element in memory.
template <class T>
inline constexpr int sizeof_bits_v = sizeof_bits<T>::value;

namespace detail {

/// One load or store instruction moves so many bits: 8, 16, 32, 64 or 128.
constexpr bool is_bits_of_one_access(int bits) {
  return bits > 0 && bits % 8 == 0 && bits <= 128 && (bits & (bits - 1)) == 0;
}

}  // namespace detail

/// Whether elements of `T` share bytes with their neighbours.
template <class T>
struct is_subbyte {
  static constexpr bool value = sizeof_bits_v<T> % 8 != 0;
};

/// `sizeof_bits` as a constant.
template <class T>
inline constexpr bool is_subbyte_v = is_subbyte<T>::value;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
