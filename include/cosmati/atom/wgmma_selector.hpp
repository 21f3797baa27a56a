// SPDX-License-Identifier: Apache-2.0
/// @file
/// `GMMA::ss_op_selector` and `GMMA::rs_op_selector`: the warpgroup matrix instruction for given types, a tile's shape
/// and the operands' majors; `..._sparse` for a sparse A.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/wgmma_sparse_instruction.hpp>
#include <cosmati/layout/operations.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class T>
inline constexpr bool is_wgmma_float8 = std::is_same_v<T, float_e4m3_t> || std::is_same_v<T, float_e5m2_t>;
template <class T>
inline constexpr bool is_byte_integer = std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>;

/// Whether PTX has `wgmma.mma_async` with these types: sums D of products of A and B. One-bit operands are apart: no
/// name of CuTe's has them.
template <class D, class A, class B>
inline constexpr bool wgmma_has_types =
    (std::is_same_v<D, half_t> &&
     ((std::is_same_v<A, half_t> && std::is_same_v<B, half_t>) || (is_wgmma_float8<A> && is_wgmma_float8<B>))) ||
    (std::is_same_v<D, float> &&
     ((std::is_same_v<A, B> &&
       (std::is_same_v<A, half_t> || std::is_same_v<A, bfloat16_t> || std::is_same_v<A, tfloat32_t>)) ||
      (is_wgmma_float8<A> && is_wgmma_float8<B>))) ||
    (std::is_same_v<D, std::int32_t> && is_byte_integer<A> && is_byte_integer<B>);

/// Whether the instructions with sums D have N columns.
template <class D>
constexpr bool wgmma_has_columns(int n) {
  return n >= 8 && n <= 256 && n % 8 == 0 && (!std::is_same_v<D, std::int32_t> || n < 32 || n % 16 == 0);
}
/// The most columns of one instruction that divide a tile of `tile` columns; 0: none does.
template <class D>
constexpr int wgmma_columns_of(std::int64_t tile) {
  for (int n = 256; n >= 8; n -= 8) {
    if (wgmma_has_columns<D>(n) && tile % n == 0) return n;
  }
  return 0;
}

/// @name Mistakes in a call of a selector
/// @{
template <class D, class A, class B>
struct no_wgmma_of_these_types {
  static constexpr bool ok = wgmma_has_types<D, A, B>;
  static_assert(ok,
                "op_selector: no wgmma has these types (no_wgmma_of_these_types<SUMS, A, B>): sums of half_t take "
                "half_t or fp8 operands, those of float also bfloat16_t and tfloat32_t, those of std::int32_t take "
                "std::int8_t and std::uint8_t; A and B are alike but for fp8 and bytes");
};
template <int m, int n, int k, int multiple_of_k>
struct tile_is_no_multiple_of_the_instruction {
  static constexpr bool ok = m % 64 == 0 && n % 8 == 0 && k % multiple_of_k == 0 && m > 0 && n > 0 && k > 0;
  static_assert(ok,
                "op_selector: the tile is no multiple of an instruction "
                "(tile_is_no_multiple_of_the_instruction<M, N, K, K OF THE INSTRUCTION>); take M a multiple of 64, N "
                "a multiple of 8, and K a multiple of the instruction's");
};
template <int operand_bits, bool a_along_k, bool b_along_k, bool a_in_registers>
struct no_wgmma_of_these_majors {
  static constexpr bool ok = (operand_bits == 16 || (a_along_k && b_along_k)) && (a_along_k || !a_in_registers);
  static_assert(ok,
                "op_selector: no wgmma reads operands of these majors (no_wgmma_of_these_majors<BITS OF AN ELEMENT, A "
                "ALONG K, B ALONG K, A IN REGISTERS>); only operands of 16 bits in shared memory may be Major::MN");
};
/// @}

/// The instruction of a table for a tile. @tparam Row takes N and gives the row, @tparam k of one instruction
template <class D, class A, class B, class Tile, GMMA::Major a, GMMA::Major b, bool in_registers, int k>
constexpr bool check_wgmma_selection() {
  static_assert(is_static<Tile>::value && rank_v<Tile> == 3,
                "op_selector: the tile's shape is static and has the modes M, N and K");
  constexpr int m = static_cast<int>(size_v<decltype(get<0>(Tile{}))>),
                n = static_cast<int>(size_v<decltype(get<1>(Tile{}))>),
                depth = static_cast<int>(size_v<decltype(get<2>(Tile{}))>);
  constexpr int bits = static_cast<int>(sizeof_bits_v<A>);
  return no_wgmma_of_these_types<D, A, B>::ok && tile_is_no_multiple_of_the_instruction<m, n, depth, k>::ok &&
         no_wgmma_of_these_majors<bits, a == GMMA::Major::K, b == GMMA::Major::K, in_registers>::ok;
}

