// SPDX-License-Identifier: Apache-2.0
// Launches of CUDA files, with CUDA's errors.
#include <atomic>
#include <cosmati/cuda/groups.hpp>
#include <cosmati/cuda/launch.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cuda_allocations.hpp"
#include "cuda_capture.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "host_hazard.hpp"
#include "page.hpp"
#include "report.hpp"
#include "resident_blocks.hpp"
#include "state.hpp"
#include "symbols.hpp"

namespace cosmati_sim {
namespace {

std::string extents(dim3 const& d) { return formatted("({},{},{})", d.x, d.y, d.z); }
std::uint64_t volume(dim3 const& d) { return std::uint64_t{d.x} * d.y * d.z; }

/// What is wrong with a launch; no error if it is possible.
struct refusal {
  cudaError_t error = cudaSuccess;
  std::string sentence;
  bool is_of_card = true;  // whether the card refuses as well; no hazard otherwise
};

refusal look_at_grid(cosmati_cuda::launch_shape const& s) {
  constexpr cudaError_t wrong = cudaErrorInvalidConfiguration;
  if (volume(s.grid) == 0) {
    return {wrong, formatted("the grid is {} blocks; each extent must be at least 1", extents(s.grid))};
  }
  if (s.grid.x > 0x7fffffffu || s.grid.y > 65535 || s.grid.z > 65535) {
    return {wrong, formatted("the grid is {} blocks; the most is (2147483647,65535,65535)", extents(s.grid))};
  }
  if (volume(s.block) == 0) {
    return {wrong, formatted("the block is {} threads; each extent must be at least 1", extents(s.block))};
  }
  if (volume(s.block) > 1024 || s.block.z > 64) {
    return {wrong, formatted("the block is {} = {} threads; the most is 1024 (64 along z)", extents(s.block),
                             volume(s.block))};
  }
  if (volume(s.cluster) == 0 || s.grid.x % s.cluster.x != 0 || s.grid.y % s.cluster.y != 0 ||
      s.grid.z % s.cluster.z != 0) {
    return {wrong,
            formatted("clusters of {} blocks do not divide the grid of {}", extents(s.cluster), extents(s.grid))};
  }
  return {};
}

/// All blocks of a cooperative launch run side by side.
refusal look_at_cooperation(cosmati_cuda::launch_shape const& s) {
  if (!s.cooperative) return {};
  auto const threads = static_cast<unsigned>(volume(s.block));
  unsigned const most = resident_blocks_of_card(threads, s.shared_bytes);
  if (volume(s.grid) <= most && volume(s.grid) > most_simulated_blocks) {
    return {cudaErrorCooperativeLaunchTooLarge,
            formatted("a cooperative launch of {} blocks; the card runs them at a time, and the simulated device {}",
                      volume(s.grid), most_simulated_blocks),
            false};
  }
  if (volume(s.grid) <= most) return {};
  return {cudaErrorCooperativeLaunchTooLarge,
          formatted("a cooperative launch of {} blocks of {} threads; the card runs {} of them at a time, {} on each "
                    "multiprocessor",
                    volume(s.grid), threads, most, resident_blocks(threads, s.shared_bytes))};
}

refusal look_at_memory(void const* kernel, cosmati_cuda::launch_shape const& s) {
  std::size_t const most = cuda_properties().sharedMemPerBlockOptin, allowed = cuda_most_shared_bytes(kernel);
  if (s.shared_bytes > most) {
    return {cudaErrorInvalidValue,
            formatted("{} bytes of dynamic shared memory a block; the most is {}", s.shared_bytes, most)};
  }
  if (s.shared_bytes > allowed) {
    return {cudaErrorInvalidValue,
            formatted("{} bytes of dynamic shared memory a block; above {} bytes, call cudaFuncSetAttribute(kernel, "
                      "cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before the launch",
                      s.shared_bytes, allowed, s.shared_bytes)};
  }
  return {};
}

/// The error that a GPU would have after a kernel that ended so.
cudaError_t error_of(hazard_kind kind) {
  switch (kind) {
    case hazard_kind::none:
      return cudaSuccess;
    case hazard_kind::out_of_bounds:
    case hazard_kind::wrong_space:
      return cudaErrorIllegalAddress;
    case hazard_kind::misaligned:
      return cudaErrorMisalignedAddress;
    case hazard_kind::assertion:
      return cudaErrorAssert;
    case hazard_kind::deadlock:
      return cudaErrorLaunchTimeout;
    default:
      return cudaErrorLaunchFailure;
  }
}

std::map<void const*, cosmati_cuda::launch_of_kernel>& known_kernels() {
  static auto* const all = new std::map<void const*, cosmati_cuda::launch_of_kernel>;
  return *all;
}

/// A launch that is done later, with copies of its arguments.
struct kept_launch {
  cosmati_sim_launch_request request;
  cosmati_cuda::launch_shape shape;
  std::unique_ptr<void, void (*)(void*)> arguments;
  std::vector<void const*> pointers;
  std::vector<void*> parameters;  // their addresses among the copies
};
std::shared_ptr<kept_launch> keep(cosmati_sim_launch_request const& r, cosmati_cuda::launch_shape const& s) {
  constexpr std::size_t alignment = 256;
  std::size_t const bytes = (r.arguments_bytes + alignment - 1) / alignment * alignment;
  auto kept = std::make_shared<kept_launch>(kept_launch{
      r, s, {std::aligned_alloc(alignment, bytes), &std::free}, {r.pointers, r.pointers + r.pointer_count}, {}});
  std::memcpy(kept->arguments.get(), r.arguments, r.arguments_bytes);
  kept->pointers.push_back(nullptr);
  kept->request.arguments = kept->arguments.get();
  kept->request.pointers = kept->pointers.data();
  for (std::size_t i = 0; i < s.parameter_count; ++i)
    kept->parameters.push_back(static_cast<char*>(kept->arguments.get()) + s.parameter_offsets[i]);
  kept->shape.parameter_offsets = nullptr;
  return kept;
}

std::atomic<bool> cooperative = false;
thread_local bool searching = false;          // until the kernel is entered
thread_local bool copies_for_search = false;  // until its arguments are destroyed as well
thread_local allocation_table before_search;
thread_local void const* found = nullptr;
thread_local dim3 found_clusters;

cudaError_t launch_now(cosmati_sim_launch_request& request, cosmati_cuda::launch_shape const& s, cudaStream_t stream) {
  dim3 const extent[3] = {s.grid, s.block, s.cluster};
  std::uint32_t* const to[3] = {request.grid, request.block, request.cluster};
  for (int i = 0; i < 3; ++i) {
    to[i][0] = extent[i].x;
    to[i][1] = extent[i].y;
    to[i][2] = extent[i].z;
  }
  request.shared_bytes = s.shared_bytes;
  request.stream = stream == cudaStreamLegacy ? nullptr : stream;
  cuda_order(stream);
  cooperative = s.cooperative;
  char text[1000];
  bool const launched = cosmati_sim_launch(&request, text, sizeof text) == 0;
  if (!launched && !report_is_wanted()) std::fprintf(stderr, "cosmati: error: %s\n", text);
  cudaError_t const error = error_of(kind_of_last_failure());
  if (error != cudaSuccess) cuda_kernel_error(error);
  return cudaSuccess;  // a later call returns the error, as on a GPU
}

/// The grids that the lanes of the running grid have launched. They run behind it, in the order of the launches, which
/// CUDA allows: a child may begin at any time after its launch, and the parent ends for the host when all have ended.
struct child_launches {
  std::mutex mutex;
  std::deque<std::shared_ptr<kept_launch>> waiting, tails;

