// SPDX-License-Identifier: Apache-2.0
/// @file
/// Static integers: `C<v>`, `Int<N>`, `_1`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/integral_constant.hpp>
#include <cosmati/core/math.hpp>
#include <cute/numeric/math.hpp>
#include <cute/util/print.hpp>
#include <cute/util/type_traits.hpp>
