// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma.sync` of double with more rows and longer k (sm_90 and newer). m16n8k16 runs at full rate, m8n8k4 at half of
/// it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_traits.hpp>

namespace COSMATI_NAMESPACE {

/// D = A B + C of doubles, A by rows (T) and B by columns (N).
struct SM90_16x8x4_F64F64F64F64_TN : detail::mma_sync<90, 16, 8, 4, double, double, double, double> {};
struct SM90_16x8x8_F64F64F64F64_TN : detail::mma_sync<90, 16, 8, 8, double, double, double, double> {};
struct SM90_16x8x16_F64F64F64F64_TN : detail::mma_sync<90, 16, 8, 16, double, double, double, double> {};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
