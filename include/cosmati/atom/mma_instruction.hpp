// SPDX-License-Identifier: Apache-2.0
/// @file
/// A row of the table of matrix instructions: shape, types, registers, variant. PTX's mnemonic follows from it.
///
/// An operation is a row with a name: `struct SM80_16x8x8_F32TF32TF32F32_TN : detail::mma_sync<80, 16, 8, 8, float,
/// tfloat32_t, tfloat32_t, float> {};`. Its layouts follow from PTX's formulas (atom/mma_layouts.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>
#include <cosmati/number/number_types.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace COSMATI_NAMESPACE {

/// The order of the operands' elements in BLAS's letters. T is A by rows and N is B by columns, so that k is
/// contiguous. All instructions are tn (A by rows, B by columns), except those of sm_70.
enum class mma_major { tn, nt, nn, tt };
/// The operation of an instruction beyond multiplying and adding.
enum class mma_variant {
  plain,
  saturate,  ///< the sum is clamped to 32 bits instead of wrapping
  xor_popc,  ///< counts the bits that differ between a row of A and a column of B
  and_popc,  ///< counts the bits that are set in both
};

namespace detail {

/// PTX's name for an element type.
template <class T>
inline constexpr char const* ptx_type = nullptr;
template <>
inline constexpr char const* ptx_type<half_t> = "f16";
template <>
inline constexpr char const* ptx_type<bfloat16_t> = "bf16";
template <>
inline constexpr char const* ptx_type<tfloat32_t> = "tf32";
template <>
inline constexpr char const* ptx_type<float> = "f32";
template <>
inline constexpr char const* ptx_type<double> = "f64";
template <>
inline constexpr char const* ptx_type<float_e4m3_t> = "e4m3";
template <>
inline constexpr char const* ptx_type<float_e5m2_t> = "e5m2";
template <>
inline constexpr char const* ptx_type<std::int32_t> = "s32";
template <>
inline constexpr char const* ptx_type<std::int8_t> = "s8";
template <>
inline constexpr char const* ptx_type<std::uint8_t> = "u8";
template <>
inline constexpr char const* ptx_type<int4_t> = "s4";
template <>
inline constexpr char const* ptx_type<uint4_t> = "u4";
template <>
inline constexpr char const* ptx_type<uint1_t> = "b1";

/// The registers that hold values of T: 32-bit ones with several values, or one of type T.
template <class T>
inline constexpr int values_per_register = sizeof_bits_v<T> < 32 ? 32 / sizeof_bits_v<T> : 1;
template <class T>
using mma_register = std::conditional_t<std::is_same_v<T, float> || (sizeof_bits_v<T> > 32), T, std::uint32_t>;

/// `mma.sync`, one row of the table.
/// @tparam sm the first architecture that has it; 70 means 75, because the toolkit compiles for nothing older
template <int sm, int m, int n, int k, class D, class A, class B, class C, mma_major order = mma_major::tn,
          mma_variant what = mma_variant::plain>
struct mma_sync {
  using row = mma_sync;
  static constexpr int lowest_sm = sm;
  static constexpr int M = m, N = n, K = k;
  static constexpr mma_major major = order;
  static constexpr mma_variant variant = what;
  /// The number of threads that hold one product. On sm_70 a warp's quad pairs compute four products at once.
  static constexpr int threads = sm == 70 ? 8 : 32;
  using ValTypeD = D;
  using ValTypeA = A;
  using ValTypeB = B;
  using ValTypeC = C;
  using DRegisters = mma_register<D>[m * n / threads / values_per_register<D>];
  using ARegisters = mma_register<A>[m * k / threads / values_per_register<A>];
  using BRegisters = mma_register<B>[n * k / threads / values_per_register<B>];
  using CRegisters = mma_register<C>[m * n / threads / values_per_register<C>];

  /// The instruction. It takes references to the registers of D, then those of A, B and C. Defined in arch/mma.hpp.
  template <class... Register>
  COSMATI_HD static void fma(Register&&... registers);
};

/// Whether Op names an instruction of the table.
template <class Op>
concept mma_sync_operation = requires {
  typename Op::row;
};

/// A text that is assembled at compile time.
struct mnemonic_text {
  char at[96] = {};
  int length = 0;
  constexpr void put(char const* s) {
    while (*s != 0) at[length++] = *s++;
  }
  constexpr void put(int x) {
    if (x >= 10) put(x / 10);
    at[length++] = static_cast<char>('0' + x % 10);
  }
};
/// The characters of `Made::text`, a `mnemonic_text`: `value` is an array that ends with a zero, as long as the text.
template <class Made, class Seq = std::make_index_sequence<static_cast<std::size_t>(Made::text.length)>>
struct mnemonic_characters;
template <class Made, std::size_t... i>
struct mnemonic_characters<Made, std::index_sequence<i...>> {
  static constexpr char value[] = {Made::text.at[i]..., 0};
};
/// "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
template <class Op>
constexpr mnemonic_text make_mma_mnemonic() {
  mnemonic_text t;
  t.put("mma.sync.aligned.m");
  t.put(Op::M);
  t.put("n");
  t.put(Op::N);
  t.put("k");
  t.put(Op::K);
  t.put(Op::major == mma_major::tn || Op::major == mma_major::tt ? ".row" : ".col");
  t.put(Op::major == mma_major::tn || Op::major == mma_major::nn ? ".col" : ".row");
  if (Op::variant == mma_variant::saturate) t.put(".satfinite");
  t.put(".");
  t.put(ptx_type<typename Op::ValTypeD>);
  t.put(".");
  t.put(ptx_type<typename Op::ValTypeA>);
  t.put(".");
  t.put(ptx_type<typename Op::ValTypeB>);
  t.put(".");
  t.put(ptx_type<typename Op::ValTypeC>);
  if (Op::variant == mma_variant::xor_popc) t.put(".xor.popc");
  if (Op::variant == mma_variant::and_popc) t.put(".and.popc");
  return t;
}
template <class Op>
struct made_mma_mnemonic {
  static constexpr mnemonic_text text = make_mma_mnemonic<Op>();
};
/// PTX's mnemonic of an operation: `mma_mnemonic<Op>::value`, a zero-terminated array of characters.
template <class Op>
struct mma_mnemonic : mnemonic_characters<made_mma_mnemonic<Op>> {};

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
