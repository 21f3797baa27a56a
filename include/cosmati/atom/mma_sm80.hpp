// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma.sync` of Ampere by CuTe's names: half, bfloat16, TF32, double, and integers of 8, 4 and 1 bits. Sums of f16
/// products are half or float; the names tell the others. Some instructions run on sm_75.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_traits.hpp>

namespace COSMATI_NAMESPACE {

/// @name Floating point
/// @{
struct SM80_16x8x8_F16F16F16F16_TN : detail::mma_sync<75, 16, 8, 8, half_t, half_t, half_t, half_t> {};
struct SM80_16x8x16_F16F16F16F16_TN : detail::mma_sync<80, 16, 8, 16, half_t, half_t, half_t, half_t> {};
struct SM80_16x8x8_F32F16F16F32_TN : detail::mma_sync<75, 16, 8, 8, float, half_t, half_t, float> {};
struct SM80_16x8x16_F32F16F16F32_TN : detail::mma_sync<80, 16, 8, 16, float, half_t, half_t, float> {};
struct SM80_16x8x8_F32BF16BF16F32_TN : detail::mma_sync<80, 16, 8, 8, float, bfloat16_t, bfloat16_t, float> {};
struct SM80_16x8x16_F32BF16BF16F32_TN : detail::mma_sync<80, 16, 8, 16, float, bfloat16_t, bfloat16_t, float> {};
struct SM80_16x8x4_F32TF32TF32F32_TN : detail::mma_sync<80, 16, 8, 4, float, tfloat32_t, tfloat32_t, float> {};
struct SM80_16x8x8_F32TF32TF32F32_TN : detail::mma_sync<80, 16, 8, 8, float, tfloat32_t, tfloat32_t, float> {};
struct SM80_8x8x4_F64F64F64F64_TN : detail::mma_sync<80, 8, 8, 4, double, double, double, double> {};
/// @}

// The instructions for each pair of 8- and 4-bit types, wrapping and saturating.
#define COSMATI_MMA_(sm, m, n, k, a, b, name_a, name_b)                     \
  struct SM80_##m##x##n##x##k##_S32##name_a##name_b##S32_TN                 \
      : detail::mma_sync<sm, m, n, k, std::int32_t, a, b, std::int32_t> {}; \
  struct SM80_##m##x##n##x##k##_S32##name_a##name_b##S32_TN_SATURATE        \
      : detail::mma_sync<sm, m, n, k, std::int32_t, a, b, std::int32_t, mma_major::tn, mma_variant::saturate> {};
#define COSMATI_MMA_SIGNS_(sm, m, n, k, s, u, name_s, name_u) \
  COSMATI_MMA_(sm, m, n, k, s, s, name_s, name_s)             \
  COSMATI_MMA_(sm, m, n, k, s, u, name_s, name_u)             \
  COSMATI_MMA_(sm, m, n, k, u, s, name_u, name_s)             \
  COSMATI_MMA_(sm, m, n, k, u, u, name_u, name_u)
COSMATI_MMA_SIGNS_(75, 8, 8, 16, std::int8_t, std::uint8_t, S8, U8)
COSMATI_MMA_SIGNS_(80, 16, 8, 16, std::int8_t, std::uint8_t, S8, U8)
COSMATI_MMA_SIGNS_(80, 16, 8, 32, std::int8_t, std::uint8_t, S8, U8)
COSMATI_MMA_SIGNS_(75, 8, 8, 32, int4_t, uint4_t, S4, U4)
COSMATI_MMA_SIGNS_(80, 16, 8, 32, int4_t, uint4_t, S4, U4)
COSMATI_MMA_SIGNS_(80, 16, 8, 64, int4_t, uint4_t, S4, U4)
#undef COSMATI_MMA_SIGNS_
#undef COSMATI_MMA_

// Single bits, which CuTe calls U1, and PTX and MoYe call B1.
#define COSMATI_MMA_(sm, m, n, k, how, popc)                                                                           \
  struct SM80_##m##x##n##x##k##_S32U1U1S32_TN_##popc                                                                   \
      : detail::mma_sync<sm, m, n, k, std::int32_t, uint1_t, uint1_t, std::int32_t, mma_major::tn, mma_variant::how> { \
  };                                                                                                                   \
  using SM80_##m##x##n##x##k##_S32B1B1S32_TN_##popc = SM80_##m##x##n##x##k##_S32U1U1S32_TN_##popc;
COSMATI_MMA_(75, 8, 8, 128, xor_popc, XORPOPC)
COSMATI_MMA_(80, 8, 8, 128, and_popc, ANDPOPC)
COSMATI_MMA_(80, 16, 8, 128, xor_popc, XORPOPC)
COSMATI_MMA_(80, 16, 8, 128, and_popc, ANDPOPC)
COSMATI_MMA_(80, 16, 8, 256, xor_popc, XORPOPC)
COSMATI_MMA_(80, 16, 8, 256, and_popc, ANDPOPC)
#undef COSMATI_MMA_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
