// SPDX-License-Identifier: Apache-2.0
/// @file
/// `movmatrix`: a warp transposes an 8x8 matrix of 16-bit elements in its registers (sm_75 and newer).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>
#include <cosmati/atom/matrix_8x8.hpp>

namespace COSMATI_NAMESPACE {

/// Lane l gives columns 2 (l % 4) and the next of row l / 4, and receives rows 2 (l % 4) and the next of column l / 4.
struct SM75_U32x1_MOVM_T {
  using SRegisters = std::uint32_t[1];
  using DRegisters = std::uint32_t[1];
  static constexpr copy_instruction instruction = {"movmatrix", memory_space::rmem, memory_space::rmem, 32, 75};

  /// The instruction; defined in arch/movmatrix.hpp.
  template <class Register>
  COSMATI_HD static void copy(std::uint32_t const& source, Register& destination);
};

template <>
struct Copy_Traits<SM75_U32x1_MOVM_T> {
  using ThrID = Layout<_32>;
  using SrcLayout = typename detail::matrix_registers<1, false>::type;
  using DstLayout = typename detail::matrix_registers<1, true>::type;
  using RefLayout = SrcLayout;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
