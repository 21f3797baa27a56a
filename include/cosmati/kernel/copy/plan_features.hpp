// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the planner's corrections see of a plan: numbers that its costs are made of, and some that they leave out.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan_costs.hpp>
#include <cosmati/kernel/copy/plan_gathers.hpp>
#include <cosmati/kernel/copy/plan_once.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Kinds of plans that are corrected each by its own trees.
inline constexpr int plan_groups = 6;
/// A route, or what is loaded once.
constexpr int group_of(copy_plan const& plan) {
  return plan.route == copy_route::direct && plan.launch.once ? 5 : static_cast<int>(plan.route);
}

/// What is looked at, in the order of `plan_features::value`. "log": the binary logarithm.
#define COSMATI_PLAN_FEATURES(X)                                                  \
  /* of the problem; log of bytes: an element, all, the source's distinct ones */ \
  X(element) X(bytes) X(unique_bytes) X(read) X(unique) X(cut)                                                      \
  /* log of bytes of the innermost mode of each side, and of what the other side steps by along it */               \
  X(first_target) X(first_source) X(source_stride) X(target_stride)                                                 \
  /* log of powers of two that further strides are multiples of; of further extents; of bytes without a gap */      \
  X(target_aligned) X(source_aligned) X(second_target) X(third_target) X(second_source) X(third_source)             \
  X(target_run) X(source_run)                                                                                       \
  /* log of bytes of the target within a mode that repeats the source, before the source's neighbours, between them */ \
  X(repeat_inner) X(before) X(between)                                                                              \
  /* the best of each kind as predicted, beside the best of all */                                                  \
  X(best_direct) X(best_transpose) X(best_runs) X(best_windows) X(best_sectors) X(best_once)                        \
  /* of the plan: how it goes, what is predicted, of which the parts, log of their ratios */                        \
  X(kind) X(behind) X(memory) X(shared) X(issue) X(us) X(work_ratio) X(wait_ratio)                                  \
  /* through registers: the launch, how full the last vector is (by windows: a row, but for its gaps), log of */     \
  /* bytes of a block, of neighbours in the source that a block and a multiprocessor see at once, of rows; `vector` */ \
  /* and `block_bytes` by windows: of the part of a row that repeats its places, of all tables of places; */           \
  /* `wavefronts`, `in_flight`: log of sectors that a block, all blocks at once fetch for an element; `row_bytes`: log */ \
  /* of lines that a multiprocessor fetches at once; `stage`, `waves`: log of pages of a block, of all at once; */     \
  /* `window_use`, `run_use`: log of 64 bytes that come from memory for an element where a fifth of L2, all of it holds */ \
  /* what comes again; `row_log` of what is loaded once: of bytes loaded before the source's neighbours, */ \
  /* `repeats`: lines of a warp's load; `run_aligned`, `room`: sectors of a store that are cut, its lines */           \
  /* `run_tail`: elements of a row that are stored one by one; `row_tail`: a row's bytes beyond lines; `fill`: how */  \
  /* many slots are used; `rows`: log of rows that a warp has; `row_aligned`: log of how rows begin within 16 bytes */ \
  X(vector) X(threads) X(at_once) X(blocks) X(stream_loads) X(last_vector) X(block_bytes) X(block_lead) X(sm_lead)  \
  X(row_blocks)                                                                                                     \
  /* by tiles: log of bytes and number of runs and rows, of shared memory, blocks of a multiprocessor, rounds; */      \
  /* `wavefronts`: of shared memory for 32 elements on their way out, by windows and sectors counted of some loads */  \
  X(run_bytes) X(row_bytes) X(runs) X(rows) X(stage) X(room) X(waves) X(wave_fill) X(fill) X(run_fill) X(row_fill)  \
  X(run_aligned) X(row_aligned) X(wavefronts) X(in_flight) X(row_log) X(window_use) X(run_use) X(tile_bytes)        \
  X(tile_us) X(run_tail) X(row_tail) X(run_stride) X(run_stride_power) X(row_stride) X(source_modes) X(target_modes)  \
  /* log of bytes from element to element of the target's second and third mode, of powers of two in them */        \
  X(second_source_step) X(second_target_step) X(second_source_power) X(second_target_power)                         \
  X(third_source_step) X(third_target_step) X(third_source_power) X(third_target_power) X(first_source_power)       \
  /* the same of the first further mode that does not repeat the source, and its extent */                          \
  X(outer_extent) X(outer_target_step)                                                                              \
  /* loaded once: log of blocks that share a window's places, of places each, of turns of all multiprocessors, of */ \
  /* windows before the first of these modes, of its places that are slots */                                       \
  X(shares) X(share_each) X(share_waves) X(inside) X(together)                                                      \
  /* by windows: log of how often a tile stores what it loads, of a run's length to what of it is copied; loaded */ \
  /* once, `run_gaps`: elements of a run beyond windows */                                                          \
  /* by tiles: `block_lead`, `sm_lead`: log of pages of a tile on each side, `row_blocks`: of all tiles' for a us; */ \
  /* `shares`, `share_each`: what is read again and written in parts by the order of tiles, as tile_order says it */ \
  X(repeats) X(run_gaps)

