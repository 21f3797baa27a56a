// SPDX-License-Identifier: Apache-2.0
/// @file
/// `run_timeline`: the barriers and asynchronous copies of one block's warps on the simulated device. timeline_svg.hpp
/// draws it.
///
/// Time is the order in which the simulated device processed the events, in ticks. It does not measure seconds.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <array>
#include <cosmati/core/config.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

/// The kinds of events of a time line.
enum class run_event_kind : std::uint8_t {
  cp_async,     ///< copies of one group; `object` is the group's number, which the thread counts
  commit,       ///< commits the group `object`
  wait,         ///< waits for all but the newest `amount` groups; `object` is 1 if it waits for uncommitted copies too
  bulk_load,    ///< signals the mbarrier `object`
  bulk_store,   ///< part of the bulk group `object`
  bulk_commit,  ///< commits the bulk group `object`
  bulk_wait,    ///< waits for all but the newest `amount` bulk groups; `object` is 1 if it waits for their sources only
  barrier,      ///< a thread arrives at the barrier `object` (0: __syncthreads) and waits
  barrier_arrive,   ///< bar.arrive: arrives without waiting
  mbarrier_init,    ///< initialises the mbarrier `object` for `amount` arrivals
  mbarrier_inval,   ///< ends the mbarrier `object`
  mbarrier_arrive,  ///< `amount` arrivals, with `bytes` more expected
  mbarrier_expect,  ///< expect_tx of `bytes`
  mbarrier_copies,  ///< cp.async.mbarrier.arrive: an arrival when the thread's copies are complete
  mbarrier_wait,    ///< waits for phase `amount` of the mbarrier `object`
  hazard,           ///< a hazard; `amount` is its number among the kinds of the simulated device
  exit,             ///< the last lane of the warp ends
  barrier_done,     ///< without a warp: the barrier `object` releases its threads
  landed,           ///< without a warp: `bytes` that the mbarrier `object` counts have arrived
  phase_done        ///< without a warp: phase `amount` of the mbarrier `object` completes
};
inline constexpr int run_event_kinds = 20;

/// An action of lanes of one warp at one point of the program, or a change of a barrier.
struct run_event {
  run_event_kind kind = run_event_kind::exit;
  std::uint32_t warp = 0;
  std::uint32_t lanes = 0;   ///< the mask of the lanes
  std::uint32_t object = 0;  ///< number of the group, barrier or mbarrier
  std::uint64_t first = 0;   ///< the tick at which its first lane arrived
  std::uint64_t last = 0;    ///< the tick at which its last lane arrived
  std::uint64_t until = 0;   ///< the tick at which the last lane continued, or the copies were waited for or complete;
                             ///< 0: never
  std::uint64_t amount = 0;
  std::uint64_t bytes = 0;
  std::string file;  ///< the file of the program's line; empty if unknown
  int line = 0;

  /// Whether the event happens to a barrier instead of in a warp.
  bool of_no_warp() const { return kind >= run_event_kind::barrier_done; }
};

/// One block of a launch.
struct run_timeline {
  std::string why;  ///< why it was chosen, such as "first block"
  std::array<unsigned, 3> block{};
  unsigned threads = 0;
  std::vector<run_event> event;
  std::uint64_t dropped = 0;  ///< the events of single threads that were dropped because the limit was reached
};

namespace detail {

/// The columns of a time line's events, from the left.
///
/// Events of warps between two releases are not ordered by them, so they share a column. A release is a barrier that
/// lets go, a copy that completes, or a phase that completes. It is right of everything before it, and left of
/// everything after it.
struct timeline_columns {
  std::vector<std::size_t> order;  ///< the events by tick
  std::vector<int> column;         ///< the column of each event
  int columns = 0;

  explicit timeline_columns(run_timeline const& t) : column(t.event.size()) {
    order.resize(t.event.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return t.event[a].last < t.event[b].last; });
    std::vector<int> next((t.threads + 31) / 32, 0);
    for (std::size_t const i : order) {
      run_event const& e = t.event[i];
      if (e.of_no_warp()) {
        column[i] = columns++;
        next.assign(next.size(), columns);
      } else if (e.warp < next.size()) {
        column[i] = next[e.warp]++;
        columns = std::max(columns, next[e.warp]);
      }
      ticks_.push_back(e.last);
    }
  }

  /// The column of the event at this tick or next; after all columns if there is none.
  int at(std::uint64_t tick) const {
    auto const found = std::lower_bound(ticks_.begin(), ticks_.end(), tick);
    if (tick == 0 || found == ticks_.end()) return columns;
    return column[order[static_cast<std::size_t>(found - ticks_.begin())]];
  }

