// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma.sync` of 8-bit floating-point numbers (sm_89 and newer), with sums in float or half.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_traits.hpp>

namespace COSMATI_NAMESPACE {

#define COSMATI_MMA_(a, b, name_a, name_b)                                                                  \
  struct SM89_16x8x32_F32##name_a##name_b##F32_TN : detail::mma_sync<89, 16, 8, 32, float, a, b, float> {}; \
  struct SM89_16x8x32_F16##name_a##name_b##F16_TN : detail::mma_sync<89, 16, 8, 32, half_t, a, b, half_t> {};
COSMATI_MMA_(float_e4m3_t, float_e4m3_t, E4M3, E4M3)
COSMATI_MMA_(float_e4m3_t, float_e5m2_t, E4M3, E5M2)
COSMATI_MMA_(float_e5m2_t, float_e4m3_t, E5M2, E4M3)
COSMATI_MMA_(float_e5m2_t, float_e5m2_t, E5M2, E5M2)
#undef COSMATI_MMA_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
