// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arithmetic on integers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/math.hpp>
