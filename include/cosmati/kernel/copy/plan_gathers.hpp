// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a plan's accesses come to, counted: of some warps' loads from shared memory, of a block's from global memory.
/// The costs count a tile's first load alone, as there are many plans; these are for the few that are looked at again.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/sector_tiles.hpp>
#include <cosmati/kernel/copy/window_turns.hpp>

namespace COSMATI_NAMESPACE::detail {

/// How many of a tile's loads are counted, spread over it.
inline constexpr int counted_loads = 8;
/// Number k of those, of so many: spread evenly, and not in steps in which a tile may repeat itself.
constexpr int counted_load(int k, int all) { return static_cast<int>((k * 0.618034 + 0.31) * all) % all; }

/// Stores by which a warp writes 32 windows of rows with gaps, anywhere in them: each aligned power of two of a
/// window's bytes that is there, and not part of a larger one, of some lane's window.
constexpr double stores_between_gaps(copy_problem const& p) {
  auto const [run, m] = target_part::of(p);
  if (m == p.rank) return 1;
  int const each = window_bytes / p.element_bytes;
  std::int64_t const apart = p.mode[m].target, step = power_of_two_in(apart, each), places = apart / step;
  std::int64_t most = 256;
  if (__builtin_is_constant_evaluated()) most = 16;  // compilers count the steps of a constant
  std::int64_t const looked_at = places < most ? places : most;
  int stored[2 * window_bytes] = {}, windows = 0;  // of the powers of two, as a tree: the root is number 1
  for (std::int64_t k = 0; k < looked_at; ++k) {
    std::int64_t const begin = k * places / looked_at * step;
    bool whole[2 * window_bytes] = {};
    bool any = false;
    for (int e = 0; e < each; ++e) any = (whole[each + e] = (begin + e) % apart < run) || any;
    if (!any) continue;
    ++windows;
    for (int node = each - 1; node > 0; --node) whole[node] = whole[2 * node] && whole[2 * node + 1];
    for (int node = 1; node < 2 * each; ++node) stored[node] += whole[node] && !(node > 1 && whole[node / 2]) ? 1 : 0;
  }
  double stores = 0;
  for (int node = 1; node < 2 * each; ++node) {
    double none = 1 - static_cast<double>(stored[node]) / windows;
    for (int k = 0; k < 5; ++k) none *= none;
    stores += 1 - none;
  }
  return stores;
}

/// A warp's loads by which windows of the target are put together, of tiles of windows.
class window_gathers {
 public:
  constexpr window_gathers(window_tiles const& tiles, int element_bytes)
      : t_(tiles),
        bytes_(element_bytes),
        row_log_(window_row_log(tiles)),
        turn_(window_turn::of(tiles, element_bytes, row_log_)) {}

  /// Wavefronts for 32 elements of a whole tile, lanes counted in that have none to load.
  constexpr double wavefronts() const {
    auto const up = [](int n, int d) { return (n + d - 1) / d; };
    int const each = static_cast<int>(t_.each), steps = up(up(static_cast<int>(t_.row_length), each), across()),
              all = up(static_cast<int>(t_.rows), 32 / across()) * steps;
    int sum = 0;
    for (int k = 0; k < counted_loads; ++k) {
      int const n = counted_load(k, all);
      sum += of_warp(n / steps * (32 / across()), n % steps * across(), k * each / counted_loads);
    }
    return static_cast<double>(sum) / counted_loads * all * each * 32 /
           (static_cast<double>(t_.rows) * static_cast<double>(t_.row_copied));
  }

 private:
  /// Lanes side by side along a row.
  constexpr int across() const { return 1 << (row_log_ < 5 ? row_log_ : 5); }
  /// @param row, window the first that the warp has; @param element of a window
  constexpr int of_warp(int row, int window, int element) const {
    int const each = static_cast<int>(t_.each), length = static_cast<int>(t_.row_length);
    bool const gaps = t_.row_has_gaps();
    lane_wavefronts counter(bytes_);
    for (int lane = 0; lane < 32; ++lane) {
      int const r = row + lane / across();
      if (r >= static_cast<int>(t_.rows)) break;
      window_mode::sum const here = t_.target.of_run(static_cast<std::uint32_t>(r));
      auto const address = static_cast<std::uint32_t>(here.offset);
      int const before = static_cast<int>(address % window_bytes) / bytes_;
      int w = lane % across() - static_cast<int>(address / window_bytes % static_cast<unsigned>(across()));
      if (w < (!gaps && before > 0 ? 1 : 0)) w += across();
      w += window;
      if (gaps ? w * each >= length + before : w >= (length + before) / each) continue;
      int e = element;
      if (turn_.turns())
        e = (static_cast<int>(turn_.word_of(static_cast<std::uint32_t>(lane))) * each / 4 + element) % each;
      int const position = w * each + e - before;
      bool const is_one = position >= 0 && position < length;
      counter.add(static_cast<std::uint32_t>(lane), here.place + (is_one ? place_at(position) : 0));
    }
    return counter.count();
  }
  /// Of what stands there in a row; in a gap that is the row's first element.
  constexpr std::uint32_t place_at(int position) const {
    std::uint32_t element = 0, rest = static_cast<std::uint32_t>(position), inner = t_.row_copied;
    if (!t_.row_has_gaps()) {
      element = rest;
    } else {
      for (int m = t_.target.in_run; m-- > 0;) {
        window_mode const& mode = t_.target.mode[m];
        auto const step = static_cast<std::uint32_t>(mode.step / bytes_);
        inner /= mode.extent.divisor;
        if (rest / step >= mode.extent.divisor) return 0;
        element += rest / step * inner;
        rest %= step;
      }
      if (rest != 0) return 0;
    }
    window_mode::sum const at = t_.target.of_element(element);
    return t_.place_of_run(at.run, t_.source.of_run(at.run).offset) + at.place;
  }

