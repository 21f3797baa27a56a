// SPDX-License-Identifier: Apache-2.0
/// @file
/// The parts that the costs of all copy kernels share: the bytes to and from memory, and the overlap of times.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan.hpp>
#include <cosmati/kernel/copy/window_memory.hpp>
#include <cosmati/kernel/device_model.hpp>

namespace COSMATI_NAMESPACE::detail {
constexpr double larger(double a, double b) { return a > b ? a : b; }
constexpr std::int64_t ceil_of(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }
/// The number of blocks, with `bytes` of shared memory each, that a multiprocessor holds.
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

/// Whether a transpose of two modes can use vectors of `vector` elements.
constexpr bool transpose_fits(copy_problem const& p, int column_mode, int row_mode, int vector) {
  std::int64_t const width = std::int64_t{vector} * p.element_bytes;
  return p.mode[column_mode].extent % vector == 0 && p.mode[row_mode].extent % vector == 0 &&
         base_is_aligned(p, true, width) && base_is_aligned(p, false, width) &&
         strides_are_multiples(p, true, vector, column_mode) && strides_are_multiples(p, false, vector, row_mode);
}
/// The number of rows, and of columns, of a transpose's tile.
constexpr std::int64_t transpose_side(copy_problem const& p, int vector) {
  return transpose_run_bytes(p.element_bytes, vector * p.element_bytes) / p.element_bytes;
}
/// The number of a transpose's tiles.
constexpr double transpose_tiles_of(copy_problem const& p, int column_mode, int row_mode, int vector) {
  std::int64_t const side = transpose_side(p, vector);
  double tiles =
      static_cast<double>(ceil_of(p.mode[column_mode].extent, side) * ceil_of(p.mode[row_mode].extent, side));
  for (int m = 0; m < p.rank; ++m)
    if (m != column_mode && m != row_mode) tiles *= static_cast<double>(p.mode[m].extent);
  return tiles;
}
/// The filled fraction of tiles of `side` elements along a mode; 1 if all are full.
constexpr double filled_by(std::int64_t extent, std::int64_t side) {
  return static_cast<double>(extent) / static_cast<double>(ceil_of(extent, side) * side);
}

/// The average number of elements of a row that vectors of `vector` elements leave to single stores: those before the
/// first whole vector and after the last.
constexpr double single_stores(copy_problem const& p, int vector) {
  if (vector == 1 || p.rank == 0) return 0;
  std::int64_t const width = std::int64_t{vector} * p.element_bytes, extent = p.mode[0].extent;
  std::int64_t step =
      power_of_two_in(p.target_offset * p.element_bytes, p.target_alignment < width ? p.target_alignment : width);
  for (int m = 1; m < p.rank; ++m) step = power_of_two_in(p.mode[m].target * p.element_bytes, step);
  if (step < p.element_bytes) step = p.element_bytes;
  std::int64_t single = 0, rows = 0;
  for (std::int64_t row_offset = 0; row_offset < width; row_offset += step, ++rows) {
    std::int64_t const before = (width - row_offset) % width / p.element_bytes,
                       head = before < extent ? before : extent;
    single += head + (extent - head) % vector;
  }
  return static_cast<double>(single) / static_cast<double>(rows);
}

/// The microseconds by which copies by windows or sectors start later than others, because of their code, tables and
/// barriers. Measured for copies of 64 KiB to 4 MiB (bench/notes/planner-fits.md).
inline constexpr double staged_start_us = 1;

/// The n-th root (n is 2, 3 or 4) of the sum of n-th powers. It models times that overlap, but not completely.
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
  // The sum is 1 to 3. The value of the chord there and three Newton steps give 13 digits.
  constexpr double slope = n == 2 ? 0.366 : n == 3 ? 0.221 : 0.158;
  double root = 1 + slope * (sum - 1);
  for (int k = 0; k < 3; ++k) {
    double power = root;
    for (int m = 2; m < n; ++m) power *= root;
    root -= (root * power - sum) / (n * power);
  }
  return longest * root;
}
/// The n-th root for n = 2 or 3, by Newton steps from above.
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

