// SPDX-License-Identifier: Apache-2.0
/// @file
/// `simt_loads`: one operand's way from the stages of `gemm_simt` to a thread's registers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A thread's operands of one step, converted to the sums' type where they have another.
template <class From, class To>
COSMATI_HD void load_operand(From const& from, To&& to) {
  using T = typename From::value_type;
  AutoVectorizingCopy const wide;
  if constexpr (std::is_same_v<T, typename std::remove_cvref_t<To>::value_type>) {
    copy(wide, from, to);
  } else {
    auto held = make_fragment_like<T>(to);
    copy(wide, from, held);
    copy(held, to);
  }
}

/// A thread's fragment of an operand, and the loads that fill it.
/// @tparam From (1, values, TILE_K, stages) of shared memory, @tparam Fragment (1, values, TILE_K)
template <class From, class Fragment>
struct simt_loads {
  From from_;
  Fragment fragment;

  /// All of one step along K.
  COSMATI_HD void operator()(int step, int stage) { load_operand(from_(_, _, step, stage), fragment(_, _, step)); }
};
template <class From, class Fragment>
COSMATI_HD auto make_simt_loads(From const& from, Fragment const& fragment) {
  return simt_loads<From, Fragment>{from, fragment};
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
