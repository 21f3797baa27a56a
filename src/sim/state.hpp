// SPDX-License-Identifier: Apache-2.0
/// @file
/// The state of the simulated device while a launch runs: the block of a host thread, and the launch.
#pragma once

#include <array>
#include <atomic>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "access_target.hpp"
#include "aligned.hpp"
#include "announcement.hpp"
#include "context_switch.hpp"
#include "deferred_bounds.hpp"
#include "hazard_kind.hpp"
#include "lane.hpp"
#include "memory.hpp"

namespace cosmati_sim {

inline constexpr unsigned max_lanes = 1024;
inline constexpr std::size_t max_shared_bytes = 227 * 1024;

/// Warps that met at a barrier of the block, at two calls of it. This is a hazard only if threads are missing at one of
/// the calls later: then those threads have passed the other call.
struct met_apart {
  site one, other;
  unsigned causes;  // the number of possible causes, as in `fail_block`
};

/// The failure of one block's run.
struct failure {
  std::uint64_t block = ~0ull;
  std::string text;
};

struct barrier_state {
  unsigned arrived = 0;
  unsigned expected = 0;  // 0 for every thread of the block
  int reduce = 0;         // the reduction, as in cosmati_sim_barrier
  unsigned count = 0;
  bool all = true;
  bool any = false;
  unsigned result() const { return reduce == 1 ? count : reduce == 2 ? all : reduce == 3 ? any : 0; }
  bool somebody_goes_on = false;  // some thread used bar.arrive
  std::uint64_t waiting[max_lanes / 64] = {};
  std::uint64_t waited[max_lanes / 64] = {};  // the lanes that waited when it last completed
};

/// A thread-local variable of the program's symbol table, with its copy of one host thread.
struct thread_local_variable {
  char* low;
  std::size_t bytes;
  char const* name;      // the mangled name
  bool shared;           // whether it is a static `__shared__` array
  std::uintptr_t owner;  // the function that declares a shared array; 0 if unknown
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
struct cluster_groups;
struct cluster_member;
struct launch_timelines;
struct poll_watch;
struct waiting_blocks;

/// An access that `cosmati_sim_note` announced.
struct note {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  void const* base = nullptr;
  cosmati_sim_describe describe = nullptr;
  unsigned lane = 0;
  bool outside = false;  // whether it is outside its tensor
  int mode = -1;         // the first mode whose coordinate is not below its extent
  long long coordinate = 0, extent = 0;
  alignas(16) unsigned char context[160];
};

/// A warp has changed the number of registers that its threads may use.
struct register_change {
  unsigned warp, registers;
  bool takes;
  site where;
};

/// Two threads have stored to the same place. The next access shows whether they stored the same value.
struct suspicion {
  std::uintptr_t access;
  std::size_t access_bytes;
  std::uintptr_t at;  // the bytes of the access that another thread wrote, in one cell
  std::size_t bytes;
  unsigned char old[16];
  std::uint32_t other[4];  // the record
  std::uint32_t absent;    // the site of a shuffle with an absent lane whose value may be stored; 0 if there is none
  std::uint32_t site;
  std::string phrase;
  shadow_region* region;
};

/// The observations of endless_loops.cpp about a host thread.
struct endless_watch {
  std::uint64_t turns = 0;     // the switches at the last tick
  std::uint64_t accesses = 0;  // accesses that took the slow path
  std::uint64_t accesses_before = 0;
  bool suspicious = false;  // whether the lane has run alone for long
  unsigned silent_ticks = 0;
};

/// The site at which a lane has thrown an exception.
struct exception_site {
  std::uint32_t site = 0;  // 0: unknown
  hazard_kind kind = hazard_kind::exception;
  bool by_library = false;  // whether the next exception is the library's, whose kind and site are known
};

/// A host thread that runs blocks, one at a time.
struct worker {
  worker();
  ~worker();

  job* running = nullptr;
  std::uint64_t block = 0;  // the linear index of the block
  index3 block_index;
  unsigned lanes_in_block = 0;
  unsigned current = 0;
  unsigned finished = 0;
  bool may_read_unwritten = false;  // whether the current lane may read unwritten memory
  std::uint64_t turns = 0;          // the number of switches
  std::uintptr_t stack_low = 0;     // the low end of the current lane's stack
  std::size_t stack_bytes = 0;      // the stack size of every lane, including what is above its first frame
  saved_context scheduler;          // the context that a block's last lane switches to
  bool failed = false;
  std::string failure_text;
  cluster_member* cluster = nullptr;  // the part in a cluster; null if each block is a cluster of its own
  std::unique_ptr<cluster_member> own_cluster;

  void** exceptions = nullptr;  // the C++ runtime's exceptions in flight on this thread

