// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sequences of static integers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integer_sequence.hpp>
#include <cute/numeric/integral_constant.hpp>
#include <cute/util/type_traits.hpp>

namespace COSMATI_NAMESPACE {

/// The type whose `type` is a tuple of static integers as a `seq`.
template <class T>
struct to_seq {
  using type = to_seq_t<T>;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
