// SPDX-License-Identifier: Apache-2.0
#include "timeline.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "formatted.hpp"
#include "page.hpp"
#include "report.hpp"
#include "sites.hpp"

namespace cosmati_sim {
namespace {

constexpr std::uint32_t no_mbarrier = ~0u;

std::uint64_t key_of(run_event_kind kind, unsigned lane, std::uint64_t object, std::uint64_t number) {
  return static_cast<std::uint64_t>(kind) << 58 | static_cast<std::uint64_t>(lane / 32) << 53 |
         (object & 0xffff) << 37 | (number & 0x1fffffffffull);
}

}  // namespace

bool timelines_are_wanted() {
  static bool const wanted = [] {
    char const* const text = std::getenv("COSMATI_SIM_TIMELINES");
    return page_is_wanted() || (report_is_wanted() && text != nullptr && std::strcmp(text, "1") == 0);
  }();
  return wanted;
}

void block_recorder::begin(worker const& w) {
  out_ = {};
  out_.block = w.block;
  out_.index = w.block_index;
  out_.threads = w.lanes_in_block;
  now_ = 0;
  places_.clear();
  named_.clear();
  mbarriers_.clear();
  committed_.assign(w.lanes_in_block, {0, 0});
  open_.assign(w.lanes_in_block, {false, false});
  arrivals_.assign(w.lanes_in_block, 0);
  waits_.assign(w.lanes_in_block, 0);
}

unsigned block_recorder::add(run_event_kind kind, std::uint32_t object, std::uint64_t amount, site where) {
  if (out_.event.size() == most_events) {
    ++out_.dropped;
    return 0;
  }
  cosmati::run_event e;
  e.kind = kind;
  e.object = object;
  e.amount = amount;
  e.first = e.last = now_;
  out_.event.push_back(std::move(e));
  out_.where.push_back(where);
  return static_cast<unsigned>(out_.event.size());
}

unsigned block_recorder::named(unsigned lane, run_event_kind kind, std::uint32_t object, std::uint64_t number,
                               std::uint64_t amount, site where) {
  std::uint64_t const key = key_of(kind, lane, object, number);
  if (auto const found = named_.find(key); found != named_.end()) return found->second;
  unsigned const event = add(kind, object, amount, where);
  if (event != 0) named_.emplace(key, event);
  return event;
}

void block_recorder::join(unsigned event, unsigned lane) {
  if (event == 0) return;
  cosmati::run_event& e = out_.event[event - 1];
  e.warp = lane / 32;
  e.lanes |= 1u << (lane % 32);
  e.last = now_;
}

unsigned block_recorder::at_place(unsigned lane, run_event_kind kind, std::uint32_t object, std::uint64_t amount,
                                  std::uint64_t bytes, site where) {
  ++now_;
  place& p = places_[key_of(kind, lane, 0, where.number != 0 ? where.number : static_cast<unsigned>(where.line))];
  std::uint32_t const time = p.times[lane % 32]++;
  if (p.events.size() <= time) {
    unsigned const added = add(kind, object, amount, where);
    if (added == 0) return 0;
    p.events.push_back(added);
  }
  unsigned const event = p.events[time];
  join(event, lane);
  if (event != 0) out_.event[event - 1].bytes += bytes;
  return event;
}

unsigned block_recorder::copy(unsigned lane, run_event_kind kind, unsigned bytes, site where) {
  ++now_;
  std::uint32_t const group = committed_[lane][kind == run_event_kind::bulk_store];
  open_[lane][kind == run_event_kind::bulk_store] = true;
  std::uint64_t const part = kind == run_event_kind::cp_async ? arrivals_[lane] : 0;
  unsigned const event = named(lane, kind, group, std::uint64_t{group} << 16 | part, 0, where);
  join(event, lane);
  if (event != 0) {
    out_.event[event - 1].bytes += bytes;
    ++out_.event[event - 1].amount;
  }
  return event;
}

void block_recorder::commit(unsigned lane, run_event_kind kind, site where, bool seen) {
  ++now_;
  bool const has_copies = std::exchange(open_[lane][kind == run_event_kind::bulk_commit], false);
  if (!seen && !has_copies) return;
  std::uint32_t const group = committed_[lane][kind == run_event_kind::bulk_commit]++;
  if (seen) join(named(lane, kind, group, group, 0, where), lane);
}

void block_recorder::barrier(unsigned lane, int id, site where) {
  waits_[lane] = at_place(lane, run_event_kind::barrier, static_cast<std::uint32_t>(id), 0, 0, where);
}

void block_recorder::barrier_done(int id, std::uint64_t const* lanes) {
  ++now_;
  add(run_event_kind::barrier_done, static_cast<std::uint32_t>(id), 0, {});
  for (unsigned i = 0; i < out_.threads; ++i) {
    if ((lanes[i / 64] >> (i % 64) & 1) == 0) continue;
    if (unsigned const event = std::exchange(waits_[i], 0); event != 0) out_.event[event - 1].until = now_;
  }
}

std::uint32_t block_recorder::number_of(std::uint64_t const* mbarrier) const {
  for (std::size_t i = mbarriers_.size(); i-- != 0;) {
    if (mbarriers_[i] == mbarrier) return static_cast<std::uint32_t>(i);
  }
  return no_mbarrier;
}

void block_recorder::mbarrier_init(unsigned lane, std::uint64_t const* at, std::uint32_t count, site where) {
  auto const number = static_cast<std::uint32_t>(mbarriers_.size());
  mbarriers_.push_back(at);
  at_place(lane, run_event_kind::mbarrier_init, number, count, 0, where);
}

void block_recorder::mbarrier_event(unsigned lane, run_event_kind kind, std::uint64_t const* at, std::uint64_t amount,
                                    std::uint64_t bytes, site where) {
  at_place(lane, kind, number_of(at), amount, bytes, where);
  if (kind == run_event_kind::mbarrier_copies) ++arrivals_[lane];
}

unsigned block_recorder::bulk_load(unsigned lane, std::uint64_t const* at, std::uint64_t phase, unsigned bytes,
                                   site where) {
  return at_place(lane, run_event_kind::bulk_load, number_of(at), phase, bytes, where);
}

void block_recorder::mbarrier_wait(unsigned lane, std::uint64_t const* at, std::uint64_t phase, bool over, site where) {
  ++now_;
  // A lane that polls counts as one wait.
  std::uint32_t const number = number_of(at);
  unsigned const event = named(lane, run_event_kind::mbarrier_wait, number, phase, phase, where);
  if (event == 0) return;
  cosmati::run_event& e = out_.event[event - 1];
  if ((e.lanes >> (lane % 32) & 1u) == 0) join(event, lane);
  waits_[lane] = over ? 0 : event;
  if (over) e.until = std::max(e.until, now_);
}

void block_recorder::mbarrier_seen(unsigned lane) {
  if (unsigned const event = std::exchange(waits_[lane], 0); event != 0) out_.event[event - 1].until = now_;
}

void block_recorder::phase_done(std::uint64_t const* at, std::uint64_t phase) {
  ++now_;
  add(run_event_kind::phase_done, number_of(at), phase, {});
}

void block_recorder::landed(std::uint64_t const* at, std::uint64_t bytes) {
  ++now_;
  if (!out_.event.empty() && out_.event.back().kind == run_event_kind::landed &&
      out_.event.back().object == number_of(at)) {  // the copies of several threads
    out_.event.back().bytes += bytes;
    out_.event.back().last = now_;
    return;
  }
  if (unsigned const event = add(run_event_kind::landed, number_of(at), 0, {}); event != 0)
    out_.event[event - 1].bytes = bytes;
}

void block_recorder::over(unsigned event) {
  if (event != 0) out_.event[event - 1].until = now_;
}

void block_recorder::hazard(unsigned lane, int kind, site where) {
  if (lane >= out_.threads) return;
  ++now_;
  join(add(run_event_kind::hazard, 0, static_cast<std::uint64_t>(kind), where), lane);
}

void block_recorder::exit(unsigned lane) {
  ++now_;
  unsigned const event = add(run_event_kind::exit, 0, 0, {});
  join(event, lane);
  if (event != 0) out_.event[event - 1].lanes = ~0u;
  // Tests that fail are no waits of its lanes.
  for (unsigned i = lane / 32 * 32; i < lane / 32 * 32 + 32 && i < out_.threads; ++i) mbarrier_seen(i);
}

// The time lines that are kept of a launch

namespace {

/// The kernels whose first block, or whose block with a hazard, is already kept.
struct kept_kernels {
  std::mutex mutex;
  std::set<std::string> first, faulty;
};
kept_kernels& kept() {
  static auto* const all = new kept_kernels;
  return *all;
}

cosmati::run_timeline finished(recorded_block&& b, std::string why) {
  cosmati::run_timeline t;
  t.why = std::move(why);
  t.block = {b.index.x, b.index.y, b.index.z};
  t.threads = b.threads;
  t.dropped = b.dropped;
  t.event = std::move(b.event);
  for (std::size_t i = 0; i < t.event.size(); ++i) {
    site const& where = b.where[i];
    if (where.number != 0) {
      program_line const line = line_of_site(where.number);
      t.event[i].file = line.file;
      t.event[i].line = line.line;
    } else if (where.file != nullptr) {
      t.event[i].file = where.file;
      t.event[i].line = where.line;
    }
  }
  return t;
}

}  // namespace

void launch_timelines::keep(recorded_block&& block, bool is_faulty) {
  bool const is_first = first && block.block == 0;
  if (!is_first && !(faulty && is_faulty)) return;
  blocks.push_back(std::move(block));
  std::sort(blocks.begin(), blocks.end(), [](auto const& a, auto const& b) { return a.block < b.block; });
  if (blocks.size() > most_faulty + 1) blocks.pop_back();
}

launch_timelines timelines_wanted_of(std::string const& kernel) {
  launch_timelines out;
  if (!timelines_are_wanted()) return out;
  kept_kernels& all = kept();
  std::lock_guard const lock(all.mutex);
  out.first = all.first.count(kernel) == 0;
  out.faulty = all.faulty.count(kernel) == 0;
  return out;
}

std::vector<cosmati::run_timeline> timelines_of(launch_timelines&& kept_blocks, std::string const& kernel,
                                                std::uint64_t faulty) {
  std::vector<cosmati::run_timeline> out;
  kept_kernels& all = kept();
  std::lock_guard const lock(all.mutex);
  for (recorded_block& b : kept_blocks.blocks) {
    bool const is_first = kept_blocks.first && b.block == 0;
    bool const is_faulty = kept_blocks.faulty && b.block == faulty;
    if (!is_first && !is_faulty) continue;
    if (is_first) all.first.insert(kernel);
    if (is_faulty) all.faulty.insert(kernel);
    out.push_back(finished(std::move(b), is_first && is_faulty ? "first block, and the first with a hazard"
                                         : is_first            ? "first block"
                                                               : "first block with a hazard"));
  }
  return out;
}

std::string json_of(std::vector<cosmati::run_timeline> const& timelines) {
  std::string out = "[";
  for (cosmati::run_timeline const& t : timelines) {
    std::vector<std::string> files;
    std::string events;
    for (cosmati::run_event const& e : t.event) {
      auto file = std::find(files.begin(), files.end(), e.file);
      if (file == files.end()) file = files.insert(file, e.file);
      events +=
          formatted("{}[{},{},{},{},{},{},{},{},{},{},{}]", events.empty() ? "" : ",", static_cast<int>(e.kind), e.warp,
                    e.lanes, e.object, e.first, e.last, e.until, e.amount, e.bytes, file - files.begin(), e.line);
    }
    std::string names;
    for (std::string const& f : files) names += (names.empty() ? "" : ",") + quoted(f);
    out += formatted(
        "{}{{\"why\": {}, \"block\": [{},{},{}], \"threads\": {}, \"dropped\": {}, \"files\": [{}], \"events\": [{}]}}",
        out.size() == 1 ? "" : ", ", quoted(t.why), t.block[0], t.block[1], t.block[2], t.threads, t.dropped, names,
        events);
  }
  return out + "]";
}

}  // namespace cosmati_sim
