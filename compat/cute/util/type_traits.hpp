// SPDX-License-Identifier: Apache-2.0
/// @file
/// The standard traits under CuTe's namespace.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/core/integral_constant.hpp>
#include <cosmati/core/tuple.hpp>
#include <cosmati/core/type_traits.hpp>
#include <limits>

/// @name In a template's head: the template is there for such arguments only
/// @{
#define __CUTE_REQUIRES(...) typename ::std::enable_if<(__VA_ARGS__)>::type* = nullptr
#define __CUTE_REQUIRES_V(...) typename ::std::enable_if<decltype((__VA_ARGS__))::value>::type* = nullptr
/// @}

namespace COSMATI_NAMESPACE {

using std::add_pointer;
using std::is_standard_layout;
using std::make_signed;
using std::make_unsigned;
using std::numeric_limits;

/// Dst with the const and volatile of Src.
template <class Src, class Dst>
struct copy_cv {
  using type = std::conditional_t<std::is_const_v<Src>, std::add_const_t<Dst>, Dst>;
};
template <class Src, class Dst>
struct copy_cv<Src volatile, Dst> {
  using type = std::conditional_t<std::is_const_v<Src>, Dst const volatile, Dst volatile>;
};
template <class Src, class Dst>
using copy_cv_t = typename copy_cv<Src, Dst>::type;

/// @name is_valid(f, args...): whether f can be called with such arguments, as a type with `value`
/// @{
template <class F, class... T>
COSMATI_HD constexpr auto is_valid(F&&, T&&...) {
  return std::bool_constant<std::is_invocable_v<F&&, T&&...>>{};
}
/// @}

/// One of two templates.
template <bool, template <class...> class True, template <class...> class False>
struct conditional_template {
  template <class... T>
  using type = True<T...>;
};
template <template <class...> class True, template <class...> class False>
struct conditional_template<false, True, False> {
  template <class... T>
  using type = False<T...>;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
