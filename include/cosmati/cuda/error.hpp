// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's error codes, and the functions that return them, for the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
/// The errors with their numbers and CUDA's texts.
#define COSMATI_CUDA_ERRORS_(error)                                                                                    \
  error(cudaSuccess, 0, "no error") error(cudaErrorInvalidValue, 1, "invalid argument") error(                         \
      cudaErrorMemoryAllocation, 2, "out of memory") error(cudaErrorInitializationError, 3, "initialization error")    \
      error(cudaErrorCudartUnloading, 4, "driver shutting down") error(                                                \
          cudaErrorInvalidConfiguration, 9, "invalid configuration argument") error(cudaErrorInvalidPitchValue, 12,    \
                                                                                    "invalid pitch argument")          \
          error(cudaErrorInvalidSymbol, 13, "invalid device symbol") error(                                            \
              cudaErrorInvalidHostPointer, 16, "invalid host pointer") error(cudaErrorInvalidDevicePointer, 17,        \
                                                                             "invalid device pointer")                 \
              error(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") error(                   \
                  cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")     \
                  error(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured") error(        \
                      cudaErrorInvalidDeviceFunction, 98,                                                              \
                      "invalid device function") error(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")   \
                      error(cudaErrorInvalidDevice, 101, "invalid device ordinal") error(                              \
                          cudaErrorNoKernelImageForDevice, 209,                                                        \
                          "no kernel image is available for execution on the device")                                  \
                          error(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") error(                 \
                              cudaErrorNotReady, 600, "device not ready")                                              \
                              error(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") error(   \
                                  cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")       \
                                  error(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") error( \
                                      cudaErrorPeerAccessAlreadyEnabled, 704,                                          \
                                      "peer access is already enabled") error(cudaErrorPeerAccessNotEnabled, 705,      \
                                                                              "peer access has not been enabled")      \
                                      error(cudaErrorAssert, 710, "device-side assert triggered") error(               \
                                          cudaErrorHostMemoryAlreadyRegistered, 712,                                   \
                                          "part or all of the requested memory range is already mapped")               \
                                          error(cudaErrorHostMemoryNotRegistered, 713,                                 \
                                                "pointer does not correspond to a registered memory region")           \
                                              error(cudaErrorIllegalInstruction, 715,                                  \
                                                    "an illegal instruction was encountered")                          \
                                                  error(cudaErrorMisalignedAddress, 716, "misaligned address") error(  \
                                                      cudaErrorLaunchFailure, 719, "unspecified launch failure")       \
                                                      error(cudaErrorCooperativeLaunchTooLarge, 720,                   \
                                                            "too many blocks in cooperative launch")                   \
                                                          error(cudaErrorNotPermitted, 800, "operation not permitted") \
                                                              error(cudaErrorNotSupported, 801,                        \
                                                                    "operation not supported")                         \
                                                                  error(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define COSMATI_CUDA_ERROR_(name, number, text) name = number,
  COSMATI_CUDA_ERRORS_(COSMATI_CUDA_ERROR_)
#undef COSMATI_CUDA_ERROR_
};
using cudaError_t = cudaError;

/// Declares a function of the simulated device's library. Its symbol differs from CUDA's own, so that one program can
/// be linked with both.
#define COSMATI_CUDA_API_(type, name, parameters) extern "C" type name parameters asm("cosmati_sim_" #name)

/// Returns the error of an earlier call or launch, and forgets it. An error that ended a kernel stays.
COSMATI_CUDA_API_(cudaError_t, cudaGetLastError, (void));
COSMATI_CUDA_API_(cudaError_t, cudaPeekAtLastError, (void));
COSMATI_CUDA_API_(char const*, cudaGetErrorString, (cudaError_t error));
COSMATI_CUDA_API_(char const*, cudaGetErrorName, (cudaError_t error));

#endif

#include <cosmati/core/macros_end.hpp>
