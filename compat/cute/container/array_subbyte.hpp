// SPDX-License-Identifier: Apache-2.0
/// @file
/// `array_subbyte<T, N>`, its iterator and its reference.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/pointer.hpp>
#include <cosmati/tensor/subbyte.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cute/numeric/integral_constant.hpp>
#include <cute/numeric/numeric_types.hpp>

namespace COSMATI_NAMESPACE {

/// The unsigned integer, or the bytes, that hold an element.
template <class T>
using subbyte_storage_type_t = uint_byte_t<(sizeof_bits_v<T> <= 8)    ? 1
                                           : (sizeof_bits_v<T> <= 16) ? 2
                                           : (sizeof_bits_v<T> <= 32) ? 4
                                           : (sizeof_bits_v<T> <= 64) ? 8
                                                                      : 16>;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
