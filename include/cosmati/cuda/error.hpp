// SPDX-License-Identifier: Apache-2.0
/// @file
/// The functions that return CUDA's errors, for the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/error_codes.hpp>

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
