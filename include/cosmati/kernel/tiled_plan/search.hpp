// SPDX-License-Identifier: Apache-2.0
/// @file
/// The planner of tiled copies for kernels that users write. It searches the best plan for blocks of a given number of
/// threads.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/distinct_keys.hpp>
#include <cosmati/kernel/copy/costs.hpp>
#include <cosmati/kernel/tiled_plan/plan.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

[[noreturn]] inline void plan_copy_threads_are_none_of_a_block(int threads) {
  fail("plan_copy: blocks of %d threads; a block has 1 to 1024, and 128 or 256 suit most copies", threads);
}
[[noreturn]] inline void plan_copy_has_too_many_tiles(std::int64_t size) {
  fail("plan_copy: %lld elements are more tiles than the 2147483647 blocks of a launch; copy it slice by slice",
       static_cast<long long>(size));
}

/// The search of `plan_copy(src, dst, element_bytes, threads, device)`.
class tiled_planner {
 public:
  constexpr tiled_planner(copy_problem const& p, int threads, device_model const& device)
      : p_(p), threads_(threads), device_(device), traffic_(p, device) {
    plans.problem = p;
    for (int t = 1; t * t <= threads; ++t)
      if (threads % t == 0) divisor_[divisors_++] = t;
    for (int k = divisors_; k-- > 0;)
      if (int const t = threads / divisor_[k]; t != divisor_[k]) divisor_[divisors_++] = t;
  }
  constexpr void run() {
    if (p_.size() == 0) return;
    if (p_.rank > 1) {  // these are tried first, because they are usually the best if there are any
      int inner = 0;    // the mode that is contiguous, or nearly so, in the source
      for (int m = 1; m < p_.rank; ++m) {
        std::int64_t const s = magnitude(p_.mode[m].source), least = magnitude(p_.mode[inner].source);
        if (s != 0 && (least == 0 || s < least)) inner = m;
      }
      if (inner != 0) offer_staged(0, inner);
    }
    offer_all_direct();
    if (plans.kept == 0) {  // fewer elements than threads
      may_idle_ = true;
      offer_all_direct();
    }
    if (plans.kept == 0) plan_copy_has_too_many_tiles(p_.size());
    for (int k = 0; k < plans.kept; ++k)
      if (plans.plan[k].has_stage()) simplify_stage(plans.plan[k]);
  }

  tiled_copy_plans plans;

 private:
  copy_problem p_;
  int threads_;
  device_model device_;
  copy_traffic traffic_;
  int divisors_ = 0, divisor_[40] = {};  ///< the divisors of the number of threads, ascending
  bool may_idle_ = false;                ///< whether plans may leave half of the threads idle

  constexpr void offer_all_direct() {
    if (p_.rank < 2)
      offer_direct(p_.rank - 1, -1);
    else
      for (int m = 1; m < p_.rank; ++m) offer_direct(0, m);
  }
  constexpr std::int64_t extent(int m) const { return m < 0 ? 1 : p_.mode[m].extent; }
  constexpr std::int64_t stride(int m, bool source) const {
    return m < 0 ? 0 : source ? p_.mode[m].source : p_.mode[m].target;
  }
  /// The elements of the widest access along a mode of one side.
  constexpr int widest(int m, bool source) const {
    int v = 1;
    if (m < 0 || stride(m, source) != 1) return v;
    while (2 * v * p_.element_bytes <= 16 && 2 * v <= extent(m) &&
           base_is_aligned(p_, source, 2 * v * p_.element_bytes) && strides_are_multiples(p_, source, 2 * v, m))
      v *= 2;
    return v;
  }

