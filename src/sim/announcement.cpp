// SPDX-License-Identifier: Apache-2.0
#include "announcement.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace cosmati_sim {
namespace {

std::int64_t nanoseconds(clockid_t clock) {
  timespec t = {};
  clock_gettime(clock, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// The processor time in ns after which a lane has certainly executed an announced store, because the store comes next.
constexpr std::int64_t surely_stored = 2'000'000;
/// The limit of a wait in ns, if a host thread does not run at all.
constexpr std::int64_t longest_wait = 10'000'000'000;

}  // namespace

void announcement::begin(std::uint32_t run) {
  close();
  if (!has_clock_.load(std::memory_order_relaxed))
    has_clock_.store(pthread_getcpuclockid(pthread_self(), &clock_) == 0, std::memory_order_release);
  run_.store(run, std::memory_order_relaxed);
}

void announcement::wait(std::uintptr_t at, std::size_t bytes) {
  if (!covers(at, bytes)) return;
  ++waiting_;
  std::int64_t const since = nanoseconds(CLOCK_MONOTONIC);
  bool const has_clock = has_clock_.load(std::memory_order_acquire);
  std::int64_t ran = -1, enough = surely_stored;
  for (unsigned tries = 1; covers(at, bytes); ++tries) {
    if (tries % 64 != 0) continue;
    // The time does not count while the announcement of the store is incomplete.
    if (ran >= 0 && nanoseconds(clock_) - ran > enough) break;
    if (has_clock && ran < 0 && whole_.load(std::memory_order_relaxed)) {
      enough = surely_stored + static_cast<std::int64_t>(high_.load() - low_.load());  // one byte per nanosecond
      ran = nanoseconds(clock_);
    }
    if (nanoseconds(CLOCK_MONOTONIC) - since > longest_wait) break;
    if (tries < 4096) {
      sched_yield();
    } else {
      usleep(50);
    }
  }
  --waiting_;
}

}  // namespace cosmati_sim
