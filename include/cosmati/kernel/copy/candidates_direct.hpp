// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans of copies through registers and their costs. Repeated source elements may be loaded once or each time.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/costs.hpp>
#include <cosmati/kernel/copy/once.hpp>

namespace COSMATI_NAMESPACE::detail {
/// The best of some plans. It keeps one kernel from taking more than its share of all plans that are considered.
template <int most>
struct best_plans {
  int kept = 0;
  copy_plan plan[std::size_t{most}];

  constexpr double limit() const { return kept < most ? 1e300 : plan[kept - 1].us; }
  constexpr void offer(copy_plan const& one) { keep_in_order(plan, kept, one); }
  constexpr void give_to(copy_plans& plans) const {
    for (int k = 0; k < kept; ++k) plans.offer(plan[k]);
  }
};

/// Calls `offer(direct_launch)` for launches near the usual one: with half and twice the threads, and with the other
/// kind of stores.
template <class Offer>
constexpr void for_launches_near(direct_launch const& usual, Offer const& offer) {
  direct_launch how = usual;
  for (int t = usual.threads / 2; t <= 2 * usual.threads; t *= 2)
    if (t >= 64 && t <= 512) how.threads = t, offer(how);
  how = usual;
  how.stream_stores = !usual.stream_stores;
  offer(how);
}

/// The kinds of copies through registers. The kind decides about threads, vectors and cache hints.
enum class direct_kind {
  streamed,   ///< whole vectors that are contiguous on both sides
  large,      ///< as `streamed`, with 256 MiB or more, which the caches cannot keep
  cut,        ///< as `streamed`, but rows begin or end within sectors; L2 should join the parts of a sector
  shifted,    ///< vectors assembled from windows or contiguous single elements; one per thread keeps enough loads in
              ///< flight
  scattered,  ///< neighbours are apart in the source; L1 holds what the next warp needs
  gathered,   ///< as `scattered`, with several elements in a vector
  spread,     ///< rows that repeat one element: one load, and a store of a whole vector
  repeated    ///< the source is read many times
};
/// The launch that was fastest for most copies of a kind. Measured on an H200 (bench/notes).
/// @param bytes the size of an element
/// @param short_rows whether rows of few single elements go to the target, with gaps between them
constexpr direct_launch usual_launch(direct_kind kind, int bytes, bool short_rows) {
  if (short_rows) return {.threads = 256};
  switch (kind) {
    case direct_kind::streamed:
      return {.threads = 192, .stream_loads = true, .stream_stores = true};
    case direct_kind::large:
      return {.threads = 256};
    case direct_kind::cut:
      return {.threads = 128};
    case direct_kind::shifted:
      return {.threads = bytes < 4 ? 64 : 128, .stream_stores = true};
    case direct_kind::scattered:
      return {.threads = bytes < 16 ? 192 : 384};
    case direct_kind::gathered:
      if (bytes == 8) return {.threads = 512, .stream_stores = true};
      if (bytes == 2) return {.threads = 256, .stream_stores = true};
      return {.threads = 64, .stream_stores = true};
    case direct_kind::spread:
      return {.threads = 128, .stream_stores = true};
    default:
      if (bytes < 4) return {.threads = 128, .stream_stores = true};
      return {.threads = bytes == 16 ? 128 : 64, .stream_stores = true};
  }
}
constexpr double launch_factor(direct_launch const& how, direct_launch const& usual, direct_kind kind) {
  double factor = 1;
  for (int t = how.threads; t > usual.threads; t /= 2) factor += 0.01;
  for (int t = how.threads; t < usual.threads; t *= 2) factor += 0.01;
  if (how.stream_loads != usual.stream_loads) factor += how.stream_loads ? 0.1 : 0.03;
  if (how.stream_stores != usual.stream_stores) factor += kind == direct_kind::gathered ? 0.08 : 0.02;
  return factor;
}
/// The largest power of two, up to 16 bytes, that divides the distance of both sides' first addresses.
constexpr std::int64_t apart_alignment(copy_problem const& p) {
  std::int64_t known = p.source_alignment < p.target_alignment ? p.source_alignment : p.target_alignment;
  if (p.apart_alignment > known) known = p.apart_alignment;
  return power_of_two_in((p.source_offset - p.target_offset) * p.element_bytes, known < 16 ? known : 16);
}

/// The cost of copies through registers with any vector. The constants are fitted to the fastest launches of 316
/// vectors in 284 random problems.
class direct_costs {
 public:
  [[gnu::noinline, gnu::cold]] constexpr direct_costs(copy_problem const& problem, device_model const& device_,
                                                      copy_traffic const& traffic_)
      : p(problem),
        device(device_),
        traffic(traffic_),
        cycles(device.multiprocessors * device.cycles_per_us),
        contiguous(is_contiguous(p)),
        extent(p.rank == 0 ? 1 : p.mode[0].extent),
        stride(p.rank == 0 ? 1 : magnitude(p.mode[0].source)) {
    // A run may share its 64-byte unit of the source with data that are copied `between` bytes later. Such data come
    // from L2 or from memory again.
    std::int64_t const run = stride == 1 ? extent : 1;
    double const runs_of_64 = 64.0 / static_cast<double>(run * p.element_bytes);
    double read_again = 1, between = 64;
    for (int m = 0; m < p.rank; ++m) {
      double const extents = static_cast<double>(p.mode[m].extent);
      repeated = repeated || p.mode[m].source == 0;
      neighbours = neighbours || magnitude(p.mode[m].source) == 1;
      if (!neighbours) before *= extents;
      if (p.mode[m].source == run && runs_of_64 > 1) {
        double const root = root_of<3>(between);
        read_again = 1 + ((runs_of_64 < extents ? runs_of_64 : extents) - 1) * root / (root + 439);
      }
      if (p.mode[m].source != 0) between *= extents;
    }
    // Single elements that are apart may be repeated while L1 holds their lines. L1 holds up to 1200 lines; times_kept
    // counts the repetitions.
    double lines_kept = 1;
    for (int m = 0; m < p.rank && times_kept == 1; ++m)
      (p.mode[m].source == 0 ? times_kept : lines_kept) *= static_cast<double>(p.mode[m].extent);
    if (lines_kept > 1200 || p.rank == 0 || stride <= 1) times_kept = 1;
    std::int64_t const sector = p.element_bytes < 32 ? 32 / p.element_bytes : 1;
    cut = p.rank > 1 && (extent % sector != 0 || !strides_are_multiples(p, false, sector, 0));
    // Data that L2 cannot hold until their neighbours are copied come from memory again.
    double const beyond = pieces_beyond(p, device.l2_bytes / 64, false, 64) * 64 * static_cast<double>(p.size()) /
                          device.bytes_per_us,
                 read = larger(traffic.read * read_again, beyond);
    memory_us = (stride > 1 ? 1.17 : 1) * (0.935 * read + 0.905 * traffic.written + 0.6 * traffic.refill);
    short_rows = traffic.cut > 0.2 * traffic.written;  // short rows with gaps between them
  }
  /// Offers the launches with vectors of `vector` elements.
  /// @param aligned whether rows begin with a whole vector
  /// @param together whether the elements of a vector are contiguous in the source
  /// @param near whether to offer launches near the usual one too
  [[gnu::noinline, gnu::cold]] constexpr void offer(copy_plans& plans, int vector, bool aligned, bool together,
                                                    bool near) const {
    copy_plan plan;
    plan.vector = vector;
    plan.together = together;
    bool const single = !together && vector > 1 && stride != 0;  // with stride 0 one load serves all elements
    price(plan, aligned, single);
    direct_kind const kind = kind_of(vector, together, single);
    direct_launch const usual = usual_launch(kind, p.element_bytes, short_rows && vector == 1);
    double const usual_us = overlapped<4>(plan.memory_us, plan.shared_us, plan.issue_us);
    auto const launched = [&](direct_launch const& how) {
      plan.launch = how;
      plan.us = device.launch_us + usual_us * launch_factor(how, usual, kind);
      plans.offer(plan);
    };
    if (near && !contiguous)
      for_launches_near(usual, launched);
    else
      launched(usual);
  }