  constexpr tiled_copy_plan plan_of(int m0, int m1, int tile0, int tile1) const {
    tiled_copy_plan plan;
    plan.threads = threads_;
    plan.mode[0] = m0;
    plan.mode[1] = m1;
    plan.tile[0] = tile0;
    plan.tile[1] = tile1;
    return plan;
  }
  constexpr planned_copy side_of(int vector, int along, int t0, bool second_first, tiled_copy_plan const& plan) const {
    planned_copy one;
    one.element_bytes = p_.element_bytes;
    one.vector = vector;
    one.along = along;
    one.thr[0] = t0;
    one.thr[1] = threads_ / t0;
    one.thr_stride[0] = second_first ? one.thr[1] : 1;
    one.thr_stride[1] = second_first ? 1 : t0;
    one.ragged = extent(plan.mode[0]) % plan.tile[0] != 0 || extent(plan.mode[1]) % plan.tile[1] != 0;
    return one;
  }
  constexpr int lanes() const { return threads_ < 32 ? threads_ : 32; }
  constexpr int warps() const { return (threads_ + 31) / 32; }
  /// The accesses of warps for a tile, with `elements` elements per thread.
  constexpr int requests_of(tiled_copy_plan const& plan, int elements) const {
    return plan.tile[0] * plan.tile[1] / (elements * threads_) * warps();
  }

  /// The first access of the tile to global memory.
  constexpr planned_access global_access(tiled_copy_plan const& plan, planned_copy const& how, bool source) const {
    planned_access access;
    distinct_keys keys;
    int const bytes = how.vector * p_.element_bytes;
    std::int64_t const first = source ? p_.source_offset : p_.target_offset;
    std::int64_t const extent0 = extent(plan.mode[0]), extent1 = extent(plan.mode[1]);
    std::int64_t const stride0 = stride(plan.mode[0], source), stride1 = stride(plan.mode[1], source);
    int const v0 = how.along == 0 ? how.vector : 1, v1 = how.along == 1 ? how.vector : 1;
    int inside = 0;
    for (int lane = 0; lane < lanes(); ++lane) {
      int const i = lane / how.thr_stride[0] % how.thr[0] * v0, j = lane / how.thr_stride[1] % how.thr[1] * v1;
      if (i >= extent0 || j >= extent1) continue;
      ++inside;
      std::int64_t const byte = (first + i * stride0 + j * stride1) * p_.element_bytes;
      keys.insert(byte < 0 ? -((31 - byte) / 32) : byte / 32);  // rounds down
    }
    distinct_keys lines;
    for (int k = 0; k < keys.count; ++k) lines.insert(keys.key[k] >> 2);
    access.lines = lines.count;
    access.requests = requests_of(plan, how.vector);
    access.sectors = keys.count;
    access.fewest = (inside * bytes + 31) / 32;
    return access;
  }
  constexpr int fewest_wavefronts(int vector) const {
    int const bytes = vector * p_.element_bytes;
    return bytes < 8 ? 1 : (bytes * lanes() + 127) / 128;
  }
  /// The first access of the tile to the stage: vectors, or their first elements if vectors are not contiguous there.
  constexpr planned_access stage_access(planned_stage const& stage, planned_copy const& how, int elements,
                                        tiled_copy_plan const& plan) const {
    planned_access access;
    lane_wavefronts wavefronts(elements * p_.element_bytes);
    int const v0 = how.along == 0 ? how.vector : 1, v1 = how.along == 1 ? how.vector : 1;
    for (int lane = 0; lane < lanes(); ++lane)
      wavefronts.add(static_cast<std::uint32_t>(lane),
                     static_cast<std::uint32_t>(
                         stage(lane / how.thr_stride[0] % how.thr[0] * v0, lane / how.thr_stride[1] % how.thr[1] * v1) *
                         p_.element_bytes));
    access.requests = requests_of(plan, elements);
    access.wavefronts = wavefronts.count();
    access.fewest = fewest_wavefronts(elements);
    return access;
  }