/// The scales that a selector's further arguments give.
template <auto... scales>
struct wgmma_scales {
  static constexpr GMMA::ScaleIn a = GMMA::ScaleIn::One, b = GMMA::ScaleIn::One;
};
template <GMMA::ScaleIn a_>
struct wgmma_scales<a_> {
  static constexpr GMMA::ScaleIn a = a_, b = GMMA::ScaleIn::One;
};
template <GMMA::ScaleIn a_, GMMA::ScaleIn b_>
struct wgmma_scales<a_, b_> {
  static constexpr GMMA::ScaleIn a = a_, b = b_;
};

template <class A, class B, class D, class Tile, wgmma_source from, GMMA::Major a, GMMA::Major b, auto... scales>
struct wgmma_selection {
  using Scales = wgmma_scales<scales...>;
  static constexpr int K = 256 / static_cast<int>(sizeof_bits_v<A>);
  static constexpr bool ok = check_wgmma_selection<D, A, B, Tile, a, b, from == wgmma_source::registers, K>();
  static constexpr int N = wgmma_columns_of<D>(static_cast<std::int64_t>(size_v<decltype(get<1>(Tile{}))>));
  using type = wgmma_async<ok && N != 0 ? N : 8, D, A, B, from, a, b, Scales::a, Scales::b>;
};

/// The same for a sparse A: K of an instruction is twice as large. @tparam scales may end with the selector
template <class A, class B, class D, class Tile, wgmma_source from, GMMA::Major a, GMMA::Major b, auto... scales>
struct wgmma_sparse_selection {
  static constexpr int K = 512 / static_cast<int>(sizeof_bits_v<A>);
  static constexpr bool ok = check_wgmma_selection<D, A, B, Tile, a, b, from == wgmma_source::registers, K>();
  static constexpr int N = wgmma_columns_of<D>(static_cast<std::int64_t>(size_v<decltype(get<1>(Tile{}))>));
  using type = wgmma_sparse_async<ok && N != 0 ? N : 8, D, A, B, from, a, b, scales...>;
};

}  // namespace detail

namespace GMMA {

/// The instruction that multiplies tiles in shared memory, with the largest N that divides the tile's.
/// @tparam TileShape_MNK the static shape (M, N, K) of what a block multiplies at a time
/// @tparam scales GMMA::ScaleIn of A and of B, which may be left out
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major a = Major::K, Major b = Major::K,
          auto... scales>
COSMATI_HD constexpr auto ss_op_selector() {
  return typename detail::wgmma_selection<ElementA, ElementB, ElementC, TileShape_MNK, detail::wgmma_source::shared, a,
                                          b, scales...>::type{};
}
/// The same for A in registers, which is Major::K.
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major a = Major::K, Major b = Major::K,
          auto... scales>
COSMATI_HD constexpr auto rs_op_selector() {
  return typename detail::wgmma_selection<ElementA, ElementB, ElementC, TileShape_MNK, detail::wgmma_source::registers,
                                          a, b, scales...>::type{};
}

/// The instruction that multiplies a sparse A by B, both in shared memory.
/// @tparam scales GMMA::ScaleIn of A and of B, and GMMA::SparseSel, which may be left out from behind
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major a = Major::K, Major b = Major::K,
          auto... scales>
COSMATI_HD constexpr auto ss_op_selector_sparse() {
  return typename detail::wgmma_sparse_selection<ElementA, ElementB, ElementC, TileShape_MNK,
                                                 detail::wgmma_source::shared, a, b, scales...>::type{};
}
/// The same for the stored elements of A in registers, which is Major::K.
template <class ElementA, class ElementB, class ElementC, class TileShape_MNK, Major a = Major::K, Major b = Major::K,
          auto... scales>
COSMATI_HD constexpr auto rs_op_selector_sparse() {
  return typename detail::wgmma_sparse_selection<ElementA, ElementB, ElementC, TileShape_MNK,
                                                 detail::wgmma_source::registers, a, b, scales...>::type{};
}

}  // namespace GMMA
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
