// SPDX-License-Identifier: Apache-2.0
/// @file
/// The configuration that a call of `gemm_hopper` without one takes: the one that needs the least time by a small
/// model.
///
/// A product takes the longest of three times, and the ends of its tiles. The tensor cores multiply whole tiles, in
/// waves of as many as run at once. Each multiprocessor brings its tiles from the L2 cache at a certain rate. The
/// matrices come from memory once.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/gemm/hopper_config.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The clusters of `blocks` blocks, one on each multiprocessor, that run at once. Their blocks are in one GPC, which
/// has 16 multiprocessors or a few more.
constexpr int hopper_clusters(int multiprocessors, int blocks) {
  return (blocks > 2 && multiprocessors >= 16 ? multiprocessors / 16 * 16 : multiprocessors) / blocks > 0
             ? (blocks > 2 && multiprocessors >= 16 ? multiprocessors / 16 * 16 : multiprocessors) / blocks
             : 1;
}

/// The configurations of which a call takes one.
inline constexpr hopper_config hopper_configs[] = {
    {},
    {.tile_n = 128, .stages = 6},
    {.tile_n = 192, .schedule = hopper_schedule::pingpong},
    {.tile_m = 64, .tile_n = 128, .stages = 8, .schedule = hopper_schedule::pingpong},
    {.tile_m = 64, .tile_n = 64, .stages = 10, .consumers = 1, .split = 8, .turned = true},
    {.tile_m = 64, .tile_n = 16, .stages = 10, .consumers = 1, .blocks = 2, .split = 4, .turned = true},
};
inline constexpr int hopper_config_count = static_cast<int>(sizeof hopper_configs / sizeof hopper_configs[0]);

/// A configuration's number, and the blocks that share the sum over K.
struct hopper_choice {
  int config, split;
};

/// The device's part of the model: what 64 products of models showed on an H100 (bench/notes/hopper-products.md).
struct hopper_rates {
  double products = 3700;      ///< multiply-adds of bytes of K that a multiprocessor does in a clock, of 4096
  double l2_bytes = 62;        ///< bytes that a multiprocessor gets in a clock, of 64
  double l2_rate = 7000;       ///< bytes that all multiprocessors together get from L2 in a clock
  double memory_bytes = 1600;  ///< bytes that the device reads from memory in a clock
  double tile_end = 1500;      ///< clocks in which a block does not multiply, from one tile to the next
  double exchange = 9000;      ///< clocks that a cluster takes to begin together and to add the sums of its blocks
};

/// The clocks of a product. @param bytes of an element of A and B, @param m, n as the kernel sees them
constexpr double hopper_clocks(hopper_config const& c, int split, int bytes, double m, double n, double k,
                               double batches, int multiprocessors, hopper_rates const& rate = {}) {
  auto const tiles = [](double extent, double tile) {
    auto const whole = static_cast<std::int64_t>(extent / tile);
    return static_cast<double>(static_cast<double>(whole) * tile < extent ? whole + 1 : whole);
  };
  double const count = tiles(m, c.tile_m * c.cluster) * c.cluster * tiles(n, c.tile_n) * batches;
  double const at_once = hopper_clusters(multiprocessors, c.cluster * split) * c.cluster * c.blocks;
  double const waves = tiles(count, at_once);
  // blocks that share a multiprocessor share its tensor cores, too
  double const rest = count - (waves - 1) * at_once;
  double const busy = (waves - 1) * c.blocks + (rest * split > multiprocessors ? c.blocks : 1);
  double const row = tiles(k * bytes, 128.0 * split) * 128;  // bytes along K of a block's part
  double const columns = c.tile_n < 32 ? 32 : c.tile_n;      // the instruction's least time
  double const multiply = c.tile_m * columns * row / rate.products;
  double const brought = c.tile_m + static_cast<double>(c.tile_n) / c.cluster;  // rows of A and of B
  double const bring = brought * row / rate.l2_bytes;
  double const end = c.blocks > 1 || c.schedule == hopper_schedule::pingpong ? 0 : rate.tile_end;
  double const tile = (multiply > bring ? multiply : bring) + end + (split > 1 ? rate.exchange : 0);
  double const memory = (m + n) * k * bytes * batches / rate.memory_bytes;
  double const shared = count * brought * k * bytes / rate.l2_rate;
  double const blocks = (busy * tile > shared ? busy * tile : shared) + rate.tile_end;
  // what takes less time is hidden, but for a part
  return blocks > memory ? blocks + memory / 4 : memory + blocks / 4;
}

/// The configurations that can do a problem, a bit for each. @tparam Problem gemm_problem
template <class Problem, int... i>
constexpr unsigned usable_hopper_configs(seq<i...>) {
  constexpr bool along_n = decltype(Problem::c)::contiguous == 1;
  return ((hopper_problem_fits<hopper_configs[i], Problem, along_n> ? 1u << i : 0u) | ...);
}

/// The fastest by the model, of those whose bit is set in `usable`. @param along_n whether C is contiguous along N
inline hopper_choice choose_hopper_config(int m, int n, int k, int batches, int bytes, int multiprocessors,
                                          unsigned usable = ~0u, bool along_n = true) {
  hopper_choice best{0, 1};
  double least = 0;
  for (int i = 0; i < hopper_config_count; ++i) {
    hopper_config const& c = hopper_configs[i];
    bool const turned = c.turned || !along_n;
    for (int split = 1; (usable >> i & 1u) != 0 && split <= c.split; split *= 2) {
      double const clocks = hopper_clocks(c, split, bytes, turned ? n : m, turned ? m : n, k, batches, multiprocessors);
      if (least == 0 || clocks < least) {
        best = {i, split};
        least = clocks;
      }
    }
  }
  return best;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
