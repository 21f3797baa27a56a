// SPDX-License-Identifier: Apache-2.0
/// @file
/// `stmatrix`: a warp stores one, two or four 8x8 matrices of 16-bit elements to shared memory (sm_90 and newer).
///
/// It is the reverse of ldmatrix. Every lane gives one register for each matrix, and lane 8 j + r the address of row r
/// of matrix j, which has 16 bytes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>
#include <cosmati/atom/matrix_8x8.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

template <int matrices, bool transposed>
struct stmatrix_operation {
  static constexpr int count = matrices;
  static constexpr bool transposes = transposed;
  using SRegisters = std::uint32_t[std::size_t{matrices}];
  using DRegisters = uint128_t[1];
  static constexpr copy_instruction instruction = {matrices == 1   ? (transposed ? "stmatrix.x1.trans" : "stmatrix.x1")
                                                   : matrices == 2 ? (transposed ? "stmatrix.x2.trans" : "stmatrix.x2")
                                                                   : (transposed ? "stmatrix.x4.trans" : "stmatrix.x4"),
                                                   memory_space::rmem, memory_space::smem, 32, 90};

  /// The instruction; defined in arch/stmatrix.hpp. @param arguments a register for each matrix, then this lane's row
  /// in shared memory
  template <class... Argument>
  COSMATI_HD static void copy(Argument&&... arguments);
};
template <class Op>
concept stmatrix_atom = requires {
  Op::count, Op::transposes;
}
&&std::is_base_of_v<stmatrix_operation<Op::count, Op::transposes>, Op>;

}  // namespace detail

/// @name Without transposition: lane l gives columns 2 (l % 4) and the next in row l / 4 of each matrix
/// @{
struct SM90_U32x1_STSM_N : detail::stmatrix_operation<1, false> {};
struct SM90_U32x2_STSM_N : detail::stmatrix_operation<2, false> {};
struct SM90_U32x4_STSM_N : detail::stmatrix_operation<4, false> {};
/// @}
/// @name With transposition: lane l gives rows 2 (l % 4) and the next in column l / 4 of each matrix
/// @{
struct SM90_U16x2_STSM_T : detail::stmatrix_operation<1, true> {};
struct SM90_U16x4_STSM_T : detail::stmatrix_operation<2, true> {};
struct SM90_U16x8_STSM_T : detail::stmatrix_operation<4, true> {};
/// @}

template <detail::stmatrix_atom Op>
struct Copy_Traits<Op> {
  using ThrID = Layout<_32>;
  using SrcLayout = typename detail::matrix_registers<Op::count, Op::transposes>::type;
  using DstLayout = typename detail::matrix_rows<Op::count>::type;
  using RefLayout = SrcLayout;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
