// SPDX-License-Identifier: Apache-2.0
/// @file
/// Transposes of 2x2 values between lanes by shuffles.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/movmatrix.hpp>
#include <cosmati/atom/shuffle_transpose.hpp>
#include <cute/arch/copy.hpp>
