// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of one call of `copy`, as values: `copy_cost`, `copy_cost_of`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/copy_values.hpp>
#include <cosmati/analysis/side_cost.hpp>

namespace COSMATI_NAMESPACE {

/// Both sides of a copy, for all threads together.
///
/// cp.async is one instruction with two sides, so its `instructions` count on both. The passes that the source's banks
/// cause are part of the destination's wavefronts.
struct copy_cost {
  side_cost source, destination;
  vector_width vector;  ///< the vector of one instruction for a thread, and what limits it
  /// The vector that the layouts allow with the widest operation, if the atom does not choose the width itself.
  vector_width widest;
};

namespace detail {

/// The instruction of a side. @param memory the memory of the side
constexpr memory_instruction instruction_of(copy_operation const& op, memory_space space, bool is_source, int bytes) {
  if (op.means == copy_means::ldmatrix) return load_matrix(op.matrices);
  if (op.means == copy_means::stmatrix) return store_matrix(op.matrices);
  if (op.means == copy_means::cp_async) return copy_async(bytes);
  if (space == memory_space::gmem) return is_source ? load_global(bytes) : store_global(bytes);
  return is_source ? load_shared(bytes) : store_shared(bytes);
}
template <class Num>
constexpr side_cost cost_of_one_side(copy_operation const& op, vector_side<Num> const& side, memory_space space,
                                     flat_tree<Num> const& walked, bool is_source, int value_bits,
                                     std::int64_t vector) {
  int const bits = static_cast<int>(vector) * value_bits;
  memory_instruction const i = instruction_of(op, space, is_source, bits < 8 ? 1 : bits / 8);
  accessed_memory const memory = space == memory_space::gmem ? accessed_memory::global : accessed_memory::shared;
  return side_cost_of(side_access_of(side, walked, value_bits, vector), i, memory);
}

/// One side of an operation with a fixed vector. It is all zero if the layouts do not allow the vector.
template <class Num>
constexpr side_cost cost_at_once(copy_values<Num> const& copy, vector_side<Num> const& side, memory_space space,
                                 bool is_source, vector_width& width) {
  std::int64_t const vector = copy.at_once(is_source);
  if (!side.in_memory || !has_vectors(side, is_source, copy.value_bits, vector, width)) return {};
  return cost_of_one_side(copy.operation, side, space, side.partition, is_source, copy.value_bits, vector);
}

}  // namespace detail

/// The cost of `copy` on tensors with these layouts. Every thread of the tiled copy takes part, and there are no
/// bounds, so a tile that covers too much counts as a whole one. If the layouts do not allow the atom's vector, the
/// cost is all zero and `vector.possible` is false.
template <class Num>
constexpr copy_cost copy_cost_of(copy_values<Num> const& copy, tensor_values<Num> const& src,
                                 tensor_values<Num> const& dst) {
  copy_cost cost;
  copy_operation const& op = copy.operation;
  int const bits = copy.value_bits;
  if (op.means == copy_means::registers || (!src.in_memory() && !dst.in_memory())) return cost;
  vector_side<Num> const s = vector_side_of(copy, src, true), d = vector_side_of(copy, dst, false);
  if (op.means == copy_means::automatic) {
    proved_vector_of_both<Num> const p = prove_vector(s, d, bits, op.bits, op.trusted_bits);
    cost.vector = cost.widest = p.width;
    if (s.in_memory) cost.source = detail::cost_of_one_side(op, s, src.space, p.src, true, bits, p.width.values);
    if (d.in_memory) cost.destination = detail::cost_of_one_side(op, d, dst.space, p.dst, false, bits, p.width.values);
    return cost;
  }
  bool const matrix = op.means == copy_means::ldmatrix || op.means == copy_means::stmatrix;
  if (!matrix) cost.widest = prove_vector(s, d, bits, 128, 128).width;
  std::int64_t const vs = copy.at_once(true), vd = copy.at_once(false);
  cost.vector.values = static_cast<int>(src.in_memory() ? vs : vd);
  cost.vector.bits = cost.vector.values * bits;
  if (!has_vectors(s, true, bits, vs, cost.vector) || !has_vectors(d, false, bits, vd, cost.vector)) return cost;
  if (!matrix) {
    cost.vector.limit = cost.vector.bits >= 128 ? width_limit::hardware : width_limit::operation;
    cost.vector.number = cost.widest.values;
    if (cost.widest.values <= cost.vector.values && cost.vector.bits < 128) {  // a wider atom would not help
      int const values = cost.vector.values;
      cost.vector = cost.widest;
      cost.vector.values = values;
      cost.vector.bits = values * bits;
    }
  }
  vector_width ignored;
  cost.source = detail::cost_at_once(copy, s, src.space, true, ignored);
  if (op.means == copy_means::cp_async && s.in_memory && d.in_memory) {
    cost.destination =
        detail::copy_async_cost_of(side_access_of(d, d.partition, bits, vd), side_access_of(s, s.partition, bits, vs),
                                   copy_async(static_cast<int>(vd) * bits / 8));
  } else {
    cost.destination = detail::cost_at_once(copy, d, dst.space, false, ignored);
  }
  return cost;
}

/// The cost of one side of a copy. The other side is in registers, or for cp.async in the other memory with the same
/// width.
template <class Num>
constexpr side_cost side_cost_of(copy_values<Num> const& copy, tensor_values<Num> const& tensor) {
  copy_means const means = copy.operation.means;
  bool const source =
      means == copy_means::ldmatrix ||
      (means == copy_means::cp_async ? tensor.space == memory_space::gmem : means != copy_means::stmatrix);
  if (means == copy_means::automatic) return copy_cost_of(copy, tensor, tensor_values<Num>{}).source;
  vector_width width;
  return detail::cost_at_once(copy, vector_side_of(copy, tensor, source), tensor.space, source, width);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
