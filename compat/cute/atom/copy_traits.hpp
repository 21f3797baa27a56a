// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Copy_Traits` of the instructions that need no architecture; `copy_unpack`, one vector by an operation.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/atom/copy_traits.hpp>
#include <cute/arch/copy.hpp>
#include <cute/arch/util.hpp>
#include <cute/tensor_impl.hpp>

namespace COSMATI_NAMESPACE {

/// The operation of `Copy_Traits<Op, ...>`.
template <class Traits>
struct CPY_Op;
template <class Op, class... X>
struct CPY_Op<Copy_Traits<Op, X...>> {
  using type = Op;
};

/// One vector by the operation of these traits. A program's own traits may have a `copy_unpack` of their own, which
/// `copy` calls.
template <class Op, class... X, class SrcEngine, class SrcLayout, tensor_type Dst>
COSMATI_HD constexpr detail::unpacked_by_the_library copy_unpack(Copy_Traits<Op, X...> const& traits,
                                                                 Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  using T = typename Tensor<SrcEngine, SrcLayout>::value_type;
  copy(Copy_Atom<Copy_Traits<Op, X...>, T>{traits}, src, dst);
  return {};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
