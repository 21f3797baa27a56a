// SPDX-License-Identifier: Apache-2.0
/// @file
/// `bit_field<start, bits>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/bit_field.hpp>
#include <cute/numeric/numeric_types.hpp>
#include <cute/util/type_traits.hpp>
