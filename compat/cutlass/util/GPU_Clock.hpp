// SPDX-License-Identifier: Apache-2.0
/// @file
/// `GPU_Clock`: milliseconds of the GPU between two points of the default stream.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/util/GPU_Clock.hpp>)
#include_next <cutlass/util/GPU_Clock.hpp>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cute/util/debug.hpp>

#if !defined(COSMATI_SIMULATED)
/// Begins when it is made, and again at `start()`.
struct GPU_Clock {
  GPU_Clock() {
    cudaEventCreate(&begin_);
    cudaEventCreate(&end_);
    start();
  }
  GPU_Clock(GPU_Clock const&) = delete;
  GPU_Clock& operator=(GPU_Clock const&) = delete;
  ~GPU_Clock() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  void start() { cudaEventRecord(begin_); }
  float milliseconds() {
    float elapsed = 0;
    cudaEventRecord(end_);
    cudaEventSynchronize(end_);
    cudaEventElapsedTime(&elapsed, begin_, end_);
    return elapsed;
  }
  float seconds() { return milliseconds() / 1000; }

 private:
  cudaEvent_t begin_, end_;
};
#else
/// The simulated device has no clock: every time is 0.
struct GPU_Clock {
  void start() {}
  float milliseconds() { return 0; }
  float seconds() { return 0; }
};
#endif

#include <cosmati/core/macros_end.hpp>

#endif
