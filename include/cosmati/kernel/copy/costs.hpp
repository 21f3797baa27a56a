// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the costs of all kernels that copy have in common: bytes that go to and from the memory, and how times overlap.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan.hpp>
#include <cosmati/kernel/copy/window_memory.hpp>
#include <cosmati/kernel/device_model.hpp>

namespace COSMATI_NAMESPACE::detail {
constexpr double larger(double a, double b) { return a > b ? a : b; }
constexpr std::int64_t ceil_of(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }
/// Blocks of so many bytes of shared memory that a multiprocessor has at once.
constexpr double blocks_at_once(device_model const& device, std::size_t blocks, std::size_t bytes) {
  double const room = static_cast<double>(
      static_cast<std::int64_t>((device.shared_bytes + 1024) / (static_cast<double>(bytes) + 1024)));
  return room < static_cast<double>(blocks) ? room : static_cast<double>(blocks);
}

constexpr bool strides_are_multiples(copy_problem const& p, bool of_source, std::int64_t elements, int but) {
  for (int m = 0; m < p.rank; ++m)
    if (m != but && (of_source ? p.mode[m].source : p.mode[m].target) % elements != 0) return false;
  return true;
}
constexpr bool base_is_aligned(copy_problem const& p, bool of_source, std::int64_t bytes) {
  return of_source ? p.source_alignment % bytes == 0 && p.source_offset * p.element_bytes % bytes == 0
                   : p.target_alignment % bytes == 0 && p.target_offset * p.element_bytes % bytes == 0;
}

/// Whether a transpose of two modes may go by vectors of so many elements.
constexpr bool transpose_fits(copy_problem const& p, int column_mode, int row_mode, int vector) {
  std::int64_t const width = std::int64_t{vector} * p.element_bytes;
  return p.mode[column_mode].extent % vector == 0 && p.mode[row_mode].extent % vector == 0 &&
         base_is_aligned(p, true, width) && base_is_aligned(p, false, width) &&
         strides_are_multiples(p, true, vector, column_mode) && strides_are_multiples(p, false, vector, row_mode);
}
/// Rows of its tiles, and columns.
constexpr std::int64_t transpose_side(copy_problem const& p, int vector) {
  return transpose_run_bytes(p.element_bytes, vector * p.element_bytes) / p.element_bytes;
}
/// Its tiles.
constexpr double transpose_tiles_of(copy_problem const& p, int column_mode, int row_mode, int vector) {
  std::int64_t const side = transpose_side(p, vector);
  double tiles =
      static_cast<double>(ceil_of(p.mode[column_mode].extent, side) * ceil_of(p.mode[row_mode].extent, side));
  for (int m = 0; m < p.rank; ++m)
    if (m != column_mode && m != row_mode) tiles *= static_cast<double>(p.mode[m].extent);
  return tiles;
}
/// How much of tiles of `side` elements along a mode there is, 1 where all are full.
constexpr double filled_by(std::int64_t extent, std::int64_t side) {
  return static_cast<double>(extent) / static_cast<double>(ceil_of(extent, side) * side);
}

/// Elements of a row that are stored one by one by vectors of so many, in the mean: what is before the first whole one,
/// and what is left behind the last.
constexpr double single_stores(copy_problem const& p, int vector) {
  if (vector == 1 || p.rank == 0) return 0;
  std::int64_t const width = std::int64_t{vector} * p.element_bytes, extent = p.mode[0].extent;
  std::int64_t step =
      power_of_two_in(p.target_offset * p.element_bytes, p.target_alignment < width ? p.target_alignment : width);
  for (int m = 1; m < p.rank; ++m) step = power_of_two_in(p.mode[m].target * p.element_bytes, step);
  if (step < p.element_bytes) step = p.element_bytes;
  std::int64_t single = 0, rows = 0;
  for (std::int64_t late = 0; late < width; late += step, ++rows) {
    std::int64_t const before = (width - late) % width / p.element_bytes, head = before < extent ? before : extent;
    single += head + (extent - head) % vector;
  }
  return static_cast<double>(single) / static_cast<double>(rows);
}

/// Microseconds by which copies by windows or sectors begin later than others: their code, tables and barriers.
/// Measured of copies of 64 KiB to 4 MiB (bench/notes/planner-fits.md).
inline constexpr double staged_start_us = 1;

/// The n-th root (n is 2, 3 or 4) of the sum of n-th powers: what takes place at once, but not quite.
template <int n>
[[gnu::noinline, gnu::cold]] constexpr double overlapped(double a, double b, double c) {
  static_assert(n >= 2 && n <= 4);
  double const longest = larger(a, larger(b, c));
  if (longest <= 0) return 0;
  double sum = 0;
  for (double const part : {a / longest, b / longest, c / longest}) {
    double power = part * part;
    if (n > 2) power *= n == 3 ? part : power;
    sum += power;
  }
  // The sum is 1 to 3. Three of Newton's steps from the chord's value there give 13 digits.
  constexpr double slope = n == 2 ? 0.366 : n == 3 ? 0.221 : 0.158;
  double root = 1 + slope * (sum - 1);
  for (int k = 0; k < 3; ++k) {
    double power = root;
    for (int m = 2; m < n; ++m) power *= root;
    root -= (root * power - sum) / (n * power);
  }
  return longest * root;
}
/// The n-th root, n being 2 or 3, by Newton's steps from above.
template <int n>
constexpr double root_of(double x) {
  if (x <= 0) return 0;
  double r = x > 1 ? x : 1;
  for (int k = 0; k < 80; ++k) {
    double const next = ((n - 1) * r + x / (n == 2 ? r : r * r)) / n;
    if (next >= r) break;
    r = next;
  }
  return r;
}

/// Units of 64 bytes of the target with a sector that a row writes in part: the memory reads them first. Where two rows
/// end and begin in one, it is both's, as they are not written together; of rows less than 64 bytes apart each is one.
struct cut_units {
  double alone = 0;   ///< where the other sector is not written
  double beside = 0;  ///< where it is, too

