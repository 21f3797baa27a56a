// SPDX-License-Identifier: Apache-2.0
/// @file
/// `bit_field<start, bits>`: an unsigned integer in some bits of a little-endian sequence of bytes, as in instruction
/// descriptors.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The narrowest unsigned integer type with at least `bits` bits.
template <unsigned bits>
using unsigned_of_bits = std::conditional_t<
    (bits <= 8), std::uint8_t,
    std::conditional_t<(bits <= 16), std::uint16_t, std::conditional_t<(bits <= 32), std::uint32_t, std::uint64_t>>>;
/// The smallest word size (8, 16, 32 or 64 bits) for which the field lies in one word; 64 if there is none.
constexpr unsigned word_of_field(unsigned start, unsigned bits) {
  unsigned word = 8;
  while (word < 64 && start / word != (start + bits - 1) / word) word *= 2;
  return word;
}
/// Stands for the absence of a second type.
struct no_other_type {};
template <class To, class From>
COSMATI_HD constexpr To same_bits(From const& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
}  // namespace detail

/// Bits `start` to `start + bits - 1` of the object's memory. Several fields overlap as members of a union; each reads
/// and writes its own bits only.
/// @tparam Other a type of the same size as the value, to and from which the field converts bit by bit
template <std::uint32_t start, std::uint32_t bits, class Other = detail::no_other_type>
struct bit_field {
  static_assert(bits >= 1 && bits <= 64, "bit_field<start, bits>: a field has 1 to 64 bits");

  using value_type = detail::unsigned_of_bits<bits>;
  static constexpr std::uint32_t storage_type_bits = detail::word_of_field(start, bits);
  using storage_type = detail::unsigned_of_bits<storage_type_bits>;
  static_assert(std::is_same_v<Other, detail::no_other_type> || sizeof(Other) == sizeof(value_type),
                "bit_field<start, bits, Other>: Other must have the size of the integer that holds the bits");

  /// The number of words from the begin of the memory to the last bit of the field.
  static constexpr std::uint32_t N = (start + bits + storage_type_bits - 1) / storage_type_bits;
  /// The word that holds the first bit of the field, and the position of the bit in the word.
  static constexpr std::uint32_t idx = start / storage_type_bits;
  static constexpr std::uint32_t bit_lo = start % storage_type_bits;
  /// The number of bits in the first word if a second word holds the rest; otherwise 0.
  static constexpr std::uint32_t bit_hi = idx + 1 < N ? storage_type_bits - bit_lo : 0;

  /// Masks of the field's bits in the value, in the first word and in the second word.
  static constexpr value_type mask = static_cast<value_type>(~std::uint64_t{0} >> (64 - bits));
  static constexpr storage_type mask_lo = static_cast<storage_type>(std::uint64_t{mask} << bit_lo);
  static constexpr storage_type mask_hi = static_cast<storage_type>(bit_hi != 0 ? std::uint64_t{mask} >> bit_hi : 0);

  storage_type data_[N];

  COSMATI_HD constexpr value_type get() const {
    std::uint64_t value = (std::uint64_t{data_[idx]} & mask_lo) >> bit_lo;
    if constexpr (bit_hi != 0) value |= (std::uint64_t{data_[idx + 1]} & mask_hi) << bit_hi;
    return static_cast<value_type>(value);
  }
  /// Writes x. Bits of x beyond the field are dropped.
  COSMATI_HD constexpr void set(value_type x) {
    std::uint64_t const value = x & mask;
    data_[idx] = static_cast<storage_type>((data_[idx] & ~std::uint64_t{mask_lo}) | (value << bit_lo));
    if constexpr (bit_hi != 0)
      data_[idx + 1] = static_cast<storage_type>((data_[idx + 1] & ~std::uint64_t{mask_hi}) | (value >> bit_hi));
  }

  COSMATI_HD constexpr operator value_type() const { return get(); }  // NOLINT(google-explicit-constructor)
  COSMATI_HD constexpr bit_field& operator=(value_type x) {
    set(x);
    return *this;
  }
  /// @name Conversions to and from the other type
  /// @{
  COSMATI_HD constexpr operator Other() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_same_v<Other, detail::no_other_type>) {
    return detail::same_bits<Other>(get());
  }
  COSMATI_HD constexpr bit_field& operator=(Other const& x) requires(!std::is_same_v<Other, detail::no_other_type>) {
    set(detail::same_bits<value_type>(x));
    return *this;
  }
  /// @}
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