 private:
  /// Sets the three times of a plan.
  constexpr void price(copy_plan& plan, bool aligned, bool single) const {
    int const vector = plan.vector;
    // A single store occupies a sector on its way to L2. It costs most if nothing else fills the sector, and less if
    // several stores go to it. Fitted to 2976 problems whose rows are no multiples of vectors (bench/notes).
    double const alone = contiguous ? 0 : single_stores(p, vector);
    // Single stores of short rows that share a 64-byte unit go there together.
    double const step = p.rank > 1 ? static_cast<double>(p.mode[1].target * p.element_bytes) : 64,
                 shared = step < 64 ? step / 64 : 1;
    plan.memory_us = memory_us + (traffic.cut > 0 ? 312e-6
                                  : stride == 0   ? 200e-6
                                                  : 40e-6) *
                                     alone / (alone + 12) * shared * static_cast<double>(p.size()) /
                                     static_cast<double>(extent);
    // A warp accesses 32 vectors. The costs count the rows that it touches, and whether it has incomplete vectors,
    // which take a separate code path.
    double const slots = static_cast<double>(ceil_of(extent, vector) + (aligned ? 0 : 1));
    double const warps = static_cast<double>(p.size()) / static_cast<double>(extent) * slots / 32;
    double const rows = 32 / slots;
    bool const whole = vector == 1 || contiguous || (aligned && extent % vector == 0);
    double const ways = whole ? 0 : rows < 1 ? rows : 1;
    // Cycles for sectors of the source: a warp touches as many sectors as a vector has bytes. If elements are apart, L1
    // has many of them, provided that their neighbours are copied too.
    double const bytes = vector * p.element_bytes + rows, apart = static_cast<double>(stride * p.element_bytes);
    // Lines of a warp's accesses, one for each single element. A line costs a cycle if L1 does not have it.
    double const lines = vector * (vector * apart < 128 ? vector * apart / 4 : 32);
    double const sectors = stride == 0   ? rows
                           : stride == 1 ? 1.1 * bytes
                           : neighbours
                               ? larger(0.65 * bytes, single ? (0.3 + 0.62 * before / (before + 10000)) * lines : 0)
                               : 63.7 * vector * (apart < 32 ? apart / 32 : 1) / times_kept;
    plan.shared_us = warps * larger(sectors, contiguous ? 0 : (stride == 1 ? 8.8 : 2.41) * rows) / cycles;
    plan.issue_us =
        warps *
        ((contiguous ? 7.93 : 24.4 + 10.6 * (p.rank - 2)) + (single ? 2.88 : 0) * vector + 0.54 * ways * vector) /
        cycles;
  }
  constexpr direct_kind kind_of(int vector, bool together, bool single) const {
    if (stride == 0 && !together && vector > 1) return direct_kind::spread;
    if (repeated) return direct_kind::repeated;
    if (stride > 1) return single ? direct_kind::gathered : direct_kind::scattered;
    if (single) return direct_kind::shifted;
    if (!contiguous && (extent % vector != 0 || cut)) return direct_kind::cut;
    return traffic.useful * device.bytes_per_us >= 268435456 ? direct_kind::large : direct_kind::streamed;
  }

