// SPDX-License-Identifier: Apache-2.0
/// @file
/// Integers by their number of bits.
#pragma once
#include <cute/config.hpp>

#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/number/uint128.hpp>
