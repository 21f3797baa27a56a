// SPDX-License-Identifier: Apache-2.0
/// @file
/// The loop over K of `gemm_hopper`: one batch of instructions is in flight while the stage of the batch before it is
/// given back. Or, in two levels: the sums of a few stages are added to other sums in registers, with scales if the
/// problem has them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/kernel/gemm/hopper_tiles.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Begins to multiply the tiles of a stage, in one batch. @param a, b (1, X, K)
template <class Mma, class A, class B, class Sums>
COSMATI_HD void multiply_hopper_stage(Mma& mma, A const& a, B const& b, Sums& sums) {
  warpgroup_arrive();
  COSMATI_UNROLL
  for (int k = 0; k < decltype(size<2>(a))::value; ++k) {
    gemm(mma, a(_, _, k), b(_, _, k), sums);
    mma.accumulate_ = GMMA::ScaleOut::One;
  }
  warpgroup_commit_batch();
}
/// Waits until the sums are in the registers.
template <class Sums>
COSMATI_HD void wait_for_hopper_sums(Sums& sums) {
  warpgroup_wait<0>();
  warpgroup_fence_operand(sums);
}

/// Multiplies `count` stages, 1 or more. @param a, b (1, X, K, stages)
/// @param end called when all of them are there
template <class Mma, class Consumer, class A, class B, class Sums, class End>
COSMATI_HD void multiply_hopper_stages(Mma& mma, Consumer& consumer, int count, A const& a, B const& b, Sums& sums,
                                       End const& end) {
  mma.accumulate_ = GMMA::ScaleOut::Zero;
  int stage = consumer.wait();
  multiply_hopper_stage(mma, a(_, _, _, stage), b(_, _, _, stage), sums);
  COSMATI_NO_UNROLL
  for (int k = 1; k < count; ++k) {
    stage = consumer.wait();
    multiply_hopper_stage(mma, a(_, _, _, stage), b(_, _, _, stage), sums);
    warpgroup_wait<1>();
    consumer.release_unfenced();
  }
  end();
  wait_for_hopper_sums(sums);
  consumer.release_unfenced();
}

/// The scales of a thread's sums in one block of K. @tparam rows the thread's rows of a tile
template <int rows, int columns>
struct hopper_scales {
  float of_row[std::size_t{rows}];
  float of_columns[std::size_t{columns}];  ///< of each 128 columns of the tile

  /// @param block along K, @param first_row of the tile that is the thread's; the next ones are 8 rows on, then
  ///   64 for each warpgroup
  template <class Parts>
  COSMATI_HD static hopper_scales of(hopper_arguments<Parts> const& p, hopper_tile const& tile, int block,
                                     int first_row) {
    hopper_scales r;
    bool const exists = 128 * block < p.k;
    COSMATI_UNROLL
    for (int i = 0; i < rows; ++i) {
      int const row = tile.row + first_row + i % 2 * 8 + i / 2 * 64 * Parts::sharers;
      r.of_row[i] = exists && row < tile.end
                        ? p.scales_a.data[row * p.scales_a.along + block * p.scales_a.along_k +
                                          (Parts::grouped ? 0 : tile.batch * p.scales_a.along_batch)]
                        : 0.f;
    }
    COSMATI_UNROLL
    for (int i = 0; i < columns; ++i) {
      int const column = tile.n * Parts::TileN::value / 128 + i;
      r.of_columns[i] =
          exists && 128 * column < p.n
              ? p.scales_b
                    .data[column * p.scales_b.along + block * p.scales_b.along_k + tile.batch * p.scales_b.along_batch]
              : 0.f;
    }
    return r;
  }
};

/// Adds sums to totals (V, M, 1), times their scales if the problem has them.
template <class Parts, class Sums, class Scales>
COSMATI_HD void add_hopper_sums(Sums const& sums, [[maybe_unused]] Scales const& scales, Sums& totals) {
  COSMATI_UNROLL
  for (int m = 0; m < decltype(size<1>(sums))::value; ++m) {
    COSMATI_UNROLL
    for (int v = 0; v < decltype(size<0>(sums))::value; ++v) {
      if constexpr (Parts::scaled)
        totals(v, m, 0) += scales.of_row[2 * m + v / 2 % 2] * scales.of_columns[v / 4 * 8 / 128] * sums(v, m, 0);
      else
        totals(v, m, 0) = totals(v, m, 0) + sums(v, m, 0);
    }
  }
}

/// Multiplies all stages of a tile in two levels: after each `promote` stages, their sums are added to `totals`. The
/// other warpgroup multiplies meanwhile. Scales are read one step before they are used.
/// @param a, b, end as for `multiply_hopper_stages`
template <class Parts, class Mma, class Consumer, class A, class B, class Sums, class End>
COSMATI_HD void multiply_hopper_in_two_levels(hopper_arguments<Parts> const& p, hopper_tiles<Parts> const& tiles,
                                              hopper_tile const& tile, Mma& mma, Consumer& consumer, A const& a,
                                              B const& b, Sums& totals, End const& end) {
  using Scales = hopper_scales<2 * decltype(size<1>(totals))::value, (Parts::TileN::value + 127) / 128>;
  int const first_row = static_cast<int>(threadIdx.x / 32 % (4 * Parts::sharers) * 16 + threadIdx.x % 32 / 4);
  int const count = tiles.count_k();
  Sums sums = make_tensor_like(totals);
  [[maybe_unused]] Scales scales, next;
  if constexpr (Parts::scaled) next = Scales::of(p, tile, tiles.first_k(), first_row);
  clear(totals);
  COSMATI_NO_UNROLL
  for (int k = 0; k < count; k += Parts::promote) {
    scales = next;
    if constexpr (Parts::scaled) next = Scales::of(p, tile, tiles.first_k() + k + 1, first_row);
    int const left = count - k;
    multiply_hopper_stages(mma, consumer, left < Parts::promote ? left : Parts::promote, a, b, sums, [] {});
    if (left <= Parts::promote) end();
    add_hopper_sums<Parts>(sums, scales, totals);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
