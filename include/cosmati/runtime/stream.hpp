// SPDX-License-Identifier: Apache-2.0
/// @file
/// Streams and events. The simulated device finishes each launch before the next begins; it reports what kernels of two
/// streams do to the same memory without an event, or a wait, in between. An event's time is the host's clock there.
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
/// Throws `error` with CUDA's text when `status` is not success. @param doing what was tried, a literal
inline void check_cuda(cudaError_t status, char const* doing) {
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    throw error("%s: %s (%s)", doing, cudaGetErrorString(status), cudaGetErrorName(status));
  }
}
}  // namespace detail

/// What `launch_config::stream` holds; null is the default stream.
using stream_handle = cudaStream_t;
#else
/// The simulated device runs launches where they are made: a stream is a number, and what is known to be over in it.
using stream_handle = void*;

namespace detail {
#if defined(COSMATI_SIMULATED)
/// All that the device was given is over for the host. The functions are there when kernels are.
inline void wait_for_device() {
  if (cosmati_sim_host_waits != nullptr) cosmati_sim_host_waits(2, nullptr);
}
#else
inline void wait_for_device() {}
#endif
}  // namespace detail
#endif

class event;

/// A queue of work on the device. Owns it; move-only.
class stream {
 public:
#if defined(__CUDACC__)
  stream() { detail::check_cuda(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "creating a stream"); }
  ~stream() {
    if (handle_ != nullptr) cudaStreamDestroy(handle_);
  }
  /// Waits until all work given to this stream is done; throws what went wrong in it.
  void synchronize() const { detail::check_cuda(cudaStreamSynchronize(handle_), "waiting for a stream"); }
#else
  stream() {
    static std::uintptr_t made = 0;
    handle_ = reinterpret_cast<stream_handle>(++made);
  }
  ~stream() = default;
  /// Launches have ended when they return: what is said is that the host relies on it.
  void synchronize() const {
#if defined(COSMATI_SIMULATED)
    if (cosmati_sim_host_waits != nullptr) cosmati_sim_host_waits(0, handle_);
#endif
  }
#endif
  /// What is given to this stream from now on begins when the event's work is done: all that was in its stream before
  /// it was recorded. The host does not wait.
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

/// A point in a stream whose time can be read. Owns it; not copyable.
class event {
 public:
#if defined(__CUDACC__)
  event() { detail::check_cuda(cudaEventCreate(&handle_), "creating an event"); }
  ~event() { cudaEventDestroy(handle_); }
  /// Into the stream: what it is given from now on comes behind.
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
  /// As that of a stream.
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

  /// Milliseconds from `start` to `stop`; waits for `stop`. On the simulated device: time of the host.
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
