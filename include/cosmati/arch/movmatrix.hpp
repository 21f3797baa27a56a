// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue `movmatrix` and the shuffle transposes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/exchange.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/atom/movmatrix.hpp>
#include <cosmati/atom/shuffle_transpose.hpp>

namespace COSMATI_NAMESPACE {

/// Transposes an 8x8 matrix of 16-bit elements, two of which are in each lane of the warp. The whole warp calls it.
template <int dependent = 0>
COSMATI_HD inline std::uint32_t movmatrix_trans(std::uint32_t source COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(
      detail::target_lacks_the_instruction<instruction::movmatrix, 75 + 0 * dependent, COSMATI_TARGET_SM>::ok);
  std::uint32_t result = source;
#if defined(__CUDA_ARCH__)
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(source));
#elif defined(COSMATI_SIMULATED)
  using Traits = Copy_Traits<SM75_U32x1_MOVM_T>;
  detail::exchange<typename Traits::SrcLayout, typename Traits::DstLayout>(&source, &result, "movmatrix", file, line);
#endif
  return result;
}
template <class Register>
COSMATI_HD void SM75_U32x1_MOVM_T::copy(std::uint32_t const& source, Register& destination) {
#if defined(COSMATI_SIMULATED)
  destination = movmatrix_trans<>(source, nullptr, 0);
#else
  destination = movmatrix_trans<>(source);
#endif
}

namespace detail {

template <int apart>
template <class Register>
COSMATI_HD void shuffle_transpose<apart>::copy(std::uint32_t const& source0, std::uint32_t const& source1,
                                               Register& destination0, Register& destination1) {
#if defined(__CUDA_ARCH__)
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  bool const second = (lane & apart) != 0;
  std::uint32_t const other = __shfl_xor_sync(0xffffffffu, second ? source0 : source1, apart);
  std::uint32_t const kept_word = second ? source1 : source0;
  destination0 = second ? other : kept_word;
  destination1 = second ? kept_word : other;
#elif defined(COSMATI_SIMULATED)
  using Traits =
      Copy_Traits<std::conditional_t<apart == 1, SM50_Shuffle_U32_2x2Trans_XOR1, SM50_Shuffle_U32_2x2Trans_XOR4>>;
  std::uint32_t const give[2] = {source0, source1};
  std::uint32_t take[2];
  exchange<typename Traits::SrcLayout, typename Traits::DstLayout>(give, take, instruction.name, nullptr, 0);
  destination0 = take[0];
  destination1 = take[1];
#else
  destination0 = source0;
  destination1 = source1;
#endif
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
