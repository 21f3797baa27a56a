// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the simulated device knows while a launch runs: the block of a host thread, the launch.
#pragma once

#include <array>
#include <atomic>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "announcement.hpp"
#include "context_switch.hpp"
#include "hazard_kind.hpp"
#include "lane.hpp"
#include "memory.hpp"

namespace cosmati_sim {

inline constexpr unsigned max_lanes = 1024;
inline constexpr std::size_t max_shared_bytes = 227 * 1024;

/// Warps met at a barrier of the block, at two calls of it. There is nothing wrong in that, unless one of the two is
/// where threads are missing later: then those have passed the other by.
struct met_apart {
  site one, other;
  unsigned causes;  // as in `fail_block`
};

/// What one block's run came to.
struct failure {
  std::uint64_t block = ~0ull;
  std::string text;
};

struct barrier_state {
  unsigned arrived = 0;
  unsigned expected = 0;  // 0: every thread of the block
  int reduce = 0;         // as in cosmati_sim_barrier
  unsigned count = 0;
  bool all = true;
  bool any = false;
  unsigned result() const { return reduce == 1 ? count : reduce == 2 ? all : reduce == 3 ? any : 0; }
  bool somebody_goes_on = false;  // bar.arrive
  std::uint64_t waiting[max_lanes / 64] = {};
  std::uint64_t waited[max_lanes / 64] = {};  // when it completed last
};

/// A thread-local variable, as the program's symbol table tells: its copy of one host thread.
struct thread_local_variable {
  char* low;
  std::size_t bytes;
  char const* name;      // mangled
  bool shared;           // a static `__shared__` array
  std::uintptr_t owner;  // of a shared array: the function that declares it, 0 if unknown
};

struct job;
struct worker_trace;
class learned;
class worker_counters;
struct async_state;
struct block_clocks;
struct site_tables;
class shadow_region;
struct hazard;
class block_recorder;
struct launch_timelines;
struct poll_watch;
struct waiting_blocks;

/// An access that was announced with `cosmati_sim_note`.
struct note {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  void const* base = nullptr;
  cosmati_sim_describe describe = nullptr;
  unsigned lane = 0;
  bool outside = false;  // of its tensor
  int mode = -1;         // the first whose coordinate is not below its extent
  long long coordinate = 0, extent = 0;
  alignas(16) unsigned char context[160];
};

/// Two threads have stored to the same place: whether the same value, the next access shows.
struct suspicion {
  std::uintptr_t access;
  std::size_t access_bytes;
  std::uintptr_t at;  // the bytes of the access that another thread wrote, of one cell
  std::size_t bytes;
  unsigned char old[16];
  std::uint32_t other[4];  // the record
  std::uint32_t absent;  // a site; not 0: it is suspected to store what its shuffle took from a lane that was not there
  std::uint32_t site;
  std::string phrase;
  shadow_region* region;
};

/// What endless_loops.cpp has seen of a host thread.
struct endless_watch {
  std::uint64_t turns = 0;     // at the last tick
  std::uint64_t accesses = 0;  // that took the long way
  std::uint64_t accesses_before = 0;
  bool suspicious = false;  // the lane has run alone for long
  unsigned silent_ticks = 0;
};

/// Where a lane has thrown an exception.
struct exception_site {
  std::uint32_t site = 0;  // 0: not known
  hazard_kind kind = hazard_kind::exception;
  bool by_library = false;  // the exception that the lane throws next is the library's, whose kind and site are known
};

/// The host thread that runs blocks, one at a time.
struct worker {
  worker();
  ~worker();

  job* running = nullptr;
  std::uint64_t block = 0;  // linear
  index3 block_index;
  unsigned lanes_in_block = 0;
  unsigned current = 0;
  unsigned finished = 0;
  bool may_read_unwritten = false;  // the current lane, which does not let others run before it may no more
  std::uint64_t turns = 0;          // counts switches
  std::uintptr_t stack_low = 0;     // of the current lane
  std::size_t stack_bytes = 0;      // of every lane, what lies above its first frame too
  saved_context scheduler;          // that a block's last lane switches to
  bool failed = false;
  std::string failure_text;

  void** exceptions = nullptr;  // the C++ runtime's exceptions in flight on this thread

