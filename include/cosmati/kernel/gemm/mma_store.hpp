// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a tile of `gemm_mma`: C = epilogue(alpha sums + beta C), for any edge and any alignment.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/kernel/gemm/mma_config.hpp>
#include <cosmati/kernel/gemm/mma_tensor_feed.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Moves a warp's rows between shared memory and C, 16 bytes for each thread. Elements of incomplete vectors move one
/// by one, those of adjacent lanes side by side. Elements outside the matrix are read as zero. @tparam to_matrix
/// whether to the matrix or from it
/// @param wide whether C allows accesses of 16 bytes
template <class Parts, bool whole, bool to_matrix, class SC, class GC>
COSMATI_HD void copy_mma_rows(unsigned lane, SC& sC, GC& gC, int left_m, int left_n, bool wide) {
  using TC = typename Parts::TC;
  constexpr int vector = Parts::operand_C::vector, rows = Parts::instruction_m, columns = Parts::warp_n;
  if (whole || wide) {
    Copy_Atom<UniversalCopy<uint128_t>, TC> const at_once;
    auto const thread = Parts::operand_C::copy().get_slice(lane);
    auto shared = group_modes<1, 3>(thread.partition_S(sC));  // (VECTOR, vectors)
    auto matrix = group_modes<1, 3>(thread.partition_D(gC));
    auto const at = group_modes<1, 3>(thread.partition_D(make_identity_tensor(shape(gC))));
    COSMATI_UNROLL
    for (int j = 0; j < size<1>(shared); ++j) {
      auto const first = at(0, j);
      int const left = static_cast<int>(get<0>(first)) < left_m ? left_n - static_cast<int>(get<1>(first)) : 0;
      if (whole || left >= vector) {
        if constexpr (to_matrix)
          copy(at_once, shared(_, j), matrix(_, j));
        else
          copy(at_once, matrix(_, j), shared(_, j));
      } else if (!to_matrix && left <= 0) {
        auto none = make_tensor<TC>(Layout<C<vector>>{});
        clear(none);
        copy(at_once, none, shared(_, j));
      }
    }
  }
  if constexpr (!whole) {
    // The rest: the vector of each row that the end of the matrix cuts, or the whole row. Adjacent lanes take elements
    // of one row, as many as are in different banks.
    int const end = left_n < columns ? left_n : columns, last = left_m < rows ? left_m : rows;
    int const begin = wide ? end / vector * vector : 0, across = wide ? 8 : 32;
    if (wide && end <= begin) return;
    int const end_j = to_matrix ? end : wide ? begin + vector : columns;
    int const end_i = to_matrix || wide ? last : rows;  // if wide, the rows after the last are vectors of zeros
    COSMATI_NO_UNROLL
    for (int j = begin + static_cast<int>(lane) % across; j < end_j; j += across) {
      COSMATI_NO_UNROLL
      for (int i = static_cast<int>(lane) / across; i < end_i; i += 32 / across) {
        if constexpr (to_matrix)
          gC(i, j) = static_cast<TC>(sC(i, j));
        else
          sC(i, j) = i < last && j < end ? static_cast<TC>(gC(i, j)) : TC{};
      }
    }
  }
}

/// Where a tile stands in C, and what becomes of its sums.
/// @tparam GC the tile as a tensor (TILE_M, TILE_N), contiguous along N
template <class GC, class Sum, class Epilogue>
struct mma_result_tile {
  using TC = typename GC::value_type;

  GC gC;
  int first_m, first_n;  ///< the tile's first element in the matrix
  int left_m, left_n;    ///< elements of the matrix from there on
  int batch;
  Sum alpha, beta;
  bool overwrite;  ///< beta is zero: C is not read
  Epilogue const& epilogue;

  /// Whether an epilogue that takes the coordinates may be called for a place in the tile. It may read what exists
  /// within the matrix only.
  template <bool whole, class Coordinate>
  COSMATI_HD bool may_finish([[maybe_unused]] Coordinate const& c) const {
    if constexpr (whole || !epilogue_of_place<Epilogue, Sum>)
      return true;
    else
      return static_cast<int>(get<0>(c)) < left_m && static_cast<int>(get<1>(c)) < left_n;
  }
  /// @param c element's place in the tile, @param x alpha sum + beta C
  template <class Coordinate>
  COSMATI_HD TC finish(Coordinate const& c, Sum const& x) const {
    return finished<TC>(epilogue, x,
                        make_coord(sum_of_elements(first_m, get<0>(c)), sum_of_elements(first_n, get<1>(c))), batch);
  }
};

