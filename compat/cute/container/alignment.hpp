// SPDX-License-Identifier: Apache-2.0
/// @file
/// `is_byte_aligned`, `aligned_struct`, `CUTE_ALIGNAS`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/alignment.hpp>

/// The alignment of a class or variable, in bytes.
#define CUTE_ALIGNAS(bytes) alignas(bytes)
