// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma_loads`: one operand's way from the stages of `gemm_mma` to a thread's registers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/kernel/gemm/swizzled_vectors.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A thread's fragment of an operand, and the loads that fill it.
/// @tparam Operand staged_operand, @tparam Load a ThrCopy of its load_atom
/// @tparam Fragment (V, X, steps), @tparam From swizzled_vectors of this thread
template <class Operand, class Load, class Fragment, class From>
struct mma_loads {
  /// Of one step along K.
  static constexpr int count = decltype(size<0, 1>(std::declval<Load>().retile_D(std::declval<Fragment&>())))::value;

  Load load_;
  Fragment fragment;
  From from_;

  /// Load j of a step.
  COSMATI_HD void operator()(int j, int step, int stage) {
    auto to = load_.retile_D(fragment);  // ((VECTOR, vectors), 1, steps)
    copy(typename Operand::load_atom{}, from_(stage, make_coord(0, j), 0, step), to(make_coord(_, j), 0, step));
  }
};

/// @param load a ThrCopy of the operand's load_atom, @param fragment (V, X, steps), @param shared (X, K, stages)
template <class Operand, class Load, class Fragment, class Shared>
COSMATI_HD auto make_mma_loads(Load const& load, Fragment const& fragment, Shared const& shared) {
  auto const partition = load.partition_S(shared);
  constexpr int vector = decltype(size<0, 0>(partition))::value;
  auto const from = make_swizzled_vectors<vector>(partition);
  return mma_loads<Operand, Load, Fragment, std::remove_const_t<decltype(from)>>{load, fragment, from};
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