  // NOLINTBEGIN(readability-identifier-naming): formulas read better
  copy_problem const& p;
  device_model const& device;
  copy_traffic const& traffic;
  double cycles;
  bool contiguous;
  std::int64_t extent, stride;
  bool repeated = false;
  bool neighbours = false;               // whether the neighbours of an element in the source are copied too
  double before = 1;                     // the number of elements that are copied before the neighbours; meanwhile L1
                                         // may drop the lines of the neighbours
  double times_kept = 1;                 // the number of repetitions of a separate element while L1 keeps its line
  bool cut = false, short_rows = false;  // rows begin or end within sectors; rows have few elements, with gaps between
                                         // them
  double memory_us = 0;                  // NOLINTEND(readability-identifier-naming)
};

[[gnu::noinline, gnu::cold]] constexpr void offer_direct(copy_plans& plans, device_model const& device,
                                                         copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  direct_costs const costs(p, device, traffic);
  bool const contiguous = is_contiguous(p);
  std::int64_t const row = p.rank > 0 && p.mode[0].target == 1 ? p.mode[0].extent : 1;
  auto const fits = [&](int vector) { return vector * p.element_bytes <= 16 && row >= vector; };
  // Vectors of contiguous bytes may begin anywhere, if both sides have the same alignment.
  auto const goes_together = [&](int vector) {
    std::int64_t const width = vector * p.element_bytes;
    if (vector == 1) return true;
    if (contiguous) return apart_alignment(p) % width == 0;
    return p.mode[0].source == 1 && base_is_aligned(p, true, width) && strides_are_multiples(p, true, vector, 0);
  };
  auto const is_aligned = [&](int vector) {
    return vector == 1 || (contiguous && goes_together(vector)) ||
           (base_is_aligned(p, false, vector * p.element_bytes) && strides_are_multiples(p, false, vector, 0));
  };
  // The candidates are single elements and vectors of 16 bytes. If rows do not begin with a whole vector, a row has one
  // more, and the first and last are incomplete. With long rows this is still four times as fast as single elements.
  int const most = 16 / p.element_bytes;
  if (contiguous) {
    int width = most;
    while (width > 1 && !(fits(width) && goes_together(width))) width /= 2;
    return costs.offer(plans, width, true, true, false);
  }
  bool const aligned = most > 1 && fits(most) && is_aligned(most);
  costs.offer(plans, 1, true, false, !aligned);
  if (aligned) costs.offer(plans, most, true, goes_together(most), true);
  if (!aligned && most > 1 && row >= 8 * most) costs.offer(plans, most, false, false, true);
}

/// The average memory traffic of a warp of `copy_once`, counted for a few warps.
struct once_accesses {
  double load_lines = 0;   ///< source lines of all loads of a window
  double store_lines = 0;  ///< target lines of one store
  double cut_sectors = 0;  ///< target sectors of one store that are written in part

