// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arithmetic on integers.
#pragma once
#include <cute/config.hpp>

#include <cutlass/fast_math.h>
#include <cosmati/core/math.hpp>
#include <cute/util/type_traits.hpp>
