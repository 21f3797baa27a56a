// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma.sync` of sm_75 and newer by CuTe's names: half, and 8-bit integers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_traits.hpp>

namespace COSMATI_NAMESPACE {

/// D = A B + C. The name has the types of D, A, B, C; A is by rows (T) and B by columns (N).
struct SM75_16x8x8_F32F16F16F32_TN : detail::mma_sync<75, 16, 8, 8, float, half_t, half_t, float> {};
struct SM75_16x8x8_F16F16F16F16_TN : detail::mma_sync<75, 16, 8, 8, half_t, half_t, half_t, half_t> {};
struct SM75_8x8x16_S32S8S8S32_TN
    : detail::mma_sync<75, 8, 8, 16, std::int32_t, std::int8_t, std::int8_t, std::int32_t> {};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
