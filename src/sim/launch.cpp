// SPDX-License-Identifier: Apache-2.0
// A launch. Blocks are given to the host's threads in order. The error of the lowest block is that of the launch.
#include <cxxabi.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

#include "async.hpp"
#include "cluster.hpp"
#include "counters.hpp"
#include "endless_loops.hpp"
#include "fibers.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "ordered_output.hpp"
#include "page.hpp"
#include "polling.hpp"
#include "report.hpp"
#include "resident_blocks.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "state.hpp"
#include "stream_copies.hpp"
#include "stream_order.hpp"
#include "symbols.hpp"
#include "sync_variables.hpp"
#include "timeline.hpp"
#include "trace_state.hpp"

/// The address of the program's `extern __shared__` arrays in this host thread. `cosmati sim` defines the function in
/// programs that have such arrays.
extern "C" char* cosmati_sim_extern_shared(void) __attribute__((weak));

namespace cosmati_sim {
namespace {

unsigned environment_number(char const* name, unsigned otherwise) {
  char const* const text = std::getenv(name);
  unsigned const n = text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
  return n != 0 ? n : otherwise;
}

/// The number of threads that run blocks. It is at most 24, because each may map 1024 guarded stacks.
unsigned host_threads() {
  unsigned const cores = std::thread::hardware_concurrency();
  unsigned const n = environment_number("COSMATI_THREADS", cores != 0 ? cores : 1);
  return n < 24 ? n : 24;
}

bool has_errors(worker const& w) {
  return std::any_of(w.hazards.begin(), w.hazards.end(),
                     [](hazard const& h) { return !h.review && !h.may_be_first_step; });
}
void lower(std::atomic<std::uint64_t>& to, std::uint64_t value) {
  std::uint64_t now = to.load();
  while (value < now && !to.compare_exchange_weak(now, value)) {
  }
}

/// Maps dynamic shared memory at a multiple of 4096, with an inaccessible page on each side.
char* map_shared_memory() {
  constexpr std::size_t bytes = (max_shared_bytes + 4095) / 4096 * 4096;
  void* const p = mmap(nullptr, bytes + 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) std::abort();
  mprotect(p, 4096, PROT_NONE);
  mprotect(static_cast<char*>(p) + 4096 + bytes, 4096, PROT_NONE);
  return static_cast<char*>(p) + 4096;
}

class pool {
 public:
  pool() {
    unsigned const n = host_threads();
    for (unsigned i = 0; i < n; ++i) std::thread([this] { serve(); }).detach();
    threads_ = started_ = n;
  }

  /// Runs all blocks. Returns the text of the first failure, or nothing.
  std::string run(job& j) {
    ordered_output output;
    {
      std::lock_guard const lock(mutex_);
      job_ = &j;
      output_ = &output;
      wanted_ = blocks_of_cluster(j) > 1 ? make_cluster_groups(j, threads_)
                : j.blocks < threads_    ? static_cast<unsigned>(j.blocks)
                                         : threads_;
      start(wanted_);
      j.on_one_thread = wanted_ == 1;
      busy_ = joined_ = wanted_;
      first_ = failure();
      ++generation_;
    }
    if (j.blocks == 1) {
      work_.notify_one();
    } else {
      work_.notify_all();
    }
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    job_ = nullptr;
    lock.unlock();
    output.finish();
    return first_.text;
  }

  /// Lets up to `more` further host threads take blocks of the running launch. @return whether there is one more
  bool join(job& j, unsigned more) {
    std::lock_guard const lock(mutex_);
    if (j.clusters != nullptr) return false;  // as many clusters run as were begun with
    std::uint64_t const left = j.blocks - std::min(j.blocks, j.next_block.load());
    more = static_cast<unsigned>(std::min<std::uint64_t>({more, left, most_side_by_side(j) - busy_}));
    if (more == 0) return false;
    j.on_one_thread = false;
    joined_ += more;
    start(joined_);
    wanted_ += more;
    busy_ += more;
    work_.notify_all();
    return true;
  }

 private:
  /// Starts host threads until there are so many.
  void start(unsigned threads) {
    for (; started_ < threads; ++started_) std::thread([this] { serve(); }).detach();
  }

