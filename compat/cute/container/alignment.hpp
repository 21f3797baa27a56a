// SPDX-License-Identifier: Apache-2.0
/// @file
/// `is_byte_aligned`, `aligned_struct`, `CUTE_ALIGNAS`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/alignment.hpp>
#include <cute/numeric/math.hpp>
#include <cute/numeric/numeric_types.hpp>

/// The alignment of a class or variable, in bytes.
#define CUTE_ALIGNAS(bytes) alignas(bytes)
