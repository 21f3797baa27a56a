// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a tile of `gemm_hopper`: C = epilogue(alpha sums + beta C), by tensor copies of each warp's boxes.
///
/// A box is 16 rows of 128 bytes. Sums become results in registers and go to the warp's boxes in shared memory. When
/// these are full, one fence serves all of them, and their stores run while the warp goes on. Tensor copies store whole
/// chunks of 16 bytes, so the threads store the columns behind the last whole chunk of a row themselves.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/convert.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/kernel/gemm/hopper_direct_store.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/tma/tma_partition.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Converts values to T, two at once. @param to as many, contiguous; their number is even
template <class T, class From, class To>
COSMATI_HD void convert_pairs(From const& from, To& to) {
  using V = typename From::value_type;
  [[maybe_unused]] unseen_scope const unseen;
  COSMATI_UNROLL
  for (int i = 0; i < size(from); i += 2) {
    auto const two = convert_two<V, T>(*reinterpret_cast<register_words<2 * sizeof(V)> const*>(&from(i)));
    if constexpr (sizeof(T) == 1)
      words_to_memory<2>(&to(i), two);  // two bytes are a part of a register
    else
      *reinterpret_cast<register_words<2 * sizeof(T)>*>(&to(i)) = two;
  }
}

/// A warp's boxes of results. @tparam Parts hopper_parts
template <class Parts>
class hopper_results {
 public:
  using TC = typename Parts::TC;
  using Sum = typename Parts::Sum;
  using Arguments = hopper_arguments<Parts>;

  /// By all threads of the warp.
  COSMATI_HD hopper_results(Arguments const& arguments, hopper_tiles<Parts> const&, hopper_shared<Parts> const& shared)
      : arguments_(arguments),
        boxes_(shared.results(threadIdx.x / 32)),
        loaded_(shared.barriers().results[threadIdx.x / 32]),
        leads_(elect_one_sync()) {}

  /// Stores a tile from the sums (V, M, 1) of the thread. The copies may still be reading shared memory when this
  /// returns. @param thread a ThrMMA of the tile's consumers
  template <class ThrMma, class Sums, class Epilogue>
  COSMATI_HD void store(ThrMma const& thread, Sums const& sums, hopper_tile const& tile, Epilogue const& epilogue) {
    constexpr int boxes = Parts::TileN::value / Parts::result_columns;
    int const batch = Parts::grouped ? 0 : tile.batch;
    constexpr int at_once = Parts::config.results < boxes ? Parts::config.results : boxes;
    auto const place = thread.partition_C(make_identity_tensor(Shape<typename Parts::TileM, typename Parts::TileN>{}));
    int const warp = static_cast<int>(threadIdx.x / 32 % (4 * Parts::sharers));
    COSMATI_UNROLL
    for (int m = 0; m < decltype(size<1>(sums))::value; ++m) {
      int const row = tile.row + 64 * Parts::sharers * m + 16 * warp;
      if (row >= tile.end) continue;
      if constexpr (Parts::grouped) {  // a copy would overwrite rows of the next group
        if (row + 16 > tile.end) {
          store_rows(sums, place, m, tile, epilogue);
          continue;
        }
      }
      COSMATI_UNROLL
      for (int first = 0; first < boxes; first += at_once) {
        if (Parts::result_columns * (tile.n * boxes + first) >= arguments_.n) continue;
        end();  // the boxes have been read
        sync_warp();
        COSMATI_UNROLL
        for (int j = first; j < boxes && j < first + at_once; ++j)
          fill_box(j - first, j, sums, place, m, row, tile, epilogue);
        fence_proxy_async_shared();
        sync_warp();
        if (!leads_) continue;
        COSMATI_UNROLL
        for (int j = first; j < boxes && j < first + at_once; ++j) store_box(j - first, row, tile.n * boxes + j, batch);
        tma_store_arrive();
      }
    }
  }
  /// Waits until no copy reads shared memory.
  COSMATI_HD void end() const {
    if (leads_) tma_store_wait<0>();
  }

