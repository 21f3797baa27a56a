// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::sizeof_bits`.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/numeric_size.h>)
#include_next <cutlass/numeric_size.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/core/sizeof_bits.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::is_subbyte;
using ::COSMATI_NAMESPACE::is_subbyte_v;
using ::COSMATI_NAMESPACE::sizeof_bits;
using ::COSMATI_NAMESPACE::sizeof_bits_v;

/// @name Between bits and bytes, rounded up
/// @{
template <class T>
COSMATI_HD constexpr auto bits_to_bytes(T bits) {
  return (bits + 7) / 8;
}
template <class T>
COSMATI_HD constexpr auto bytes_to_bits(T bytes) {
  return bytes * 8;
}
/// @}

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