/// @param mC the matrix (M, N), contiguous along N
template <class Parts, class MC, class Problem, class Epilogue>
COSMATI_HD auto make_mma_result_tile(MC const& mC, gemm_tile const& tile, Problem const& p, Epilogue const& epilogue) {
  using Sum = typename Problem::sum_type;
  int const first_m = tile.m * Parts::TileM::value, first_n = tile.n * Parts::TileN::value;
  auto const gC = make_tensor(mC.data() + mC.layout()(first_m, first_n),
                              make_layout(Shape<typename Parts::TileM, typename Parts::TileN>{}, mC.layout().stride()));
  return mma_result_tile<std::remove_const_t<decltype(gC)>, Sum, Epilogue>{gC,
                                                                           first_m,
                                                                           first_n,
                                                                           p.m - first_m,
                                                                           p.n - first_n,
                                                                           tile.batch,
                                                                           p.alpha,
                                                                           p.beta,
                                                                           p.beta == static_cast<Sum>(0),
                                                                           epilogue};
}

/// Stores the results of one row of a warp's instructions, by way of the warp's rows in shared memory, and sets their
/// sums to zero. @tparam stay they stay in shared memory, from where a tensor copy stores them
/// @param tile mma_result_tile, @param row, column of the first result in the tile
/// @param sums (V, N), @param place of the sums in the tile
/// @param rows (M, N) in shared memory, @param wide C may be accessed by 16 bytes
template <class Parts, bool whole, bool stay, class Tile, class Sums, class Place, class Rows>
COSMATI_HD void store_mma_rows(Tile const& tile, unsigned lane, int row, int column, Sums&& sums, Place const& place,
                               Rows& rows, [[maybe_unused]] bool wide) {
  using TC = typename Tile::TC;
  using Sum = typename std::remove_cvref_t<Sums>::value_type;
  auto const mma = Parts::warp_mma();
  auto const store = make_tiled_copy_C(typename Parts::store_atom{}, mma);
  auto to = make_tensor(tile.gC.data() + tile.gC.layout()(row, column),
                        make_layout(Shape<C<Parts::instruction_m>, C<Parts::warp_n>>{}, tile.gC.layout().stride()));
  auto result = partition_fragment_C(mma, shape(to));
  auto held = make_fragment_like<TC>(result);
  COSMATI_UNROLL
  for (int i = 0; i < size(result); ++i) {
    result(i) = tile.alpha * sums(i);
    sums(i) = Sum{};
  }
  if (!tile.overwrite) {
    copy_mma_rows<Parts, whole, false>(lane, rows, to, tile.left_m - row, tile.left_n - column, wide);
    sync_warp();
    copy(AutoVectorizingCopyWithAssumedAlignment<2 * static_cast<int>(sizeof_bits_v<TC>)>{},
         mma.get_slice(lane).partition_C(rows), held);
    COSMATI_UNROLL
    for (int i = 0; i < size(result); ++i) result(i) = result(i) + tile.beta * static_cast<Sum>(held(i));
    sync_warp();
  }
  COSMATI_UNROLL
  for (int i = 0; i < size(result); ++i)
    held(i) = tile.template may_finish<whole>(place(i)) ? tile.finish(place(i), result(i)) : TC{};
  copy(store, store.get_slice(lane).retile_S(held), store.get_slice(lane).partition_D(rows));
  if constexpr (!stay) {
    sync_warp();
    copy_mma_rows<Parts, whole, true>(lane, rows, to, tile.left_m - row, tile.left_n - column, wide);
  }
}

/// By one warp: stores its results by a tensor copy, which may still be reading sC when this returns.
/// @param tile mma_result_tile, @param row of the warp's first result in the tile, @param warp_n its place along N
template <class Parts, class Tile, class SC>
COSMATI_HD void store_mma_box(Tile const& tile, SC& sC, mma_tensor_map const& map, int row, int warp_n) {
  if (tile.overwrite)
    fence_proxy_async_shared();
  else
    fence_proxy_async();  // C was read, too
  sync_warp();
  if (elect_one_sync()) {
    tensor_copy_s2g(map.matrices, raw_pointer_cast(sC.data()),
                    {0, tile.first_m + row, tile.first_n / Parts::warp_n + warp_n, tile.batch * map.batch_step});
    tma_store_arrive();
  }
}

