// SPDX-License-Identifier: Apache-2.0
// The host's threads take the blocks of a launch in order. The error of the lowest block is that of the launch.
#include "thread_pool.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "cluster.hpp"
#include "endless_loops.hpp"
#include "fibers.hpp"
#include "hazards.hpp"
#include "launch_counters.hpp"
#include "ordered_output.hpp"
#include "polling.hpp"
#include "resident_blocks.hpp"
#include "shadow.hpp"
#include "symbols.hpp"
#include "timeline.hpp"
#include "trace_state.hpp"

/// The address of the program's `extern __shared__` arrays in this host thread. `cosmati sim` defines the function in
/// programs that have such arrays.
extern "C" char* cosmati_sim_extern_shared(void) __attribute__((weak));

namespace cosmati_sim {
namespace {

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
      block_begins_beside_others(w);
      if (j.timelines != nullptr) {
        if (w.own_timeline == nullptr) w.own_timeline = std::make_unique<block_recorder>();
        w.timeline = w.own_timeline.get();
      }
      run_block(w, block);
      block_ends_beside_others(w);
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

pool& get_pool() {
  static std::once_flag once;
  // A forked child has none of the threads, so it gets a pool of its own.
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { the_pool = nullptr; }); });
  if (the_pool == nullptr) the_pool = new pool;
  return *the_pool;
}

}  // namespace

unsigned environment_number(char const* name, unsigned otherwise) {
  char const* const text = std::getenv(name);
  unsigned const n = text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
  return n != 0 ? n : otherwise;
}

unsigned host_threads() {
  unsigned const cores = std::thread::hardware_concurrency();
  unsigned const n = environment_number("COSMATI_THREADS", cores != 0 ? cores : 1);
  return n < 24 ? n : 24;
}

std::string run_blocks(job& j) { return get_pool().run(j); }

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

}  // namespace cosmati_sim