  [[gnu::noinline, gnu::cold]] static constexpr once_accesses of(copy_problem const& p, once_windows const& w) {
    once_accesses all;
    std::int64_t const warps = ceil_of(w.slots(), 32);
    int counted = 4;
    if (__builtin_is_constant_evaluated()) counted = 1;  // compilers limit the steps of a constant
    for (int k = 0; k < counted; ++k) {
      double const part = k * 0.618034 + 0.31;
      double const where = (part - static_cast<int>(part)) * static_cast<double>(warps);
      all.count(p, w, static_cast<std::int64_t>(where) * 32);
    }
    all.load_lines /= counted;
    all.store_lines /= counted;
    all.cut_sectors /= counted;
    return all;
  }

 private:
  [[gnu::noinline, gnu::cold]] constexpr void count(copy_problem const& p, once_windows const& w,
                                                    std::int64_t first_slot) {
    std::int64_t const element = p.element_bytes, run_bytes = w.run_length * element;
    int const window_elements = static_cast<int>(w.bytes / element);
    // Neighbours in the source are loaded by two vectors. For other windows up to four loads are counted.
    bool const vectors = window_elements > 1 && w.run_modes > 0 && w.loaded.mode[0].source == 1 &&
                         w.loaded.mode[0].extent >= std::int64_t{8} * window_elements;
    int looked_at = vectors ? 2 : window_elements < 4 ? window_elements : 4;
    if (__builtin_is_constant_evaluated()) looked_at = 1;
    distinct line_of_load[4], line, sector;
    for (int lane = 0; lane < 32 && first_slot + lane < w.slots(); ++lane) {
      std::int64_t rest = (first_slot + lane) / w.windows, from = p.source_offset, to = p.target_offset;
      std::int64_t const window = (first_slot + lane) % w.windows * w.bytes;
      for (int m = w.run_modes; m < w.loaded.rank; ++m) {
        copy_mode const& mode = w.loaded.mode[m];
        from += rest % mode.extent * mode.source;
        to += rest % mode.extent * mode.target;
        rest /= mode.extent;
      }
      for (int m = 0; m < w.repeating; ++m) to += w.place[m].extent / 2 * w.place[m].target;
      std::int64_t const window_offset = ((to * element) % w.bytes + w.bytes) % w.bytes,
                         first = (w.turns || window == 0 ? window : window - window_offset) / element;
      for (int k = 0; k < looked_at; ++k) {
        std::int64_t number = first + (vectors ? k * (window_elements - 1) : k * window_elements / looked_at),
                     at = from;
        if (number >= w.run_length) break;
        for (int m = 0; m < w.run_modes; ++m) {
          copy_mode const& mode = w.loaded.mode[m];
          at += number % mode.extent * mode.source;
          number /= mode.extent;
        }
        line_of_load[k].add(floored(at * element, line_bytes), 1);
      }
      std::int64_t const until = run_bytes + window_offset - window, begin = window > 0 ? 0 : window_offset,
                         end = until < w.bytes ? until : w.bytes, at = to * element - window_offset + window;
      if (end <= begin) continue;
      line.add(floored(at, line_bytes), 1);
      sector.add(floored(at, sector_bytes), static_cast<int>(end - begin));
    }
    double const loads = (vectors ? 2.0 : window_elements) / looked_at;
    for (distinct const& of_load : line_of_load) load_lines += of_load.count * loads;
    store_lines += line.count;
    for (int k = 0; k < sector.count; ++k) cut_sectors += sector.sum[k] < sector_bytes ? 1 : 0;
  }
  static constexpr std::int64_t floored(std::int64_t x, std::int64_t by) { return (x < 0 ? x - by + 1 : x) / by; }
  /// The distinct numbers of a warp's lanes, with a sum for each.
  struct distinct {
    int count = 0;
    std::int64_t number[32] = {};
    int sum[32] = {};
    constexpr void add(std::int64_t one, int more) {
      int k = count;  // usually the number of the previous lane
      while (k > 0 && number[k - 1] != one) --k;
      if (k == 0) number[count++] = one, k = count;
      sum[k - 1] += more;
    }
  };
};

/// Fitted to 106,000 plans of repeated sources in 3700 random problems (bench/notes/partial-writes.md). The parts add
/// up.
[[gnu::noinline, gnu::cold]] constexpr void offer_once(copy_plans& plans, device_model const& device,
                                                       copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  bool repeats = false;
  for (int m = 1; m < p.rank; ++m) repeats = repeats || p.mode[m].source == 0;
  if (!repeats) return;
  double const cycles = device.multiprocessors * device.cycles_per_us;
  double const beyond = pieces_beyond(p, device.l2_bytes / 64, true, 64) * 64 * traffic.unique / p.element_bytes;
  double const all_cut = traffic.units.alone + traffic.units.beside;
  double const memory_us = 1.09 * traffic.read + (beyond > traffic.read ? 0.925 * (beyond - traffic.read) : 0) +
                           0.755 * traffic.written + traffic.refill;
  if (p.mode[0].target != 1 && p.element_bytes < 16) return;
  std::int64_t counted_together = 0;
  once_accesses warp;
  int const vector = 16 / p.element_bytes;
  for (int const threads : {64, 128, 256, 512, 1024}) {
    once_windows const w = once_windows::of(p, threads);
    if (!w.fit()) break;
    copy_plan plan;
    plan.vector = vector;
    plan.launch.threads = threads;
    plan.launch.once = true;
    if (w.together != counted_together) {
      warp = once_accesses::of(p, w);
      counted_together = w.together;
    }
    std::int64_t const places_of_thread = w.places_each(threads, static_cast<int>(device.multiprocessors));
    double const slots = static_cast<double>(w.slots()),
                 shares = static_cast<double>(ceil_of(w.places, places_of_thread)), loads = slots / 32 * shares,
                 stores = slots / 32 * static_cast<double>(w.places);
    // Sectors that another store completes much later.
    double const met = stores * warp.cut_sectors - all_cut;
    plan.memory_us = memory_us + (met > 0 ? 0.98 * met / cycles : 0);
    // Sectors that one block touches for few elements, in many pages.
    double const block = static_cast<double>(threads) * vector, everywhere = 2048 * device.multiprocessors * vector,
                 pages = pieces_of_block(p, everywhere, true, page_bytes),
                 found = pieces_of_block(p, block, true, sector_bytes) / block;
    plan.shared_us = (loads * (0.534 * warp.load_lines + 5.8) + stores * 1.24 * warp.store_lines +
                      slots * shares * vector * found * (0.223 / p.element_bytes + 0.69 * pages / (pages + 100))) /
                     cycles;
    plan.issue_us = stores * (1.53 + (w.turns ? 2.9 : 0)) / cycles;
    // The last blocks run alone.
    double const turns =
        static_cast<double>(ceil_of(w.slots(), threads)) * threads * shares / (2048 * device.multiprocessors);
    double const us = (plan.memory_us + plan.shared_us + plan.issue_us) * (1 + 0.25 / turns);
    plan.launch.stream_stores = true;
    plan.us = device.launch_us + us * (threads == 256 ? 1 : 1.01);
    plans.offer(plan);
  }
}
}  // namespace COSMATI_NAMESPACE::detail
#include <cosmati/core/macros_end.hpp>
