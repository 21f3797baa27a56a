// SPDX-License-Identifier: Apache-2.0
// A launch: what it is called with, and what was found when its blocks have run.
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

#include "async.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "launch_counters.hpp"
#include "page.hpp"
#include "report.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "state.hpp"
#include "stream_copies.hpp"
#include "stream_order.hpp"
#include "symbols.hpp"
#include "sync_variables.hpp"
#include "thread_pool.hpp"
#include "timeline.hpp"
#include "trace_state.hpp"

namespace cosmati_sim {
namespace {

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
  static std::mutex launch_mutex;
  std::lock_guard const lock(launch_mutex);
  if (launch_timelines wanted = timelines_wanted_of(j.kernel); wanted.first || wanted.faulty)
    j.timelines = std::make_unique<launch_timelines>(std::move(wanted));
  static std::uint32_t next_run = 1;
  j.first_run = next_run;
  next_run += static_cast<std::uint32_t>(j.blocks);
  order_launch(j);
  if (report_is_wanted()) report_begin(j.kernel);
  std::string failed = run_blocks(j);
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