  explicit constexpr cut_units(copy_problem const& p) {
    auto const [run, m] = target_part::of(p);
    if (m == p.rank) return;
    std::int64_t const bytes = run * p.element_bytes, apart = p.mode[m].target * p.element_bytes;
    std::int64_t step = 64;
    for (int k = m; k < p.rank; ++k) step = power_of_two_in(p.mode[k].target * p.element_bytes, step);
    int rows = 0;
    for (std::int64_t late = 0; late < 64; late += step, ++rows) {
      std::int64_t const last = (late + bytes - 1) / 64;
      for (std::int64_t unit = 0; unit <= last; unit += last > 0 ? last : 1) {
        std::int64_t const begin = unit == 0 ? late : 0, end = unit == last ? late + bytes - unit * 64 : 64;
        if (begin % 32 == 0 && end % 32 == 0) continue;
        (begin < 32 && end > 32 ? beside : alone) += 1;
      }
    }
    double const each = (alone + beside) / rows, most = static_cast<double>(apart) / 64;
    double const all =
        static_cast<double>(p.size()) / static_cast<double>(run) / rows * (apart < 64 && each > most ? most / each : 1);
    alone *= all;
    beside *= all;
  }
  /// Of all multiprocessors, where so many units of 64 bytes are written: where many are cut, each of them less.
  constexpr double cycles(double written) const {
    return written > 0 ? (24 * alone + 46.7 * beside) / (1 + 2.35 * (alone + beside) / written) : 0;
  }
};

/// What a copy moves between the caches and the memory on any route, as times at the memory's pace, in microseconds.
struct copy_traffic {
  double read = 0, written = 0;  ///< memory is read and written 64 bytes at a time
  double cut = 0;     ///< 64 bytes for each such unit that is written only in part: what is left is read first
  cut_units units;    ///< of the target
  double refill = 0;  ///< what they take: the same of sectors, as `copy_once` was measured
  double useful = 0;  ///< of each side, elements of the source that are read many times as often as they are
  double unique = 0;  ///< of the source, each element once
  bool kept = false;  ///< L2 is told to keep the source's lines (not by copies through registers, not by `cp.async`)
  double hot = 0;     ///< where the same few bytes are all that comes from L2, which gives 64 a cycle from one place
  double again = 0;   ///< of `useful`, where rows repeat an element: tiles read the same run for each of a row's

  [[gnu::noinline, gnu::cold]] constexpr copy_traffic(copy_problem const& p, device_model const& device) : units(p) {
    double const rate = device.bytes_per_us;
    side const source = of_side(p, true), target = of_side(p, false);
    double const bytes = static_cast<double>(p.size()) * p.element_bytes;
    read = source.touched / rate;
    written = target.touched / rate;
    cut = target.cut * 64 / rate;
    refill = units.cycles(target.touched / 64) / (device.multiprocessors * device.cycles_per_us);
    useful = bytes / rate;
    unique = source.elements * p.element_bytes / rate;
    kept = hint_of_copy(p.size() * p.element_bytes) != l2_hint::none;
    // What is inside of the first mode that repeats the source many times is all that is read for long.
    double inner = p.element_bytes;
    for (int m = 0; m < p.rank && hot == 0; ++m) {
      double const extent = static_cast<double>(p.mode[m].extent);
      if (p.mode[m].source != 0) {
        inner *= extent;
      } else if (static_cast<double>(p.mode[m].target * p.element_bytes) * extent >= 8e6) {
        hot = of_few(inner, bytes, device);
        break;
      }
    }
    bool const in_rows = p.rank > 0 && p.mode[0].source == 0;
    hot = larger(hot, of_few(source.elements * p.element_bytes, bytes, device, in_rows));
    if (in_rows) {
      double const times = static_cast<double>(p.mode[0].extent) * static_cast<double>(p.mode[0].extent);
      again = useful * times / (times + 4096);
    }
  }