  // The data of each lane that a switch needs, close together.
  std::array<saved_context, max_lanes> contexts;
  std::array<thread_index, max_lanes> threads;
  std::array<lane, max_lanes> lanes;
  std::uint64_t ready[max_lanes / 64] = {};
  std::array<barrier_state, 16> barriers;
  /// An aligned barrier, which all lanes of a warp must execute. Some lanes have reached it and others have not.
  struct barrier_call {
    site where;
    void const* call = nullptr;  // the call, as in cosmati_sim_syncthreads
    int id = 0;
  };
  barrier_call warp_call[max_lanes / 32];
  std::vector<met_apart> apart;
  unsigned warp_arrived[max_lanes / 32] = {};
  warp_meeting meetings[max_lanes / 32];
  unsigned warp_gone[max_lanes / 32] = {};  // lanes that exited or never existed

  std::vector<std::unique_ptr<stack>> stacks;
  std::vector<stack const*> free_stacks;

  char* shared_low = nullptr;  // dynamic shared memory
  std::size_t shared_bytes = 0;
  std::vector<thread_local_variable> thread_locals;  // sorted by address
  struct range {
    std::uintptr_t low, high;
  };
  std::vector<range> tls_ranges;  // thread-local storage of modules whose symbols are known

  // Memory that recent accesses hit.
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

  /// Recent aligned 16-byte accesses that the library announced, by bits of their place in the code. The next lane's
  /// access will probably come from the same place and go to the same memory, so that no lookup is needed.
  struct repeated {
    void const* pc = nullptr;
    call_node const* frame = nullptr;
    char const* file = nullptr;
    int line = 0;
    int kind = 0;
    std::uintptr_t low = 0;
    std::size_t last = 0;              // the offset of the last address at which an access may begin
    std::uintptr_t groups = 0;         // the address of the shadow's groups, as if memory began at 0
    std::uint16_t* written = nullptr;  // the shadow's bits, likewise; null if everything counts as written
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
  worker_trace* trace = nullptr;        // the trace, while the launch is traced
  worker_counters* counters = nullptr;  // the counters, while the launch is counted
  block_recorder* timeline = nullptr;   // the recorder, while the block's events are kept
  std::unique_ptr<block_recorder> own_timeline;
  std::unique_ptr<async_state> async;
  bool async_used = false;  // whether the running block has used asynchronous copies

  // Data for hazards. `clocks` is null if hazards are not searched.
  block_clocks* clocks = nullptr;
  std::unique_ptr<block_clocks> own_clocks;
  std::unique_ptr<site_tables> tables;
  void const* text_pc = nullptr;  // where the asm statement is whose instruction is called next; null: not in one
  std::uint32_t run = 0, first_run = 0;  // numbers of this block and of the launch's first block
  std::uint32_t cluster_run = 0;         // the number of the first block of its cluster
  std::uint32_t horizon = 0;             // the horizon of the launch
  std::unique_ptr<shadow_region> dynamic_shadow;
  std::vector<std::unique_ptr<shadow_region>> tls_shadows;  // the shadows of tls_ranges
  std::vector<suspicion> suspects;
  std::vector<register_change> register_changes;  // of the running block
  std::vector<warpgroup_steps> warpgroups;        // of the running block
  std::unique_ptr<deferred_bounds> deferred;      // a load outside of its allocation, whose lane still goes on
  announcement announced;
  std::unique_ptr<learned> learned_by_atomics;
  std::vector<hazard> hazards;
  unsigned found = 0;  // the hazards of the running block
  std::unordered_set<std::uint64_t> news;
  std::unordered_set<std::uint32_t>
      first_steps;  // the sites of loads that are the first step of an atomic on the same place
  std::unique_ptr<hazard> failure;
  bool alone = false;            // no other host thread runs blocks of the launch
  bool sees_everything = false;  // the running kernel is instrumented

  exception_site thrown;  // the site at which the lane has thrown, and the reason
  std::string output;     // the output of the block

  char* overflow_stack = nullptr;  // the stack on which a lane that overflowed its own can report it
};

/// What a launch knows of registers that begin with the pattern of unwritten fragments.
struct unwritten_registers {
  std::atomic<unsigned> kinds{0};     // the bits of unwritten_kind
  std::atomic<int> among_inputs{-1};  // whether memory held the pattern before the launch; -1 if nobody has asked
};

/// One launch.
struct job {
  cosmati_sim_launch_request const* request = nullptr;
  index3 grid, block, cluster;
  std::uint64_t blocks = 0;
  unsigned threads = 0;
  std::string kernel;       // the kernel's name with all template arguments, without parameters
  std::string kernel_text;  // the name of the kernel for people
  bool exited_may_skip_barriers = false;
  allocation_table allocations;               // the allocations at the time of the launch
  std::vector<std::uintptr_t> other_kernels;  // the kernels launched before, sorted
  std::uintptr_t host_stack_low = 0, host_stack_high = 0;
  struct range {
    std::uintptr_t low, high;
  };
  std::vector<range> host_ranges;  // host memory that pointer arguments lead to
  bool tracing = false;
  bool counting = false;
  std::uint64_t seed = 0;
  bool checks = false, collecting = false, on_one_thread = false;
  std::uint32_t first_run = 0;
  std::uint32_t horizon = 0;                                    // launches with earlier runs are over
  std::vector<std::pair<std::uint32_t, std::uint32_t>> beside;  // runs of earlier launches that may still execute
  std::size_t kernel_bytes = 0;                                 // the size of its code
  bool seen_everything = true;
  std::atomic<bool> may_store_unwritten{false};  // a lane has read gaps between elements, and may have stored them
  unwritten_registers unwritten;
  std::vector<hazard> hazards;  // the findings of the threads
  std::unordered_set<std::uint32_t> first_steps;
  std::unique_ptr<launch_timelines> timelines;  // the time lines; null if none is wanted
  std::unique_ptr<hazard> failure;
  std::uint64_t failed_block = ~0ull;  // the lowest block with a lane that could not continue
  job();
  ~job();

