// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of tensor copies (`cp.async.bulk.tensor`, TMA) as values: `tma_box_cost` of one instruction, `tma_cost_of`
/// of a copy of all tiles of a tensor.
///
/// A row of the box is cut at every 128-byte line of shared memory, and a load's row also where it leaves the tensor.
/// Each piece inside costs the sectors of global memory that it touches, as a bulk copy's piece does. A load asks L2
/// for the pieces outside, too, although it knows that they are zeros. Measured on an H100:
/// bench/results/counters/README.md.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/bulk_cost.hpp>
#include <cosmati/analysis/tma_plan.hpp>
#include <vector>

namespace COSMATI_NAMESPACE {

/// A tensor in global memory and the box that one instruction moves, as a descriptor states them.
struct tma_box {
  static constexpr int most_modes = 5;
  int rank = 1;                                       ///< the number of modes, 1 to 5
  int element_bytes = 2;                              ///< 1, 2, 4 or 8
  int swizzle = 0;                                    ///< bits of the exchange, 0 to 3
  std::int64_t begin_bytes = 0;                       ///< of the tensor, from a multiple of 128 bytes
  std::int64_t extent[most_modes] = {1, 1, 1, 1, 1};  ///< of the tensor, in elements
  std::int64_t stride_bytes[most_modes] = {};         ///< of the modes behind the first
  int box[most_modes] = {1, 1, 1, 1, 1};              ///< extents of the box, in elements of the tensor
  int step[most_modes] = {1, 1, 1, 1, 1};             ///< from one element to the next
  std::int64_t first[most_modes] = {};                ///< the coordinates at which the box begins
};
/// What the instruction does with its box.
enum class tma_direction : std::uint8_t {
  load,   ///< to shared memory
  store,  ///< to global memory
  reduce  ///< to global memory, where each element is changed by an operation
};

namespace detail {

/// The part of a box along one mode that lies in the tensor: `count` elements from coordinate `at`, behind `skipped`.
struct tma_part {
  std::int64_t at = 0, count = 0, skipped = 0;
};
constexpr std::int64_t elements_along(tma_box const& b, int mode) {
  return (b.box[mode] + b.step[mode] - 1) / b.step[mode];
}
constexpr tma_part part_in_tensor(tma_box const& b, int mode) {
  std::int64_t const step = b.step[mode], all = elements_along(b, mode), first = b.first[mode];
  tma_part p;
  p.skipped = first < 0 ? (step - 1 - first) / step : 0;
  if (p.skipped > all) p.skipped = all;
  p.at = first + p.skipped * step;
  p.count = p.at >= b.extent[mode] ? 0 : (b.extent[mode] - p.at + step - 1) / step;
  if (p.count > all - p.skipped) p.count = all - p.skipped;
  return p;
}

/// One box, walked row by row.
struct tma_rows {
  tma_direction direction;
  int destinations;  // of a multicast; 0: no multicast
  side_cost total = {};

