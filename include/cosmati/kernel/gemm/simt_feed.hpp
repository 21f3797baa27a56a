// SPDX-License-Identifier: Apache-2.0
/// @file
/// `simt_feed`: one operand's way from global memory to the stages of `gemm_simt`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/arch/cp_async.hpp>
#include <cosmati/kernel/gemm/turns.hpp>
#include <cosmati/tensor/tensor.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Copies if `there`; asynchronously without a branch.
template <bool asynchronous, class TiledCopy_, class From, class To>
COSMATI_HD void copy_when(bool there, TiledCopy_ const& tiled_copy, From const& from, To&& to) {
  if constexpr (asynchronous)
    copy(tiled_copy.with(there), from, to);
  else if (there)
    copy(tiled_copy, from, to);
}

/// A thread's part in bringing tile after tile along K to the stages.
/// @tparam Operand simt_operand, @tparam TiledCopy_ its copy, @tparam Extent of the matrix (X, K)
/// @tparam From (vector, vectors along X, along K, tiles along K), @tparam To (vector, along X, along K, stages)
template <class Operand, class TiledCopy_, class Extent, class From, class To>
struct simt_feed {
  /// Of one tile.
  static constexpr int vectors =
      decltype(size<1>(std::declval<To>()))::value * decltype(size<2>(std::declval<To>()))::value;

  TiledCopy_ tiled_copy_;
  Extent extent_;
  From from_;
  To to_;
  decltype(std::declval<From const&>()
               .data()) next_;  ///< if tiles are whole: this thread's first element of the next tile

  /// Where tiles are whole: begins to bring one vector of the next tile. @param there the matrix has that tile
  COSMATI_HD void bring(int j, bool there, int stage) const {
    auto const from = group_modes<1, 3>(make_tensor(next_, from_(_, _, _, 0).layout()));  // (vector, vectors)
    copy_when<Operand::asynchronous>(there, tiled_copy_, from(_, j), group_modes<1, 3>(to_)(_, j, stage));
  }
  /// The tile behind it comes next; behind the last one too, where nothing is read.
  COSMATI_HD void advance() { next_ = next_ + stride<3>(from_.layout()); }
  /// Begins to bring a tile at the matrix's end: zeros where there is no element.
  COSMATI_HD void bring_edge(int tile, int stage) const {
    if constexpr (!Operand::asynchronous) clear(to_(_, _, _, stage));
    copy(tiled_copy_, from_(_, _, _, tile), to_(_, _, _, stage), extent_);
  }
};

/// @param tiles (X, K, tiles along K) of a matrix, @param extent of the matrix, @param shared (X, K, stages)
template <class Operand, class Tiles, class Extent, class Shared>
COSMATI_HD auto make_simt_feed(Tiles const& tiles, Extent const& extent, Shared& shared, unsigned thread) {
  auto const tiled_copy = Operand::copy();
  auto const slice = tiled_copy.get_slice(thread);
  auto const from = slice.partition_S(tiles);
  auto const to = slice.partition_D(shared);
  return simt_feed<Operand, std::remove_const_t<decltype(tiled_copy)>, Extent, std::remove_const_t<decltype(from)>,
                   std::remove_const_t<decltype(to)>>{tiled_copy, extent, from, to, from.data()};
}

/// Begins to bring part `part` of `parts` of the next tile of both operands to a stage; where tiles are not whole, all
/// of it with the first part. @param a, b simt_feed, @param next the tile's number, `tiles` or more behind the last one
template <bool whole, int parts, class FeedA, class FeedB>
COSMATI_HD void fetch_part(FeedA& a, FeedB& b, int& next, int tiles, int part, int stage) {
  if constexpr (whole) {
    for_each_of_turn<FeedA::vectors + FeedB::vectors, parts>(part, [&](int j) {
      if (j < FeedA::vectors)
        a.bring(j, next < tiles, stage);
      else
        b.bring(j - FeedA::vectors, next < tiles, stage);
    });
  } else if (part == 0 && next < tiles) {
    a.bring_edge(next, stage);
    b.bring_edge(next, stage);
  }
  if (part + 1 == parts) {
    cp_async_fence();
    ++next;
    a.advance();
    b.advance();
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