  std::unique_ptr<waiting_blocks> waiting;
  std::unique_ptr<cluster_groups> clusters;  // null if each block is a cluster of its own
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<std::uint64_t> first_failed{~0ull};
};

/// Whether the array is declared in another kernel than the running one.
bool belongs_to_another_kernel(thread_local_variable const& v, job const& j);

extern __thread worker* this_worker __attribute__((tls_model("initial-exec")));

/// Bits of cosmati_sim_active: a lane runs; it is traced; its accesses must take the slow path; it is counted.
/// core/access.hpp knows the first.
inline constexpr int lane_runs = 1, lane_is_traced = 2, watch_closely = 4, lane_is_counted = 8;

/// Whether this host thread runs a lane, watched or not.
inline bool in_a_lane() { return this_worker != nullptr && this_worker->running != nullptr; }

/// While an object of this class lives, the library's own accesses do not count as the lane's.
class quiet {
 public:
  quiet() : saved_(cosmati_sim_active) { cosmati_sim_active = 0; }
  ~quiet() { cosmati_sim_active = saved_; }
  /// Sets `cosmati_sim_active` at the end to the saved value with these bits added.
  void restore_with(int bits) { saved_ |= bits; }
  quiet(quiet const&) = delete;
  quiet& operator=(quiet const&) = delete;

 private:
  int saved_;
};

/// Lets the current lane run on this stack from now on.
inline void stand_on(worker& w, stack const* on) {
  w.lanes[w.current].on = on;
  w.stack_low = w.lanes[w.current].stack_low = reinterpret_cast<std::uintptr_t>(on->low);
}

/// Tests, on entry to an instrumented function, whether it is the kernel.
inline void look_for_kernel(worker& w, void const* inside) {
  auto const kernel = reinterpret_cast<std::uintptr_t>(w.running->request->kernel);
  w.sees_everything = reinterpret_cast<std::uintptr_t>(inside) - kernel < w.running->kernel_bytes;
}

/// Runs one block to its end. Afterwards `w.failed` and `w.failure_text` tell the result.
void run_block(worker& w, std::uint64_t block);

/// Ends the current lane, its block and the launch. Kernel, block and thread are put before the sentence.
/// @param site its number, or 0 if `where` tells it
/// @param phrase describes the tensor
/// @param target the memory that a wrong access was meant for
[[noreturn]] void fail_lane(std::string sentence, hazard_kind kind, site where = {}, std::uint32_t site_number = 0,
                            std::string phrase = {}, bool first = false, access_target const& target = {});
/// Ends the block and the launch for a fault of the whole block. The sentence names no thread.
/// @param causes the number of the block's hazards that can be its cause
[[noreturn]] void fail_block(std::string sentence, hazard_kind kind, site where, site other = {},
                             unsigned causes = ~0u);
/// The number of the block's hazards when the first waiting lane began to wait.
unsigned found_before_waiting(worker const& w);

/// Gives "kernel k, block (0,0,0), thread (3,0,0)".
std::string place_of_current(worker const& w, bool with_thread);

/// Ends the program.
[[noreturn]] void outside_of_kernels(char const* name);
/// The worker whose lane runs. It ends the program if `name` is used outside a kernel.
inline worker& running_lane(char const* name) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr) [[unlikely]]
    outside_of_kernels(name);
  return *w;
}
/// Where a call of a copy's function is: the asm statement that it belongs to, or `pc`.
inline void const* place_of_call(void const* pc) {
  worker* const w = this_worker;
  return w != nullptr && w->text_pc != nullptr ? std::exchange(w->text_pc, nullptr) : pc;
}
/// Lets the current lane, whose state tells what it waits for, wait until another calls `wake`.
void wait_until_woken(worker& w);
void wake(worker& w, unsigned lane);

std::string to_text(index3 v);
/// Gives "kernel.cpp:41", with the last part of the path only.
std::string to_text(site s);

}  // namespace cosmati_sim
