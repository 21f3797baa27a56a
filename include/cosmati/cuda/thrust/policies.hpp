// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's algorithms with a policy as their first argument.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/thrust/algorithm.hpp>
#include <utility>

namespace thrust {

#define COSMATI_THRUST_POLICY_(name)                                       \
  template <class... Arguments>                                            \
  decltype(auto) name(execution_policy const&, Arguments&&... arguments) { \
    return name(std::forward<Arguments>(arguments)...);                    \
  }
COSMATI_THRUST_POLICY_(copy)
COSMATI_THRUST_POLICY_(copy_n)
COSMATI_THRUST_POLICY_(copy_if)
COSMATI_THRUST_POLICY_(fill)
COSMATI_THRUST_POLICY_(fill_n)
COSMATI_THRUST_POLICY_(sequence)
COSMATI_THRUST_POLICY_(generate)
COSMATI_THRUST_POLICY_(for_each)
COSMATI_THRUST_POLICY_(transform)
COSMATI_THRUST_POLICY_(reduce)
COSMATI_THRUST_POLICY_(transform_reduce)
COSMATI_THRUST_POLICY_(inner_product)
COSMATI_THRUST_POLICY_(count)
COSMATI_THRUST_POLICY_(count_if)
COSMATI_THRUST_POLICY_(equal)
COSMATI_THRUST_POLICY_(sort)
COSMATI_THRUST_POLICY_(stable_sort)
COSMATI_THRUST_POLICY_(sort_by_key)
COSMATI_THRUST_POLICY_(inclusive_scan)
COSMATI_THRUST_POLICY_(exclusive_scan)
COSMATI_THRUST_POLICY_(max_element)
COSMATI_THRUST_POLICY_(min_element)
COSMATI_THRUST_POLICY_(minmax_element)
COSMATI_THRUST_POLICY_(unique)
COSMATI_THRUST_POLICY_(remove_if)
#undef COSMATI_THRUST_POLICY_

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
