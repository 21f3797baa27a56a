// SPDX-License-Identifier: Apache-2.0
/// @file
/// `prefer<N>`: ranks overloads; a function that takes `prefer<2>` is chosen before one that takes `prefer<1>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cstddef>

namespace COSMATI_NAMESPACE {

/// Converts to every lower rank.
template <std::size_t N>
struct prefer : prefer<N - 1> {};
template <>
struct prefer<0> {};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
