// SPDX-License-Identifier: Apache-2.0
#include "stream_order.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "formatted.hpp"

namespace cosmati_sim {
namespace {

/// The number of launches that are over, for each stream.
using launches_over = std::map<void const*, std::uint64_t>;

void raise(launches_over& of, launches_over const& by) {
  for (auto const& [stream, number] : by) of[stream] = std::max(of[stream], number);
}

std::atomic<bool> in_flight = false;

struct past_launch {
  std::uint32_t low, high;  // the range of runs
  void const* stream;
  std::uint64_t number;  // the number of the launch in the stream
  std::string kernel;
};

struct all_streams {
  std::mutex mutex;
  std::map<void const*, launches_over> before;  // what comes next in each stream
  std::map<void const*, launches_over> events;
  launches_over made, host;
  std::vector<past_launch> launches;  // the launches that the host has not waited for
};
all_streams& streams() {
  static auto* const all = new all_streams;
  return *all;
}

}  // namespace

void order_launch(job& j) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  in_flight = true;
  void const* const stream = j.request->stream;
  launches_over& over = all.before[stream];
  raise(over, all.host);
  j.horizon = j.first_run;
  for (past_launch const& l : all.launches) {
    if (l.number <= over[l.stream]) continue;
    j.beside.emplace_back(l.low, l.high);
    j.horizon = std::min(j.horizon, l.low);
  }
  over[stream] = ++all.made[stream];
  all.launches.push_back(
      {j.first_run, j.first_run + static_cast<std::uint32_t>(j.blocks), stream, all.made[stream], j.kernel});
  constexpr std::size_t most_launches = 256;
  if (all.launches.size() > most_launches) all.launches.erase(all.launches.begin());
}

std::uint64_t order_copy(void const* stream) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  in_flight = true;
  launches_over& over = all.before[stream];
  raise(over, all.host);
  return over[stream] = ++all.made[stream];
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> launches_beside(void const* stream) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  launches_over& over = all.before[stream];
  raise(over, all.host);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> beside;
  for (past_launch const& l : all.launches) {
    if (l.number > over[l.stream]) beside.emplace_back(l.low, l.high);
  }
  return beside;
}

bool is_over_for(void const* stream, void const* other, std::uint64_t number) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  launches_over& over = all.before[stream];
  raise(over, all.host);
  return number <= over[other];
}

bool host_has_waited(void const* stream, std::uint64_t number) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  return number <= all.host[stream];
}

std::string kernel_not_waited_for(std::uint32_t run) {
  if (run == 0) return {};
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  for (past_launch const& l : all.launches) {
    if (run >= l.low && run < l.high) return l.kernel;
  }
  return {};
}

bool work_is_in_flight() { return in_flight.load(std::memory_order_relaxed); }

std::string kernel_of_run(std::uint32_t run) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  for (past_launch const& l : all.launches) {
    if (run >= l.low && run < l.high) return formatted("kernel {}, which runs on another stream,", l.kernel);
  }
  return "a kernel on another stream";
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_event_record(void const* event, void const* stream) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  launches_over over = all.before[stream];
  raise(over, all.host);
  all.events[event] = std::move(over);
}

void cosmati_sim_stream_wait(void const* stream, void const* event) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  if (auto const found = all.events.find(event); found != all.events.end()) raise(all.before[stream], found->second);
}

void cosmati_sim_host_waits(int what, void const* of) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  if (what == 0) {
    raise(all.host, all.before[of]);
  } else if (what == 1) {
    if (auto const found = all.events.find(of); found != all.events.end()) raise(all.host, found->second);
  } else {
    raise(all.host, all.made);
  }
  std::erase_if(all.launches, [&](past_launch const& l) { return l.number <= all.host[l.stream]; });
  in_flight = all.host != all.made;
}

}  // extern "C"
