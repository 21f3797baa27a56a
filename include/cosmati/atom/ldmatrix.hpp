// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ldmatrix`: a warp loads one, two or four 8x8 matrices of 16-bit elements from shared memory (sm_75 and newer).
///
/// Lane 8 j + r gives the address of row r of matrix j, which has 16 bytes. Every lane receives one register for each
/// matrix.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>
#include <cosmati/atom/matrix_8x8.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

template <int matrices, bool transposed>
struct ldmatrix_operation {
  static constexpr int count = matrices;
  static constexpr bool transposes = transposed;
  using SRegisters = uint128_t[1];
  using DRegisters = std::uint32_t[std::size_t{matrices}];
  static constexpr copy_instruction instruction = {matrices == 1   ? (transposed ? "ldmatrix.x1.trans" : "ldmatrix.x1")
                                                   : matrices == 2 ? (transposed ? "ldmatrix.x2.trans" : "ldmatrix.x2")
                                                                   : (transposed ? "ldmatrix.x4.trans" : "ldmatrix.x4"),
                                                   memory_space::smem, memory_space::rmem, 32, 75};

  /// The instruction; defined in arch/ldmatrix.hpp. @param row this lane's row in shared memory
  template <class... Register>
  COSMATI_HD static void copy(uint128_t const& row, Register&... registers);
};
template <class Op>
concept ldmatrix_atom = requires {
  Op::count, Op::transposes;
}
&&std::is_base_of_v<ldmatrix_operation<Op::count, Op::transposes>, Op>;

}  // namespace detail

/// @name Without transposition: lane l receives columns 2 (l % 4) and the next in row l / 4 of each matrix
/// @{
struct SM75_U32x1_LDSM_N : detail::ldmatrix_operation<1, false> {};
struct SM75_U32x2_LDSM_N : detail::ldmatrix_operation<2, false> {};
struct SM75_U32x4_LDSM_N : detail::ldmatrix_operation<4, false> {};
/// @}
/// @name With transposition: lane l receives rows 2 (l % 4) and the next in column l / 4 of each matrix
/// @{
struct SM75_U16x2_LDSM_T : detail::ldmatrix_operation<1, true> {};
struct SM75_U16x4_LDSM_T : detail::ldmatrix_operation<2, true> {};
struct SM75_U16x8_LDSM_T : detail::ldmatrix_operation<4, true> {};
/// @}

template <detail::ldmatrix_atom Op>
struct Copy_Traits<Op> {
  using ThrID = Layout<_32>;
  using SrcLayout = typename detail::matrix_rows<Op::count>::type;
  using DstLayout = typename detail::matrix_registers<Op::count, Op::transposes>::type;
  using RefLayout = DstLayout;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