 private:
  std::vector<std::uint64_t> ticks_;
};

inline bool is_copy(run_event_kind k) {
  return k == run_event_kind::cp_async || k == run_event_kind::bulk_load || k == run_event_kind::bulk_store;
}

/// Gives "lanes 0-31".
inline std::string lanes_text(std::uint32_t mask) {
  std::string out;
  int lanes = 0;
  for (int i = 0; i < 32; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    int last = i;
    while (last + 1 < 32 && (mask >> (last + 1) & 1u) != 0) ++last;
    out += (out.empty() ? "" : ",") + std::to_string(i) + (last > i ? "-" + std::to_string(last) : std::string());
    lanes += last - i + 1;
    i = last;
  }
  return (lanes == 1 ? "lane " : "lanes ") + out;
}

/// What happens in a copy's event, or a wait's for copies; empty for any other event.
inline std::string copy_event_words(run_event const& e) {
  using k = run_event_kind;
  auto const n = [](auto x) { return std::to_string(x); };
  switch (e.kind) {
    case k::cp_async:
      return "cp.async group " + n(e.object) + ": " + n(e.amount) + " copies, " + n(e.bytes) + " bytes";
    case k::commit:
      return "cp.async.commit_group " + n(e.object);
    case k::wait:
      return e.object != 0 ? "cp.async.wait_all" : "cp.async.wait_group " + n(e.amount);
    case k::bulk_load:
      return "cp.async.bulk to shared memory, " + n(e.bytes) + " bytes, signals mbarrier " + n(e.object) + ", phase " +
             n(e.amount);
    case k::bulk_store:
      return "cp.async.bulk to global memory, group " + n(e.object) + ": " + n(e.bytes) + " bytes";
    case k::bulk_commit:
      return "cp.async.bulk.commit_group " + n(e.object);
    case k::bulk_wait:
      return "cp.async.bulk.wait_group" + std::string(e.object != 0 ? ".read " : " ") + n(e.amount);
    case k::landed:
      return n(e.bytes) + " bytes have landed that mbarrier " + n(e.object) + " counts";
    default:
      return {};
  }
}

/// What happens in a barrier's or an mbarrier's event; empty for any other event.
inline std::string barrier_event_words(run_event const& e) {
  using k = run_event_kind;
  auto const n = [](auto x) { return std::to_string(x); };
  switch (e.kind) {
    case k::barrier:
      return e.object == 0 ? "__syncthreads" : "barrier " + n(e.object);
    case k::barrier_arrive:
      return "bar.arrive " + n(e.object);
    case k::barrier_done:
      return (e.object == 0 ? std::string("__syncthreads") : "barrier " + n(e.object)) + " lets its threads go on";
    case k::mbarrier_init:
      return "mbarrier.init of " + n(e.object) + ", " + n(e.amount) + " arrivals a phase";
    case k::mbarrier_inval:
      return "mbarrier.inval of " + n(e.object);
    case k::mbarrier_arrive:
      return "mbarrier.arrive at " + n(e.object) + ", " + n(e.amount) + (e.amount == 1 ? " arrival" : " arrivals") +
             (e.bytes != 0 ? ", expects " + n(e.bytes) + " bytes" : std::string());
    case k::mbarrier_expect:
      return "mbarrier.expect_tx at " + n(e.object) + ", " + n(e.bytes) + " bytes";
    case k::mbarrier_copies:
      return "cp.async.mbarrier.arrive at " + n(e.object);
    case k::mbarrier_wait:
      return "waits for phase " + n(e.amount) + " of mbarrier " + n(e.object);
    case k::phase_done:
      return "phase " + n(e.amount) + " of mbarrier " + n(e.object) + " completes";
    default:
      return {};
  }
}

/// What the reader is told who points at it.
inline std::string words_of(run_event const& e) {
  using k = run_event_kind;
  std::string text = copy_event_words(e) + barrier_event_words(e);
  if (e.kind == k::hazard) text = "hazard";
  if (e.kind == k::exit) text = "the warp has ended";
  if (e.lanes != 0 && e.lanes != ~0u && e.kind != k::exit) text += "; " + lanes_text(e.lanes);
  if (e.line != 0) {
    std::size_t const slash = e.file.rfind('/');
    text += "; " + (slash == std::string::npos ? e.file : e.file.substr(slash + 1)) + ":" + std::to_string(e.line);
  }
  bool const waits = e.kind == k::barrier || e.kind == k::mbarrier_wait || is_copy(e.kind);
  if (waits && e.until == 0) text += is_copy(e.kind) ? "; never waited for" : "; never goes on";
  return text;
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