enum class plan_feature : std::uint8_t {
#define COSMATI_PLAN_FEATURE(name) name,
  COSMATI_PLAN_FEATURES(COSMATI_PLAN_FEATURE)
#undef COSMATI_PLAN_FEATURE
      count
};
inline constexpr int plan_feature_count = static_cast<int>(plan_feature::count);

/// Numbers in units of 1/256, so that all compilers and machines compare the same.
struct plan_features {
  std::int16_t value[plan_feature_count] = {};

  constexpr std::int16_t operator[](plan_feature f) const { return value[static_cast<int>(f)]; }
  constexpr void set(plan_feature f, double x) {
    double const scaled = x * 256;
    value[static_cast<int>(f)] = scaled > 32767    ? std::int16_t{32767}
                                 : scaled < -32768 ? std::int16_t{-32768}
                                                   : static_cast<std::int16_t>(scaled);
  }
  /// The binary logarithm, linear between powers of two; -64 of what is not positive.
  constexpr void set_log(plan_feature f, double x) {
    std::int64_t const fixed =
        x > 0 ? (__builtin_bit_cast(std::int64_t, x) >> 44) - (std::int64_t{1023} << 8) : -64 * 256;
    value[static_cast<int>(f)] = static_cast<std::int16_t>(fixed < -64 * 256 ? -64 * 256 : fixed);
  }
};

/// The features of a problem and its plans. @param best_us the best of each route as predicted, 0 where there is none
class plan_view {
  using enum plan_feature;

 public:
  constexpr plan_view(copy_problem const& p, copy_device const& device, double const (&best_us)[plan_groups])
      : p_(p), device_(device), order_(p), element_(p.element_bytes), size_(static_cast<double>(p.size())) {
    for (double const us : best_us)
      if (us > 0 && (best_us_ == 0 || us < best_us_)) best_us_ = us;
    see_modes();
    see_strides();
    for (bool const once : {false, true}) {
      beyond_few_[once] = pieces_beyond(p_, device_.l2_bytes / 5 / 64, once, 64);
      beyond_l2_[once] = pieces_beyond(p_, device_.l2_bytes / 64, once, 64);
    }
    for (int g = 0; g < plan_groups; ++g) {
      double const behind_by = best_us[g] > 0 ? best_us[g] / best_us_ : 5;
      problem_.set(static_cast<plan_feature>(static_cast<int>(best_direct) + g), behind_by < 5 ? behind_by : 5);
    }
  }
  constexpr plan_features of(copy_plan const& plan) const {
    plan_features f = problem_;
    f.set(kind, static_cast<int>(plan.route) + (plan.bulk ? 5 : 0));
    f.set(behind, plan.us / best_us_);
    f.set(memory, plan.memory_us / plan.us);
    f.set(shared, plan.shared_us / plan.us);
    f.set(issue, plan.issue_us / plan.us);
    f.set_log(us, plan.us);
    f.set_log(work_ratio, plan.memory_us > 0 ? plan.shared_us / plan.memory_us : 0);
    f.set_log(wait_ratio, plan.memory_us > 0 ? plan.issue_us / plan.memory_us : 0);
    if (plan.route == copy_route::direct)
      see_launch(f, plan);
    else if (plan.route == copy_route::transpose)
      see_transpose(f, plan);
    else
      see_tile(f, plan);
    // A constant knows nothing of it.
    if (!__builtin_is_constant_evaluated() && plan.route != copy_route::direct)
      see_order(f, tile_order::of(p_, tiles_of_plan(p_, plan)));
    return f;
  }
  /// Of plans by tiles that are taken in this order.
  static constexpr void see_order(plan_features& f, tile_order const& order) {
    f.set(shares, 64 * order.again);
    f.set(share_each, 64 * order.in_parts);
  }