/// The 64-byte units of the target in which a row writes part of a sector. The memory reads such a unit first. A unit
/// that contains the end of one row and the begin of another counts for both, because they are not written together. If
/// rows are less than 64 bytes apart, each unit counts once.
struct cut_units {
  double alone = 0;   ///< units whose other sector is not written
  double beside = 0;  ///< units whose other sector is written too

  explicit constexpr cut_units(copy_problem const& p) {
    auto const [run, m] = target_part::of(p);
    if (m == p.rank) return;
    std::int64_t const bytes = run * p.element_bytes, apart = p.mode[m].target * p.element_bytes;
    std::int64_t step = 64;
    for (int k = m; k < p.rank; ++k) step = power_of_two_in(p.mode[k].target * p.element_bytes, step);
    int rows = 0;
    for (std::int64_t row_offset = 0; row_offset < 64; row_offset += step, ++rows) {
      std::int64_t const last = (row_offset + bytes - 1) / 64;
      for (std::int64_t unit = 0; unit <= last; unit += last > 0 ? last : 1) {
        std::int64_t const begin = unit == 0 ? row_offset : 0, end = unit == last ? row_offset + bytes - unit * 64 : 64;
        if (begin % 32 == 0 && end % 32 == 0) continue;
        (begin < 32 && end > 32 ? beside : alone) += 1;
      }
    }
    double const units_of_row = (alone + beside) / rows, most = static_cast<double>(apart) / 64;
    double const all = static_cast<double>(p.size()) / static_cast<double>(run) / rows *
                       (apart < 64 && units_of_row > most ? most / units_of_row : 1);
    alone *= all;
    beside *= all;
  }
  /// The cycles of all multiprocessors for `written` 64-byte units. The more units are cut, the less each costs.
  constexpr double cycles(double written) const {
    return written > 0 ? (24 * alone + 46.7 * beside) / (1 + 2.35 * (alone + beside) / written) : 0;
  }
};

/// The traffic of a copy between the caches and the memory, for any kernel, as times in microseconds at the memory's
/// rate.
struct copy_traffic {
  double read = 0, written = 0;  ///< reads and writes of the memory, which go by 64 bytes
  double cut = 0;     ///< 64 bytes for each unit that is written only in part, because its rest is read first
  cut_units units;    ///< the cut units of the target
  double refill = 0;  ///< the time for cut sectors, as measured for `copy_once`
  double useful = 0;  ///< the bytes of each side; repeated elements of the source count each time
  double unique = 0;  ///< the bytes of the source, with each element once
  bool kept = false;  ///< whether L2 gets the hint to keep the source's lines (not through registers, not by
                      ///< `cp.async`)
  double hot = 0;     ///< the time if all data come from the same few bytes of L2, which delivers 64 a cycle from one
                      ///< line
  double again = 0;   ///< the part of `useful` for rows that repeat an element: tiles read the same run for each
                      ///< repetition

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
    // The modes inside the first mode that repeats the source many times are all that is read for a long time.
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
  /// L2's time for `all` bytes that are the same `few` bytes repeated. Measured rates are those of one line for up to
  /// 200 bytes, and of five lines for 1000 to 12000 bytes. Rows that repeat one element have the rate of five lines up
  /// to 45000 bytes, and beyond that of one line for each 9000.
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
    std::int64_t run = 1;  // contiguous elements
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

/// The largest power of two, up to 64, that divides all addresses at which a side's runs begin in tiles.
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

inline constexpr int page_bytes = 2 << 20;  ///< the pages of the device's address translation
/// The number of pieces of the source, of `piece` bytes each and aligned, that `elements` consecutive elements of the
/// target touch. A piece is a sector, a cache line or a page.
/// @param once whether the target's repetitions share one source element
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
/// The number of pieces fetched for each element, if a cache holds `held` pieces. The cache serves the longest part of
/// the target, in its order, whose pieces all fit.
[[gnu::noinline, gnu::cold]] constexpr double pieces_beyond(copy_problem const& p, double held, bool once,
                                                            double piece) {
  double elements = 1, pieces = 1;
  for (int m = 0; m < p.rank; ++m) {
    double const extent = static_cast<double>(p.mode[m].extent);
    if (once && p.mode[m].source == 0) continue;
    double const next = pieces_of_block(p, elements * extent, once, piece);
    if (next > held) {
      // As much of this mode as fits.
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