  void serve() {
    auto const me = std::make_unique<worker>();
    worker& w = *me;
    this_worker = &w;
    w.exceptions = reinterpret_cast<void**>(__cxxabiv1::__cxa_get_globals());
    w.shared_low = cosmati_sim_extern_shared != nullptr ? cosmati_sim_extern_shared() : map_shared_memory();
    catch_faults(w);
    watch_for_endless_loops();
    find_thread_locals(w);
    std::uint64_t seen = 0;
    for (;;) {
      job* j = nullptr;
      ordered_output* output = nullptr;
      {
        std::unique_lock lock(mutex_);
        work_.wait(lock, [&] { return job_ != nullptr && wanted_ != 0 && generation_ != seen; });
        seen = generation_;
        --wanted_;
        j = job_;
        output = output_;
      }
      blocks(w, *j, *output);
      std::lock_guard const lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  /// The failure of a block, if no lower one has failed, is that of the launch.
  void remember_failure(worker& w, job& j, std::uint64_t block) {
    std::lock_guard const lock(mutex_);
    if (block >= first_.block) return;
    j.failure = std::move(w.failure);
    first_.block = block;
    first_.text = w.failure_text;
    lower(j.first_failed, block);
  }

  void blocks(worker& w, job& j, ordered_output& output) {
    w.running = &j;
    w.sees_everything = false;
    w.may_read_unwritten = false;  // a lane may have failed where it was set
    w.alone = j.on_one_thread;
    bool ran = false;
    if (j.tracing) trace_launch_begins(w);
    if (j.counting) counters_launch_begins(w);
    join_cluster_group(w, j);
    for (;;) {
      std::uint64_t const block = w.cluster != nullptr ? next_block_of_cluster(w, j) : j.next_block.fetch_add(1);
      if (block >= j.blocks || (w.cluster == nullptr && block > j.first_failed.load())) break;
      if (j.tracing) trace_block_begins(w);
      if (j.counting) w.counters->block_begins();
      polling_begins(w);
      if (j.timelines != nullptr) {
        if (w.own_timeline == nullptr) w.own_timeline = std::make_unique<block_recorder>();
        w.timeline = w.own_timeline.get();
      }
      run_block(w, block);
      polling_ends(w);
      ran = true;
      if (w.timeline != nullptr) {
        std::lock_guard const lock(mutex_);
        j.timelines->keep(w.timeline->take(), w.found != 0 || w.failed);
        w.timeline = nullptr;
      }
      if (!w.output.empty() || w.failed) {
        output.add(block, std::move(w.output));
        w.output.clear();
      } else {
        output.add(block, {});
      }
      if (w.abandoned) break;
      if (!w.failed) {
        // The first hazard ends the launch, unless all are wanted for a report.
        if (!j.collecting && has_errors(w)) lower(j.first_failed, block);
        continue;
      }
      remember_failure(w, j, block);
      if (w.cluster != nullptr) break;  // the other blocks of the cluster are abandoned
    }
    leave_cluster_group(w);
    if (j.tracing) trace_launch_ends(w);
    if (j.counting) counters_launch_ends(w);
    {
      std::lock_guard const lock(mutex_);
      for (hazard& h : w.hazards) j.hazards.push_back(std::move(h));
      j.first_steps.merge(w.first_steps);
      if (ran && !w.sees_everything) j.seen_everything = false;
    }
    w.hazards.clear();
    w.news.clear();
    w.first_steps.clear();
    w.running = nullptr;
  }

  std::mutex mutex_;
  std::condition_variable work_, done_;
  job* job_ = nullptr;
  ordered_output* output_ = nullptr;
  unsigned threads_ = 0, wanted_ = 0, busy_ = 0;
  unsigned started_ = 0, joined_ = 0;  // the number of host threads, and of those that have taken part in the launch
  std::uint64_t generation_ = 0;
  failure first_;
};

pool* the_pool = nullptr;
std::mutex launch_mutex;

pool& get_pool() {
  static std::once_flag once;
  // A forked child has none of the threads, so it gets a pool of its own.
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { the_pool = nullptr; }); });
  if (the_pool == nullptr) the_pool = new pool;
  return *the_pool;
}

/// Remembers this kernel. Returns the kernels that were launched before.
std::vector<std::uintptr_t> other_kernels(std::uintptr_t kernel) {
  static std::mutex mutex;
  static auto* const all = new std::set<std::uintptr_t>;
  std::lock_guard const lock(mutex);
  std::vector<std::uintptr_t> others;
  for (std::uintptr_t const k : *all) {
    if (k != kernel) others.push_back(k);
  }
  all->insert(kernel);
  return others;
}

/// Whether the process has memory there.
bool is_mapped(std::uintptr_t address) {
  auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address & ~(page - 1)), 1, &resident) == 0;
}

