// SPDX-License-Identifier: Apache-2.0
/// @file
/// `_`, `X`, `slice`, `dice`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/slice.hpp>
#include <cosmati/core/underscore.hpp>
#include <cute/container/tuple.hpp>

namespace COSMATI_NAMESPACE {

/// @name Whether a tuple has an element somewhere; whether it has no other
/// @{
template <class T, class Elem>
struct has_elem : std::is_same<T, Elem> {};
template <class... T, class Elem>
struct has_elem<tuple<T...>, Elem> : std::bool_constant<(has_elem<T, Elem>::value || ...)> {};
template <class T, class Elem>
struct all_elem : std::is_same<T, Elem> {};
template <class... T, class Elem>
struct all_elem<tuple<T...>, Elem> : std::bool_constant<(all_elem<T, Elem>::value && ...)> {};
template <class T>
using has_int0 = has_elem<T, C<0>>;
template <class T>
using has_int1 = has_elem<T, C<1>>;
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
