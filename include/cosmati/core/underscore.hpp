// SPDX-License-Identifier: Apache-2.0
/// @file
/// `_`, the coordinate that keeps a mode, and traits of it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>

namespace COSMATI_NAMESPACE {

/// The type of `_` and of the `X` of a projection. It means "all of this mode".
struct Underscore : Int<0> {};

#if defined(__CUDA_ARCH__)
[[maybe_unused]] static __device__ constexpr Underscore _{};  // device code may not refer to a host object
#else
inline constexpr Underscore _{};
#endif
/// Marks a mode that a projection leaves out: `Step<_1, X, _1>`.
using X = Underscore;

/// Whether T is `_`.
template <class T>
inline constexpr bool is_underscore_v = false;
template <>
inline constexpr bool is_underscore_v<Underscore> = true;
COSMATI_ALSO_OF_REFERENCES(bool, is_underscore_v)
/// Whether T is `_`, as a type.
template <class T>
struct is_underscore : bool_constant<is_underscore_v<T>> {};

namespace detail {
template <class T>
inline constexpr bool any_underscore = is_underscore_v<T>;
template <class... T>
inline constexpr bool any_underscore<tuple<T...>> = (any_underscore<T> || ...);
template <class T>
inline constexpr bool only_underscores = is_underscore_v<T>;
template <class... T>
inline constexpr bool only_underscores<tuple<T...>> = (only_underscores<T> && ...);
}  // namespace detail

/// Whether some leaf of T is `_`.
template <class T>
struct has_underscore : bool_constant<detail::any_underscore<std::remove_cvref_t<T>>> {};
/// Whether every leaf of T is `_`.
template <class T>
struct all_underscore : bool_constant<detail::only_underscores<std::remove_cvref_t<T>>> {};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