  constexpr double tiles_of(tiled_copy_plan const& plan) const {
    double tiles = 1;
    for (int m = 0; m < p_.rank; ++m)
      tiles *= static_cast<double>(m == plan.mode[0]   ? ceil_of(extent(m), plan.tile[0])
                                   : m == plan.mode[1] ? ceil_of(extent(m), plan.tile[1])
                                                       : extent(m));
    return tiles;
  }
  /// The contiguous bytes of a tile in global memory, on one side.
  constexpr double run_bytes(tiled_copy_plan const& plan, bool source) const {
    for (int k = 0; k < 2; ++k)
      if (plan.mode[k] >= 0 && magnitude(stride(plan.mode[k], source)) == 1)
        return static_cast<double>((plan.tile[k] < extent(plan.mode[k]) ? plan.tile[k] : extent(plan.mode[k])) *
                                   p_.element_bytes);
    return p_.element_bytes;
  }
  /// The alignment, up to 64 bytes, of the addresses at which a tile's rows of the target begin.
  constexpr std::int64_t row_alignment(tiled_copy_plan const& plan) const {
    std::int64_t aligned = base_is_aligned(p_, false, 16) ? 64 : p_.element_bytes;
    for (int m = 0; m < p_.rank; ++m) {
      std::int64_t const step = m == plan.mode[0] ? plan.tile[0] : 1;
      aligned = power_of_two_in(p_.mode[m].target * step * p_.element_bytes, aligned);
    }
    return aligned;
  }
  /// Computes the times from counts.
  ///
  /// Global memory moves the copy's bytes. It moves more if a tile's runs are shorter than the 64 bytes of a memory
  /// access, if its rows cut those of the target, and if a warp stores parts of sectors. Its rate is lower if too few
  /// bytes are in flight (Little's law with a latency of one microsecond). Multiprocessors take a cycle for a
  /// wavefront, a line or two sectors. An access takes eight instructions, at four a cycle. With the weights of rows
  /// and parts, the order of 48 plans of six problems is the measured one (bench/notes/tiled-plans.md).
  /// @param whole if false, `us` is only the longest of the three, which is a lower bound
  constexpr void put_cost(tiled_copy_plan& plan, bool whole = true) const {
    double const runs[2] = {run_bytes(plan, true), run_bytes(plan, false)};
    plan.memory_us = traffic_.read + traffic_.written + traffic_.cut;
    for (double const run : runs)
      if (run < 64 && run > p_.element_bytes) plan.memory_us += 0.5 * traffic_.useful * (64 / run - 1);
    plan.memory_us += 2 * traffic_.useful * static_cast<double>(64 - row_alignment(plan)) / runs[1];
    if (plan.written.sectors > plan.written.fewest && plan.written.fewest > 0)
      plan.memory_us += traffic_.useful * (plan.written.sectors - plan.written.fewest) / plan.written.fewest;
    double const at_once = plan.has_stage() ? plan.tile[0] * plan.tile[1] : plan.in.vector * threads_ * 8.0;
    double resident = 2048 / threads_ < 32 ? 2048 / threads_ : 32;
    if (plan.has_stage()) {
      double const room = device_.shared_bytes / (static_cast<double>(plan.shared_bytes()) + 1024);
      if (room < 1) {
        plan.us = 1e300;
        return;
      }
      if (room < resident) resident = static_cast<double>(static_cast<int>(room));
    }
    double const tile_elements = static_cast<double>(plan.tile[0]) * plan.tile[1];
    double const flying =
        resident * (at_once < tile_elements ? at_once : tile_elements) * p_.element_bytes * device_.multiprocessors;
    double const needed = device_.bytes_per_us / 2;
    if (flying < needed) plan.memory_us *= needed / flying;
    auto const cycles = [](planned_access const& a) {
      return static_cast<double>(a.requests) * larger(a.wavefronts, larger(a.lines, a.sectors / 2.0));
    };
    double const work = cycles(plan.read) + cycles(plan.written) + cycles(plan.stage_read) + cycles(plan.stage_written);
    double const accesses =
        plan.read.requests + plan.written.requests + plan.stage_read.requests + plan.stage_written.requests;
    double const rate = device_.multiprocessors * device_.cycles_per_us;
    plan.shared_us = plan.tiles * work / rate;
    plan.issue_us = plan.tiles * (2 * accesses + 40 * warps()) / rate;
    plan.us = device_.launch_us + (whole ? overlapped<3>(plan.memory_us, plan.shared_us, plan.issue_us)
                                         : larger(plan.memory_us, larger(plan.shared_us, plan.issue_us)));
  }

