// SPDX-License-Identifier: Apache-2.0
/// @file
/// Streams and events. The simulated device finishes each launch before the next begins. It reports kernels of two
/// streams that access the same memory without an event or a wait in between. The time of an event there is the host's
/// clock.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdint>
#include <ctime>
#endif

namespace COSMATI_NAMESPACE {

#if defined(__CUDACC__)
namespace detail {
/// Throws `error` with CUDA's text if `status` is not success. @param doing the attempted action, a literal
inline void check_cuda(cudaError_t status, char const* doing) {
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    throw error("%s: %s (%s)", doing, cudaGetErrorString(status), cudaGetErrorName(status));
  }
}
}  // namespace detail

/// The type of `launch_config::stream`. Null is the default stream.
using stream_handle = cudaStream_t;
#else
/// The simulated device runs a launch inside the call. A stream is a number, with the work that is known to be complete
/// in it.
using stream_handle = void*;

namespace detail {
#if defined(COSMATI_SIMULATED)
/// Tells that the host has waited for all work of the device. The functions exist if there are kernels.
inline void wait_for_device() {
  if (cosmati_sim_host_waits != nullptr) cosmati_sim_host_waits(2, nullptr);
}
#else
inline void wait_for_device() {}
#endif
}  // namespace detail
#endif

class event;

/// A queue of work on the device, which the object owns. It is move-only.
class stream {
 public:
#if defined(__CUDACC__)
  stream() { detail::check_cuda(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "creating a stream"); }
  ~stream() {
    if (handle_ != nullptr) cudaStreamDestroy(handle_);
  }
  /// Waits until all work of this stream is complete. Throws `error` with anything that went wrong in it.
  void synchronize() const { detail::check_cuda(cudaStreamSynchronize(handle_), "waiting for a stream"); }
#else
  stream() {
    static std::uintptr_t made = 0;
    handle_ = reinterpret_cast<stream_handle>(++made);
  }
  ~stream() = default;
  /// Launches are complete when they return. The call tells the simulated device that the host relies on it.
  void synchronize() const {
#if defined(COSMATI_SIMULATED)
    if (cosmati_sim_host_waits != nullptr) cosmati_sim_host_waits(0, handle_);
#endif
  }
#endif
  /// Later work of this stream begins when the event's work is complete: all work in the event's stream before it was
  /// recorded. The host does not wait.
  void wait(event const& what) const;
  stream(stream&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  stream& operator=(stream&& other) noexcept {
    stream_handle const mine = handle_;
    handle_ = other.handle_;
    other.handle_ = mine;
    return *this;
  }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;

  stream_handle get() const { return handle_; }
  operator stream_handle() const { return handle_; }

 private:
  stream_handle handle_ = nullptr;
};

/// A point in a stream whose time can be read. The object owns it and cannot be copied.
class event {
 public:
#if defined(__CUDACC__)
  event() { detail::check_cuda(cudaEventCreate(&handle_), "creating an event"); }
  ~event() { cudaEventDestroy(handle_); }
  /// Records the event in the stream, after the work that the stream has so far.
  void record(stream_handle in = nullptr) { detail::check_cuda(cudaEventRecord(handle_, in), "recording an event"); }
  void synchronize() const { detail::check_cuda(cudaEventSynchronize(handle_), "waiting for an event"); }

 private:
  cudaEvent_t handle_ = nullptr;
#else
  event() = default;
  /// Takes the time.
  void record([[maybe_unused]] stream_handle in = nullptr) {
#if defined(COSMATI_SIMULATED)
    if (cosmati_sim_event_record != nullptr) cosmati_sim_event_record(this, in);
#endif
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds_ = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  /// Waits as a stream's synchronize does.
  void synchronize() const {
#if defined(COSMATI_SIMULATED)
    if (cosmati_sim_host_waits != nullptr) cosmati_sim_host_waits(1, this);
#endif
  }

 private:
  double seconds_ = 0;
#endif
  friend stream;

 public:
  event(event const&) = delete;
  event& operator=(event const&) = delete;

  /// The milliseconds from `start` to `stop`. It waits for `stop`. On the simulated device it is the host's time.
  friend float elapsed_ms(event const& start, event const& stop) {
#if defined(__CUDACC__)
    stop.synchronize();
    float ms = 0;
    detail::check_cuda(cudaEventElapsedTime(&ms, start.handle_, stop.handle_), "reading the time between two events");
    return ms;
#else
    stop.synchronize();
    return static_cast<float>(1e3 * (stop.seconds_ - start.seconds_));
#endif
  }
};

inline void stream::wait([[maybe_unused]] event const& what) const {
#if defined(__CUDACC__)
  detail::check_cuda(cudaStreamWaitEvent(handle_, what.handle_, 0), "letting a stream wait for an event");
#elif defined(COSMATI_SIMULATED)
  if (cosmati_sim_stream_wait != nullptr) cosmati_sim_stream_wait(handle_, &what);
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
