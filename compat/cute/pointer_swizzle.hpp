// SPDX-License-Identifier: Apache-2.0
/// @file
/// `swizzle_ptr`, and the swizzle of a pointer, an engine or a tensor as `get_swizzle` gives it.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/composed_common.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>

namespace COSMATI_NAMESPACE {

template <class S, class P>
struct get_swizzle<swizzle_ptr<S, P>> {
  using type = S;
};
/// Of what has an iterator.
template <class T>
requires requires { typename T::iterator; }
struct get_swizzle<T> : get_swizzle<typename T::iterator> {};

/// @name The alignment that a pointer's type promises, in bits; 0: it promises none
/// @{
template <class T>
COSMATI_HD constexpr C<0> max_alignment(T*) {
  return {};
}
template <class S, class P>
COSMATI_HD constexpr auto max_alignment(swizzle_ptr<S, P> const&) {
  return C<8>{} * max_alignment(S{});
}
template <template <class> class Tag, class P>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr auto max_alignment(Tag<P> const& p) {
  return max_alignment(p.get());
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>

#include <cute/pointer.hpp>
#include <cute/swizzle_layout.hpp>
