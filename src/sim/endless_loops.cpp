// SPDX-License-Identifier: Apache-2.0
// Finds lanes in endless loops that wait for nothing the simulated device knows of. Such a loop repeats a plain load,
// or nothing at all if the compiler has moved the load out of the loop.
#include "endless_loops.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <mutex>

#include "fibers.hpp"
#include "formatted.hpp"
#include "sites.hpp"

namespace cosmati_sim {
namespace {

constexpr long tick = 250'000'000;  // the tick in nanoseconds of processor time
constexpr unsigned most_silent_ticks = 8;

__thread std::uintptr_t loops_at = 0;

/// Runs on the worker's overflow stack instead of the loop.
extern "C" [[noreturn]] void cosmati_sim_after_silence() {
  cosmati_sim_active = 0;
  std::uint32_t const number = site_number(*this_worker, reinterpret_cast<void const*>(loops_at + 1));
  fail_lane(
      formatted("deadlock, the thread is in a loop that never ends: for two seconds it has touched no memory and met "
                "nobody ({}); where it is to wait for memory, the compiler has read that once, before the loop: "
                "poll with an atomic or a volatile load",
                line_text(line_of_site(number))),
      hazard_kind::deadlock, {}, number);
}

/// Called when the host thread has used another tick.
void on_tick(int, siginfo_t*, void* raw) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr || w->clocks == nullptr) return;
  endless_watch& e = w->endless;
  if (e.turns != w->turns) {
    e = {w->turns, e.accesses, 0, false, 0};
    return;
  }
  // The same lane ran all the time. From now on its accesses take the slow path, where loads let other lanes run.
  e.suspicious = true;
  if (cosmati_sim_active == 0) {  // an access is in progress, so the loop accesses memory
    e.silent_ticks = 0;
    return;
  }
  bool const was_silent = (cosmati_sim_active & watch_closely) != 0 && e.accesses == e.accesses_before;
  cosmati_sim_active |= watch_closely;
  e.accesses_before = e.accesses;
  e.silent_ticks = was_silent ? e.silent_ticks + 1 : 0;
  if (e.silent_ticks < most_silent_ticks) return;
  go_on_at(*w, raw, &cosmati_sim_after_silence, loops_at);
}

}  // namespace

void watch_for_endless_loops() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = &on_tick;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGVTALRM, &action, nullptr);
  });
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGVTALRM;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
    return;  // without a timer, the loop runs until
             // someone ends it
  itimerspec every = {};
  every.it_value.tv_nsec = every.it_interval.tv_nsec = tick;
  timer_settime(timer, 0, &every, nullptr);
}

}  // namespace cosmati_sim