  /// Offers plans through registers, with the same vectors on both sides.
  constexpr void offer_direct(int m0, int m1) {
    int const both = widest(m0, true) < widest(m0, false) ? widest(m0, true) : widest(m0, false);
    for (int v = both; v > 0; v /= 2) {
      for (int d = 0; d < divisors_; ++d) {
        int const t0 = divisor_[d], t1 = threads_ / t0;
        if (m1 < 0 && t1 > 1) continue;
        if (!may_idle_ && ((t0 > 1 && std::int64_t{t0 / 2} * v >= extent(m0)) || (t1 > 1 && t1 / 2 >= extent(m1))))
          continue;
        for (bool const second_first : {false, true}) {
          if (second_first && (t0 == 1 || t1 == 1)) continue;
          for (int times = 1; times <= 8; times *= 2) {
            for (bool const second : {false, true}) {
              if (second && (times == 1 || m1 < 0)) continue;
              std::int64_t const e0 = std::int64_t{t0} * v * (second ? 1 : times), e1 = t1 * (second ? times : 1);
              if (times > 1 && (second ? e1 / 2 >= extent(m1) : e0 / 2 >= extent(m0))) continue;
              tiled_copy_plan plan = plan_of(m0, m1, static_cast<int>(e0), static_cast<int>(e1));
              plan.in = side_of(v, 0, t0, second_first, plan);
              ++plans.considered;
              if (!may_be_kept(plan)) continue;
              plan.read = global_access(plan, plan.in, true);
              plan.written = global_access(plan, plan.in, false);
              put_cost(plan);
              plans.offer(plan);
            }
          }
        }
      }
    }
  }

  /// Whether a plan may be among the best if it had the smallest possible numbers of sectors and wavefronts. Most plans
  /// need no closer look.
  constexpr bool may_be_kept(tiled_copy_plan& plan) const {
    plan.tiles = tiles_of(plan);
    if (plan.tiles >= 2147483648.0) return false;
    auto const least = [&](int vector, bool source) {
      planned_access a;
      a.requests = requests_of(plan, vector);
      bool const repeated = source && (stride(plan.mode[0], true) == 0 || stride(plan.mode[1], true) == 0);
      a.sectors = repeated ? 1 : (lanes() * vector * p_.element_bytes + 31) / 32;
      return a;
    };
    plan.read = least(plan.in.vector, true);
    plan.written = least(plan.has_stage() ? plan.out.vector : plan.in.vector, false);
    if (plan.has_stage()) {
      auto const free_of_conflicts = [&](int vector) {
        planned_access a;
        a.requests = requests_of(plan, vector);
        a.wavefronts = a.fewest = fewest_wavefronts(vector);
        return a;
      };
      plan.stage_written = free_of_conflicts(plan.in.vector);
      plan.stage_read = free_of_conflicts(1);
    }
    put_cost(plan, false);
    return plan.us < plans.limit();
  }

