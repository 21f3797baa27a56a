// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cute::device_init`: chooses a device and names it.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/util/helper_cuda.hpp>)
#include_next <cutlass/util/helper_cuda.hpp>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cute/util/debug.hpp>

namespace COSMATI_NAMESPACE {

/// Ends the program where there is no such device.
inline void device_init([[maybe_unused]] int device, [[maybe_unused]] bool quiet = false) {
#if !defined(COSMATI_SIMULATED)
  cudaDeviceProp properties;
  CUTE_CHECK_ERROR(cudaSetDevice(device));
  CUTE_CHECK_ERROR(cudaGetDeviceProperties(&properties, device));
  if (!quiet) {
    printf("Using device %d: %s  (SM%d, %d SMs)\n", device, properties.name, properties.major * 10 + properties.minor,
           properties.multiProcessorCount);
    fflush(stdout);
  }
#else
  if (!quiet) printf("Using the simulated device\n");
#endif
}

/// The number of CUDA cores of a multiprocessor of this compute capability; that of the newest known for others.
inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (10 * major + minor) {
    case 30:
    case 32:
    case 35:
    case 37:
      return 192;
    case 60:
    case 70:
    case 72:
    case 75:
    case 80:
      return 64;
    default:
      return 128;
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>

#endif
