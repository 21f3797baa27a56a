// SPDX-License-Identifier: Apache-2.0
/// @file
/// `thread0`, `print_type`, `CUTE_CHECK_ERROR` and the other macros for debugging.
#pragma once
#include <cute/config.hpp>

#include <cosmati/runtime/debug.hpp>
#include <cstdlib>

#if defined(COSMATI_SIMULATED)
/// Errors of the simulated device are exceptions: nothing is left to ask.
#define CUTE_ERROR_EXIT(status) static_cast<void>(status)
#define CUTE_CHECK_LAST() static_cast<void>(0)
#else
/// Ends the program with the error's name when a call of CUDA fails.
#define CUTE_ERROR_EXIT(status)                                                                             \
  do {                                                                                                      \
    cudaError_t const cosmati_status = (status);                                                            \
    if (cosmati_status != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #status, cudaGetErrorName(cosmati_status), \
              cudaGetErrorString(cosmati_status));                                                          \
      exit(1);                                                                                              \
    }                                                                                                       \
  } while (false)
/// The same for what the device did until now.
#define CUTE_CHECK_LAST()                 \
  CUTE_ERROR_EXIT(cudaPeekAtLastError()); \
  CUTE_ERROR_EXIT(cudaDeviceSynchronize())
#endif
#define CUTE_CHECK_ERROR(status) CUTE_ERROR_EXIT(status)

/// Text with the block's and thread's numbers in kernels.
#if defined(__CUDA_ARCH__)
#define CUTE_LOG(format, ...)                                                                               \
  printf("[block (%d,%d,%d), thread (%d,%d,%d)]: " format, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, \
         threadIdx.y, threadIdx.z, ##__VA_ARGS__)
#else
#define CUTE_LOG(format, ...) printf(format, ##__VA_ARGS__)
#endif
#if defined(DEBUG)
#define CUTE_LOG_DEBUG(format, ...) CUTE_LOG(format, ##__VA_ARGS__)
#else
#define CUTE_LOG_DEBUG(format, ...)
#endif