 private:
  struct side {
    double elements, touched, cut;
  };
  /// L2's time for `all` bytes that are the same few again and again. Measured: up to 200 of them come from one place,
  /// 1000 to 12000 as if from five; in rows that repeat one element up to 45000, and of more one place for each 9000.
  static constexpr double of_few(double few, double all, device_model const& device, bool in_rows = false) {
    if ((few > 12000 && !in_rows) || few * 100 > all) return 0;
    double const places = few < 200 ? 1 : few < 1000 ? few / 200 : few < 45000 ? 5 : few / 9000;
    return all / (64 * device.cycles_per_us * places);
  }
  [[gnu::noinline, gnu::cold]] static constexpr side of_side(copy_problem const& p, bool source) {
    std::int64_t stride[copy_max_rank + 1] = {}, extent[copy_max_rank + 1] = {};
    int modes = 0;
    double elements = 1;
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const s = magnitude(source ? p.mode[m].source : p.mode[m].target);
      if (s == 0) continue;
      elements *= static_cast<double>(p.mode[m].extent);
      int at = modes++;
      for (; at > 0 && stride[at - 1] > s; --at) stride[at] = stride[at - 1], extent[at] = extent[at - 1];
      stride[at] = s;
      extent[at] = p.mode[m].extent;
    }
    std::int64_t run = 1;  // elements side by side
    int k = 0;
    while (k < modes && stride[k] == run) run *= extent[k++];
    double const bytes = static_cast<double>(run * p.element_bytes);
    if (k == modes) return {elements, elements * p.element_bytes, 0};
    std::int64_t aligned = 64;
    for (int m = k; m < modes; ++m) aligned = power_of_two_in(stride[m] * p.element_bytes, aligned);
    double const apart = static_cast<double>(stride[k] * p.element_bytes), runs = elements / static_cast<double>(run);
    double touched = aligned == 64 ? static_cast<double>(ceil_of(run * p.element_bytes, 64) * 64)
                                   : bytes + 64 - static_cast<double>(aligned);
    if (touched > apart) touched = apart;
    double cut = aligned < 64 ? 2 : run * p.element_bytes % 64 != 0 ? 1 : 0;
    if (apart < 64) cut *= apart / 64;
    return {elements, runs * touched, runs * cut};
  }
};

/// The largest power of two, at most 64, of which all addresses are multiples where runs of a side begin in tiles.
[[gnu::noinline, gnu::cold]] constexpr std::int64_t alignment_of_runs(copy_problem const& p, source_order const& order,
                                                                      run_tile const& tile, bool source) {
  int const in_run = source ? tile.source_modes : tile.target_modes;
  std::int64_t aligned = 64;
  for (int k = 0; k < p.rank; ++k) {
    int const m = source ? order.mode[k] : k;
    std::int64_t const step = (source ? p.mode[m].source : p.mode[m].target) * p.element_bytes;
    if (k >= in_run && step != 0) aligned = power_of_two_in(step, aligned);
    if (k == in_run - 1 && tile.extent[m] < p.mode[m].extent) aligned = power_of_two_in(step * tile.extent[m], aligned);
  }
  return aligned;
}

inline constexpr int page_bytes = 2 << 20;  ///< that a device translates addresses of
/// Pieces of the source, of so many bytes each and aligned, that are touched for so many elements of the target, one
/// behind the other: sectors that a block fetches, lines that L1 keeps for it, pages.
/// @param once of what the target repeats it has one element for all places
[[gnu::noinline, gnu::cold]] constexpr double pieces_of_block(copy_problem const& p, double elements, bool once,
                                                              double piece) {
  double left = elements, apart = 1, near = p.element_bytes, all = p.element_bytes;
  for (int m = 0; m < p.rank && left > 1; ++m) {
    double const extent = static_cast<double>(p.mode[m].extent), here = left < extent ? left : extent,
                 step = static_cast<double>(magnitude(p.mode[m].source) * p.element_bytes);
    if (step != 0 || !once) left /= extent;
    if (step == 0) continue;
    if (step < piece)
      near += (here - 1) * step;
    else
      apart *= here;
    all += (here - 1) * step;
  }
  double const found = apart * (near > piece ? near / piece : 1), most = all / piece + 1;
  return found < most ? found : most;
}
/// Pieces of the source that are fetched for an element where a cache holds so many of them: those of the longest part
/// of the target, in its order, of which it holds all.
[[gnu::noinline, gnu::cold]] constexpr double pieces_beyond(copy_problem const& p, double held, bool once,
                                                            double piece) {
  double elements = 1, pieces = 1;
  for (int m = 0; m < p.rank; ++m) {
    double const extent = static_cast<double>(p.mode[m].extent);
    if (once && p.mode[m].source == 0) continue;
    double const next = pieces_of_block(p, elements * extent, once, piece);
    if (next > held) {
      // Of this mode as many as there is room for.
      double const many = held / pieces, few = many < extent ? many : extent, some = elements * (few > 1 ? few : 1),
                   here = pieces_of_block(p, some, once, piece);
      return here / some;
    }
    elements *= extent;
    pieces = next;
  }
  return pieces / elements;
}
}  // namespace COSMATI_NAMESPACE::detail
#include <cosmati/core/macros_end.hpp>
