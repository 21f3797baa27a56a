// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cooperative_groups/reduce.h and scan.h provide: reductions and scans of tiles and coalesced groups.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/groups.hpp>
#include <type_traits>

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

namespace detail {
template <class Group>
inline constexpr bool is_wide_tile = false;
template <unsigned Size, class Parent>
inline constexpr bool is_wide_tile<thread_block_tile<Size, Parent>> = (Size > 32);

template <class Group, class V, class Operation>
V reduce_of_lanes(Group const& g, V value, Operation operation, char const* file, int line) {
  unsigned const rank = g.thread_rank(), size = static_cast<lanes_group const&>(g).size();
  for (unsigned step = 1; step < size; step *= 2) {
    V const other = g.shfl_down(value, step, file, line);
    if (rank + step < size) value = operation(value, other);
  }
  return g.shfl(value, 0, file, line);
}

/// The warps of a tile of more than 32 threads hand over their results in shared memory.
template <class Tile, class V, class Operation>
V reduce_of_warps(Tile const& tile, V of_warp, Operation operation, char const* file, int line) {
  static_assert(std::is_trivially_copyable_v<V>, "reduce: the values of the threads are trivially copyable");
  __shared__ alignas(V) unsigned char memory[32 * sizeof(V)];
  V* const results = reinterpret_cast<V*>(memory);
  constexpr unsigned warps = Tile::size() / 32;
  unsigned const thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned const first = thread / tile.size() * warps;
  if (thread % 32 == 0) results[thread / 32] = of_warp;
  tile.sync(file, line);
  V value = results[first];
  for (unsigned i = 1; i < warps; ++i) value = operation(value, results[first + i]);
  tile.sync(file, line);
  return value;
}
}  // namespace detail

/// The result is the same in all threads of the group.
template <class Group, class V, class Operation>
V reduce(Group const& g, V value, Operation operation, char const* file = __builtin_FILE(),
         int line = __builtin_LINE()) {
  if constexpr (detail::is_wide_tile<Group>) {
    V const of_warp = reduce(tiled_partition<32>(g), value, operation, file, line);
    return detail::reduce_of_warps(g, of_warp, operation, file, line);
  } else {
    return detail::reduce_of_lanes(g, value, operation, file, line);
  }
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
