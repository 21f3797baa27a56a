// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma.sync.m8n8k4` of half, the matrix instructions of Volta. Each quad pair of a warp (lanes 0 to 3 and 16 to 19, or
/// those 4, 8, 12 further) computes a product of its own. The whole warp calls the instruction. Later GPUs execute it
/// slowly.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_traits.hpp>

namespace COSMATI_NAMESPACE {

#define COSMATI_MMA_(suffix, order)                                                                         \
  struct SM70_8x8x4_F16F16F16F16_##suffix                                                                   \
      : detail::mma_sync<70, 8, 8, 4, half_t, half_t, half_t, half_t, mma_major::order> {};                 \
  struct SM70_8x8x4_F32F16F16F32_##suffix                                                                   \
      : detail::mma_sync<70, 8, 8, 4, float, half_t, half_t, float, mma_major::order> {};                   \
  /** C in half, D in float: they lie differently, so that a sum cannot go round; CuTe does not have it. */ \
  struct SM70_8x8x4_F32F16F16F16_##suffix                                                                   \
      : detail::mma_sync<70, 8, 8, 4, float, half_t, half_t, half_t, mma_major::order> {};
COSMATI_MMA_(TN, tn)
COSMATI_MMA_(NT, nt)
COSMATI_MMA_(NN, nn)
COSMATI_MMA_(TT, tt)
#undef COSMATI_MMA_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
