// SPDX-License-Identifier: Apache-2.0
/// @file
/// The standard library's traits and helpers by CUTLASS's names: `cutlass::platform::is_same`.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/platform/platform.h>)
#include_next <cutlass/platform/platform.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/math.hpp>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace cutlass::platform {

using ::COSMATI_NAMESPACE::abs;
using ::COSMATI_NAMESPACE::max;
using ::COSMATI_NAMESPACE::min;
using std::aligned_storage;
using std::alignment_of;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::declval;
using std::denorm_absent;
using std::denorm_indeterminate;
using std::denorm_present;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::float_denorm_style;
using std::float_round_style;
using std::integral_constant;
using std::is_arithmetic;
using std::is_arithmetic_v;
using std::is_base_of;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_fundamental;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_same;
using std::is_same_v;
using std::is_trivially_copyable;
using std::is_unsigned;
using std::is_unsigned_v;
using std::is_void;
using std::is_void_v;
using std::is_volatile;
using std::make_pair;
using std::nullptr_t;
using std::numeric_limits;
using std::pair;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_cvref;
using std::remove_cvref_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::round_indeterminate;
using std::round_to_nearest;
using std::round_toward_infinity;
using std::round_toward_neg_infinity;
using std::round_toward_zero;
using std::true_type;

/// The bits of one value as a value of another type of the same size.
template <class To, class From>
COSMATI_HD constexpr To bit_cast(From const& from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "bit_cast: both types need the same size");
  return __builtin_bit_cast(To, from);
}

}  // namespace cutlass::platform

#include <cosmati/core/macros_end.hpp>

#endif