 private:
  /// The warp's box number i, (16, COLUMNS).
  COSMATI_HD auto box(int i) const {
    return make_tensor(make_smem_ptr(boxes_ + i * (16 * Parts::result_columns)), typename Parts::LayoutBox{});
  }
  /// The results of the box j of the tile's columns, by all threads of the warp. @param i the box that receives them
  template <class Sums, class Place, class Epilogue>
  COSMATI_HD void fill_box(int i, int j, Sums const& sums, Place const& place, int m, int row, hopper_tile const& tile,
                           Epilogue const& epilogue) {
    constexpr int values = Parts::result_columns / 2;
    auto result = make_tensor<Sum>(Layout<C<values>>{});
    COSMATI_UNROLL
    for (int v = 0; v < values; ++v) result(v) = arguments_.alpha * sums(values * j + v, m, 0);
    if (arguments_.beta != static_cast<Sum>(0))
      add_old(i, result, row, tile.n * (Parts::TileN::value / Parts::result_columns) + j,
              Parts::grouped ? 0 : tile.batch);
    auto held = make_tensor<TC>(Layout<C<values>>{});
    finish(epilogue, result, place, values * j, m, tile, held);
    if (arguments_.of_c.columns < arguments_.n) store_rest(held, place, values * j, m, tile);
    write_box(i, held);
  }
  /// The box of C at (row, COLUMNS column), as coordinates.
  template <class Atom>
  COSMATI_HD auto box_of_matrix(Atom const& atom, int row, int column, int batch) const {
    auto const matrix = atom.get_tma_tensor(make_shape(arguments_.m, arguments_.n, arguments_.batches));
    return local_tile(domain_offset(make_coord(row, 0), matrix(_, _, batch)),
                      typename hopper_result_copies<Parts>::Tile{}, make_coord(0, column));
  }
  /// Adds beta C to the results, through box i.
  template <class Result>
  COSMATI_HD void add_old(int i, Result& result, int row, int column, int batch) {
    auto const shared = box(i);
    if (leads_) {
      auto const coordinates = box_of_matrix(arguments_.of_c.load, row, column, batch);
      auto const [from, to] =
          tma_partition(arguments_.of_c.load, group_modes<0, 2>(shared), group_modes<0, 2>(coordinates));
      arrive_and_expect_bytes(loaded_, 16 * 128);
      copy(arguments_.of_c.load.with(loaded_), from, to);
    }
    wait_barrier(loaded_, parity_);
    parity_ ^= 1;
    auto const old = Parts::warp_mma().get_slice(threadIdx.x % 32).partition_C(shared);
    COSMATI_UNROLL
    for (int v = 0; v < size(result); ++v)
      result(v) = result(v) + arguments_.beta * static_cast<Sum>(static_cast<TC>(old(v)));
    sync_warp();
  }
  /// Applies the epilogue and converts. @param place of the tile's values, @param first the first of them here
  template <class Epilogue, class Result, class Place, class Held>
  COSMATI_HD void finish(Epilogue const& epilogue, Result& result, [[maybe_unused]] Place const& place,
                         [[maybe_unused]] int first, [[maybe_unused]] int m, [[maybe_unused]] hopper_tile const& tile,
                         Held& held) const {
    if constexpr (epilogue_of_place<Epilogue, Sum>) {
      COSMATI_UNROLL
      for (int i = 0; i < size(result); ++i) {
        auto const at = place(first + i, m, 0);
        int const x = tile.row + static_cast<int>(get<0>(at));
        int const y = tile.n * Parts::TileN::value + static_cast<int>(get<1>(at));
        held(i) = TC{};  // an epilogue may read what exists within the matrix only
        if (x < arguments_.m && y < arguments_.n) held(i) = static_cast<TC>(epilogue(result(i), x, y, tile.batch));
      }
    } else if constexpr (std::is_same_v<decltype(epilogue(result(0))), Sum>) {
      COSMATI_UNROLL
      for (int i = 0; i < size(result); ++i) result(i) = epilogue(result(i));
      convert_pairs<TC>(result, held);
    } else {
      COSMATI_UNROLL
      for (int i = 0; i < size(result); ++i) held(i) = static_cast<TC>(epilogue(result(i)));
    }
  }
  /// Stores the results behind the last whole chunk of each row. @param place, first, m as for `finish`
  template <class Held, class Place>
  COSMATI_HD void store_rest(Held const& held, Place const& place, int first, int m, hopper_tile const& tile) const {
    auto const& c = arguments_.c;
    COSMATI_UNROLL
    for (int i = 0; i < size(held); ++i) {
      auto const at = place(first + i, m, 0);
      int const x = tile.row + static_cast<int>(get<0>(at));
      int const y = tile.n * Parts::TileN::value + static_cast<int>(get<1>(at));
      if (x < arguments_.m && y >= arguments_.of_c.columns && y < arguments_.n)
        c.data[(Parts::grouped ? 0 : tile.batch) * c.batch + x * c.leading + y] = held(i);
    }
  }
  /// Stores the rows m of the sums that exist, by the threads.
  template <class Sums, class Place, class Epilogue>
  COSMATI_HD void store_rows(Sums const& sums, Place const& place, int m, hopper_tile const& tile,
                             Epilogue const& epilogue) const {
    COSMATI_UNROLL
    for (int i = 0; i < decltype(size<0>(sums))::value; i += 2) {
      Sum const two[] = {sums(i, m, 0), sums(i + 1, m, 0)};
      store_hopper_results<2>(arguments_, two, place(i, m, 0), tile, epilogue);
    }
  }
  /// Writes results to box i.
  template <class Held>
  COSMATI_HD void write_box(int i, Held const& held) const {
    auto shared = box(i);
    auto const mma = Parts::warp_mma();
    auto const to_shared = make_tiled_copy_C(typename Parts::store_atom{}, mma).get_slice(threadIdx.x % 32);
    auto fragment = partition_fragment_C(mma, shape(shared));
    auto const values = make_tensor(held.data(), make_layout(shape(fragment.layout())));
    copy(make_tiled_copy_C(typename Parts::store_atom{}, mma), to_shared.retile_S(values),
         to_shared.partition_D(shared));
  }
  /// By one thread: begins to store box i.
  COSMATI_HD void store_box(int i, int row, int column, int batch) const {
    if (Parts::result_columns * column >= arguments_.of_c.columns) return;
    auto const shared = box(i);
    auto const coordinates = box_of_matrix(arguments_.of_c.store, row, column, batch);
    auto const [to, from] =
        tma_partition(arguments_.of_c.store, group_modes<0, 2>(shared), group_modes<0, 2>(coordinates));
    copy(arguments_.of_c.store, from, to);
  }

  Arguments const& arguments_;
  TC* boxes_;              ///< this warp's
  std::uint64_t& loaded_;  ///< its mbarrier
  bool leads_;
  int parity_ = 0;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
