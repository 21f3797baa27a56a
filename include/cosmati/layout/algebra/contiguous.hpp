// SPDX-License-Identifier: Apache-2.0
/// @file
/// Facts about vectors that a layout proves: `contiguous_run`, `vector_alignment`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/flat_tree.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>

namespace COSMATI_NAMESPACE::algebra {

/// The number of elements, from index 0, that are known to be contiguous.
template <class Num>
constexpr std::int64_t contiguous_run(flat_tree<Num> const& layout) {
  std::int64_t run = 1;
  for (int i = 0; i < layout.leaves; ++i) {
    if (is(layout.shape[i], 1)) continue;
    if (!is_known(layout.shape[i]) || !is(layout.stride[i], run)) break;
    run *= known(layout.shape[i], "");
  }
  return run;
}
/// A divisor of the offset of every vector of `vector` elements; 0 if all vectors start at offset 0. A run-time stride
/// counts as `run_time_stride`.
template <class Num>
constexpr std::int64_t vector_alignment(flat_tree<Num> const& layout, std::int64_t vector,
                                        std::int64_t run_time_stride) {
  std::int64_t divisor = 0;
  std::int64_t covered = 1;
  for (int i = 0; i < layout.leaves; ++i) {
    if (is(layout.shape[i], 1)) continue;
    std::int64_t step = is_known(layout.stride[i]) ? magnitude(known(layout.stride[i], "")) : run_time_stride;
    if (covered < vector) {  // the mode lies inside the vector, or steps from vector to vector of the same run
      std::int64_t const extent = is_known(layout.shape[i]) ? known(layout.shape[i], "") : vector;
      covered *= extent;
      if (covered <= vector) continue;
      step = vector;
    }
    divisor = gcd(divisor, step);
  }
  return divisor;
}
/// A divisor of every offset, as far as the strides are known; 0 if no stride is known or all are 0.
template <class Num>
constexpr int known_step(flat_tree<Num> const& layout) {
  std::int64_t divisor = 0;
  for (int i = 0; i < layout.leaves; ++i) {
    if (!is(layout.shape[i], 1) && is_known(layout.stride[i]))
      divisor = gcd(divisor, magnitude(known(layout.stride[i], "")));
  }
  return static_cast<int>(divisor % (std::int64_t{1} << 30));
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