 private:
  constexpr void see_modes() {
    copy_traffic const traffic(p_, device_);
    problem_.set_log(element, element_);
    problem_.set_log(bytes, size_ * element_);
    problem_.set_log(unique_bytes, traffic.unique * device_.bytes_per_us);
    problem_.set(read, traffic.read / traffic.useful);
    problem_.set(unique, traffic.unique / traffic.useful);
    problem_.set(cut, traffic.refill / traffic.useful);
    copy_mode const none = {};
    auto const target_mode = [&](int k) { return k < p_.rank ? p_.mode[k] : none; };
    auto const source_mode = [&](int k) { return k < p_.rank ? p_.mode[order_.mode[k]] : none; };
    problem_.set_log(first_target, static_cast<double>(target_mode(0).extent) * element_);
    problem_.set_log(first_source, static_cast<double>(source_mode(0).extent) * element_);
    problem_.set_log(source_stride, static_cast<double>(magnitude(target_mode(0).source)) * element_);
    problem_.set_log(target_stride, static_cast<double>(source_mode(0).target) * element_);
    problem_.set_log(second_target, static_cast<double>(target_mode(1).extent));
    problem_.set_log(third_target, static_cast<double>(target_mode(2).extent));
    problem_.set_log(second_source, static_cast<double>(source_mode(1).extent));
    problem_.set_log(third_source, static_cast<double>(source_mode(2).extent));
    see_steps(1, second_source_step);
    see_steps(2, third_source_step);
    problem_.set_log(first_source_power, power_of(target_mode(0).source));
    int outer = 1;
    while (outer < p_.rank && p_.mode[outer].source == 0) ++outer;
    problem_.set_log(outer_extent, static_cast<double>(target_mode(outer).extent));
    problem_.set_log(outer_target_step, static_cast<double>(target_mode(outer).target) * element_);
  }
  /// Of one of the target's modes: four features, the first of which is given.
  constexpr void see_steps(int m, plan_feature first) {
    copy_mode const mode = m < p_.rank ? p_.mode[m] : copy_mode{};
    auto const feature = [&](int k) { return static_cast<plan_feature>(static_cast<int>(first) + k); };
    problem_.set_log(feature(0), static_cast<double>(magnitude(mode.source)) * element_);
    problem_.set_log(feature(1), static_cast<double>(mode.target) * element_);
    problem_.set_log(feature(2), power_of(mode.source));
    problem_.set_log(feature(3), power_of(mode.target));
  }
  /// The largest power of two, up to 2^20, of which a step's bytes are a multiple; that of no step.
  constexpr double power_of(std::int64_t step) const {
    return static_cast<double>(power_of_two_in(step * p_.element_bytes, std::int64_t{1} << 20));
  }
  constexpr void see_strides() {
    std::int64_t in = 128, out = 128, target_whole = 1, source_whole = 1;
    double inner = 1, distance = 64 / element_;
    bool found = false;
    for (int m = 0; m < p_.rank; ++m) {
      copy_mode const &here = p_.mode[m], &from = p_.mode[order_.mode[m]];
      double const extent = static_cast<double>(here.extent);
      if (m > 0) out = power_of_two_in(here.target * p_.element_bytes, out);
      if (m > 0 && from.source != 0) in = power_of_two_in(from.source * p_.element_bytes, in);
      if (here.target == target_whole) target_whole *= here.extent;
      if (from.source == source_whole) source_whole *= from.extent;
      if (here.source == 0 && repeated_ == 0) repeated_ = inner;
      found = found || magnitude(here.source) == 1;
      if (!found) before_ *= extent;
      if (!found && here.source != 0) loaded_before_ *= extent;
      if (magnitude(here.source) == (p_.mode[0].source == 1 ? p_.mode[0].extent : 1))
        problem_.set_log(between, distance * element_);
      if (here.source != 0) distance *= extent;
      inner *= extent;
    }
    problem_.set_log(target_aligned, static_cast<double>(out));
    problem_.set_log(source_aligned, static_cast<double>(in));
    problem_.set_log(target_run, static_cast<double>(target_whole) * element_);
    problem_.set_log(source_run, static_cast<double>(source_whole) * element_);
    problem_.set_log(repeat_inner, repeated_ * element_);
    problem_.set_log(before, before_ * element_);
  }
  constexpr void see_launch(plan_features& f, copy_plan const& plan) const {
    direct_launch const& how = plan.launch;
    double const row = p_.rank > 0 ? static_cast<double>(p_.mode[0].extent) : 1, each = how.at_once * plan.vector,
                 block = how.threads * each;
    f.set_log(vector, plan.vector * element_);
    f.set_log(threads, how.threads);
    f.set(at_once, how.at_once);
    f.set(blocks, how.blocks);
    f.set(stream_loads, (how.stream_loads ? 1 : 0) + (plan.together ? 2 : 0) + (how.stream_stores ? 4 : 0));
    f.set(last_vector, row / plan.vector / static_cast<double>(ceil_of(static_cast<std::int64_t>(row), plan.vector)));
    f.set_log(block_bytes, block * element_);
    f.set_log(row_blocks, block / row);
    // Of neighbours in the source, a step of the target's outer modes apart: what L1 may hold for them.
    double const lead = element_ / before_;
    int const resident = how.blocks > 0 && how.blocks * how.threads < 2048 ? how.blocks * how.threads : 2048;
    f.set_log(block_lead, block * lead);
    f.set_log(wavefronts, pieces_of_block(p_, block, how.once, sector_bytes) / block);
    f.set_log(sm_lead, resident * each * lead);
    double const everywhere = device_.multiprocessors * resident * each;
    f.set_log(row_bytes, pieces_of_block(p_, block, how.once, line_bytes) * resident / how.threads);
    f.set_log(stage, pieces_of_block(p_, block, how.once, page_bytes));
    f.set_log(waves, pieces_of_block(p_, everywhere, how.once, page_bytes));
    f.set_log(in_flight, pieces_of_block(p_, everywhere, how.once, sector_bytes) / everywhere);
    f.set_log(window_use, beyond_few_[how.once]);
    f.set_log(run_use, beyond_l2_[how.once]);
    if (!how.once) {
      std::int64_t const extent = static_cast<std::int64_t>(row),
                         slots = (extent + (plan.vector - 1) * (plan.together ? 1 : 2)) / plan.vector;
      f.set(run_tail, plan.together && is_contiguous(p_) ? 0 : single_stores(p_, plan.vector));
      f.set(row_tail, static_cast<double>(extent * p_.element_bytes % 128));
      f.set(fill, row / static_cast<double>(slots * plan.vector));
      f.set_log(rows, 32.0 / static_cast<double>(slots));
      std::int64_t ends = 16;
      for (int m = 1; m < p_.rank; ++m) ends = power_of_two_in(p_.mode[m].target * p_.element_bytes, ends);
      f.set_log(row_aligned, static_cast<double>(ends));
    }
    if (!how.once) return;
    see_once(f, once_windows::of(p_, plan.vector, how.threads), how.threads);
  }
  constexpr void see_once(plan_features& f, once_windows const& w, int block) const {
    std::int64_t const share = w.places_each(block, static_cast<int>(device_.multiprocessors)),
                       run = w.run_length * p_.element_bytes, step = w.place[0].target * p_.element_bytes;
    double const slots = static_cast<double>(w.slots()), parts = static_cast<double>(ceil_of(w.slots(), block)),
                 shared_by = static_cast<double>(ceil_of(w.places, share));
    f.set_log(runs, static_cast<double>(w.places));
    f.set_log(rows, slots / block);
    f.set_log(inside, static_cast<double>(w.slots_inside));
    f.set_log(together, static_cast<double>(w.together));
    f.set_log(shares, shared_by);
    f.set_log(share_each, static_cast<double>(share));
    double const turns = parts * shared_by * block / (2048 * device_.multiprocessors);
    f.set_log(share_waves, turns);
    f.set(wave_fill, turns / static_cast<double>(ceil_of(static_cast<std::int64_t>(turns * 1000), 1000)));
    f.set(fill, static_cast<double>(w.places) / (shared_by * static_cast<double>(share)));
    f.set(run_fill, slots / (parts * block));
    f.set_log(run_stride_power, static_cast<double>(power_of_two_in(share * step, std::int64_t{1} << 20)));
    f.set_log(tile_bytes, slots * static_cast<double>(w.bytes));
    f.set_log(run_bytes, static_cast<double>(run));
    f.set_log(run_stride, static_cast<double>(step));
    f.set_log(row_stride, static_cast<double>(w.windows));
    f.set(row_fill, static_cast<double>(run) / static_cast<double>(w.windows * w.bytes));
    f.set(source_modes, w.repeating);
    f.set(target_modes, w.run_modes + (w.in_run ? 16 : 0));
    f.set(run_tail, static_cast<double>(run % 128));
    f.set(row_tail, static_cast<double>(step % 128));
    f.set(run_gaps, static_cast<double>(run % w.bytes) / element_);
    f.set_log(row_log, loaded_before_ * element_);
    once_accesses warp = {.load_lines = 16, .store_lines = 4};
    if (!__builtin_is_constant_evaluated()) warp = once_accesses::of(p_, w);
    f.set(repeats, warp.load_lines * element_ / static_cast<double>(w.bytes));
    f.set(run_aligned, warp.cut_sectors);
    f.set(room, warp.store_lines);
    std::int64_t aligned = 128;
    for (int m = 0; m < w.repeating; ++m) aligned = power_of_two_in(w.place[m].target * p_.element_bytes, aligned);
    f.set_log(row_aligned, static_cast<double>(aligned));
  }
  constexpr void see_transpose(plan_features& f, copy_plan const& plan) const {
    copy_mode const &column = p_.mode[plan.column_mode], &row = p_.mode[plan.row_mode];
    std::int64_t const side = transpose_side(p_, plan.vector);
    double const column_fill = filled_by(column.extent, side), across_fill = filled_by(row.extent, side);
    std::int64_t run_begins = 128, row_begins = 128;
    for (int m = 0; m < p_.rank; ++m) {
      if (m != plan.column_mode) run_begins = power_of_two_in(p_.mode[m].source * p_.element_bytes, run_begins);
      if (m != plan.row_mode) row_begins = power_of_two_in(p_.mode[m].target * p_.element_bytes, row_begins);
    }
    f.set_log(vector, plan.vector * element_);
    f.set_log(run_bytes, static_cast<double>(column.extent) * element_);
    f.set_log(row_bytes, static_cast<double>(row.extent) * element_);
    f.set(run_fill, column_fill);
    f.set(row_fill, across_fill);
    f.set(fill, column_fill * across_fill);
    f.set_log(run_aligned, static_cast<double>(run_begins));
    f.set_log(row_aligned, static_cast<double>(row_begins));
    f.set_log(run_stride, static_cast<double>(magnitude(row.source)) * element_);
    f.set_log(run_stride_power, power_of(row.source));
    f.set_log(row_stride, static_cast<double>(column.target) * element_);
    double const tiles = transpose_tiles_of(p_, plan.column_mode, plan.row_mode, plan.vector);
    f.set_log(waves, tiles / device_.multiprocessors);
    std::int64_t extent[copy_max_rank + 1] = {};
    for (int m = 0; m < p_.rank; ++m)
      extent[m] =
          m == plan.column_mode || m == plan.row_mode ? (p_.mode[m].extent < side ? p_.mode[m].extent : side) : 1;
    see_pages(f, plan, extent, tiles);
  }
  constexpr void see_pages(plan_features& f, copy_plan const& plan, std::int64_t const* extent, double tiles) const {
    double const from = pieces_of_tile(p_, extent, true, page_bytes),
                 to = pieces_of_tile(p_, extent, false, page_bytes);
    f.set_log(block_lead, from);
    f.set_log(sm_lead, to);
    f.set_log(row_blocks, (from + to) * tiles / plan.us);
  }
  constexpr void see_tile(plan_features& f, copy_plan const& plan) const {
    bool const by_sectors = plan.route == copy_route::sectors;
    int const in_run = by_sectors ? plan.sectors.source_modes : plan.tile.source_modes,
              in_row = by_sectors ? plan.sectors.target_modes : plan.tile.target_modes;
    double run = 1, row = 1, elements = 1, tiles = 1, runs_here = 0, rows_here = 0, shared_bytes = 0, room_here = 0,
           filled = 1, run_filled = 1, row_filled = 1, across = 0, used = 1, run_used = 1, gathered = plan.wavefronts;
    std::int64_t run_begins = 64, row_begins = 64;
    if (by_sectors) {
      sector_sizes const s = sector_sizes::of(p_, plan.sectors);
      std::int64_t all_rows = 1, all_row = 1;
      for (int k = 0; k < p_.rank; ++k) {
        int const m = order_.mode[k];
        if (k < in_run)
          all_rows *= p_.mode[m].extent;
        else
          run_begins = power_of_two_in(p_.mode[m].source * p_.element_bytes, run_begins);
        if (m < in_row)
          all_row *= p_.mode[m].extent;
        else
          row_begins = power_of_two_in(p_.mode[m].target * p_.element_bytes, row_begins);
      }
      run = static_cast<double>(plan.sectors.run_length);
      row = static_cast<double>(plan.sectors.row_length);
      elements = run * row;
      runs_here = s.runs;
      rows_here = s.rows;
      shared_bytes = static_cast<double>(s.shared_bytes());
      room_here = static_cast<double>(s.blocks());
      double const along = static_cast<double>(ceil_of(all_row + s.slack, plan.sectors.row_length)),
                   wide = static_cast<double>(ceil_of(all_rows, plan.sectors.run_length));
      tiles = along * wide * size_ / (static_cast<double>(all_rows) * static_cast<double>(all_row));
      run_filled = static_cast<double>(all_rows) / (wide * run);
      row_filled = static_cast<double>(all_row) / (along * row);
      gathered = __builtin_is_constant_evaluated()
                     ? 1.5  // mostly
                     : sector_gathers(sector_tiles::of(p_, plan.sectors), p_.element_bytes).wavefronts();
      filled = run_filled * row_filled;
    } else {
      run_tile const& tile = plan.tile;
      run_begins = alignment_of_runs(p_, order_, tile, true);
      row_begins = alignment_of_runs(p_, order_, tile, false);
      for (int m = 0; m < p_.rank; ++m) {
        double const extent = static_cast<double>(tile.extent[m]),
                     n = static_cast<double>(ceil_of(p_.mode[m].extent, tile.extent[m])),
                     part = static_cast<double>(p_.mode[m].extent) / n / extent;
        tiles *= n;
        elements *= extent;
        filled *= part;
        if (m == order_.mode[in_run - 1]) run_filled = part;
        if (m == in_row - 1) row_filled = part;
        if (m < in_row) row *= extent;
      }
      for (int k = 0; k < in_run; ++k) run *= static_cast<double>(tile.extent[order_.mode[k]]);
      runs_here = elements / run;
      rows_here = elements / row;
      if (plan.route == copy_route::runs) {
        shared_bytes = static_cast<double>(run_sizes::of(p_, order_, tile).shared_bytes());
        room_here = static_cast<double>(static_cast<std::int64_t>(device_.shared_bytes / (shared_bytes + 1024)));
        if (room_here > 8) room_here = 8;
        run_used = run / static_cast<double>(ceil_of(static_cast<std::int64_t>(run), 32) * 32);
      } else {
        window_sizes const s = window_sizes::of(p_, order_, tile);
        shared_bytes = static_cast<double>(s.stage_bytes) * window_copy_stages;
        room_here = static_cast<double>(s.blocks());
        runs_here = s.runs;
        f.set_log(repeats, static_cast<double>(times_stored(p_, tile)));
        double const copied = run;
        run = s.run_elements(static_cast<std::uint32_t>(tile.extent[order_.mode[in_run - 1]]));
        row = s.row_length;
        f.set(last_vector, s.row_copied / row);
        f.set_log(vector, static_cast<double>(s.period) * element_);
        f.set_log(block_bytes, static_cast<double>(s.places_bytes()));
        f.set_log(run_gaps, run / copied);
        int const log = window_row_log(s), along_runs = window_run_log(s);
        std::int64_t const windows = ceil_of(s.row_length, s.each);
        across = log;
        used = static_cast<double>(windows) / static_cast<double>(ceil_of(windows, 1 << log) << log);
        run_used = static_cast<double>(s.runs) * s.windows /
                   (static_cast<double>(ceil_of(s.runs, window_copy_threads >> along_runs) *
                                        ceil_of(s.windows, 1 << along_runs)) *
                    window_copy_threads);
        gathered = __builtin_is_constant_evaluated()
                       ? plan.wavefronts / used
                       : window_gathers(window_tiles::of(p_, tile), p_.element_bytes).wavefronts();
      }
    }
    if (!by_sectors) see_pages(f, plan, plan.tile.extent, tiles);
    double const waves_here = tiles / (room_here * device_.multiprocessors);
    f.set(wavefronts, gathered);
    f.set_log(run_bytes, run * element_);
    f.set_log(row_bytes, row * element_);
    f.set_log(runs, runs_here);
    f.set_log(rows, rows_here);
    f.set_log(stage, shared_bytes);
    f.set(room, room_here);
    f.set_log(waves, waves_here);
    f.set(wave_fill, waves_here / static_cast<double>(ceil_of(static_cast<std::int64_t>(waves_here * 1000), 1000)));
    f.set(fill, filled);
    f.set(run_fill, run_filled);
    f.set(row_fill, row_filled);
    f.set_log(run_aligned, static_cast<double>(run_begins));
    f.set_log(row_aligned, static_cast<double>(row_begins));
    f.set(in_flight, device_.multiprocessors * room_here * shared_bytes / 1e6);
    f.set(row_log, across);
    f.set(window_use, used);
    f.set(run_use, run_used);
    f.set_log(tile_bytes, elements * element_);
    f.set_log(tile_us, plan.us * elements / size_ * device_.multiprocessors);
    f.set(run_tail, static_cast<double>(static_cast<std::int64_t>(run * element_) % 128));
    f.set(row_tail, static_cast<double>(static_cast<std::int64_t>(row * element_) % 128));
    f.set(source_modes, in_run);
    f.set(target_modes, in_row);
    std::int64_t run_step = 0, row_step = 0;  // from one run, one row, to the next
    for (int k = 0; k < p_.rank; ++k) {
      int const m = order_.mode[k];
      if (m < in_row && k >= in_run && run_step == 0) run_step = p_.mode[m].source * p_.element_bytes;
      if (m >= in_row && k < in_run && row_step == 0) row_step = p_.mode[m].target * p_.element_bytes;
    }
    f.set_log(run_stride, static_cast<double>(run_step));
    f.set_log(run_stride_power, run_step > 0 ? static_cast<double>(power_of_two_in(run_step, 1 << 16)) : 0);
    f.set_log(row_stride, static_cast<double>(row_step));
  }

  copy_problem const& p_;
  copy_device const& device_;
  source_order order_;
  double element_, size_;
  double best_us_ = 0, before_ = 1, loaded_before_ = 1, repeated_ = 0;
  double beyond_few_[2] = {}, beyond_l2_[2] = {};  // what comes from memory for an element, not once and once
  plan_features problem_;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
