// SPDX-License-Identifier: Apache-2.0
/// @file
/// `NumericConverter`, `NumericArrayConverter`: rounding to nearest, two at a time where the hardware has that.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/numeric_conversion.h>)
#include_next <cutlass/numeric_conversion.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/array.h>
#include <cosmati/arch/convert.hpp>

namespace cutlass {

/// The conversions are to the nearest, ties to even.
enum class FloatRoundStyle { round_to_nearest };

/// One number.
template <class To, class From, FloatRoundStyle Round = FloatRoundStyle::round_to_nearest>
struct NumericConverter {
  using result_type = To;
  using source_type = From;
  CUTLASS_HOST_DEVICE static result_type convert(source_type const& x) { return static_cast<To>(x); }
  CUTLASS_HOST_DEVICE result_type operator()(source_type const& x) const { return convert(x); }
};
/// N numbers.
template <class To, class From, int N, FloatRoundStyle Round = FloatRoundStyle::round_to_nearest>
struct NumericArrayConverter {
  using result_type = Array<To, N>;
  using source_type = Array<From, N>;
  CUTLASS_HOST_DEVICE static result_type convert(source_type const& from) {
    result_type to;
    CUTLASS_PRAGMA_UNROLL
    for (int i = 0; i < N; ++i) to[i] = NumericConverter<To, From, Round>::convert(from[i]);
    return to;
  }
  CUTLASS_HOST_DEVICE result_type operator()(source_type const& from) const { return convert(from); }
};

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