  /// Adds a piece inside the tensor, which lies in one line of shared memory.
  constexpr void add_inside(std::int64_t at, std::int64_t bytes) {
    side_cost piece;
    add_bulk_piece(piece, direction == tma_direction::load && destinations == 0, at, bytes);
    total.lines += piece.lines;
    total.requests += piece.requests;
    total.sectors += piece.sectors;
    if (destinations == 0) return;
    // A multicast asks once for each line, and for two sectors at least.
    std::int64_t const end = at + bytes;
    for (std::int64_t line = at / 128; line <= (end - 1) / 128; ++line) {
      std::int64_t const from = at > 128 * line ? at : 128 * line, to = end < 128 * (line + 1) ? end : 128 * (line + 1);
      if ((to - 1) / 32 == from / 32) ++total.sectors;
    }
  }
  /// Adds a piece outside, which only loads ask for.
  constexpr void add_outside(std::int64_t bytes) {
    if (direction != tma_direction::load || bytes == 0) return;
    total.sectors += (bytes + 31) / 32;
    total.requests += destinations == 0 ? (bytes % 32 != 0 ? 1 : 0) + (bytes >= 32 ? 1 : 0) : 1;
    if (destinations != 0 && bytes <= 32) ++total.sectors;
  }
  /// @param at the row's begin in global memory, @param shared_at in shared memory, @param bytes of the row
  /// @param begin, end the bytes of the row that lie in the tensor
  constexpr void add_row(std::int64_t at, std::int64_t shared_at, std::int64_t bytes, std::int64_t begin,
                         std::int64_t end) {
    std::int64_t const inside_end = (end + 15) / 16 * 16;  // nothing more is asked for a chunk that is partly inside
    for (std::int64_t done = 0; done < bytes;) {
      std::int64_t const to_end = 128 - (shared_at + done) % 128;
      std::int64_t stop = to_end < bytes - done ? done + to_end : bytes;
      if (done < begin && begin < stop) stop = begin;
      if (done < inside_end && inside_end < stop) stop = inside_end;
      if (done >= begin && done < end)
        add_inside(at + done, (stop < end ? stop : end) - done);
      else
        add_outside(stop - done);
      done = stop;
    }
    total.bytes_used += end - begin;
    total.ideal_sectors += (end - begin + 31) / 32;
    total.ideal_lines += (end - begin + 127) / 128;
  }
};

/// The cost of an instruction from that of its rows. @param destinations the blocks that get the box; 0: no multicast
constexpr side_cost finished_tma_cost(side_cost c, int destinations) {
  c.instructions = 1;
  if (destinations > 1) {
    c.sectors *= destinations;
    c.ideal_sectors *= destinations;
    c.bytes_used *= destinations;
  }
  c.bytes_moved = 32 * c.sectors;
  return c;
}

/// @param destinations the blocks that get the box; 0: no multicast
constexpr side_cost tma_cost_of_box(tma_direction direction, tma_box const& b, int destinations) {
  tma_rows rows{direction, destinations};
  tma_part part[tma_box::most_modes];
  std::int64_t count = 1;
  for (int m = 0; m < b.rank; ++m) {
    part[m] = part_in_tensor(b, m);
    if (m > 0) count *= elements_along(b, m);
  }
  std::int64_t const bytes = elements_along(b, 0) * b.element_bytes;
  std::int64_t const pitch = b.swizzle == 0 ? bytes : 16 << b.swizzle;  // of rows in shared memory
  for (std::int64_t row = 0; row < count; ++row) {
    std::int64_t at = b.begin_bytes + b.first[0] * b.element_bytes, rest = row;
    bool inside = part[0].count > 0;
    for (int m = 1; m < b.rank; ++m) {
      std::int64_t const k = rest % elements_along(b, m);
      rest /= elements_along(b, m);
      at += (b.first[m] + k * b.step[m]) * b.stride_bytes[m];
      inside = inside && k >= part[m].skipped && k < part[m].skipped + part[m].count;
    }
    // Only the place within a line matters, so that addresses in front of the tensor may wrap.
    std::int64_t const begin = part[0].skipped * b.element_bytes;
    at = (at % 128 + 128) % 128;
    rows.add_row(at, row * pitch, bytes, inside ? begin : 0, inside ? begin + part[0].count * b.element_bytes : 0);
  }
  return finished_tma_cost(rows.total, destinations);
}

}  // namespace detail

/// The cost of one tensor copy, as the hardware counts it: `sectors` between L2 and the multiprocessor, `requests` to
/// L2. The fill values that a load brings from outside the tensor are among both, and not among `bytes_used`.
constexpr side_cost tma_box_cost(tma_direction direction, tma_box const& box) {
  return detail::tma_cost_of_box(direction, box, 0);
}
/// The cost of one load to the shared memory of several blocks of a cluster. L2 is asked once; each block receives all
/// sectors, which are counted for each. @param destinations the number of blocks, at least 1
constexpr side_cost tma_multicast_cost(tma_box const& box, int destinations) {
  return detail::tma_cost_of_box(tma_direction::load, box, destinations < 1 ? 1 : destinations);
}

namespace detail {

/// The costs of boxes that are alike: they begin equally far into a line, and as much of them is in the tensor.
struct tma_alike {
  std::int64_t begin = 0;
  std::int64_t inside[tma_box::most_modes] = {};
  side_cost cost;
};

/// Adds the boxes of all tiles of a tensor. Boxes that are alike are counted once.
struct tma_boxes {
  tma_plan const& plan;
  tma_direction direction;
  tma_box box;
  std::int64_t tile[tma_box::most_modes] = {};  // the tile's extent along each mode of the descriptor
  std::int64_t tiles[tma_box::most_modes] = {};
  std::vector<tma_alike> kinds;