/// The addresses of host memory in the arguments: those that are pointers, and those in structures such as tensors.
std::vector<std::uintptr_t> host_addresses(cosmati_sim_launch_request const& request) {
  std::vector<std::uintptr_t> found;
  for (unsigned i = 0; i < request.pointer_count; ++i) {
    if (cosmati_sim_is_host_memory(request.pointers[i]))
      found.push_back(reinterpret_cast<std::uintptr_t>(request.pointers[i]));
  }
  constexpr std::uintptr_t behind_addresses = std::uintptr_t{1} << 47;
  auto const* const bytes = static_cast<unsigned char const*>(request.arguments);
  std::size_t const first = (0 - reinterpret_cast<std::uintptr_t>(bytes)) % sizeof(void*);
  for (std::size_t at = first; at + sizeof(void*) <= request.arguments_bytes; at += sizeof(void*)) {
    std::uintptr_t word;
    std::memcpy(&word, bytes + at, sizeof word);
    if (word < behind_addresses && cosmati_sim_is_host_memory(reinterpret_cast<void*>(word)) && is_mapped(word))
      found.push_back(word);
  }
  return found;
}

/// Finds the launching thread's stack, and the memory of the host that the arguments lead to.
void find_host_memory(job& j) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* low = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &low, &bytes);
    j.host_stack_low = reinterpret_cast<std::uintptr_t>(low);
    j.host_stack_high = j.host_stack_low + bytes;
    pthread_attr_destroy(&attributes);
  }
  std::vector<std::uintptr_t> const strange = host_addresses(*j.request);
  if (strange.empty()) return;
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long low = 0, high = 0;
    if (std::sscanf(line, "%lx-%lx", &low, &high) != 2) continue;
    for (std::uintptr_t const p : strange) {
      if (low <= p && p < high) j.host_ranges.push_back({p, high});
    }
  }
  std::fclose(maps);
}

/// What the launch is called with.
void take_request(job& j, cosmati_sim_launch_request const& request) {
  j.request = &request;
  j.grid = {request.grid[0], request.grid[1], request.grid[2]};
  j.block = {request.block[0], request.block[1], request.block[2]};
  j.cluster = {request.cluster[0], request.cluster[1], request.cluster[2]};
  j.blocks = std::uint64_t{j.grid.x} * j.grid.y * j.grid.z;
  j.kernel = kernel_name(request.kernel);
  j.kernel_text = kernel_text(request.kernel);
}

/// What the device is told to look for, and where its kernel lies.
void take_settings(job& j) {
  j.exited_may_skip_barriers = environment_number("COSMATI_EXITED_MAY_SKIP_BARRIERS", 0) != 0;
  j.allocations = current_allocations();
  j.tracing = trace_is_on();
  j.counting = counters_are_on();
  j.seed = sim_seed();
  j.checks = checks_are_on();
  j.collecting = report_is_wanted();
  j.kernel_bytes = function_bytes(j.request->kernel);
  j.other_kernels = other_kernels(reinterpret_cast<std::uintptr_t>(j.request->kernel));
  if (j.checks || j.tracing || j.counting) find_host_memory(j);  // else no access is looked at
}

/// What was found goes into the report and onto the page. Returns what the launch throws. @param failed why the launch
/// ended, or empty
std::string report(job& j, std::string const& failed, counter_totals const& counters) {
  bool const failed_by_hazard = j.failure != nullptr;
  std::vector<found_hazard> hazards;
  std::string text = finish_hazards(j, failed, &hazards, report_is_wanted());
  std::vector<cosmati::run_timeline> timelines;
  if (j.timelines != nullptr)
    timelines = timelines_of(std::move(*j.timelines), j.kernel, hazards.empty() ? ~0ull : hazards.front().block);
  std::vector<cosmati::run_place> const places = dear_places_launched();
  if (page_is_wanted()) {
    page_launch(j.kernel, j.seen_everything, failed_by_hazard ? std::string() : failed, hazards, counters, timelines,
                places);
  }
  if (report_is_wanted()) report_launch(j.kernel, j.seen_everything, text, hazards, counters, timelines, places);
  return text;
}

