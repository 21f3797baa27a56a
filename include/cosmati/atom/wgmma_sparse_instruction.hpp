// SPDX-License-Identifier: Apache-2.0
/// @file
/// One row of the table of sparse warpgroup matrix instructions (`wgmma.mma_async.sp`, sm_90a), and where a thread's
/// metadata say that A's elements stand.
///
/// A (64, K) is stored without half of its elements, which are zero: as (64, K / 2). Of four elements along K two are
/// stored, of tf32 one of two. K is 512 bits of the operands' type. B (N, K) is whole. The metadata, a register of 32
/// bits in each thread, have four bits for each four elements (two for tf32):
///
///     16 bits    lanes 4 g + p, p = 0, 1 (2, 3 with the selector One): rows g and g + 8, k from 16 p; row g below
///     tf32       the same, k from 8 p
///     8 bits     lanes 4 g + t: row g + 8 (t mod 2), k from 32 (t / 2)
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/wgmma_instruction.hpp>

namespace COSMATI_NAMESPACE {

namespace GMMA {

/// The lanes of each four that give metadata: the first two or the last two. For 8-bit operands all do, and it is Zero.
enum class SparseSel : std::uint8_t { Zero = 0, One = 1 };

}  // namespace GMMA

namespace detail {

/// `wgmma.mma_async.sp`, one row of the table. @tparam n columns of B and D
template <int n, class D, class A, class B, wgmma_source a_from, GMMA::Major a_major = GMMA::Major::K,
          GMMA::Major b_major = GMMA::Major::K, GMMA::ScaleIn a_scale = GMMA::ScaleIn::One,
          GMMA::ScaleIn b_scale = GMMA::ScaleIn::One, GMMA::SparseSel selects = GMMA::SparseSel::Zero,
          mma_variant what = mma_variant::plain>
struct wgmma_sparse_async : wgmma_async<n, D, A, B, a_from, a_major, b_major, a_scale, b_scale, what> {
  using wgmma_sparse_row = wgmma_sparse_async;
  using packed_row = wgmma_async<n, D, A, B, a_from, a_major, b_major, a_scale, b_scale, what>;
  static_assert(sizeof_bits_v<A> >= 8, "wgmma: there are no sparse products of one-bit operands");
  static_assert(sizeof_bits_v<A> >= 16 || selects == GMMA::SparseSel::Zero,
                "wgmma: all threads give metadata of 8-bit operands; take SparseSel::Zero");
  static constexpr int packed_K = packed_row::K, K = 2 * packed_K;  ///< stored of A, and of the product
  static constexpr GMMA::SparseSel selector = selects;
  /// The elements along K that four bits of metadata concern: two are stored of four, of tf32 one of two.
  static constexpr int chunk = sizeof_bits_v<A> == 32 ? 2 : 4;
  using ERegisters = std::uint32_t[1];
};

/// Names an instruction of this table.
template <class Op>
concept wgmma_sparse_operation = requires {
  typename Op::wgmma_sparse_row;
};

/// Where four bits of metadata are: for row `m` of 64 and elements from `k` on.
struct metadata_place {
  int thread;  ///< of the warpgroup
  int shift;   ///< of its register
};
/// @param k a multiple of `Op::chunk`
template <class Op>
COSMATI_HD constexpr metadata_place place_of_metadata(int m, int k) {
  int const quad = m / 16 * 32 + m % 8 * 4, half = m / 8 % 2, bits = k / Op::chunk * 4;
  if (sizeof_bits_v<typename Op::ValTypeA> == 8) return {quad + half + 2 * (bits / 32), bits % 32};
  return {quad + 2 * static_cast<int>(Op::selector) + bits / 16, 16 * half + bits % 16};
}
/// The place in its chunk of stored element `i` of four bits of metadata; -1: the bits are none that PTX defines.
template <class Op>
COSMATI_HD constexpr int place_in_chunk(std::uint32_t bits, int i) {
  if (Op::chunk == 2) return bits == 0xe ? 1 : bits == 0x4 ? 0 : -1;
  int const first = static_cast<int>(bits & 3u), second = static_cast<int>(bits >> 2 & 3u);
  return first == second ? -1 : i == 0 ? first : second;
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
