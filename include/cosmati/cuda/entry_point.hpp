// SPDX-License-Identifier: Apache-2.0
/// @file
/// The addresses of functions of CUDA's driver interface by their names.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/error.hpp>

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};
#define cudaEnableDefault 0u
#define cudaEnableLegacyStream 1u
#define cudaEnablePerThreadDefaultStream 2u

/// @param out receives null for a name that is not there
COSMATI_CUDA_API_(cudaError_t, cudaGetDriverEntryPointByVersion,
                  (char const* name, void** out, unsigned version, unsigned long long flags,
                   cudaDriverEntryPointQueryResult* found = nullptr));
inline cudaError_t cudaGetDriverEntryPoint(char const* name, void** out, unsigned long long flags,
                                           cudaDriverEntryPointQueryResult* found = nullptr) {
  return cudaGetDriverEntryPointByVersion(name, out, 13000, flags, found);
}

#endif

#include <cosmati/core/macros_end.hpp>