  /// Offers plans through a stage whose rows are those of the source. Vectors along mode 1 are loaded; elements along
  /// mode 0 are joined to vectors for the store. Vectors have at least a quarter of the widest size.
  constexpr void offer_staged(int m0, int m1) {
    int const most_in = widest(m1, true), most_out = widest(m0, false);
    for (int e0 = 128; e0 >= 8; e0 /= 2)
      for (int e1 = 128; e1 >= 8; e1 /= 2)
        for (int const third : {0, 1, 2}) {  // blocks of 96, 192, ... threads use tiles with 3/4 as many elements along
                                             // a mode
          if (third > 0 && threads_ % 3 != 0) continue;
          int const tile0 = third == 1 ? e0 / 4 * 3 : e0, tile1 = third == 2 ? e1 / 4 * 3 : e1;
          if (tile0 / 2 >= extent(m0) || tile1 / 2 >= extent(m1)) continue;
          if ((tile0 < 16 && extent(m0) > tile0) || (tile1 < 16 && extent(m1) > tile1)) continue;
          int const bytes = tile0 * tile1 * p_.element_bytes;  // a thread's share of them must fit in its registers
          if (bytes > 40 * 1024 || bytes > 256 * threads_) continue;
          for (int vi = most_in; 8 * vi > most_in; vi /= 2)
            for (int vo = most_out; 8 * vo > most_out; vo /= 2) offer_stages(m0, m1, tile0, tile1, vi, vo);
        }
  }
  /// The largest number of threads along a mode that cover a tile, or 0.
  constexpr int threads_along(int own, int other) const {
    for (int d = divisors_; d-- > 0;)
      if (int const t = divisor_[d]; t <= own && own % t == 0 && other % (threads_ / t) == 0) return t;
    return 0;
  }
  constexpr void offer_stages(int m0, int m1, int e0, int e1, int vi, int vo) {
    if (e1 % vi != 0 || e0 % vo != 0) return;
    int const in1 = threads_along(e1 / vi, e0), out0 = threads_along(e0 / vo, e1);
    if (in1 == 0 || out0 == 0) return;
    tiled_copy_plan plan = plan_of(m0, m1, e0, e1);
    plan.in = side_of(vi, 1, threads_ / in1, true, plan);
    plan.in.cp_async = device_.compute_capability >= 80 && vi * p_.element_bytes >= 4;
    plan.out = side_of(vo, 0, out0, false, plan);
    // The swizzle exclusive-ors the bits of the row's index that differ between lanes into the index of the vector.
    // Otherwise rows are padded.
    int const base = log_of(vi), rows = log_of(e1), most_bits = rows - base < 5 ? rows - base : 5;
    bool const swizzles = (1 << rows) == e1 && most_bits > 0;
    int const shift = rows - base + log_of(vo);
    plans.considered += 1 + (swizzles ? most_bits : 0) + most_pads;
    plan.stage = {{e0, e1}, {e1, 1}};
    if (!may_be_kept(plan)) return;
    plan.read = global_access(plan, plan.in, true);
    plan.written = global_access(plan, plan.out, false);
    put_cost(plan);  // assuming a stage without conflicts
    if (plan.us >= plans.limit()) return;
    planned_stage best = plan.stage;
    plan.stage_read = stage_access(plan.stage, plan.out, 1, plan);
    auto const look = [&](planned_stage const& stage) {
      if (plan.stage_read.wavefronts == plan.stage_read.fewest) return;
      planned_access const access = stage_access(stage, plan.out, 1, plan);
      if (access.wavefronts >= plan.stage_read.wavefronts) return;
      plan.stage_read = access;
      best = stage;
    };
    if (swizzles) look({{e0, e1}, {e1, 1}, most_bits, base, shift});
    for (int pads = 1; pads <= most_pads; ++pads) look({{e0, e1}, {e1 + pads * vi, 1}});
    plan.stage = best;
    plan.stage_written = stage_access(best, plan.in, vi, plan);
    put_cost(plan);
    if (plan.us < plans.limit()) plans.offer(plan);
  }
  /// Uses fewer bits for the swizzle, if they do as well.
  constexpr void simplify_stage(tiled_copy_plan& plan) const {
    planned_stage fewer = plan.stage;
    plan.plain_wavefronts =
        stage_access({{fewer.extent[0], fewer.extent[1]}, {fewer.extent[1], 1}}, plan.out, 1, plan).wavefronts;
    while (--fewer.bits > 0 && stage_access(fewer, plan.out, 1, plan).wavefronts == plan.stage_read.wavefronts)
      plan.stage = fewer;
  }
  static constexpr int most_pads = 4;
  static constexpr int log_of(int n) {
    int log = 0;
    while ((2 << log) <= n) ++log;
    return log;
  }
};

/// The copy in its simplest form. Elements keep their size, unless their addresses have a smaller alignment.
constexpr copy_problem problem_of_tiles(copy_problem const& p) {
  check_numbers(p);
  bool const narrow = p.source_alignment % p.element_bytes != 0 || p.target_alignment % p.element_bytes != 0;
  return simplified(p, narrow);
}

}  // namespace detail

/// The plans by which your kernel copies a problem with blocks of `threads` threads, best first. A plan has tiles,
/// thread and value layouts, atoms, and the stage in shared memory with its swizzle or padding. Throws `error` as
/// `simplified` does, if the block has fewer than 1 or more than 1024 threads, and if there are more tiles than blocks.
/// @param p is simplified here, without making elements larger
/// @param threads the threads of a block
constexpr tiled_copy_plans plan_copy(copy_problem const& p, int threads, device_model const& device = {}) {
  if (threads < 1 || threads > 1024) detail::plan_copy_threads_are_none_of_a_block(threads);
  detail::tiled_planner planner(detail::problem_of_tiles(p), threads, device);
  planner.run();
  return planner.plans;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
