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

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>

#include <cute/pointer.hpp>
#include <cute/swizzle_layout.hpp>
