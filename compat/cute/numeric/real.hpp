// SPDX-License-Identifier: Apache-2.0
/// @file
/// `is_floating_point`-like questions are in <cute/util/type_traits.hpp>; the narrow number types are in
/// <cute/numeric/numeric_types.hpp>.
#pragma once
#include <cute/config.hpp>

#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/half.hpp>
#include <cosmati/number/tfloat32.hpp>