/// Stores a tile from a thread's registers, and sets its sums to zero.
/// @param tile mma_result_tile, @param place of the sums in it
template <bool whole, class ThrMma, class Tile, class Sums, class Place>
COSMATI_HD void store_mma_elements(ThrMma const& thread, Tile const& tile, Sums& sums, Place const& place) {
  using TC = typename Tile::TC;
  using Sum = typename Sums::value_type;
  auto to = thread.partition_C(tile.gC);
  COSMATI_UNROLL
  for (int i = 0; i < size(sums); ++i) sums(i) = tile.alpha * sums(i);
  if constexpr (whole) {
    AutoVectorizingCopyWithAssumedAlignment<2 * static_cast<int>(sizeof_bits_v<TC>)> const pairs;
    auto result = make_fragment_like<TC>(sums);
    if (!tile.overwrite) {
      copy(pairs, to, result);
      COSMATI_UNROLL
      for (int i = 0; i < size(sums); ++i) sums(i) = sums(i) + tile.beta * static_cast<Sum>(result(i));
    }
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) result(i) = tile.finish(place(i), sums(i));
    copy(pairs, result, to);
  } else {
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) {
      auto const c = place(i);
      if (static_cast<int>(get<0>(c)) >= tile.left_m || static_cast<int>(get<1>(c)) >= tile.left_n) continue;
      if (!tile.overwrite) sums(i) = sums(i) + tile.beta * static_cast<Sum>(static_cast<TC>(to(i)));
      to(i) = tile.finish(c, sums(i));
    }
  }
  clear(sums);
}

/// Stores a tile from the sums of a thread, and sets these to zero for the next one. @param mC the matrix (M, N),
/// contiguous along N
/// @param sC this warp's rows in shared memory, if the results go through it
/// @param wide C may be accessed by 16 bytes
/// @tparam boxes a tensor copy a warp stores them, which may still be reading sC when this returns
/// @param map of C, if so
template <class Parts, bool whole, bool boxes, class ThrMma, class Sums, class MC, class SC, class Problem,
          class Epilogue>
COSMATI_HD void store_mma_tile(ThrMma const& thread, unsigned thread_idx, Sums& sums, MC const& mC, SC& sC,
                               gemm_tile const& at, Problem const& p, [[maybe_unused]] bool wide,
                               Epilogue const& epilogue, [[maybe_unused]] mma_tensor_map const& map) {
  auto const tile = make_mma_result_tile<Parts>(mC, at, p, epilogue);
  auto const place =  // (V, M, N) as the sums
      thread.partition_C(make_identity_tensor(Shape<typename Parts::TileM, typename Parts::TileN>{}));
  if constexpr (Parts::stages_results) {
    constexpr int M = decltype(size<1>(sums))::value;
    int const warp_m = static_cast<int>(thread_idx / 32) % Parts::config.warps_m;
    int const warp_n = static_cast<int>(thread_idx / 32) / Parts::config.warps_m;
    if constexpr (boxes) {
      if (elect_one_sync()) tma_store_wait<0>();  // the last tile's results have left sC
      sync_warp();
    }
    COSMATI_UNROLL
    for (int m = 0; m < M; ++m) {
      auto rows = sC(_, _, m % Parts::result_rows);  // of the other ones the last pass may still be stored
      store_mma_rows<Parts, whole, boxes>(tile, thread_idx % 32, (warp_m * M + m) * Parts::instruction_m,
                                          warp_n * Parts::warp_n, sums(_, m, _), place(_, m, _), rows, wide);
    }
    if constexpr (boxes)
      store_mma_box<Parts>(tile, sC, map, warp_m * M * Parts::instruction_m, warp_n);
    else if constexpr ((M - 1) % Parts::result_rows == 0)
      sync_warp();  // the next tile begins with the same ones
  } else {
    store_mma_elements<whole>(thread, tile, sums, place);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
