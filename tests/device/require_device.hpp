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
