// SPDX-License-Identifier: Apache-2.0
// CUDA's streams and events. All work is complete when its call returns; what a GPU may run in another order is found
// by stream_order.cpp.
#include <time.h>

#include <algorithm>
#include <cosmati/runtime/sim_abi.hpp>
#include <map>
#include <mutex>

#include "cuda_capture.hpp"
#include "cuda_state.hpp"
#include "host_waits.hpp"

namespace cosmati_sim {
namespace {

struct recorded_event {
  bool is_recorded = false, has_time = true;
  double milliseconds = 0;
};
struct all_streams {
  std::mutex mutex;
  std::map<cudaStream_t, bool> streams;  // whether the stream waits for the default stream
  std::map<cudaStream_t, int> priorities;
  std::map<cudaEvent_t, recorded_event> events;
  std::uintptr_t next = 16;  // 1 and 2 are cudaStreamLegacy and cudaStreamPerThread
};
all_streams& streams() {
  static auto* const all = new all_streams;
  return *all;
}

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

bool is_default(cudaStream_t s) { return s == nullptr || s == cudaStreamLegacy; }

recorded_event* find_event(cudaEvent_t e) {
  auto const found = streams().events.find(e);
  return found != streams().events.end() ? &found->second : nullptr;
}

bool exists(cudaStream_t s) { return cuda_stream_exists(s); }

cudaError_t make_stream(cudaStream_t* out, bool blocking) {
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  *out = reinterpret_cast<cudaStream_t>(all.next);
  all.next += 16;
  all.streams[*out] = blocking;
  return cuda_result(cudaSuccess);
}

}  // namespace

bool cuda_stream_exists(cudaStream_t stream) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  return is_default(stream) || stream == cudaStreamPerThread || all.streams.count(stream) != 0;
}

void cuda_order(cudaStream_t stream) {
  static char point;
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  auto const found = all.streams.find(stream);
  bool const blocking = stream == cudaStreamPerThread || (found != all.streams.end() && found->second);
  if (blocking) {
    cosmati_sim_event_record(&point, nullptr);
    cosmati_sim_stream_wait(stream, &point);
  } else if (is_default(stream)) {
    for (auto const& [other, waits] : all.streams) {
      if (!waits) continue;
      cosmati_sim_event_record(&point, other);
      cosmati_sim_stream_wait(nullptr, &point);
    }
  }
}

void cuda_wait(cudaStream_t stream) {
  cuda_order(stream);
  cosmati_sim_host_waits(0, is_default(stream) ? nullptr : stream);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

cudaError_t cudaStreamCreate(cudaStream_t* out) { return make_stream(out, true); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return make_stream(out, (flags & cudaStreamNonBlocking) == 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
  if (cudaError_t const error = cudaStreamCreateWithFlags(out, flags)) return error;
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  all.priorities[*out] = std::clamp(priority, -5, 0);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (cuda_is_of_argument()) return cudaSuccess;
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  return cuda_result(all.streams.erase(stream) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (!exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  if (cudaError_t const error = cuda_may_wait(stream)) return cuda_result(error);
  cuda_wait(stream);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (!exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  if (cuda_captures_wait(stream, event)) return cuda_result(cudaSuccess);
  cosmati_sim_stream_wait(is_default(stream) ? nullptr : stream, event);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
  if (!exists(stream) || callback == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = cuda_may_wait(stream)) return cuda_result(error);
  cuda_wait(stream);  // the function may tell the host that the stream is here
  stream_function const in_order;
  callback(stream, cuda_lasting_error(), data);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!exists(stream) || function == nullptr) return cuda_result(cudaErrorInvalidValue);
  return cuda_enqueue(stream, cudaGraphNodeTypeHost, [function, data](cudaStream_t s) {
    cuda_wait(s);  // the function may tell the host that the stream is here
    stream_function const in_order;
    function(data);
    return cuda_result(cudaSuccess);
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  *out = reinterpret_cast<cudaEvent_t>(all.next);
  all.next += 16;
  all.events[*out].has_time = (flags & cudaEventDisableTiming) == 0;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaEventCreate(cudaEvent_t* out) { return cudaEventCreateWithFlags(out, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (cuda_is_of_argument()) return cudaSuccess;
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  return cuda_result(all.events.erase(event) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  // An event of the default stream follows the work of all streams that wait for it, and theirs follows its work.
  if (!cuda_is_captured(stream)) cuda_order(stream);
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  recorded_event* const e = find_event(event);
  if (e == nullptr) return cuda_result(cudaErrorInvalidResourceHandle);
  if (cuda_captures_record(stream, event)) return cuda_result(cudaSuccess);
  e->is_recorded = true;
  e->milliseconds = now();
  cosmati_sim_event_record(event, is_default(stream) ? nullptr : stream);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  if (find_event(event) == nullptr) return cuda_result(cudaErrorInvalidResourceHandle);
  cosmati_sim_host_waits(1, event);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  if (!exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  auto const found = all.streams.find(stream);
  *flags = found != all.streams.end() && !found->second ? cudaStreamNonBlocking : cudaStreamDefault;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (!exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  auto const found = all.priorities.find(stream);
  *priority = found != all.priorities.end() ? found->second : 0;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  all_streams& all = streams();
  std::lock_guard const lock(all.mutex);
  recorded_event const *const a = find_event(start), *const b = find_event(end);
  if (milliseconds == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (a == nullptr || b == nullptr || !a->is_recorded || !b->is_recorded || !a->has_time || !b->has_time)
    return cuda_result(cudaErrorInvalidResourceHandle);
  *milliseconds = static_cast<float>(std::max(b->milliseconds - a->milliseconds, 1e-3));
  return cuda_result(cudaSuccess);
}
