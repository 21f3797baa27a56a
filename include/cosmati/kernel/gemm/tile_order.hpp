// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tile of C that each block computes. Blocks that run at the same time share rows of A and columns of B in the L2
/// cache.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/kernel/divider.hpp>

namespace COSMATI_NAMESPACE {

/// The coordinates of a tile of C, and the batch.
struct gemm_tile {
  int m, n, batch;
};

/// Tiles in bands of `band` along M. A band runs along N, column by column. Batches follow each other.
struct gemm_tile_order {
  unsigned m = 0, n = 0;  ///< tiles along M and N
  unsigned batches = 0;
  unsigned band = 1;  ///< successive tiles along M; at least 1
  /// Divisions by the tiles of a batch, by those of a band, and by the heights of a band and of the last one, which may
  /// be lower.
  fast_divider by_batch, by_band, by_height, by_last_height;

  /// Throws `error` if there are more than 2^31 - 1 tiles. @param tile_m, tile_n the elements of a tile
  static gemm_tile_order of(int extent_m, int extent_n, int batches, int tile_m, int tile_n, int band) {
    auto const tiles = [](int extent, int tile) {
      return (static_cast<unsigned>(extent) + static_cast<unsigned>(tile) - 1) / static_cast<unsigned>(tile);
    };
    gemm_tile_order r;
    r.m = tiles(extent_m, tile_m);
    r.n = tiles(extent_n, tile_n);
    r.batches = static_cast<unsigned>(batches);
    r.band = static_cast<unsigned>(band);
    if (r.m != 0 && r.n != 0 && r.batches > 0x7fffffffu / r.m / r.n) {
      throw error(
          "gemm: %u x %u tiles of C in %u batches are more than a grid's 2147483647 blocks; take larger tiles, or "
          "multiply in parts",
          r.m, r.n, r.batches);
    }
    if (r.blocks() == 0) return r;
    // a band that holds all tiles needs no second one
    r.by_batch = fast_divider(r.m * r.n);
    r.by_band = fast_divider(r.band < r.m ? r.band * r.n : r.m * r.n);
    r.by_height = fast_divider(r.band < r.m ? r.band : r.m);
    r.by_last_height = fast_divider(r.m % r.band != 0 ? r.m % r.band : r.band);
    return r;
  }
  COSMATI_HD unsigned blocks() const { return m * n * batches; }

  COSMATI_HD gemm_tile operator()(unsigned block) const {
    unsigned const batch = by_batch.quotient(block);
    unsigned const rest = block - batch * (m * n);
    unsigned const first = by_band.quotient(rest) * band;  // the band's first tile along M
    unsigned const height = m - first < band ? m - first : band;
    unsigned const in_band = rest - first * n;
    unsigned const column = (m - first < band ? by_last_height : by_height).quotient(in_band);
    return {static_cast<int>(first + in_band - column * height), static_cast<int>(column), static_cast<int>(batch)};
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
