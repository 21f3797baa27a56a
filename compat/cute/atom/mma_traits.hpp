// SPDX-License-Identifier: Apache-2.0
/// @file
/// `MMA_Traits` of `UniversalFMA`; the concept of traits; `mma_unpack`, one instruction on tensors of registers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_atom.hpp>
#include <cute/arch/mma.hpp>
#include <cute/arch/util.hpp>
#include <cute/tensor_impl.hpp>

namespace COSMATI_NAMESPACE {

/// The operation of `MMA_Traits<Op, ...>`.
template <class Traits>
struct MMA_Op;
template <class Op, class... X>
struct MMA_Op<MMA_Traits<Op, X...>> {
  using type = Op;
};

/// D = A B + C by the operation of these traits, of one thread's registers.
template <class Op, class... X, tensor_type D, class TA, class LA, class TB, class LB, class TC, class LC>
COSMATI_HD constexpr void mma_unpack(MMA_Traits<Op, X...> const& traits, D&& d, Tensor<TA, LA> const& a,
                                     Tensor<TB, LB> const& b, Tensor<TC, LC> const& c) {
  MMA_Atom<MMA_Traits<Op, X...>>{traits}.call(d, a, b, c);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