  // What a switch needs of each lane, close together.
  std::array<saved_context, max_lanes> contexts;
  std::array<thread_index, max_lanes> threads;
  std::array<lane, max_lanes> lanes;
  std::uint64_t ready[max_lanes / 64] = {};
  std::array<barrier_state, 16> barriers;
  /// The barrier that lanes of a warp have come to, while others of its lanes have not: an aligned one, which all
  /// execute.
  struct barrier_call {
    site where;
    void const* call = nullptr;  // as in cosmati_sim_syncthreads
    int id = 0;
  };
  barrier_call warp_call[max_lanes / 32];
  std::vector<met_apart> apart;
  unsigned warp_arrived[max_lanes / 32] = {};
  warp_meeting meetings[max_lanes / 32];
  unsigned warp_gone[max_lanes / 32] = {};  // lanes that exited or never were

  std::vector<std::unique_ptr<stack>> stacks;
  std::vector<stack const*> free_stacks;

  char* shared_low = nullptr;  // dynamic shared memory
  std::size_t shared_bytes = 0;
  std::vector<thread_local_variable> thread_locals;  // sorted by address
  struct range {
    std::uintptr_t low, high;
  };
  std::vector<range> tls_ranges;  // thread-local storage of modules whose symbols are known

  // Memory that the last accesses fell in.
  struct hit {
    std::uintptr_t low = 0;
    std::size_t bytes = 0;
    int space = 0;
    shadow_region* shadow = nullptr;
    bool holds(std::uintptr_t address, std::size_t width) const {
      std::uintptr_t const offset = address - low;
      return offset < bytes && width <= bytes - offset;
    }
  };
  std::array<hit, 4> hits;
  unsigned next_hit = 0;

  /// Aligned 16-byte accesses that the library announced lately, by bits of where it did: the next lane's will most
  /// likely come from the same place and go to the same memory, and then nothing has to be looked up.
  struct repeated {
    void const* pc = nullptr;
    call_node const* frame = nullptr;
    char const* file = nullptr;
    int line = 0;
    int kind = 0;
    std::uintptr_t low = 0;
    std::size_t last = 0;              // the last that may be accessed begins so many bytes behind
    std::uintptr_t groups = 0;         // the shadow's, as if memory began at 0
    std::uint16_t* written = nullptr;  // likewise; null: everything counts as written
    std::uint32_t site = 0, horizon = 0;
  };
  std::array<repeated, 16> repeats;
  repeated& repeated_at(void const* pc, int kind) {
    auto const bits = reinterpret_cast<std::uintptr_t>(pc);
    return repeats[2 * ((bits ^ bits >> 4) % 8) + (kind & 1)];
  }
  void forget_places() {
    hits = {};
    repeats = {};
  }

  std::array<note, 8> notes;
  unsigned next_note = 0;
  std::unique_ptr<poll_watch> polling;
  endless_watch endless;
  bool watches_stores = false;          // polling.hpp notes each store
  bool abandoned = false;               // the block waited for one that has failed
  worker_trace* trace = nullptr;        // while the launch is traced
  worker_counters* counters = nullptr;  // while it is counted
  block_recorder* timeline = nullptr;   // while the block's events are kept
  std::unique_ptr<block_recorder> own_timeline;
  std::unique_ptr<async_state> async;
  bool async_used = false;  // by the block that runs

  // Hazards; `clocks` is null while they are not looked for.
  block_clocks* clocks = nullptr;
  std::unique_ptr<block_clocks> own_clocks;
  std::unique_ptr<site_tables> tables;
  std::uint32_t run = 0, first_run = 0;  // numbers of this block and of the launch's first
  std::uint32_t horizon = 0;             // as of the launch
  std::unique_ptr<shadow_region> dynamic_shadow;
  std::vector<std::unique_ptr<shadow_region>> tls_shadows;  // of tls_ranges
  std::vector<suspicion> suspects;
  announcement announced;
  std::unique_ptr<learned> learned_by_atomics;
  std::vector<hazard> hazards;
  unsigned found = 0;  // hazards of the block that runs
  std::unordered_set<std::uint64_t> news;
  std::unordered_set<std::uint32_t>
      first_steps;  // sites of loads that are the first step of an atomic on the same place
  std::unique_ptr<hazard> failure;
  bool alone = false;            // no other host thread runs blocks of the launch
  bool sees_everything = false;  // the kernel that runs is instrumented

  exception_site thrown;  // where the lane has thrown, and why
  std::string output;     // what the block printed