  void add(std::shared_ptr<kept_launch> child) {
    std::lock_guard const lock(mutex);
    (child->shape.stream == cudaStreamTailLaunch ? tails : waiting).push_back(std::move(child));
  }
  std::shared_ptr<kept_launch> next() {
    std::lock_guard const lock(mutex);
    auto& list = waiting.empty() ? tails : waiting;
    if (list.empty()) return nullptr;
    auto child = list.front();
    list.pop_front();
    return child;
  }
};
child_launches& children() {
  static auto* const all = new child_launches;
  return *all;
}

/// Launches a grid, and then the grids that its lanes launch. After a kernel's error the rest is not run.
cudaError_t launch_with_children(cosmati_sim_launch_request& request, cosmati_cuda::launch_shape const& s,
                                 cudaStream_t stream) {
  cudaError_t const result = launch_now(request, s, stream);
  while (std::shared_ptr<kept_launch> const child = children().next()) {
    if (cuda_lasting_error() == cudaSuccess) launch_now(child->request, child->shape, stream);
  }
  return result;
}

stream_work work_of(std::shared_ptr<kept_launch> const& kept) {
  return [kept](cudaStream_t stream) { return launch_with_children(kept->request, kept->shape, stream); };
}
/// The parameters of a node with such a launch. None if the arguments may have other types than the kernel's.
std::optional<cudaGraphNodeParams> params_of(kept_launch& k) {
  if (k.parameters.size() != k.shape.parameter_count || k.request.pointer_count != k.shape.parameter_count) return {};
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = const_cast<void*>(k.request.kernel);
  p.kernel.gridDim = k.shape.grid;
  p.kernel.blockDim = k.shape.block;
  p.kernel.sharedMemBytes = static_cast<unsigned>(k.shape.shared_bytes);
  p.kernel.kernelParams = k.parameters.data();
  return p;
}

refusal look_at_launch(void const* kernel, cosmati_cuda::launch_shape const& s) {
  refusal refused = look_at_grid(s);
  if (refused.error == cudaSuccess) refused = look_at_memory(kernel, s);
  if (refused.error == cudaSuccess) refused = look_at_cooperation(s);
  return refused;
}

/// A launch by a lane of a running kernel.
cudaError_t launch_from_kernel(cosmati_sim_launch_request const& request, cosmati_cuda::launch_shape const& s) {
  refusal const refused = [&] {
    quiet const hush;
    return look_at_launch(request.kernel, s);
  }();
  if (refused.error != cudaSuccess) {
    std::string const sentence =
        formatted("launch inside a kernel: {} ({})", refused.sentence, cudaGetErrorName(refused.error));
    cosmati_sim_fail("invalid_launch", sentence.c_str(), s.file, s.line);
  }
  quiet const hush;  // the copies of the arguments are the library's
  children().add(keep(request, s));
  return cudaSuccess;
}

}  // namespace

allocation_table const& cuda_before_search() { return before_search; }
bool cuda_is_of_argument() { return copies_for_search || this_worker != nullptr; }

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

cudaError_t cosmati_cuda::cosmati_sim_cuda_launch(cosmati_sim_launch_request* request, launch_shape const* shape) {
  launch_shape const& s = *shape;
  if (this_worker != nullptr) return launch_from_kernel(*request, s);
  if (cudaError_t const lasting = cuda_lasting_error(); lasting != cudaSuccess) return lasting;
  refusal const refused = look_at_launch(request->kernel, s);
  if (refused.error != cudaSuccess) {
    std::string const sentence = formatted("launch: {} ({})", refused.sentence, cudaGetErrorName(refused.error));
    if (refused.is_of_card && (report_is_wanted() || page_is_wanted())) {
      cosmati_sim_refuses_launch(request->kernel, sentence.c_str());
    } else {
      std::fprintf(stderr, "cosmati: error: %s: %s\n", kernel_text(request->kernel).c_str(), sentence.c_str());
    }
    return cuda_result(refused.error);
  }
  if (!cuda_stream_exists(s.stream)) {
    report_host_hazard(hazard_kind::invalid_argument, "launch: the stream was never made, or has been destroyed");
    return cuda_result(cudaErrorInvalidResourceHandle);
  }
  if (launch_sink* const sink = launch_sink::current) {
    std::shared_ptr<kept_launch> const kept = keep(*request, s);
    sink->work = work_of(kept);
    sink->parameters = kept->parameters.data();
    return cudaSuccess;
  }
  if (!cuda_is_captured(s.stream)) return launch_with_children(*request, s, s.stream);
  std::shared_ptr<kept_launch> const kept = keep(*request, s);
  return cuda_enqueue(s.stream, cudaGraphNodeTypeKernel, work_of(kept), params_of(*kept));
}

void cosmati_cuda::cosmati_sim_know_kernel(void const* kernel, launch_of_kernel launch) {
  known_kernels()[kernel] = launch;
}
cudaError_t cosmati_cuda::cosmati_sim_launch_known(void const* kernel, launch_shape const* shape, void** arguments) {
  auto const known = known_kernels().find(kernel);
  if (known != known_kernels().end()) return known->second(kernel, shape, arguments);
  report_host_hazard(
      hazard_kind::invalid_argument,
      formatted("a launch by address of {}, whose parameters are unknown: give the call the kernel's name",
                kernel_text(kernel)));
  return cuda_result(cudaErrorInvalidDeviceFunction);
}

int cosmati_sim_is_cooperative() { return cooperative.load() ? 1 : 0; }

void cosmati_cuda::cosmati_sim_find_kernel() {
  searching = copies_for_search = true;
  if (this_worker == nullptr) before_search = current_allocations();  // a lane knows those of its launch
  found = nullptr;
  found_clusters = {};
}
void cosmati_cuda::cosmati_sim_found_clusters(dim3 const* cluster) { found_clusters = *cluster; }
void cosmati_cuda::cosmati_sim_clusters_found(dim3* cluster) { *cluster = found_clusters; }
void const* cosmati_cuda::cosmati_sim_found_kernel() {
  quiet const hush;  // a lane may look for the kernel that it launches
  searching = copies_for_search = false;
  return found != nullptr ? function_begin(found) : nullptr;
}
__attribute__((noinline)) int cosmati_cuda::cosmati_sim_kernel_entered() {
  if (!searching) return 0;
  searching = false;
  found = __builtin_return_address(0);
  return 1;
}
}
