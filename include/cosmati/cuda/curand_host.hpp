// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's curand.h provides: generators that fill arrays with uniform, normal and log-normal numbers, in cuRAND's
/// default order. The bits and the uniform numbers are cuRAND's own.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define CURAND_H_
#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/library_types.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cstddef>

// The toolkit's headers of other generators mark their functions with it.
#ifndef CURANDAPI
#define CURANDAPI
#endif

struct curandGenerator_st;
using curandGenerator_t = curandGenerator_st*;

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
using curandStatus_t = curandStatus;
/// The simulated device has XORWOW and Philox.
enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
using curandRngType_t = curandRngType;
/// The first, second and fourth give one order.
enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};
using curandOrdering_t = curandOrdering;

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

/// A generator that writes memory of the device.
COSMATI_CUDA_API_(curandStatus_t, curandCreateGenerator, (curandGenerator_t * out, curandRngType_t type));
/// A generator that writes memory of the host.
COSMATI_CUDA_API_(curandStatus_t, curandCreateGeneratorHost, (curandGenerator_t * out, curandRngType_t type));
COSMATI_CUDA_API_(curandStatus_t, curandDestroyGenerator, (curandGenerator_t generator));
COSMATI_CUDA_API_(curandStatus_t, curandGetVersion, (int* version));
COSMATI_CUDA_API_(curandStatus_t, curandGetProperty, (libraryPropertyType type, int* value));
COSMATI_CUDA_API_(curandStatus_t, curandSetStream, (curandGenerator_t generator, cudaStream_t stream));
COSMATI_CUDA_API_(curandStatus_t, curandSetPseudoRandomGeneratorSeed,
                  (curandGenerator_t generator, unsigned long long seed));
COSMATI_CUDA_API_(curandStatus_t, curandSetGeneratorOffset, (curandGenerator_t generator, unsigned long long offset));
COSMATI_CUDA_API_(curandStatus_t, curandSetGeneratorOrdering, (curandGenerator_t generator, curandOrdering_t order));
COSMATI_CUDA_API_(curandStatus_t, curandGenerateSeeds, (curandGenerator_t generator));

/// @name Numbers; those of normal distributions come in pairs
/// @{
COSMATI_CUDA_API_(curandStatus_t, curandGenerate, (curandGenerator_t generator, unsigned* out, std::size_t count));
COSMATI_CUDA_API_(curandStatus_t, curandGenerateUniform, (curandGenerator_t generator, float* out, std::size_t count));
COSMATI_CUDA_API_(curandStatus_t, curandGenerateUniformDouble,
                  (curandGenerator_t generator, double* out, std::size_t count));
COSMATI_CUDA_API_(curandStatus_t, curandGenerateNormal,
                  (curandGenerator_t generator, float* out, std::size_t count, float mean, float deviation));
COSMATI_CUDA_API_(curandStatus_t, curandGenerateNormalDouble,
                  (curandGenerator_t generator, double* out, std::size_t count, double mean, double deviation));
COSMATI_CUDA_API_(curandStatus_t, curandGenerateLogNormal,
                  (curandGenerator_t generator, float* out, std::size_t count, float mean, float deviation));
COSMATI_CUDA_API_(curandStatus_t, curandGenerateLogNormalDouble,
                  (curandGenerator_t generator, double* out, std::size_t count, double mean, double deviation));
/// @}

#endif

#include <cosmati/core/macros_end.hpp>
