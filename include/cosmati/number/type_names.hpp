// SPDX-License-Identifier: Apache-2.0
/// @file
/// The number types by name, for command lines and pictures: `find_number_type("cutlass::half_t")`,
/// `type_name<half_t>()`. No header that kernels include includes this one.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/number_types.hpp>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// The kind of a number type.
enum class number_kind : unsigned char { floating_point, signed_integer, unsigned_integer, complex_number };

/// Every number type, with its enumerator, name, kind and C++ type.
#define COSMATI_NUMBER_TYPES(X)                                                 \
  X(half, "half", floating_point, half_t)                                       \
  X(bfloat16, "bfloat16", floating_point, bfloat16_t)                           \
  X(tfloat32, "tfloat32", floating_point, tfloat32_t)                           \
  X(float32, "float", floating_point, float)                                    \
  X(float64, "double", floating_point, double)                                  \
  X(float_e4m3, "float_e4m3", floating_point, float_e4m3_t)                     \
  X(float_e5m2, "float_e5m2", floating_point, float_e5m2_t)                     \
  X(float_ue4m3, "float_ue4m3", floating_point, float_ue4m3_t)                  \
  X(float_ue8m0, "float_ue8m0", floating_point, float_ue8m0_t)                  \
  X(float_e2m1, "float_e2m1", floating_point, float_e2m1_t)                     \
  X(float_e2m3, "float_e2m3", floating_point, float_e2m3_t)                     \
  X(float_e3m2, "float_e3m2", floating_point, float_e3m2_t)                     \
  X(int2, "int2", signed_integer, int2_t)                                       \
  X(int4, "int4", signed_integer, int4_t)                                       \
  X(int6, "int6", signed_integer, int6_t)                                       \
  X(int8, "int8", signed_integer, std::int8_t)                                  \
  X(int16, "int16", signed_integer, std::int16_t)                               \
  X(int32, "int32", signed_integer, std::int32_t)                               \
  X(int64, "int64", signed_integer, std::int64_t)                               \
  X(uint1, "uint1", unsigned_integer, uint1_t)                                  \
  X(uint2, "uint2", unsigned_integer, uint2_t)                                  \
  X(uint4, "uint4", unsigned_integer, uint4_t)                                  \
  X(uint6, "uint6", unsigned_integer, uint6_t)                                  \
  X(uint8, "uint8", unsigned_integer, std::uint8_t)                             \
  X(uint16, "uint16", unsigned_integer, std::uint16_t)                          \
  X(uint32, "uint32", unsigned_integer, std::uint32_t)                          \
  X(uint64, "uint64", unsigned_integer, std::uint64_t)                          \
  X(uint128, "uint128", unsigned_integer, uint128_t)                            \
  X(uint256, "uint256", unsigned_integer, uint256_t)                            \
  X(boolean, "bool", unsigned_integer, bool)                                    \
  X(complex_half, "complex<half>", complex_number, complex<half_t>)             \
  X(complex_bfloat16, "complex<bfloat16>", complex_number, complex<bfloat16_t>) \
  X(complex_float32, "complex<float>", complex_number, complex<float>)          \
  X(complex_float64, "complex<double>", complex_number, complex<double>)

/// The number types as values.
enum class number_type : unsigned char {
#define COSMATI_ENTRY(TYPE, NAME, KIND, ...) TYPE,
  COSMATI_NUMBER_TYPES(COSMATI_ENTRY)
#undef COSMATI_ENTRY
};

/// One row of the table.
struct number_type_row {
  number_type type;
  std::string_view name;  ///< `half`, `float`, `int8`, `complex<float>`, ...
  number_kind kind;
  int bits;       ///< The bits of an element in a tensor.
  int alignment;  ///< The alignment of a single element, in bytes.
};

/// The table, in the order of the enumeration.
inline constexpr number_type_row number_types[] = {
#define COSMATI_ENTRY(TYPE, NAME, KIND, ...) \
  {number_type::TYPE, NAME, number_kind::KIND, sizeof_bits_v<__VA_ARGS__>, alignof(__VA_ARGS__)},
    COSMATI_NUMBER_TYPES(COSMATI_ENTRY)
#undef COSMATI_ENTRY
};

/// The properties of a type.
constexpr number_type_row const& row_of(number_type type) { return number_types[static_cast<std::size_t>(type)]; }

