// SPDX-License-Identifier: Apache-2.0
/// @file
/// Facts about vectors that a layout's type gives: the number of contiguous elements, and a divisor of the offsets at
/// which runs begin.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/algebra/contiguous.hpp>
#include <cosmati/layout/composed_layout.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class L>
struct layout_facts {
  static constexpr auto value = [] {
    if constexpr (is_simple<L>) {
      return lifted<std::int64_t, L>();
    } else {
      expression_list list;
      return without_list(lifted<symbolic_integer, L>(read_as::layout, &list));
    }
  }();
  static constexpr std::int64_t run = algebra::contiguous_run(value);
  template <std::int64_t vector, std::int64_t run_time_stride>
  static constexpr std::int64_t alignment = algebra::vector_alignment(value, vector, run_time_stride);
};
/// A swizzle keeps runs of 2^M elements whose first offset is a multiple of 2^M.
template <class A, class O, class B>
struct layout_facts<ComposedLayout<A, O, B>> {
  static constexpr std::int64_t limit = [] {
    if constexpr (is_swizzle_of<A>)
      return std::int64_t{1} << A::num_base;
    else
      return std::int64_t{1};
  }();
  static constexpr std::int64_t run = layout_facts<B>::run < limit ? layout_facts<B>::run : limit;
  template <std::int64_t vector, std::int64_t run_time_stride>
  static constexpr std::int64_t alignment = algebra::gcd(layout_facts<B>::template alignment<vector, run_time_stride>,
                                                         limit);
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