  char* overflow_stack = nullptr;  // where a lane that overflowed its own can still say so
};

/// One launch.
struct job {
  cosmati_sim_launch_request const* request = nullptr;
  index3 grid, block, cluster;
  std::uint64_t blocks = 0;
  unsigned threads = 0;
  std::string kernel;       // its name: with all template arguments, without parameters
  std::string kernel_text;  // the same for people
  bool exited_may_skip_barriers = false;
  allocation_table allocations;               // as they were at the launch
  std::vector<std::uintptr_t> other_kernels;  // those launched before; sorted
  std::uintptr_t host_stack_low = 0, host_stack_high = 0;
  struct range {
    std::uintptr_t low, high;
  };
  std::vector<range> host_ranges;  // memory of the host that pointer arguments lead into
  bool tracing = false;
  bool counting = false;
  std::uint64_t seed = 0;
  bool checks = false, collecting = false, on_one_thread = false;
  std::uint32_t first_run = 0;
  std::uint32_t horizon = 0;                                    // launches whose runs are before this one are over
  std::vector<std::pair<std::uint32_t, std::uint32_t>> beside;  // runs of earlier launches that may not be
  std::size_t kernel_bytes = 0;                                 // of code
  bool seen_everything = true;
  std::atomic<bool> may_store_unwritten{false};  // a lane has read gaps between elements, and may have stored them
  std::vector<hazard> hazards;                   // what the threads have found
  std::unordered_set<std::uint32_t> first_steps;
  std::unique_ptr<launch_timelines> timelines;  // null: none is wanted
  std::unique_ptr<hazard> failure;
  std::uint64_t failed_block = ~0ull;  // by a lane that could not go on
  job();
  ~job();

  std::unique_ptr<waiting_blocks> waiting;
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<std::uint64_t> first_failed{~0ull};
};

/// True when the array is declared in another kernel than the one that runs.
bool belongs_to_another_kernel(thread_local_variable const& v, job const& j);

extern __thread worker* this_worker __attribute__((tls_model("initial-exec")));

/// Bits of cosmati_sim_active: a lane runs; it is traced; its accesses may not take the short way; it is
/// counted (core/access.hpp knows this one).
inline constexpr int lane_runs = 1, lane_is_traced = 2, watch_closely = 4, lane_is_counted = 8;

/// True on a host thread that runs a lane, watched or not.
inline bool in_a_lane() { return this_worker != nullptr && this_worker->running != nullptr; }

/// While it lives, nothing that the library itself does is taken for an access of the lane.
class quiet {
 public:
  quiet() : saved_(cosmati_sim_active) { cosmati_sim_active = 0; }
  ~quiet() { cosmati_sim_active = saved_; }
  /// Sets these bits too when the lane goes on.
  void restore_with(int bits) { saved_ |= bits; }
  quiet(quiet const&) = delete;
  quiet& operator=(quiet const&) = delete;

 private:
  int saved_;
};

/// The current lane runs on this stack from now on.
inline void stand_on(worker& w, stack const* on) {
  w.lanes[w.current].on = on;
  w.stack_low = w.lanes[w.current].stack_low = reinterpret_cast<std::uintptr_t>(on->low);
}

/// An instrumented function was entered: is it the kernel?
inline void look_for_kernel(worker& w, void const* inside) {
  auto const kernel = reinterpret_cast<std::uintptr_t>(w.running->request->kernel);
  w.sees_everything = reinterpret_cast<std::uintptr_t>(inside) - kernel < w.running->kernel_bytes;
}

/// Runs one block to its end; afterwards `w.failed` and `w.failure_text` tell.
void run_block(worker& w, std::uint64_t block);

/// Ends the current lane, its block and the launch. The sentence gets kernel, block and thread before it.
/// @param site its number, or 0 when `where` says it; @param phrase describes the tensor
[[noreturn]] void fail_lane(std::string sentence, hazard_kind kind, site where = {}, std::uint32_t site_number = 0,
                            std::string phrase = {}, bool first = false);
/// The same for a fault of the whole block: no thread is named.
/// @param causes so many of the block's hazards can be causes of this one
[[noreturn]] void fail_block(std::string sentence, hazard_kind kind, site where, site other = {},
                             unsigned causes = ~0u);
/// How many hazards the block had when the first of those that wait began to.
unsigned found_before_waiting(worker const& w);

/// "kernel k, block (0,0,0), thread (3,0,0)".
std::string place_of_current(worker const& w, bool with_thread);

/// Ends the program.
[[noreturn]] void outside_of_kernels(char const* name);
/// The worker whose lane runs; ends the program when `name` is used outside a kernel.
inline worker& running_lane(char const* name) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr) [[unlikely]]
    outside_of_kernels(name);
  return *w;
}
/// The current lane, whose state says what it waits for, runs again after somebody calls `wake`.
void wait_until_woken(worker& w);
void wake(worker& w, unsigned lane);

std::string to_text(index3 v);
/// "kernel.cpp:41", the last part of the path only.
std::string to_text(site s);

}  // namespace cosmati_sim