  window_tiles const& t_;
  int bytes_, row_log_;
  window_turn turn_;
};

/// The same of tiles whose stores are whole sectors, with the loads by which places of elements are looked up: once as
/// long as a thread's rows begin equally late in a sector.
class sector_gathers {
 public:
  constexpr sector_gathers(sector_tiles const& tiles, int element_bytes) : t_(tiles), bytes_(element_bytes) {}

  /// Wavefronts for 32 elements of a whole tile.
  constexpr double wavefronts() const {
    int const rows = static_cast<int>(t_.rows), all = warps() * (static_cast<int>(t_.step) / across()) * parts();
    // A warp's first row is one of the first 2^spread_log of each four times as many.
    int const apart = 1 << t_.spread_log, left = rows % (4 * apart),
              loads = (rows / (4 * apart) * apart + (left < apart ? left : apart)) << (t_.windows_log - 3);
    int seen = 0, sum = 0;
    for (int k = 0; seen < counted_loads && k < 8 * counted_loads; ++k) {
      int const n = counted_load(k, all);
      if (row_of(n, 0) >= rows) continue;
      sum += of_warp(n, static_cast<std::uint32_t>(seen++ * static_cast<int>(t_.each) / counted_loads));
    }
    return static_cast<double>(sum) / (seen > 0 ? seen : 1) * loads * static_cast<double>(t_.each) * 32 /
           (static_cast<double>(t_.rows) * static_cast<double>(t_.row_length));
  }

 private:
  constexpr int warps() const { return t_.threads() / 32; }
  constexpr int across() const { return t_.threads() >> t_.windows_log; }
  constexpr int parts() const { return (static_cast<int>(t_.rows + t_.step) - 1) / static_cast<int>(t_.step); }
  /// Of a warp's four rows number x, in its n-th turn.
  constexpr int row_of(int n, int x) const {
    int const heads = static_cast<int>(t_.step) / across(), y = n % warps() >> (t_.windows_log - 3),
              spread = t_.spread_log;
    return n / warps() / heads * static_cast<int>(t_.step) + n / warps() % heads * across() +
           ((x << spread) | (y & ((1 << spread) - 1)) | (y >> spread << (spread + 2)));
  }
  constexpr std::uint32_t early_of(int row) const { return t_.late_of_row(static_cast<std::uint32_t>(row), bytes_); }
  constexpr int of_warp(int n, std::uint32_t element) const {
    int const step = static_cast<int>(t_.step), beside = n % warps() & ((1 << (t_.windows_log - 3)) - 1);
    lane_wavefronts elements(bytes_), places(4);
    for (int lane = 0; lane < 32; ++lane) {
      int const r = row_of(n, lane / 8);
      if (r >= static_cast<int>(t_.rows)) continue;
      std::uint32_t const early = early_of(r), window = static_cast<std::uint32_t>(beside * 8 + lane % 8),
                          run = t_.slack - early + window * t_.each + element;
      if (run >= t_.runs) continue;  // huge, where a row's first window begins before the tile
      auto const late = static_cast<std::uint32_t>(t_.row_elements.of_element(run % t_.all_row_length).offset);
      elements.add(static_cast<std::uint32_t>(lane),
                   t_.place_of_run(run) + late % window_bytes + static_cast<std::uint32_t>(r * bytes_));
      if (r < step || early_of(r - step) != early) places.add(static_cast<std::uint32_t>(lane), run * 4);
    }
    return elements.count() + places.count();
  }

  sector_tiles const& t_;
  int bytes_;
};

inline constexpr int page_bytes = 2 << 20;  ///< that a device translates addresses of
/// Pieces of a side, of so many bytes each, that a tile of these extents touches.
constexpr double pieces_of_tile(copy_problem const& p, std::int64_t const* extent, bool source, double piece) {
  double apart = 1, near = 0;
  for (int m = 0; m < p.rank; ++m) {
    double const n = static_cast<double>(extent[m]),
                 step = static_cast<double>(magnitude(source ? p.mode[m].source : p.mode[m].target) * p.element_bytes);
    if (step == 0) continue;
    if (step < piece)
      near += (n - 1) * step;
    else
      apart *= n;
  }
  return apart * (1 + near / piece);
}
/// Pieces of the source, of so many bytes each and aligned, that are touched for so many elements of the target, one
/// behind the other: sectors that a block fetches, lines that L1 keeps for it, pages.
/// @param once of what the target repeats it has one element for all places
constexpr double pieces_of_block(copy_problem const& p, double elements, bool once, double piece) {
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
constexpr double pieces_beyond(copy_problem const& p, double held, bool once, double piece) {
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
