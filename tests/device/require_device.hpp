// SPDX-License-Identifier: Apache-2.0
/// @file
/// For tests whose kernels run on either device. Such a test is skipped without a GPU, but never on the simulated
/// device.
#pragma once

#include <gtest/gtest.h>

#include <cosmati/runtime/device.hpp>

/// First line of a test that launches kernels.
#define COSMATI_REQUIRE_DEVICE() \
  if (!::cosmati::device_is_available()) GTEST_SKIP() << "no GPU"

/// First line of a test that launches kernels with warpgroup instructions (sm_90a).
#define COSMATI_REQUIRE_WGMMA()                                                           \
  COSMATI_REQUIRE_DEVICE();                                                               \
  if (!::cosmati::is_simulated() && ::cosmati::current_device().compute_capability != 90) \
  GTEST_SKIP() << "the GPU has no wgmma"
