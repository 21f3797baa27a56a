// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's algorithms with a policy as their first argument.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/thrust/algorithm.hpp>
#include <cosmati/cuda/thrust/by_key.hpp>
#include <cosmati/cuda/thrust/rearrange.hpp>
#include <cosmati/cuda/thrust/search.hpp>
#include <cosmati/cuda/thrust/selections.hpp>
#include <cosmati/cuda/thrust/sorted.hpp>
#include <utility>

namespace thrust {

#define COSMATI_THRUST_POLICY_(name)                                              \
  template <class... Arguments>                                                   \
  decltype(auto) name(execution_policy const& policy, Arguments&&... arguments) { \
    detail::work_of_device const work(policy.of_device);                          \
    return ::thrust::name(std::forward<Arguments>(arguments)...);                 \
  }
COSMATI_THRUST_POLICY_(copy)
COSMATI_THRUST_POLICY_(copy_n)
COSMATI_THRUST_POLICY_(copy_if)
COSMATI_THRUST_POLICY_(fill)
COSMATI_THRUST_POLICY_(fill_n)
COSMATI_THRUST_POLICY_(sequence)
COSMATI_THRUST_POLICY_(generate)
COSMATI_THRUST_POLICY_(for_each)
COSMATI_THRUST_POLICY_(for_each_n)
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
COSMATI_THRUST_POLICY_(gather)
COSMATI_THRUST_POLICY_(scatter)
COSMATI_THRUST_POLICY_(scatter_if)
COSMATI_THRUST_POLICY_(reverse)
COSMATI_THRUST_POLICY_(reverse_copy)
COSMATI_THRUST_POLICY_(stable_partition)
COSMATI_THRUST_POLICY_(partition)
COSMATI_THRUST_POLICY_(replace)
COSMATI_THRUST_POLICY_(replace_if)
COSMATI_THRUST_POLICY_(tabulate)
COSMATI_THRUST_POLICY_(transform_if)
COSMATI_THRUST_POLICY_(remove)
COSMATI_THRUST_POLICY_(unique_copy)
COSMATI_THRUST_POLICY_(merge)
COSMATI_THRUST_POLICY_(find)
COSMATI_THRUST_POLICY_(find_if)
COSMATI_THRUST_POLICY_(find_if_not)
COSMATI_THRUST_POLICY_(all_of)
COSMATI_THRUST_POLICY_(any_of)
COSMATI_THRUST_POLICY_(none_of)
COSMATI_THRUST_POLICY_(mismatch)
COSMATI_THRUST_POLICY_(is_sorted)
COSMATI_THRUST_POLICY_(lower_bound)
COSMATI_THRUST_POLICY_(upper_bound)
COSMATI_THRUST_POLICY_(binary_search)
COSMATI_THRUST_POLICY_(set_union)
COSMATI_THRUST_POLICY_(set_intersection)
COSMATI_THRUST_POLICY_(set_difference)
COSMATI_THRUST_POLICY_(set_symmetric_difference)
COSMATI_THRUST_POLICY_(reduce_by_key)
COSMATI_THRUST_POLICY_(inclusive_scan_by_key)
COSMATI_THRUST_POLICY_(exclusive_scan_by_key)
COSMATI_THRUST_POLICY_(unique_by_key)
COSMATI_THRUST_POLICY_(transform_inclusive_scan)
COSMATI_THRUST_POLICY_(transform_exclusive_scan)
COSMATI_THRUST_POLICY_(adjacent_difference)
COSMATI_THRUST_POLICY_(remove_copy)
COSMATI_THRUST_POLICY_(remove_copy_if)
COSMATI_THRUST_POLICY_(replace_copy)
COSMATI_THRUST_POLICY_(replace_copy_if)
COSMATI_THRUST_POLICY_(swap_ranges)
COSMATI_THRUST_POLICY_(generate_n)
COSMATI_THRUST_POLICY_(gather_if)
COSMATI_THRUST_POLICY_(unique_count)
COSMATI_THRUST_POLICY_(stable_partition_copy)
COSMATI_THRUST_POLICY_(partition_copy)
COSMATI_THRUST_POLICY_(partition_point)
COSMATI_THRUST_POLICY_(is_partitioned)
COSMATI_THRUST_POLICY_(shuffle)
COSMATI_THRUST_POLICY_(shuffle_copy)
COSMATI_THRUST_POLICY_(uninitialized_copy)
COSMATI_THRUST_POLICY_(uninitialized_copy_n)
COSMATI_THRUST_POLICY_(uninitialized_fill)
COSMATI_THRUST_POLICY_(uninitialized_fill_n)
COSMATI_THRUST_POLICY_(merge_by_key)
COSMATI_THRUST_POLICY_(set_union_by_key)
COSMATI_THRUST_POLICY_(set_difference_by_key)
COSMATI_THRUST_POLICY_(set_symmetric_difference_by_key)
COSMATI_THRUST_POLICY_(set_intersection_by_key)
COSMATI_THRUST_POLICY_(is_sorted_until)
COSMATI_THRUST_POLICY_(equal_range)
COSMATI_THRUST_POLICY_(stable_sort_by_key)
COSMATI_THRUST_POLICY_(unique_by_key_copy)
#undef COSMATI_THRUST_POLICY_

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
