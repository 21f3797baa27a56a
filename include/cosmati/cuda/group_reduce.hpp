// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cooperative_groups/reduce.h and scan.h provide: reductions and scans of tiles and coalesced groups.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/groups.hpp>

namespace cooperative_groups {

/// @name The operations of reduce and scans
/// @{
#define COSMATI_OPERATION_(name, expression)            \
  template <class V = void>                             \
  struct name {                                         \
    V operator()(V a, V b) const { return expression; } \
  };
COSMATI_OPERATION_(plus, static_cast<V>(a + b))
COSMATI_OPERATION_(less, b < a ? b : a)
COSMATI_OPERATION_(greater, a < b ? b : a)
COSMATI_OPERATION_(bit_and, static_cast<V>(a& b))
COSMATI_OPERATION_(bit_or, static_cast<V>(a | b))
COSMATI_OPERATION_(bit_xor, static_cast<V>(a ^ b))
#undef COSMATI_OPERATION_
/// @}

/// The result is the same in all threads of the group.
template <class Group, class V, class Operation>
V reduce(Group const& g, V value, Operation operation, char const* file = __builtin_FILE(),
         int line = __builtin_LINE()) {
  unsigned const rank = g.thread_rank(), size = static_cast<lanes_group const&>(g).size();
  for (unsigned step = 1; step < size; step *= 2) {
    V const other = g.shfl_down(value, step, file, line);
    if (rank + step < size) value = operation(value, other);
  }
  return g.shfl(value, 0, file, line);
}

template <class Group, class V, class Operation = plus<V>>
V inclusive_scan(Group const& g, V value, Operation operation = {}, char const* file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
  unsigned const rank = g.thread_rank(), size = static_cast<lanes_group const&>(g).size();
  for (unsigned step = 1; step < size; step *= 2) {
    V const other = g.shfl_up(value, step, file, line);
    if (rank >= step) value = operation(other, value);
  }
  return value;
}

/// The first thread gets a value of zero.
template <class Group, class V, class Operation = plus<V>>
V exclusive_scan(Group const& g, V value, Operation operation = {}, char const* file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
  V const all = inclusive_scan(g, value, operation, file, line);
  V const before = g.shfl_up(all, 1, file, line);
  return g.thread_rank() == 0 ? V() : before;
}

}  // namespace cooperative_groups

#endif

#include <cosmati/core/macros_end.hpp>