  tma_boxes(tma_plan const& p, tma_direction d, int element_bytes, std::int64_t begin_bytes) : plan(p), direction(d) {
    box.rank = p.rank;
    box.element_bytes = element_bytes;
    box.swizzle = p.swizzle;
    box.begin_bytes = begin_bytes;
    for (int m = 0; m < p.rank; ++m) {
      box.extent[m] = p.mode[m].extent;
      box.stride_bytes[m] = p.mode[m].stride_bytes;
      box.box[m] = p.mode[m].box;
      tile[m] = p.tile[p.mode[m].leaf];
      tiles[m] = p.tiles[p.mode[m].leaf];
    }
  }
  side_cost const& cost_of_box() {
    tma_alike kind;
    kind.begin = box.begin_bytes + box.first[0] * box.element_bytes;
    for (int m = 1; m < box.rank; ++m) kind.begin += box.first[m] * box.stride_bytes[m];
    kind.begin %= 128;
    for (int m = 0; m < box.rank; ++m) kind.inside[m] = part_in_tensor(box, m).count;
    for (tma_alike const& k : kinds) {
      bool same = k.begin == kind.begin;
      for (int m = 0; m < box.rank; ++m) same = same && k.inside[m] == kind.inside[m];
      if (same) return k.cost;
    }
    kind.cost = tma_box_cost(direction, box);
    kinds.push_back(kind);
    return kinds.back().cost;
  }
  void add_tile(side_cost& total, std::int64_t const* begin) {
    for (int i = 0; i < plan.boxes; ++i) {
      for (int m = 0; m < box.rank; ++m) box.first[m] = begin[m];
      for (int k = 0, rest = i; k < plan.step_count; ++k) {
        tma_box_steps const& s = plan.steps[k];
        box.first[s.mode] += rest % s.extent * s.step;
        rest = static_cast<int>(rest / s.extent);
      }
      total.add(cost_of_box());
    }
  }
  side_cost all() {
    side_cost total;
    std::int64_t count = 1;
    for (int m = 0; m < box.rank; ++m) count *= tiles[m];
    if (count * plan.boxes > std::int64_t{1} << 24)
      throw error("tma_cost_of: %lld boxes are too many to count; count a smaller tensor",
                  static_cast<long long>(count * plan.boxes));
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t begin[tma_box::most_modes] = {}, rest = i;
      for (int m = 0; m < box.rank; ++m) {
        begin[m] = rest % tiles[m] * tile[m];
        rest /= tiles[m];
      }
      add_tile(total, begin);
    }
    return total;
  }
};

}  // namespace detail

/// The cost in global memory of the copies of all tiles of a tensor. All zero if the copy is wrong (`verify_tma`).
/// @throws error if there are more than 2^24 boxes
template <class Num>
side_cost tma_cost_of(tma_copy_values<Num> const& copy, tma_direction direction) {
  tma_verdict verdict;
  tma_plan const plan = tma_plan_of(copy, verdict);
  if (!verdict.ok()) return {};
  return detail::tma_boxes(plan, direction, copy.element_bytes, copy.global.offset * copy.element_bytes).all();
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
