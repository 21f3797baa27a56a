// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a tile of `gemm_mma`: C = epilogue(alpha sums + beta C), at any edge and any alignment.
#pragma once

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/kernel/gemm/mma_config.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A tile of C between shared memory and the matrix, in rows of 128 bytes: 16 bytes a thread, the rest element by
/// element; what lies outside of the matrix comes as zero. @tparam to_matrix or from it
template <class Parts, bool whole, bool to_matrix, class SC, class GC>
COSMATI_HD void copy_mma_rows(unsigned thread_idx, SC& sC, GC& gC, int left_m, int left_n, bool wide) {
  using TC = typename Parts::TC;
  constexpr int vector = Parts::operand_C::vector;
  Copy_Atom<UniversalCopy<uint128_t>, TC> const at_once;
  auto const thread = Parts::operand_C::copy().get_slice(thread_idx);
  auto shared = group_modes<1, 3>(thread.partition_S(sC));  // (VECTOR, vectors)
  auto matrix = group_modes<1, 3>(thread.partition_D(gC));
  auto const at = group_modes<1, 3>(thread.partition_D(make_identity_tensor(shape(gC))));
#if defined(__CUDACC__)
#pragma unroll 4
#endif
  for (int j = 0; j < size<1>(shared); ++j) {
    auto const first = at(0, j);
    int const left = static_cast<int>(get<0>(first)) < left_m ? left_n - static_cast<int>(get<1>(first)) : 0;
    if (whole || (wide && left >= vector)) {
      if constexpr (to_matrix)
        copy(at_once, shared(_, j), matrix(_, j));
      else
        copy(at_once, matrix(_, j), shared(_, j));
    } else {
      COSMATI_NO_UNROLL
      for (int v = 0; v < vector; ++v) {
        if constexpr (to_matrix) {
          if (v < left) matrix(v, j) = static_cast<TC>(shared(v, j));
        } else {
          shared(v, j) = v < left ? static_cast<TC>(matrix(v, j)) : TC{};
        }
      }
    }
  }
}

/// Stores a tile from the sums of a thread. @param mC the matrix (M, N), contiguous along N
/// @param sC (tile_m, tile_n, 1) in shared memory, that nobody uses, if the results go through it
/// @param wide C may be accessed by 16 bytes
template <class Parts, bool whole, class ThrMma, class Sums, class MC, class SC, class Problem, class Epilogue>
COSMATI_HD void store_mma_tile(ThrMma const& thread, unsigned thread_idx, Sums& sums, MC const& mC, SC& sC,
                               gemm_tile const& tile, Problem const& p, [[maybe_unused]] bool wide,
                               Epilogue const& epilogue) {
  using TC = typename MC::value_type;
  using Sum = typename Sums::value_type;
  using TileM = typename Parts::TileM;
  using TileN = typename Parts::TileN;
  int const first_m = tile.m * TileM::value, first_n = tile.n * TileN::value;
  int const left_m = p.m - first_m, left_n = p.n - first_n;
  auto gC =
      make_tensor(mC.data() + mC.layout()(first_m, first_n), make_layout(Shape<TileM, TileN>{}, mC.layout().stride()));
  auto const place = thread.partition_C(make_identity_tensor(Shape<TileM, TileN>{}));
  bool const overwrite = p.beta == static_cast<Sum>(0);
  auto const finish = [&](int i) {
    auto const c = place(i);
    return finished<TC>(epilogue, sums(i), make_coord(first_m + get<0>(c), first_n + get<1>(c)), tile.batch);
  };
  COSMATI_UNROLL
  for (int i = 0; i < size(sums); ++i) sums(i) = p.alpha * sums(i);
  if constexpr (Parts::stages_results) {
    auto tile_c = sC(_, _, 0);
    if (!overwrite) {
      copy_mma_rows<Parts, whole, false>(thread_idx, tile_c, gC, left_m, left_n, wide);
      sync_block();
      auto const old = thread.partition_C(tile_c);
      COSMATI_UNROLL
      for (int i = 0; i < size(sums); ++i) sums(i) = sums(i) + p.beta * static_cast<Sum>(static_cast<TC>(old(i)));
    }
    auto result = make_fragment_like<TC>(sums);
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) result(i) = finish(i);
    auto const store = make_tiled_copy_C(typename Parts::store_atom{}, Parts::mma());
    if (!overwrite) sync_block();
    copy(store, store.get_slice(thread_idx).retile_S(result), store.get_slice(thread_idx).partition_D(tile_c));
    sync_block();
    copy_mma_rows<Parts, whole, true>(thread_idx, tile_c, gC, left_m, left_n, wide);
  } else {
    auto to = thread.partition_C(gC);
    if constexpr (whole) {
      AutoVectorizingCopyWithAssumedAlignment<2 * static_cast<int>(sizeof_bits_v<TC>)> const pairs;
      auto result = make_fragment_like<TC>(sums);
      if (!overwrite) {
        copy(pairs, to, result);
        COSMATI_UNROLL
        for (int i = 0; i < size(sums); ++i) sums(i) = sums(i) + p.beta * static_cast<Sum>(result(i));
      }
      COSMATI_UNROLL
      for (int i = 0; i < size(sums); ++i) result(i) = finish(i);
      copy(pairs, result, to);
      return;
    }
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) {
      auto const c = place(i);
      if (static_cast<int>(get<0>(c)) >= left_m || static_cast<int>(get<1>(c)) >= left_n) continue;
      if (!overwrite) sums(i) = sums(i) + p.beta * static_cast<Sum>(static_cast<TC>(to(i)));
      to(i) = finish(i);
    }
  }
}

}  // namespace COSMATI_NAMESPACE::detail
