// SPDX-License-Identifier: Apache-2.0
/// @file
/// Operators as function objects.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/functional.hpp>
#include <cute/numeric/complex.hpp>
#include <cute/numeric/math.hpp>
