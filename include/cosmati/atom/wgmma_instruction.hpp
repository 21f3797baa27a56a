// SPDX-License-Identifier: Apache-2.0
/// @file
/// One row of the table of warpgroup matrix instructions (`wgmma.mma_async`, sm_90a): shape, types, where A comes from,
/// the operands' order, signs; PTX's mnemonic is made of these.
///
/// Four warps multiply A (64, K) by B (N, K) and add to D (64, N); K is 256 bits of the operands' type, N 8 to 256
/// by 8. B is in shared memory, A there or in registers. Descriptors say where (atom/wgmma_descriptor.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_instruction.hpp>

namespace COSMATI_NAMESPACE {

/// Words of CuTe's for warpgroup instructions.
namespace GMMA {

/// Which mode of an operand is contiguous in shared memory: K, or M (of A) and N (of B). MN is for 16-bit types.
enum class Major : std::uint8_t { K = 0, MN = 1 };
/// The sign with which an operand is multiplied. Integers have no sign.
enum class ScaleIn : std::int8_t { Neg = -1, One = 1 };
/// Whether D is added to (One) or overwritten (Zero).
enum class ScaleOut : std::uint8_t { Zero = 0, One = 1 };

}  // namespace GMMA

namespace detail {

/// Who gives A.
enum class wgmma_source : std::uint8_t { shared, registers };

/// `wgmma.mma_async`, one row of the table.
/// @tparam n columns of B and D
template <int n, class D, class A, class B, wgmma_source a_from, GMMA::Major a_major = GMMA::Major::K,
          GMMA::Major b_major = GMMA::Major::K, GMMA::ScaleIn a_scale = GMMA::ScaleIn::One,
          GMMA::ScaleIn b_scale = GMMA::ScaleIn::One, mma_variant what = mma_variant::plain>
struct wgmma_async {
  using wgmma_row = wgmma_async;
  static_assert(n >= 8 && n <= 256 && n % 8 == 0, "wgmma: N is a multiple of 8, from 8 to 256");
  static_assert(!std::is_same_v<D, std::int32_t> || n < 32 || n % 16 == 0,
                "wgmma: with integers N is 8, 16, 24 or a multiple of 16");
  static_assert(sizeof_bits_v<A> == sizeof_bits_v<B>, "wgmma: A and B have types of one size");
  static_assert(sizeof_bits_v<A> == 16 || (a_major == GMMA::Major::K && b_major == GMMA::Major::K),
                "wgmma: only operands of 16 bits may be contiguous along M and N; take Major::K");
  static_assert(a_from == wgmma_source::shared || a_major == GMMA::Major::K, "wgmma: A in registers is Major::K");
  static constexpr int M = 64, N = n, K = 256 / static_cast<int>(sizeof_bits_v<A>);
  static constexpr int threads = 128;
  static constexpr int lowest_sm = 90;
  static constexpr wgmma_source source_of_A = a_from;
  static constexpr GMMA::Major major_A = a_major, major_B = b_major;
  static constexpr GMMA::ScaleIn scale_A = a_scale, scale_B = b_scale;
  static constexpr mma_variant variant = what;
  using ValTypeD = D;
  using ValTypeA = A;
  using ValTypeB = B;
  using ValTypeC = D;
  using DRegisters = mma_register<D>[M * n / threads / values_per_register<D>];
  /// A descriptor, or a thread's 16 bytes of A.
  using ARegisters = std::conditional_t<a_from == wgmma_source::shared, std::uint64_t[1], std::uint32_t[4]>;
  using BRegisters = std::uint64_t[1];
  using CRegisters = DRegisters;
};

/// Names an instruction of this table. Sparse ones have a table of their own (atom/wgmma_sparse_instruction.hpp).
template <class Op>
concept wgmma_operation = requires {
  typename Op::wgmma_row;
}
&&!requires { typename Op::wgmma_sparse_row; };

/// "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"
template <class Op>
constexpr mnemonic_text make_wgmma_mnemonic() {
  mnemonic_text t;
  t.put(wgmma_operation<Op> ? "wgmma.mma_async.sync.aligned.m64n" : "wgmma.mma_async.sp.sync.aligned.m64n");
  t.put(Op::N);
  t.put("k");
  t.put(Op::K);
  if (Op::variant == mma_variant::saturate) t.put(".satfinite");
  t.put(".");
  t.put(ptx_type<typename Op::ValTypeD>);
  t.put(".");
  t.put(ptx_type<typename Op::ValTypeA>);
  t.put(".");
  t.put(ptx_type<typename Op::ValTypeB>);
  if (Op::variant == mma_variant::and_popc) t.put(".and.popc");
  return t;
}
/// The immediate operands behind the predicate: ", 1, 1, 0, 0". Behind the metadata of a sparse product come the
/// selector and the predicate first: ", 0, p, 1, 1, 0, 0".
template <class Op>
constexpr mnemonic_text make_wgmma_immediates() {
  mnemonic_text t;
  if constexpr (!wgmma_operation<Op>) t.put(static_cast<int>(Op::selector) == 0 ? ", 0, p" : ", 1, p");
  if (std::is_same_v<typename Op::ValTypeD, std::int32_t>) return t;
  t.put(Op::scale_A == GMMA::ScaleIn::One ? ", 1" : ", -1");
  t.put(Op::scale_B == GMMA::ScaleIn::One ? ", 1" : ", -1");
  if (sizeof_bits_v<typename Op::ValTypeA> == 16) {
    if (Op::source_of_A == wgmma_source::shared) t.put(Op::major_A == GMMA::Major::MN ? ", 1" : ", 0");
    t.put(Op::major_B == GMMA::Major::MN ? ", 1" : ", 0");
  }
  return t;
}
template <class Op>
struct made_wgmma_mnemonic {
  static constexpr mnemonic_text text = make_wgmma_mnemonic<Op>();
};
template <class Op>
struct made_wgmma_immediates {
  static constexpr mnemonic_text text = make_wgmma_immediates<Op>();
};
/// PTX's mnemonic of an operation and its immediate operands, arrays of characters that end with a zero.
template <class Op>
struct wgmma_mnemonic : mnemonic_characters<made_wgmma_mnemonic<Op>> {};
template <class Op>
struct wgmma_immediates : mnemonic_characters<made_wgmma_immediates<Op>> {};

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
