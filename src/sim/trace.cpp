// SPDX-License-Identifier: Apache-2.0
#include "trace_state.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>

namespace cosmati_sim {

struct worker_trace {
  // A list of keys, which is searched linearly, because a kernel has few different accesses.
  struct counted {
    char const* instruction;
    std::uint32_t bytes;
    int kind, space;
    std::uint64_t accesses;
  };
  std::vector<counted> counts;
  std::vector<cosmati_sim_traced> records;
  std::vector<std::uint32_t> of_lane;
  std::uint32_t records_per_thread = 0;
  std::uint64_t blocks_recorded = 0;
};

namespace {

using key = std::tuple<int, int, std::uint32_t, std::string_view>;

struct trace {
  std::uint32_t records_per_thread = 0;
  std::uint64_t blocks_recorded = 0;
  std::map<key, std::uint64_t> counts;
  std::vector<cosmati_sim_traced> records;
  std::size_t ordered = 0;  // the records of former launches
};

std::mutex mutex;
std::unique_ptr<trace> the_trace;

}  // namespace

bool trace_is_on() {
  std::lock_guard const lock(mutex);
  return the_trace != nullptr;
}

void trace_launch_begins(worker& w) {
  std::lock_guard const lock(mutex);
  w.trace = new worker_trace;
  w.trace->of_lane.resize(max_lanes);
  w.trace->records_per_thread = the_trace->records_per_thread;
  w.trace->blocks_recorded = the_trace->blocks_recorded;
}

void trace_block_begins(worker& w) { std::fill(w.trace->of_lane.begin(), w.trace->of_lane.end(), 0); }

void trace_launch_ends(worker& w) {
  std::lock_guard const lock(mutex);
  for (auto const& c : w.trace->counts) {
    the_trace->counts[{c.kind, c.space, c.bytes, c.instruction}] += c.accesses;
  }
  the_trace->records.insert(the_trace->records.end(), w.trace->records.begin(), w.trace->records.end());
  delete w.trace;
  w.trace = nullptr;
}

void trace_collect() {
  std::lock_guard const lock(mutex);
  auto const first = the_trace->records.begin() + static_cast<std::ptrdiff_t>(the_trace->ordered);
  std::stable_sort(first, the_trace->records.end(), [](auto const& a, auto const& b) {
    return std::tie(a.block, a.thread) < std::tie(b.block, b.thread);
  });
  the_trace->ordered = the_trace->records.size();
}

void trace_access(worker const& w, std::uintptr_t address, std::size_t bytes, int kind, int space,
                  std::uintptr_t allocation_low, char const* instruction) {
  worker_trace& t = *w.trace;
  char const* const name = instruction != nullptr ? instruction : "";
  auto const width = static_cast<std::uint32_t>(bytes);
  auto const same = [&](worker_trace::counted const& c) {
    return c.instruction == name && c.bytes == width && c.kind == kind && c.space == space;
  };
  auto const found = std::find_if(t.counts.begin(), t.counts.end(), same);
  if (found != t.counts.end()) {
    ++found->accesses;
  } else {
    t.counts.push_back({name, width, kind, space, 1});
  }
  if (space > 1 || w.block >= t.blocks_recorded || t.of_lane[w.current] >= t.records_per_thread) return;
  ++t.of_lane[w.current];
  t.records.push_back({w.block, allocation_low, address - allocation_low, 1, w.current, width, kind, space, name});
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

int cosmati_sim_trace_begin(std::uint32_t records_per_thread, std::uint64_t blocks_recorded) {
  std::lock_guard const lock(mutex);
  if (the_trace != nullptr) return 1;
  the_trace = std::make_unique<trace>();
  the_trace->records_per_thread = records_per_thread;
  the_trace->blocks_recorded = blocks_recorded;
  return 0;
}

void cosmati_sim_trace_end(void) {
  std::lock_guard const lock(mutex);
  the_trace.reset();
}

void cosmati_sim_trace_counts(void (*visit)(void* out, cosmati_sim_traced const* count), void* out) {
  std::lock_guard const lock(mutex);
  if (the_trace == nullptr) return;
  for (auto const& [k, accesses] : the_trace->counts) {
    auto const& [kind, space, bytes, instruction] = k;
    cosmati_sim_traced const count = {0, 0, 0, accesses, 0, bytes, kind, space, instruction.data()};
    visit(out, &count);
  }
}

void cosmati_sim_trace_records(void (*visit)(void* out, cosmati_sim_traced const* record), void* out) {
  std::lock_guard const lock(mutex);
  if (the_trace == nullptr) return;
  for (cosmati_sim_traced const& r : the_trace->records) visit(out, &r);
}

}  // extern "C"
