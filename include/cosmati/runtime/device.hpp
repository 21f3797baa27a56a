// SPDX-License-Identifier: Apache-2.0
/// @file
/// The device that runs this program's kernels: the current GPU under nvcc, otherwise the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cosmati/runtime/stream.hpp>

namespace COSMATI_NAMESPACE {

/// Whether kernels compiled in this file run on the simulated device.
constexpr bool is_simulated() {
#if defined(COSMATI_SIMULATED)
  return true;
#else
  return false;
#endif
}

/// The properties of a device.
struct device_info {
  char name[256];
  int multiprocessors;                 ///< the multiprocessors, or the host threads that run blocks on the simulated
                                       ///< device
  std::size_t shared_bytes_per_block;  ///< the limit of `launch_config::shared_bytes`
  int compute_capability;              ///< 90 for 9.0; 0 for the simulated device
};

/// Describes the current device. Throws `error` if there is none.
inline device_info current_device() {
  device_info info = {};
#if defined(__CUDACC__)
  int id = 0;
  detail::check_cuda(cudaGetDevice(&id), "finding the current GPU");
  cudaDeviceProp properties;
  detail::check_cuda(cudaGetDeviceProperties(&properties, id), "reading a GPU's properties");
  std::snprintf(info.name, sizeof info.name, "%s", properties.name);
  info.multiprocessors = properties.multiProcessorCount;
  info.shared_bytes_per_block = properties.sharedMemPerBlockOptin;
  info.compute_capability = 10 * properties.major + properties.minor;
#else
  cosmati_sim_device_info(&info.multiprocessors, &info.shared_bytes_per_block, info.name, sizeof info.name);
#endif
  return info;
}

/// The current device's `device_info::multiprocessors`, without asking for the rest.
inline int multiprocessors() {
#if defined(__CUDACC__)
  int id = 0, count = 0;
  detail::check_cuda(cudaGetDevice(&id), "finding the current GPU");
  detail::check_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, id), "reading a GPU's properties");
  return count;
#else
  return current_device().multiprocessors;
#endif
}

/// Whether there is a device to run on. The simulated device always is available.
inline bool device_is_available() {
#if defined(__CUDACC__)
  int count = 0;
  bool const found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  (void)cudaGetLastError();
  return found;
#else
  return true;
#endif
}

/// Waits for all work on the device. Throws `error` with anything that went wrong in it.
inline void synchronize() {
#if defined(__CUDACC__)
  detail::check_cuda(cudaDeviceSynchronize(), "waiting for the GPU");
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
