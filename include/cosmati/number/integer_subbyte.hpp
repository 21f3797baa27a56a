// SPDX-License-Identifier: Apache-2.0
/// @file
/// Integers narrower than a byte, and aliases of integers by their number of bits.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/core/config.hpp>
#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/number/uint128.hpp>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// An integer of 1 to 7 bits, in the low bits of a byte whose other bits are zero. In a tensor such integers are packed
/// and share bytes with their neighbours.
///
/// It behaves as the small integers of C++ do. It becomes `int` in every expression, and accepts any number by dropping
/// the bits that do not fit. Floating-point numbers are truncated first.
template <int Bits, bool Signed>
struct integer_subbyte {
  static_assert(1 <= Bits && Bits <= 7, "integer_subbyte<Bits, Signed>: Bits is 1 to 7; use intN_t from 8 bits on");
  static constexpr std::uint8_t bits_mask = static_cast<std::uint8_t>((1 << Bits) - 1);

  using storage_type = std::uint8_t;
  storage_type storage;

  integer_subbyte() = default;
  template <class T>
  requires(std::is_arithmetic_v<T> || (std::is_convertible_v<T, int> && !std::is_enum_v<T>)) COSMATI_HD
      constexpr integer_subbyte(T x)  // NOLINT: implicit, as for built-in integers
      : storage(static_cast<storage_type>(static_cast<int>(x) & bits_mask)) {}

  COSMATI_HD constexpr operator int() const {  // NOLINT: implicit, as for built-in integers
    int const value = storage & bits_mask;
    return Signed && (value >> (Bits - 1)) != 0 ? value - (1 << Bits) : value;
  }

  /// The integer with the given bits.
  COSMATI_HD static constexpr integer_subbyte bitcast(storage_type bits) {
    integer_subbyte result{};
    result.storage = static_cast<storage_type>(bits & bits_mask);
    return result;
  }
  COSMATI_HD constexpr storage_type& raw() { return storage; }
  COSMATI_HD constexpr storage_type raw() const { return storage; }

  template <class T>
  requires std::is_convertible_v<T, int> COSMATI_HD constexpr integer_subbyte& operator+=(T x) {
    return *this = integer_subbyte(int(*this) + x);
  }
  template <class T>
  requires std::is_convertible_v<T, int> COSMATI_HD constexpr integer_subbyte& operator-=(T x) {
    return *this = integer_subbyte(int(*this) - x);
  }
  template <class T>
  requires std::is_convertible_v<T, int> COSMATI_HD constexpr integer_subbyte& operator*=(T x) {
    return *this = integer_subbyte(int(*this) * x);
  }
  COSMATI_HD constexpr integer_subbyte& operator++() { return *this += 1; }
  COSMATI_HD constexpr integer_subbyte& operator--() { return *this -= 1; }
};

template <int Bits, bool Signed>
struct sizeof_bits<integer_subbyte<Bits, Signed>> {
  static constexpr int value = Bits;
};

/// Integers of less than a byte, by CuTe's names.
using int2_t = integer_subbyte<2, true>;
using int4_t = integer_subbyte<4, true>;
using int6_t = integer_subbyte<6, true>;
using uint1_t = integer_subbyte<1, false>;
using uint2_t = integer_subbyte<2, false>;
using uint4_t = integer_subbyte<4, false>;
using uint6_t = integer_subbyte<6, false>;
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

/// CUTLASS's names of these types.
using int2b_t = int2_t;
using int4b_t = int4_t;
using int6b_t = int6_t;
using uint1b_t = uint1_t;
using uint2b_t = uint2_t;
using uint4b_t = uint4_t;
using uint6b_t = uint6_t;
/// A packed bit. CUTLASS's `bin1_t` is `bool`; see `sizeof_bits`.
using bin1_t = uint1_t;

/// The integers by width; `int_bit_t<N>` and `uint_bit_t<N>` name them.
template <int Bits>
struct int_bit {
  using type = integer_subbyte<Bits, true>;
};
template <int Bits>
struct uint_bit {
  using type = integer_subbyte<Bits, false>;
};
template <>
struct int_bit<8> {
  using type = std::int8_t;
};
template <>
struct int_bit<16> {
  using type = std::int16_t;
};
template <>
struct int_bit<32> {
  using type = std::int32_t;
};
template <>
struct int_bit<64> {
  using type = std::int64_t;
};
template <>
struct uint_bit<8> {
  using type = std::uint8_t;
};
template <>
struct uint_bit<16> {
  using type = std::uint16_t;
};
template <>
struct uint_bit<32> {
  using type = std::uint32_t;
};
template <>
struct uint_bit<64> {
  using type = std::uint64_t;
};
template <>
struct uint_bit<128> {
  using type = uint128_t;
};
template <>
struct uint_bit<256> {
  using type = uint256_t;
};

/// The signed and the unsigned integer of `Bits` bits. Both have 2 to 7, 8, 16, 32 and 64 bits; the unsigned one also
/// 1, 128 and 256.
template <int Bits>
using int_bit_t = typename int_bit<Bits>::type;
template <int Bits>
using uint_bit_t = typename uint_bit<Bits>::type;
/// The signed and the unsigned integer of `Bytes` bytes: 1, 2, 4, 8; the unsigned one also 16 and 32.
template <int Bytes>
using int_byte_t = int_bit_t<8 * Bytes>;
template <int Bytes>
using uint_byte_t = uint_bit_t<8 * Bytes>;

}  // namespace COSMATI_NAMESPACE

template <int Bits, bool Signed>
struct std::numeric_limits<COSMATI_NAMESPACE::integer_subbyte<Bits, Signed>> : std::numeric_limits<std::int8_t> {
 private:
  using number = COSMATI_NAMESPACE::integer_subbyte<Bits, Signed>;

 public:
  static constexpr bool is_signed = Signed;
  static constexpr bool is_modulo = true;
  static constexpr int digits = Bits - (Signed ? 1 : 0);
  static constexpr int digits10 = digits * 30103 / 100000;
  COSMATI_HD static constexpr number min() { return number(Signed ? -(1 << digits) : 0); }
  COSMATI_HD static constexpr number lowest() { return min(); }
  COSMATI_HD static constexpr number max() { return number((1 << digits) - 1); }
  COSMATI_HD static constexpr number epsilon() { return number(0); }
  COSMATI_HD static constexpr number round_error() { return number(0); }
  COSMATI_HD static constexpr number infinity() { return number(0); }
  COSMATI_HD static constexpr number quiet_NaN() { return number(0); }
  COSMATI_HD static constexpr number signaling_NaN() { return number(0); }
  COSMATI_HD static constexpr number denorm_min() { return number(0); }
};

#include <cosmati/core/macros_end.hpp>
