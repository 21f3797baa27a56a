// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma_feed`: the loads of one operand from global memory to the stages of `gemm_mma`, vector by vector.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/kernel/gemm/mma_config.hpp>
#include <cosmati/kernel/gemm/swizzled_vectors.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A thread's vectors of 16 bytes of the next tile. Elements outside the matrix become zero.
/// @tparam Operand staged_operand
/// @tparam whole whether tiles divide the matrix, and it allows reads of 16 bytes
/// @tparam To swizzled_vectors of this thread
template <class Operand, bool whole, class To>
struct mma_feed {
  using T = typename Operand::value_type;
  static constexpr int vector = Operand::vector, extent = Operand::extent, tile_k = Operand::tile_k;
  static constexpr bool along_k = Operand::along_k;

  COSMATI_HD static auto tile(T const* first, int leading) {
    if constexpr (along_k)
      return make_tensor(make_gmem_ptr(first), make_layout(Shape<C<extent>, C<tile_k>>{}, make_stride(leading, _1{})));
    else
      return make_tensor(make_gmem_ptr(first), make_layout(Shape<C<extent>, C<tile_k>>{}, make_stride(_1{}, leading)));
  }
  template <class Tile>
  COSMATI_HD static auto partition(Tile const& t, unsigned thread) {
    return group_modes<1, 3>(Operand::copy().get_slice(thread).partition_S(t));
  }
  COSMATI_HD static auto coordinates(unsigned thread) {
    return partition(make_identity_tensor(Shape<C<extent>, C<tile_k>>{}), thread);
  }
  using Coordinates = decltype(coordinates(0));
  using GlobalPartition = decltype(partition(tile(nullptr, 0), 0));
  static constexpr int vectors = decltype(size<1>(std::declval<GlobalPartition>()))::value;

  To to_;
  Coordinates at_;  ///< the coordinates of the vectors in the tile
  unsigned thread_;
  T const* matrix_;     ///< the matrix of batch 0
  std::int64_t batch_;  ///< elements from one batch to the next
  int extent_x_, extent_k_;
  int leading_;          ///< elements from one row to the next
  T const* from_;        ///< this thread's first element of the next tile
  int left_x_, left_k_;  ///< the elements of the matrix from the tile's first one on
  T const* row_from_;    ///< the first element of the next row of tiles
  int row_left_x_;

  template <class Matrices>
  COSMATI_HD mma_feed(Matrices const& of, int extent_x, int extent_k, unsigned thread, To const& to)
      : to_(to),
        at_(coordinates(thread)),
        thread_(thread),
        matrix_(of.data),
        batch_(of.batch),
        extent_x_(extent_x),
        extent_k_(extent_k),
        leading_(static_cast<int>(of.leading)),
        from_(nullptr),
        left_x_(0),
        left_k_(0),
        row_from_(nullptr),
        row_left_x_(0) {}

  /// Sets the next row of tiles, which begins at row x of a matrix.
  COSMATI_HD void aim(int batch, int x) {
    T const* const first = matrix_ + batch * batch_ + static_cast<std::int64_t>(x) * (along_k ? leading_ : 1);
    row_from_ = raw_pointer_cast(partition(tile(first, leading_), thread_).data());
    row_left_x_ = extent_x_ - x;
  }
  /// Moves to the first tile of that row.
  COSMATI_HD void turn() {
    from_ = row_from_;
    left_x_ = row_left_x_;
    left_k_ = extent_k_;
  }
  /// Moves to the next tile along K.
  COSMATI_HD void advance() {
    from_ += along_k ? std::int64_t{tile_k} : static_cast<std::int64_t>(tile_k) * leading_;
    left_k_ -= tile_k;
  }
  template <class Coordinate>
  COSMATI_HD bool inside(Coordinate const& c) const {
    return static_cast<int>(get<0>(c)) < left_x_ && static_cast<int>(get<1>(c)) < left_k_;
  }
  /// Starts the load of one vector to a stage. @param wide if not whole: whether reads of 16 bytes are allowed
  COSMATI_HD void bring(int j, int stage, [[maybe_unused]] bool wide) const {
    auto const source = make_tensor(make_gmem_ptr(from_), partition(tile(nullptr, leading_), 0).layout());
    if constexpr (whole) {
      copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, T>{}, source(_, j), to_(stage, 0, j));
    } else if (wide) {
      copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, T>{}.with(inside(at_(0, j))), source(_, j),
           to_(stage, 0, j));
    } else {
      auto held = make_tensor<T>(Layout<C<vector>>{});
      COSMATI_UNROLL
      for (int v = 0; v < vector; ++v) {
        held(v) = T{};
        if (inside(at_(v, j))) held(v) = source(v, j);
      }
      copy(Copy_Atom<UniversalCopy<uint128_t>, T>{}, held, to_(stage, 0, j));
    }
  }
};

/// @param shared (X, K, stages)
/// @param of gemm_operand
/// @param extent_x, extent_k the extents of its matrices
template <class Operand, bool whole, class Shared, class Matrices>
COSMATI_HD auto make_mma_feed(Shared const& shared, Matrices const& of, int extent_x, int extent_k, unsigned thread) {
  auto const to =
      make_swizzled_vectors<Operand::vector>(group_modes<1, 3>(Operand::copy().get_slice(thread).partition_D(shared)));
  return mma_feed<Operand, whole, std::remove_const_t<decltype(to)>>(of, extent_x, extent_k, thread, to);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
