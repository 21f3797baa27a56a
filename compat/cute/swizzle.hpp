// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Swizzle`, `MixedBits`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/layout/mixed_bits.hpp>
#include <cosmati/layout/swizzle.hpp>
#include <cute/algorithm/tuple_algorithms.hpp>