/// The type's name, which is the first that `find_number_type` accepts.
constexpr std::string_view name_of(number_type type) { return row_of(type).name; }

/// Another name of a type: CUTLASS's, CUDA's, PTX's, numpy's or C++'s. It has no blanks, namespace, final `_t` or
/// capitals.
struct number_type_alias {
  std::string_view name;
  number_type type;
};
inline constexpr number_type_alias number_type_aliases[] = {
    {"f16", number_type::half},
    {"fp16", number_type::half},
    {"float16", number_type::half},
    {"__half", number_type::half},
    {"nv_half", number_type::half},
    {"bf16", number_type::bfloat16},
    {"__nv_bfloat16", number_type::bfloat16},
    {"nv_bfloat16", number_type::bfloat16},
    {"tf32", number_type::tfloat32},
    {"float32", number_type::float32},
    {"f32", number_type::float32},
    {"fp32", number_type::float32},
    {"single", number_type::float32},
    {"float64", number_type::float64},
    {"f64", number_type::float64},
    {"fp64", number_type::float64},
    {"e4m3", number_type::float_e4m3},
    {"e4m3fn", number_type::float_e4m3},
    {"f8e4m3", number_type::float_e4m3},
    {"f8e4m3fn", number_type::float_e4m3},
    {"fp8_e4m3", number_type::float_e4m3},
    {"float8_e4m3", number_type::float_e4m3},
    {"float8_e4m3fn", number_type::float_e4m3},
    {"__nv_fp8_e4m3", number_type::float_e4m3},
    {"e5m2", number_type::float_e5m2},
    {"f8e5m2", number_type::float_e5m2},
    {"fp8_e5m2", number_type::float_e5m2},
    {"float8_e5m2", number_type::float_e5m2},
    {"__nv_fp8_e5m2", number_type::float_e5m2},
    {"ue4m3", number_type::float_ue4m3},
    {"fp8_ue4m3", number_type::float_ue4m3},
    {"ue8m0", number_type::float_ue8m0},
    {"e8m0", number_type::float_ue8m0},
    {"fp8_e8m0", number_type::float_ue8m0},
    {"float8_e8m0fnu", number_type::float_ue8m0},
    {"__nv_fp8_e8m0", number_type::float_ue8m0},
    {"e2m1", number_type::float_e2m1},
    {"fp4", number_type::float_e2m1},
    {"fp4_e2m1", number_type::float_e2m1},
    {"float4_e2m1fn", number_type::float_e2m1},
    {"__nv_fp4_e2m1", number_type::float_e2m1},
    {"e2m3", number_type::float_e2m3},
    {"fp6_e2m3", number_type::float_e2m3},
    {"float6_e2m3fn", number_type::float_e2m3},
    {"__nv_fp6_e2m3", number_type::float_e2m3},
    {"e3m2", number_type::float_e3m2},
    {"fp6_e3m2", number_type::float_e3m2},
    {"float6_e3m2fn", number_type::float_e3m2},
    {"__nv_fp6_e3m2", number_type::float_e3m2},
    {"int2b", number_type::int2},
    {"i2", number_type::int2},
    {"s2", number_type::int2},
    {"int4b", number_type::int4},
    {"i4", number_type::int4},
    {"s4", number_type::int4},
    {"int6b", number_type::int6},
    {"i6", number_type::int6},
    {"s6", number_type::int6},
    {"i8", number_type::int8},
    {"s8", number_type::int8},
    {"signedchar", number_type::int8},
    {"char", number_type::int8},
    {"i16", number_type::int16},
    {"s16", number_type::int16},
    {"short", number_type::int16},
    {"shortint", number_type::int16},
    {"i32", number_type::int32},
    {"s32", number_type::int32},
    {"int", number_type::int32},
    {"signed", number_type::int32},
    {"i64", number_type::int64},
    {"s64", number_type::int64},
    {"long", number_type::int64},
    {"longint", number_type::int64},
    {"longlong", number_type::int64},
    {"longlongint", number_type::int64},
    {"ptrdiff", number_type::int64},
    {"uint1b", number_type::uint1},
    {"u1", number_type::uint1},
    {"bin1", number_type::uint1},
    {"b1", number_type::uint1},
    {"uint2b", number_type::uint2},
    {"u2", number_type::uint2},
    {"uint4b", number_type::uint4},
    {"u4", number_type::uint4},
    {"uint6b", number_type::uint6},
    {"u6", number_type::uint6},
    {"u8", number_type::uint8},
    {"unsignedchar", number_type::uint8},
    {"byte", number_type::uint8},
    {"u16", number_type::uint16},
    {"unsignedshort", number_type::uint16},
    {"u32", number_type::uint32},
    {"unsigned", number_type::uint32},
    {"unsignedint", number_type::uint32},
    {"uint", number_type::uint32},
    {"u64", number_type::uint64},
    {"unsignedlong", number_type::uint64},
    {"unsignedlonglong", number_type::uint64},
    {"size", number_type::uint64},
    {"u128", number_type::uint128},
    {"u256", number_type::uint256},
    {"bool_", number_type::boolean},
    {"boolean", number_type::boolean},
    {"complex64", number_type::complex_float32},
    {"complex128", number_type::complex_float64},
};