std::string run(cosmati_sim_launch_request const& request) {
  job j;
  take_request(j, request);
  std::uint64_t const threads = std::uint64_t{j.block.x} * j.block.y * j.block.z;
  if (this_worker != nullptr) {
    fail_lane(formatted("kernel {} is launched from inside a kernel; launch it from the host", j.kernel_text),
              hazard_kind::invalid_launch, {}, site_number(*this_worker, __builtin_return_address(0)));
  }
  if (j.blocks == 0 || threads == 0 || threads > max_lanes) {
    return formatted("kernel {}: {} threads a block, 1 to {} are possible", j.kernel_text, threads, max_lanes);
  }
  if (request.shared_bytes > max_shared_bytes) {
    return formatted("kernel {}: {} bytes of dynamic shared memory, the most is {}", j.kernel_text,
                     request.shared_bytes, max_shared_bytes);
  }
  if (blocks_of_cluster(j) > most_cluster_blocks) {
    return formatted("kernel {}: a cluster of {} blocks, the most is {}", j.kernel_text, blocks_of_cluster(j),
                     most_cluster_blocks);
  }
  j.threads = static_cast<unsigned>(threads);
  take_settings(j);
  std::lock_guard const lock(launch_mutex);
  if (launch_timelines wanted = timelines_wanted_of(j.kernel); wanted.first || wanted.faulty)
    j.timelines = std::make_unique<launch_timelines>(std::move(wanted));
  static std::uint32_t next_run = 1;
  j.first_run = next_run;
  next_run += static_cast<std::uint32_t>(j.blocks);
  order_launch(j);
  if (report_is_wanted()) report_begin(j.kernel);
  std::string failed = get_pool().run(j);
  if (!failed.empty()) j.failed_block = j.first_failed.load();
  forget_sync_variables();
  if (j.kernel_bytes != 0 && j.kernel_bytes <= 32) j.seen_everything = true;  // so small a kernel does nothing
  if (!j.checks) j.seen_everything = false;
  if (!j.seen_everything) count_all_as_written();
  look_for_copies_beside(j);
  look_for_unwritten_registers(j);
  if (j.tracing) trace_collect();
  counter_totals counters{};
  if (j.counting) counters = counters_launched(j.kernel);
  if (!report_is_wanted() && !page_is_wanted()) return finish_hazards(j, failed, nullptr, false);
  return report(j, failed, counters);
}

}  // namespace

bool run_more_blocks(worker& w, unsigned threads) {
  w.alone = false;
  w.repeats = {};
  return get_pool().join(*w.running, threads);
}

unsigned most_side_by_side(job const& j) {
  if (j.clusters != nullptr) return static_cast<unsigned>(j.clusters->all.size()) * j.clusters->blocks;
  unsigned const of_card = resident_blocks_of_card(j.threads, j.request->shared_bytes);
  return std::max(host_threads(), std::min(of_card, most_simulated_blocks));
}

bool belongs_to_another_kernel(thread_local_variable const& v, job const& j) {
  return v.owner != 0 && std::binary_search(j.other_kernels.begin(), j.other_kernels.end(), v.owner);
}

}  // namespace cosmati_sim

extern "C" {

int cosmati_sim_launch(cosmati_sim_launch_request const* request, char* error, std::size_t error_bytes) {
  std::string text;
  try {
    text = cosmati_sim::run(*request);
  } catch (std::exception const& e) {
    text = e.what();
  }
  if (text.empty()) return 0;
  std::snprintf(error, error_bytes, "%s", text.c_str());
  return 1;
}

int cosmati_sim_is_host_memory(void const* pointer) {
  auto const p = reinterpret_cast<std::uintptr_t>(pointer);
  bool const of_device =
      p - cosmati_sim::device_arena_low() < cosmati_sim::device_arena_high() - cosmati_sim::device_arena_low();
  return p >= 65536 && !of_device && !cosmati_sim::is_module_memory(p);
}
void cosmati_sim_device_info(int* multiprocessors, std::size_t* shared_bytes_per_block, char* name, std::size_t size) {
  *multiprocessors = static_cast<int>(cosmati_sim::host_threads());
  *shared_bytes_per_block = cosmati_sim::max_shared_bytes;
  std::snprintf(name, size, "simulated device (%d host threads)", *multiprocessors);
}

}  // extern "C"
