// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a tile of `gemm_hopper` without tensor copies: threads store C = epilogue(alpha sums + beta C) from their
/// registers, to rows or columns of any extent. If blocks of a cluster split K, each adds the sums of all of them for
/// its part of the tile, in the order of the blocks, so that the result is the same in every run.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/arch/streaming.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/kernel/gemm/hopper_tiles.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Stores `count` results of one row, 1 or 2, whose columns exist.
/// @param x, y of the first in C; of two results, y is even
template <int count, class Problem, bool stores_directly, class Sum, class Epilogue>
COSMATI_HD void store_hopper_results(hopper_numbers<Problem, stores_directly> const& arguments,
                                     Sum const (&sums)[std::size_t{count}], int x, int y, hopper_tile const& tile,
                                     Epilogue const& epilogue) {
  using Parts = hopper_results_of<Problem>;
  using TC = typename Parts::TC;
  if (x >= tile.end || y >= arguments.n) return;
  auto const& c = arguments.c;
  std::int64_t const along_n = Parts::c_along_n ? 1 : c.leading;
  TC* const to = c.data + ((Parts::grouped ? 0 : tile.batch * c.batch) +
                           (Parts::c_along_n ? x * c.leading : static_cast<std::int64_t>(x)) + y * along_n);
  alignas(sizeof(TC) * count) TC results[std::size_t{count}];
  COSMATI_UNROLL
  for (int i = 0; i < count; ++i) {
    results[i] = TC{};
    if (y + i >= arguments.n) continue;
    Sum result = arguments.alpha * sums[i];
    if (arguments.beta != static_cast<Sum>(0))
      result = result + arguments.beta * static_cast<Sum>(static_cast<TC>(to[i * along_n]));
    results[i] = finished<TC>(epilogue, result, make_coord(x, y + i), tile.batch);
  }
  if constexpr (count == 2 && Parts::c_along_n) {  // rows begin at multiples of 16 bytes
    if (y + 1 < arguments.n) {
      using words = std::conditional_t<sizeof(TC) == 1, std::uint16_t, register_words<2 * sizeof(TC)>>;
      *reinterpret_cast<words*>(to) = *reinterpret_cast<words const*>(results);
      return;
    }
  }
  COSMATI_UNROLL
  for (int i = 0; i < count; ++i)
    if (y + i < arguments.n) to[i * along_n] = results[i];
}

/// Stores the results of a thread. @tparam Parts hopper_parts
template <class Parts>
class hopper_direct_results {
 public:
  using TC = typename Parts::TC;
  using Sum = typename Parts::Sum;

  /// By all threads that multiply a tile. @param shared of this block
  COSMATI_HD hopper_direct_results(hopper_arguments<Parts> const& arguments, hopper_tiles<Parts> const& tiles,
                                   hopper_shared<Parts> const& shared)
      : arguments_(arguments), tiles_(tiles), shared_(shared) {}

  /// Stores a tile from the sums (V, M, 1) of the thread. @param thread a ThrMMA of the tile's consumers
  template <class ThrMma, class Sums, class Epilogue>
  COSMATI_HD void store(ThrMma const& thread, Sums const& sums, hopper_tile const& tile, Epilogue const& epilogue) {
    auto const place = thread.partition_C(make_identity_tensor(Shape<typename Parts::TileM, typename Parts::TileN>{}));
    if constexpr (Parts::config.split > 1) {
      if (tiles_.blocks() > 1) return share(sums, place, tile, epilogue);
    }
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); i += 2) {
      Sum const two[] = {sums(i), sums(i + 1)};
      store_at<2>(two, place(i), tile, epilogue);
    }
  }
  /// Waits until no other block uses this one's shared memory.
  COSMATI_HD void end() {
    if constexpr (Parts::config.split > 1) {
      if (tiles_.blocks() > 1) wait_cluster_barrier(shared_.barriers().parts[1], parity_ ^ 1);
    }
  }

 private:
  /// Stores results at a place (m, n) of the tile.
  template <int count, class Place, class Epilogue>
  COSMATI_HD void store_at(Sum const (&sums)[std::size_t{count}], Place const& place, hopper_tile const& tile,
                           Epilogue const& epilogue) const {
    store_hopper_results<count>(arguments_, sums, tile.row + static_cast<int>(get<0>(place)),
                                tile.n * Parts::TileN::value + static_cast<int>(get<1>(place)), tile, epilogue);
  }
  /// Sends each part of the sums to the block that adds it, and stores this block's part.
  template <class Sums, class Place, class Epilogue>
  COSMATI_HD void share(Sums const& sums, Place const& place, hopper_tile const& tile, Epilogue const& epilogue) {
    constexpr int count = decltype(size(sums))::value;
    constexpr int threads = 128 * Parts::consumers;
    auto& barriers = shared_.barriers();
    int const part = count / static_cast<int>(tiles_.blocks()), rank = tiles_.rank();
    constexpr int together = count / Parts::config.split % 2 == 0 ? 2 : 1;  // neighbours along N, if 2
    Sum* const mine = shared_.parts() + threadIdx.x;
    wait_cluster_barrier(barriers.parts[1], parity_ ^ 1);  // the parts of the tile before have been read
    Sum* const first = mine + rank * part * threads;
    Sum* to = map_shared_rank(first, 0);
    unsigned block = 0;
    int at = 0;
    COSMATI_UNROLL
    for (int i = 0; i < count; ++i) {
      *to = sums(i);
      to += threads;
      if (++at == part && i + 1 < count) {
        at = 0;
        to = map_shared_rank(first, ++block);
      }
    }
    arrive_at_all(barriers.parts[0]);
    wait_cluster_barrier(barriers.parts[0], parity_);
    COSMATI_NO_UNROLL
    for (int i = 0; i < part; i += together) {
      Sum added[std::size_t{together}];
      add_parts<together>(mine + i * threads, part * threads, added);
      store_at<together>(added, place(rank * part + i), tile, epilogue);
    }
    arrive_at_all(barriers.parts[1]);
    parity_ ^= 1;
  }
  /// The sums of all blocks' parts, in the order of the blocks. @param apart elements from one block's part to the next
  template <int together>
  COSMATI_HD void add_parts(Sum const* from, int apart, Sum (&added)[std::size_t{together}]) const {
    constexpr int most = Parts::config.split, threads = 128 * Parts::consumers;
    Sum parts[std::size_t{most}][std::size_t{together}];
    COSMATI_UNROLL
    for (int block = 0; block < most; ++block) {
      COSMATI_UNROLL
      for (int j = 0; j < together; ++j) {
        parts[block][j] = 0;
        if (block < static_cast<int>(tiles_.blocks())) parts[block][j] = from[block * apart + j * threads];
      }
    }
    COSMATI_UNROLL
    for (int j = 0; j < together; ++j) {
      added[j] = parts[0][j];
      COSMATI_UNROLL
      for (int block = 1; block < most; ++block) added[j] = added[j] + parts[block][j];
    }
  }
  /// One arrival of the warp at a barrier of each block.
  COSMATI_HD void arrive_at_all(std::uint64_t& barrier) const {
    sync_warp();
    unsigned const lane = lane_of_warp();
    if (lane < tiles_.blocks()) arrive_remote_barrier(barrier, lane);
  }

  typename hopper_arguments<Parts>::numbers const& arguments_;
  hopper_tiles<Parts> const& tiles_;
  hopper_shared<Parts> const& shared_;
  int parity_ = 0;  ///< of the tile, at the barriers of the parts
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
