// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma_tensor_feed`: the loads of one operand from global memory to the stages of `gemm_mma`, box by box.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/kernel/gemm/mma_config.hpp>
#include <cosmati/runtime/tensor_map.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The matrices of an operand, as tensor copies need them.
struct mma_tensor_map {
  TmaDescriptor matrices;
  int batch_step;  ///< 0: every batch has the same matrix
};

/// The maps of A, B and C.
struct mma_tensor_maps {
  mma_tensor_map a, b, c;
};

/// Whether the target has tensor copies.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool mma_target_has_tensor_copies = false;
#else
inline constexpr bool mma_target_has_tensor_copies = true;
#endif

/// Whether a descriptor can hold the matrices' addresses and strides, and they allow reads of 16 bytes.
template <class Matrices>
bool fits_mma_tensor_map(Matrices const& of) {
  constexpr std::int64_t end = (std::int64_t{1} << 40) / static_cast<std::int64_t>(sizeof(*of.data));
  return of.leading > 0 && of.leading < end && of.batch >= 0 && of.batch < end;
}

/// An operand's descriptor: rows of 128 bytes, then the next 128 bytes of these rows, then batches.
/// @tparam Operand staged_operand
/// @param extent_x M or N
template <class Operand, class Matrices>
mma_tensor_map make_mma_tensor_map(Matrices const& of, int extent_x, int extent_k, int batches) {
  bool const several = of.batch != 0;
  int const along = Operand::along_k ? extent_k : extent_x, across = Operand::along_k ? extent_x : extent_k;
  return {make_tma_descriptor({.data = of.data,
                               .element_bytes = Operand::bytes,
                               .extent = {Operand::row, across, along / Operand::row, several ? batches : 1},
                               .stride = {1, of.leading, Operand::row, several ? of.batch : Operand::row},
                               .box = {Operand::row, Operand::across, Operand::contiguous / Operand::row, 1}}),
          several ? 1 : 0};
}

/// The descriptor of C (M, N, batches), contiguous along N, in boxes of `rows` rows of 128 bytes.
template <class Matrices>
mma_tensor_map make_mma_result_map(Matrices const& of, int extent_m, int extent_n, int batches, int rows) {
  constexpr int bytes = static_cast<int>(sizeof(*of.data)), row = 128 / bytes;
  bool const several = of.batch != 0;
  return {make_tma_descriptor({.data = of.data,
                               .element_bytes = bytes,
                               .extent = {row, extent_m, extent_n / row, several ? batches : 1},
                               .stride = {1, of.leading, row, several ? of.batch : row},
                               .box = {row, rows, 1, 1}}),
          several ? 1 : 0};
}

/// The state with which a thread loads one tile after the other, each as one box.
/// @tparam Operand staged_operand
template <class Operand>
struct mma_tensor_feed {
  using T = typename Operand::value_type;
  static constexpr int elements = Operand::extent * Operand::tile_k;
  static constexpr std::uint32_t bytes = elements * sizeof(T);

  T* stages_;
  mma_tensor_map const& map_;
  int x_ = 0, k_ = 0, batch_ = 0;  ///< the coordinates of the next tile
  int row_x_ = 0, row_batch_ = 0;  ///< the same of the next row of tiles

  COSMATI_HD mma_tensor_feed(T* stages, mma_tensor_map const& map) : stages_(stages), map_(map) {}

  /// Sets the next row of tiles, which begins at row x of a matrix.
  COSMATI_HD void aim(int batch, int x) {
    row_x_ = x;
    row_batch_ = batch * map_.batch_step;
  }
  /// Moves to the first tile of that row.
  COSMATI_HD void turn() {
    x_ = row_x_;
    batch_ = row_batch_;
    k_ = 0;
  }
  /// Moves to the next tile along K.
  COSMATI_HD void advance() { k_ += Operand::tile_k; }
  /// Starts the load of the tile to a stage, whose mbarrier expects it. One thread calls it.
  COSMATI_HD void bring(int stage, std::uint64_t& full) const {
    unsigned const along = static_cast<unsigned>(Operand::along_k ? k_ : x_);
    int const across = Operand::along_k ? x_ : k_;
    tensor_copy_g2s(stages_ + stage * elements, map_.matrices,
                    {0, across, static_cast<int>(along / Operand::row), batch_}, full);
  }
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
