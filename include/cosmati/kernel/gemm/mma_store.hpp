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

/// Stores a tile from a thread's sums, and sets the sums to zero for the next tile.
/// @param mC the matrix (M, N), contiguous along N
/// @param sC this warp's rows in shared memory, if the results go through it
/// @param wide whether C allows accesses of 16 bytes
/// @tparam boxes whether a tensor copy of each warp stores them; it may still read sC when the function returns
/// @param map that of C, if boxes
template <class Parts, bool whole, bool boxes, class ThrMma, class Sums, class MC, class SC, class Problem,
          class Epilogue>
COSMATI_HD void store_mma_tile(ThrMma const& thread, unsigned thread_idx, Sums& sums, MC const& mC, SC& sC,
                               gemm_tile const& tile, Problem const& p, [[maybe_unused]] bool wide,
                               Epilogue const& epilogue, [[maybe_unused]] mma_tensor_map const& map) {
  using TC = typename MC::value_type;
  using Sum = typename Sums::value_type;
  using TileMN = Shape<typename Parts::TileM, typename Parts::TileN>;
  constexpr int M = decltype(size<1>(sums))::value;
  int const first_m = tile.m * Parts::TileM::value, first_n = tile.n * Parts::TileN::value;
  int const left_m = p.m - first_m, left_n = p.n - first_n;
  auto const gC = make_tensor(mC.data() + mC.layout()(first_m, first_n), make_layout(TileMN{}, mC.layout().stride()));
  auto const place = thread.partition_C(make_identity_tensor(TileMN{}));  // (V, M, N) as the sums
  bool const overwrite = p.beta == static_cast<Sum>(0);
  auto const finish = [&](auto const& c, Sum const& x) {
    return finished<TC>(
        epilogue, x,
        make_coord(detail::sum_of_elements(first_m, get<0>(c)), detail::sum_of_elements(first_n, get<1>(c))),
        tile.batch);
  };
  if constexpr (Parts::stages_results) {
    unsigned const lane = thread_idx % 32;
    int const warp_m = static_cast<int>(thread_idx / 32) % Parts::config.warps_m;
    int const warp_n = static_cast<int>(thread_idx / 32) / Parts::config.warps_m;
    auto const mma = Parts::warp_mma();
    auto const store = make_tiled_copy_C(typename Parts::store_atom{}, mma);
    if constexpr (boxes) {
      if (elect_one_sync()) tma_store_wait<0>();  // the last tile's results have left sC
      sync_warp();
    }
    COSMATI_UNROLL
    for (int m = 0; m < M; ++m) {
      auto rows = sC(_, _, m % Parts::result_rows);  // of the other ones the last pass may still be stored
      int const row = (warp_m * M + m) * Parts::instruction_m, column = warp_n * Parts::warp_n;
      auto to = make_tensor(gC.data() + gC.layout()(row, column),
                            make_layout(Shape<C<Parts::instruction_m>, C<Parts::warp_n>>{}, gC.layout().stride()));
      auto result = partition_fragment_C(mma, shape(to));
      auto held = make_fragment_like<TC>(result);
      COSMATI_UNROLL
      for (int i = 0; i < size(result); ++i) {
        result(i) = p.alpha * sums(_, m, _)(i);
        sums(_, m, _)(i) = Sum{};
      }
      if (!overwrite) {
        copy_mma_rows<Parts, whole, false>(lane, rows, to, left_m - row, left_n - column, wide);
        sync_warp();
        copy(AutoVectorizingCopyWithAssumedAlignment<2 * static_cast<int>(sizeof_bits_v<TC>)>{},
             mma.get_slice(lane).partition_C(rows), held);
        COSMATI_UNROLL
        for (int i = 0; i < size(result); ++i) result(i) = result(i) + p.beta * static_cast<Sum>(held(i));
        sync_warp();
      }
      COSMATI_UNROLL
      for (int i = 0; i < size(result); ++i) held(i) = finish(place(_, m, _)(i), result(i));
      copy(store, store.get_slice(lane).retile_S(held), store.get_slice(lane).partition_D(rows));
      if constexpr (!boxes) {
        sync_warp();
        copy_mma_rows<Parts, whole, true>(lane, rows, to, left_m - row, left_n - column, wide);
      }
    }
    if constexpr (boxes) {
      if (overwrite)
        fence_proxy_async_shared();
      else
        fence_proxy_async();  // C was read, too
      sync_warp();
      if (elect_one_sync()) {
        tensor_copy_s2g(map.matrices, raw_pointer_cast(sC.data()), 0, first_m + warp_m * M * Parts::instruction_m,
                        first_n / Parts::warp_n + warp_n, tile.batch * map.batch_step);
        tma_store_arrive();
      }
    } else if constexpr ((M - 1) % Parts::result_rows == 0) {
      sync_warp();  // the next tile begins with the same ones
    }
  } else {
    auto to = thread.partition_C(gC);
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) sums(i) = p.alpha * sums(i);
    if constexpr (whole) {
      AutoVectorizingCopyWithAssumedAlignment<2 * static_cast<int>(sizeof_bits_v<TC>)> const pairs;
      auto result = make_fragment_like<TC>(sums);
      if (!overwrite) {
        copy(pairs, to, result);
        COSMATI_UNROLL
        for (int i = 0; i < size(sums); ++i) sums(i) = sums(i) + p.beta * static_cast<Sum>(result(i));
      }
      COSMATI_UNROLL
      for (int i = 0; i < size(sums); ++i) result(i) = finish(place(i), sums(i));
      copy(pairs, result, to);
    } else {
      COSMATI_UNROLL
      for (int i = 0; i < size(sums); ++i) {
        auto const c = place(i);
        if (static_cast<int>(get<0>(c)) >= left_m || static_cast<int>(get<1>(c)) >= left_n) continue;
        if (!overwrite) sums(i) = sums(i) + p.beta * static_cast<Sum>(static_cast<TC>(to(i)));
        to(i) = finish(c, sums(i));
      }
    }
    clear(sums);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
