// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a tile of `gemm_hopper`: C = epilogue(alpha sums + beta C), by tensor copies of each warp's boxes.
///
/// Sums become results in registers and go to the warp's boxes in shared memory. When these are full, one fence serves
/// all of them, and their stores run while the warp goes on.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/gemm/hopper_boxes.hpp>
#include <cosmati/kernel/gemm/hopper_direct_store.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A warp's part of a tile. @tparam Parts hopper_parts
template <class Parts>
class hopper_results {
 public:
  using Sum = typename Parts::Sum;
  using Boxes = hopper_boxes<typename Parts::Problem>;
  static constexpr int columns = Parts::result_columns;  ///< of a box
  static constexpr int boxes = Parts::TileN::value / columns;
  static constexpr int at_once = Parts::config.results < boxes ? Parts::config.results : boxes;

  /// By all threads of the warp.
  COSMATI_HD hopper_results(hopper_arguments<Parts> const& arguments, hopper_tiles<Parts> const&,
                            hopper_shared<Parts> const& shared)
      : arguments_(arguments),
        boxes_(arguments, shared.results(threadIdx.x / 32), shared.barriers().results[threadIdx.x / 32]) {}

  /// Stores a tile from the sums (V, M, 1) of the thread. The copies may still be reading shared memory when this
  /// returns. @param thread a ThrMMA of the tile's consumers
  template <class ThrMma, class Sums, class Epilogue>
  COSMATI_HD void store(ThrMma const& thread, Sums const& sums, hopper_tile const& tile, Epilogue const& epilogue) {
    int const warp = static_cast<int>(threadIdx.x / 32 % (4 * Parts::sharers));
    COSMATI_UNROLL
    for (int m = 0; m < decltype(size<1>(sums))::value; ++m) {
      int const row = tile.row + 64 * Parts::sharers * m + 16 * warp;
      if (row >= tile.end) continue;
      if constexpr (Parts::grouped) {  // a copy would overwrite rows of the next group
        if (row + 16 > tile.end) {
          store_rows(sums, places(thread), m, tile, epilogue);
          continue;
        }
      }
      COSMATI_UNROLL
      for (int first = 0; first < boxes; first += at_once) {
        if (columns * (tile.n * boxes + first) >= arguments_.n) continue;
        end();  // the boxes have been read
        sync_warp();
        COSMATI_UNROLL
        for (int j = first; j < boxes && j < first + at_once; ++j)
          fill_box(j - first, j, thread, sums, m, row, tile, epilogue);
        fence_proxy_async_shared();
        sync_warp();
        store_boxes(first, row, tile);
      }
    }
  }
  /// Waits until no copy reads shared memory.
  COSMATI_HD void end() const { boxes_.wait(); }

 private:
  /// The places of a thread's sums in the tile, as (m, n).
  template <class ThrMma>
  COSMATI_HD static auto places(ThrMma const& thread) {
    return thread.partition_C(make_identity_tensor(Shape<typename Parts::TileM, typename Parts::TileN>{}));
  }
  /// The results of the box j of the tile's columns, by all threads of the warp. @param i the box that receives them
  template <class ThrMma, class Sums, class Epilogue>
  COSMATI_HD void fill_box(int i, int j, ThrMma const& thread, Sums const& sums, int m, int row,
                           hopper_tile const& tile, Epilogue const& epilogue) {
    typename Boxes::Results results;
    COSMATI_UNROLL
    for (int v = 0; v < Boxes::values; ++v) results(v) = arguments_.alpha * sums(Boxes::values * j + v, m, 0);
    boxes_.fill(
        // a generic function, so that nothing of it is compiled for an epilogue that needs no place
        i, results, [&](auto v) { return places(thread)(Boxes::values * j + v, m, 0); }, row,
        columns * (tile.n * boxes + j), tile.row, tile.n * Parts::TileN::value, tile.batch, epilogue);
  }
  /// Begins to store the boxes from number `first` of the tile's columns, by all threads of the warp.
  COSMATI_HD void store_boxes(int first, int row, hopper_tile const& tile) const {
    int const batch = Parts::grouped ? 0 : tile.batch;
    if (arguments_.of_c.columns < arguments_.n) {
      COSMATI_NO_UNROLL
      for (int j = first; j < boxes && j < first + at_once; ++j)
        boxes_.store_rest(j - first, row, columns * (tile.n * boxes + j), batch);
    }
    if (!boxes_.leads()) return;
    COSMATI_UNROLL
    for (int j = first; j < boxes && j < first + at_once; ++j)
      boxes_.store(j - first, row, columns * (tile.n * boxes + j), batch);
    tma_store_arrive();
  }
  /// Stores the rows m of the sums that exist, by the threads.
  template <class Sums, class Place, class Epilogue>
  COSMATI_HD void store_rows(Sums const& sums, Place const& place, int m, hopper_tile const& tile,
                             Epilogue const& epilogue) const {
    COSMATI_UNROLL
    for (int i = 0; i < decltype(size<0>(sums))::value; i += 2) {
      Sum const two[] = {sums(i, m, 0), sums(i + 1, m, 0)};
      auto const at = place(i, m, 0);
      store_hopper_results<2>(arguments_, two, tile.row + static_cast<int>(get<0>(at)),
                              tile.n * Parts::TileN::value + static_cast<int>(get<1>(at)), tile, epilogue);
    }
  }

  typename hopper_arguments<Parts>::numbers const& arguments_;
  Boxes boxes_;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
