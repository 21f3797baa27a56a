// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy`, `copy_if`, `copy_aligned`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/copy_if.hpp>

namespace COSMATI_NAMESPACE {

/// A policy of `copy`: as `Base`, each place of the destination once, where strides of 0 repeat it.
template <class Base>
struct AutoFilter {
  Base const& base;
  COSMATI_HD constexpr AutoFilter(Base const& b) : base(b) {}  // NOLINT(google-explicit-constructor)
};
template <class Base, class SrcEngine, class SrcLayout, tensor_type Dst>
COSMATI_HD constexpr void copy(AutoFilter<Base> const& policy, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  if constexpr (is_static_v<decltype(dst.layout())> && is_static_v<decltype(src.shape())>) {
    auto const repeated = nullspace(dst.layout());
    auto&& to = zipped_divide(dst, repeated)(C<0>{}, _);
    copy(policy.base, zipped_divide(src, repeated)(C<0>{}, _), to);
  } else {
    copy(policy.base, src, dst);
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>

#include <cute/tensor.hpp>
