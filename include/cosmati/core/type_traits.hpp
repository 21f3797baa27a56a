// SPDX-License-Identifier: Apache-2.0
/// @file
/// The standard traits and utilities that programs for CuTe call by its namespace: `cute::is_same_v`, `cute::move`, ...
///
/// `is_integral`, `true_type`, `integral_constant`, `bool_constant`, `tuple_size` and their relatives are not here. The
/// library has its own (core/integral_constant.hpp, core/tuple.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/core/config.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace COSMATI_NAMESPACE {

/// @name Utilities
/// @{
using std::declval;
using std::exchange;
using std::forward;
using std::move;
using std::swap;
/// @}

/// @name Types
/// @{
using std::byte;
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::nullptr_t;
using std::ptrdiff_t;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
using std::uintptr_t;
/// @}

/// @name Choice
/// @{
using std::common_type;
using std::common_type_t;
using std::conditional;
using std::conditional_t;
using std::conjunction;
using std::conjunction_v;
using std::disjunction;
using std::disjunction_v;
using std::enable_if;
using std::enable_if_t;
using std::negation;
using std::negation_v;
using std::type_identity;
using std::type_identity_t;
using std::void_t;
/// @}

/// @name Type to type
/// @{
using std::add_const_t;
using std::add_lvalue_reference_t;
using std::add_pointer_t;
using std::add_rvalue_reference_t;
using std::decay;
using std::decay_t;
using std::invoke_result;
using std::invoke_result_t;
using std::make_signed_t;
using std::make_unsigned_t;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_cvref;
using std::remove_cvref_t;
using std::remove_extent;
using std::remove_extent_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::underlying_type;
using std::underlying_type_t;
/// @}

/// @name Questions
/// @{
using std::alignment_of;
using std::alignment_of_v;
using std::extent;
using std::extent_v;
using std::is_arithmetic;
using std::is_arithmetic_v;
using std::is_array;
using std::is_array_v;
using std::is_assignable;
using std::is_assignable_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class;
using std::is_class_v;
using std::is_const;
using std::is_const_v;
using std::is_constructible;
using std::is_constructible_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_default_constructible;
using std::is_default_constructible_v;
using std::is_empty;
using std::is_empty_v;
using std::is_enum;
using std::is_enum_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_lvalue_reference;
using std::is_lvalue_reference_v;
using std::is_nothrow_constructible_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_rvalue_reference;
using std::is_rvalue_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_signed;
using std::is_signed_v;
using std::is_standard_layout_v;
using std::is_trivially_copyable;
using std::is_trivially_copyable_v;
using std::is_unsigned;
using std::is_unsigned_v;
using std::is_void;
using std::is_void_v;
using std::is_volatile;
using std::is_volatile_v;

/// Whether T is one of U...
template <class T, class... U>
inline constexpr bool is_any_of_v = (std::is_same_v<T, U> || ...);
template <class T, class... U>
struct is_any_of : std::bool_constant<is_any_of_v<T, U...>> {};
/// False, but only when the template is instantiated.
template <class...>
inline constexpr bool dependent_false = false;
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