/// The row of a name, or null. Blanks and capitals do not matter. A namespace (`cutlass::`, `cute::`, `cosmati::`,
/// `std::`) and a final `_t` are allowed. Aliases are known: `half_t`, `f16`, `cutlass::half_t`, `float32`, ...
constexpr number_type_row const* find_number_type(std::string_view text) {
  char plain[64] = {};
  std::size_t length = 0;
  for (char const c : text) {
    if (c == ' ' || c == '\t') continue;
    if (length == sizeof plain) return nullptr;
    plain[length++] = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  std::string_view name(plain, length);
  for (std::string_view const space : {"::", "cutlass::", "cute::", "cosmati::", "std::"}) {
    if (name.starts_with(space)) name.remove_prefix(space.size());
  }
  if (name.starts_with("complex<") && name.ends_with('>')) {
    auto const* const part = find_number_type(name.substr(8, name.size() - 9));
    if (part == nullptr) return nullptr;
    switch (part->type) {
      case number_type::half:
        return &row_of(number_type::complex_half);
      case number_type::bfloat16:
        return &row_of(number_type::complex_bfloat16);
      case number_type::float32:
        return &row_of(number_type::complex_float32);
      case number_type::float64:
        return &row_of(number_type::complex_float64);
      default:
        return nullptr;
    }
  }
  if (name.ends_with("_t")) name.remove_suffix(2);
  for (auto const& row : number_types) {
    if (row.name == name) return &row;
  }
  for (auto const& alias : number_type_aliases) {
    if (alias.name == name) return &row_of(alias.type);
  }
  return nullptr;
}

namespace detail {
template <class T>
inline constexpr int number_type_index = -1;
#define COSMATI_ENTRY(TYPE, NAME, KIND, ...) \
  template <>                                \
  inline constexpr int number_type_index<__VA_ARGS__> = static_cast<int>(number_type::TYPE);
COSMATI_NUMBER_TYPES(COSMATI_ENTRY)
#undef COSMATI_ENTRY
}  // namespace detail

/// The enumerator of `T`. `long`, `long long` and `char` count as the integers of their size and sign.
template <class T>
constexpr number_type number_type_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (detail::number_type_index<U> >= 0) {
    return static_cast<number_type>(detail::number_type_index<U>);
  } else {
    static_assert(std::is_integral_v<U> && sizeof(U) <= 8, "number_type_of<T>: T is none of COSMATI_NUMBER_TYPES");
    if constexpr (std::is_signed_v<U>) {
      return number_type_of<int_byte_t<sizeof(U)>>();
    } else {
      return number_type_of<uint_byte_t<sizeof(U)>>();
    }
  }
}

/// The name of `T`: `type_name<half_t>()` is `half`.
template <class T>
constexpr std::string_view type_name() {
  return name_of(number_type_of<T>());
}

/// Calls `visit(std::type_identity<T>{})` with the C++ type, and returns the result.
template <class Visitor>
constexpr decltype(auto) with_number_type(number_type type, Visitor&& visit) {
  switch (type) {
#define COSMATI_ENTRY(TYPE, NAME, KIND, ...) \
  case number_type::TYPE:                    \
    return visit(std::type_identity<__VA_ARGS__>{});
    COSMATI_NUMBER_TYPES(COSMATI_ENTRY)
#undef COSMATI_ENTRY
  }
  return visit(std::type_identity<half_t>{});  // not reached, because `type` is one of the enumerators
}

}  // namespace COSMATI_NAMESPACE

#undef COSMATI_NUMBER_TYPES

#include <cosmati/core/macros_end.hpp>
