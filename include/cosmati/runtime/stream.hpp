// SPDX-License-Identifier: Apache-2.0
/// @file
/// Streams and event timing. The simulated device finishes each launch before the next begins, so there a
/// stream is a name and an event is a time of the host's clock.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#else
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
/// The simulated device has no streams: launches run where they are made.
using stream_handle = void*;
#endif

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
  stream() = default;
  ~stream() = default;
  /// Nothing: launches have ended when they return.
  void synchronize() const {}
#endif
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
  void record(stream_handle = nullptr) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds_ = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  /// Nothing: launches have ended when they return.
  void synchronize() const {}

 private:
  double seconds_ = 0;
#endif
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
    return static_cast<float>(1e3 * (stop.seconds_ - start.seconds_));
#endif
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
