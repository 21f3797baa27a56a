// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tiled copy and its tensors as values, for `copy_cost_of` and `verify_values`.
///
/// analysis/copy_cost.hpp and analysis/verify.hpp make them from types, the command line from texts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/side_access.hpp>
#include <cosmati/analysis/vector_width.hpp>
#include <cosmati/tensor/pointer.hpp>

namespace COSMATI_NAMESPACE {

/// The way in which a copy operation moves its elements.
enum class copy_means : std::uint8_t {
  at_once,    ///< a load and a store of `bits`
  automatic,  ///< the widest access that is proved, up to `bits`
  cp_async,
  ldmatrix,
  stmatrix,
  bulk,       ///< one thread's runs of contiguous bytes: analysis/bulk_cost.hpp
  registers,  ///< from registers to registers, without memory
};

/// The properties of a copy operation that cost and correctness depend on.
struct copy_operation {
  copy_means means = copy_means::automatic;
  int bits = 128;                 ///< what one thread moves at once; the widest for an automatic choice
  int trusted_bits = 128;         ///< automatic choice: the alignment that it assumes
  int matrices = 0;               ///< the matrices of ldmatrix and stmatrix
  int lowest_sm = 0;              ///< the first architecture that has it
  bool fills_with_zeros = false;  ///< cp.async: whether elements outside the bounds become zero
};

/// @tparam Num std::int64_t at compile time, `symbolic_integer` at run time
template <class Num>
struct copy_values {
  copy_operation operation;
  int value_bits = 32;
  flat_tree<Num> layout_tv;      ///< (thread, value) -> index in the tile
  flat_tree<Num> tiler;          ///< the shape of the tile, as a tiler
  flat_tree<Num> ref, src, dst;  ///< the atom's sides: (thread, value) -> value

  /// (thread, value) -> index in the tile for one side, and the numbers of threads and values.
  constexpr flat_tree<Num> const& side(bool is_source) const { return is_source ? src : dst; }
  constexpr std::int64_t threads() const { return algebra::known(algebra::size(layout_tv, 0), "the threads"); }
  constexpr std::int64_t values() const { return algebra::known(algebra::size(layout_tv, 1), "the values"); }
  /// The number of values that the atom moves at once for a thread on a side.
  constexpr std::int64_t at_once(bool is_source) const {
    return algebra::known(algebra::size(side(is_source), 1), "the values of an atom");
  }
};

/// A tensor of a copy: its memory and its layout.
template <class Num>
struct tensor_values {
  memory_space space = memory_space::rmem;  ///< rmem: a fragment with the shape of the other side's partition
  flat_tree<Num> layout;
  std::int64_t offset = 0;         ///< the offset of a composed layout
  AnySwizzle swizzle;              ///< the swizzle of a composed layout
  bool composed = false;           ///< whether `swizzle` applies, even if it changes nothing
  AnySwizzle address_swizzle;      ///< the swizzle of the pointer
  std::int64_t aligned_bits = -1;  ///< the alignment that the pointer's type proves; -1: as much as is needed

  /// Whether the tensor is in global or shared memory.
  constexpr bool in_memory() const { return space == memory_space::gmem || space == memory_space::smem; }
};

namespace detail {

/// The extents of a tensor's modes, as integers.
struct mode_extents {
  static constexpr int most = 8;
  int rank = 0;
  std::int64_t extent[most] = {};
  constexpr std::int64_t at(int i) const { return i < rank ? extent[i] : 1; }
};
template <class Num>
constexpr mode_extents extents_of(flat_tree<Num> const& shape) {
  mode_extents e;
  e.rank = shape.rank() < mode_extents::most ? shape.rank() : mode_extents::most;
  for (int i = 0; i < e.rank; ++i) e.extent[i] = algebra::known(algebra::size(shape, i), "whether a copy is right");
  return e;
}

}  // namespace detail

/// A side's partition, as `choose_vector` needs it.
template <class Num>
constexpr vector_side<Num> vector_side_of(copy_values<Num> const& copy, tensor_values<Num> const& tensor,
                                          bool is_source) {
  vector_side<Num> side;
  side.in_memory = tensor.in_memory();
  if (!side.in_memory) return side;
  flat_tree<Num> const thr_val = algebra::thread_values(copy.layout_tv, copy.ref, copy.side(is_source));
  side.partition = algebra::thread_partition(tensor.layout, copy.tiler, thr_val);
  side.threads = algebra::thread_offsets(tensor.layout, copy.tiler, thr_val);
  side.offset = tensor.offset;
  side.swizzle = tensor.swizzle;
  side.composed = tensor.composed;
  side.address_swizzle = tensor.address_swizzle;
  side.aligned_bits = tensor.aligned_bits;
  return side;
}

/// The addresses of a side's instructions with `vector` values each. The partition's values are taken in the order of
/// `walked`.
template <class Num>
constexpr side_access side_access_of(vector_side<Num> const& side, flat_tree<Num> const& walked, int value_bits,
                                     std::int64_t vector) {
  side_access a;
  a.threads = plain_modes_of(side.threads);
  (void)cut_modes(plain_modes_of(walked), vector, a.steps);
  a.offset = side.offset;
  if (side.composed) a.swizzle = side.swizzle;
  a.address_swizzle = side.address_swizzle;
  a.value_bits = value_bits;
  return a;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
