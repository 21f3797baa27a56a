// SPDX-License-Identifier: Apache-2.0
/// @file
/// Nested tuples of integers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/array.hpp>
#include <cosmati/core/elementwise.hpp>
#include <cosmati/core/int_tuple.hpp>
#include <cosmati/core/tuple_array.hpp>
#include <cosmati/core/tuple_extremes.hpp>
#include <cosmati/layout/print.hpp>
#include <cute/algorithm/tuple_algorithms.hpp>
#include <cute/container/array.hpp>
#include <cute/container/tuple.hpp>
#include <cute/numeric/integral_constant.hpp>

namespace COSMATI_NAMESPACE {

/// @name Rank and depth of a type, as static integers
/// @{
template <class T>
using rank_t = C<rank_v<T>>;
template <class T>
using depth_t = decltype(depth(std::declval<T>()));
template <class T>
inline constexpr auto depth_v = depth_t<T>::value;
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
