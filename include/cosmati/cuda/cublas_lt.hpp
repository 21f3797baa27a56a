// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cublasLt.h provides: products of matrices whose layouts and epilogues are described by attributes. They
/// are computed by the host's threads, in the order of the stream, and their accesses are checked like those of a copy.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cublas.hpp>
#include <cosmati/cuda/cublas_lt_algos.hpp>
#include <cosmati/cuda/cublas_lt_types.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#define COSMATI_CUBLAS_(name, parameters) COSMATI_CUDA_API_(cublasStatus_t, name, parameters)

/// @name Handles; a handle of cuBLAS is one, too
/// @{
COSMATI_CUBLAS_(cublasLtCreate, (cublasLtHandle_t * handle));
COSMATI_CUBLAS_(cublasLtDestroy, (cublasLtHandle_t handle));
COSMATI_CUDA_API_(char const*, cublasLtGetStatusName, (cublasStatus_t status));
COSMATI_CUDA_API_(char const*, cublasLtGetStatusString, (cublasStatus_t status));
COSMATI_CUDA_API_(std::size_t, cublasLtGetVersion, (void));
COSMATI_CUDA_API_(std::size_t, cublasLtGetCudartVersion, (void));
COSMATI_CUBLAS_(cublasLtGetProperty, (libraryPropertyType type, int* value));
COSMATI_CUBLAS_(cublasLtHeuristicsCacheGetCapacity, (std::size_t * capacity));
COSMATI_CUBLAS_(cublasLtHeuristicsCacheSetCapacity, (std::size_t capacity));
COSMATI_CUDA_API_(unsigned, cublasLtDisableCpuInstructionsSetMask, (unsigned mask));
/// @}

/// @name Logs, which are empty
/// @{
COSMATI_CUBLAS_(cublasLtLoggerSetCallback, (cublasLtLoggerCallback_t callback));
COSMATI_CUBLAS_(cublasLtLoggerSetFile, (std::FILE * file));
COSMATI_CUBLAS_(cublasLtLoggerOpenFile, (char const* path));
COSMATI_CUBLAS_(cublasLtLoggerSetLevel, (int level));
COSMATI_CUBLAS_(cublasLtLoggerSetMask, (int mask));
COSMATI_CUBLAS_(cublasLtLoggerForceDisable, (void));
/// @}

/// @name Descriptions; `bytes` is the size of the value in `buffer`, or the buffer's
/// @{
#define COSMATI_CUBLAS_LT_ATTRIBUTES_(name, type, attributes)                                       \
  COSMATI_CUBLAS_(name##Destroy, (type description));                                               \
  COSMATI_CUBLAS_(name##SetAttribute,                                                               \
                  (type description, attributes attribute, void const* buffer, std::size_t bytes)); \
  COSMATI_CUBLAS_(name##GetAttribute,                                                               \
                  (type description, attributes attribute, void* buffer, std::size_t bytes, std::size_t* written))
COSMATI_CUBLAS_LT_ATTRIBUTES_(cublasLtMatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t);
COSMATI_CUBLAS_LT_ATTRIBUTES_(cublasLtMatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t);
COSMATI_CUBLAS_LT_ATTRIBUTES_(cublasLtMatmulPreference, cublasLtMatmulPreference_t,
                              cublasLtMatmulPreferenceAttributes_t);
COSMATI_CUBLAS_LT_ATTRIBUTES_(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDesc_t,
                              cublasLtMatrixTransformDescAttributes_t);
#undef COSMATI_CUBLAS_LT_ATTRIBUTES_
COSMATI_CUBLAS_(cublasLtMatrixLayoutCreate, (cublasLtMatrixLayout_t * layout, cudaDataType type, std::uint64_t rows,
                                             std::uint64_t columns, std::int64_t leading));
COSMATI_CUBLAS_(cublasLtMatrixLayoutInit_internal, (cublasLtMatrixLayout_t layout, std::size_t bytes, cudaDataType type,
                                                    std::uint64_t rows, std::uint64_t columns, std::int64_t leading));
COSMATI_CUBLAS_(cublasLtMatmulDescCreate,
                (cublasLtMatmulDesc_t * description, cublasComputeType_t compute, cudaDataType scale));
COSMATI_CUBLAS_(cublasLtMatmulDescInit_internal,
                (cublasLtMatmulDesc_t description, std::size_t bytes, cublasComputeType_t compute, cudaDataType scale));
COSMATI_CUBLAS_(cublasLtMatmulPreferenceCreate, (cublasLtMatmulPreference_t * preference));
COSMATI_CUBLAS_(cublasLtMatmulPreferenceInit_internal, (cublasLtMatmulPreference_t preference, std::size_t bytes));
COSMATI_CUBLAS_(cublasLtMatrixTransformDescCreate, (cublasLtMatrixTransformDesc_t * description, cudaDataType scale));
COSMATI_CUBLAS_(cublasLtMatrixTransformDescInit_internal,
                (cublasLtMatrixTransformDesc_t description, std::size_t bytes, cudaDataType scale));
inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, std::uint64_t rows,
                                               std::uint64_t columns, std::int64_t leading) {
  return cublasLtMatrixLayoutInit_internal(layout, sizeof(*layout), type, rows, columns, leading);
}
inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t description, cublasComputeType_t compute,
                                             cudaDataType scale) {
  return cublasLtMatmulDescInit_internal(description, sizeof(*description), compute, scale);
}
inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  return cublasLtMatmulPreferenceInit_internal(preference, sizeof(*preference));
}
inline cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t description, cudaDataType scale) {
  return cublasLtMatrixTransformDescInit_internal(description, sizeof(*description), scale);
}
/// @}

/// @name Algorithms: there is one, which needs no workspace
/// @{
COSMATI_CUBLAS_(cublasLtMatmulAlgoGetHeuristic,
                (cublasLtHandle_t handle, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a,
                 cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                 cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t results[],
                 int* found));
COSMATI_CUBLAS_(cublasLtMatmulAlgoGetIds,
                (cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType scale, cudaDataType a,
                 cudaDataType b, cudaDataType c, cudaDataType d, int wanted, int ids[], int* found));
COSMATI_CUBLAS_(cublasLtMatmulAlgoInit,
                (cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType scale, cudaDataType a,
                 cudaDataType b, cudaDataType c, cudaDataType d, int id, cublasLtMatmulAlgo_t* algo));
COSMATI_CUBLAS_(cublasLtMatmulAlgoCheck,
                (cublasLtHandle_t handle, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a,
                 cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                 cublasLtMatmulAlgo_t const* algo, cublasLtMatmulHeuristicResult_t* result));
COSMATI_CUBLAS_(cublasLtMatmulAlgoCapGetAttribute,
                (cublasLtMatmulAlgo_t const* algo, cublasLtMatmulAlgoCapAttributes_t attribute, void* buffer,
                 std::size_t bytes, std::size_t* written));
COSMATI_CUBLAS_(cublasLtMatmulAlgoConfigSetAttribute,
                (cublasLtMatmulAlgo_t * algo, cublasLtMatmulAlgoConfigAttributes_t attribute, void const* buffer,
                 std::size_t bytes));
COSMATI_CUBLAS_(cublasLtMatmulAlgoConfigGetAttribute,
                (cublasLtMatmulAlgo_t const* algo, cublasLtMatmulAlgoConfigAttributes_t attribute, void* buffer,
                 std::size_t bytes, std::size_t* written));
/// @}

/// D = epilogue(alpha op(A) op(B) + beta C).
COSMATI_CUBLAS_(cublasLtMatmul,
                (cublasLtHandle_t handle, cublasLtMatmulDesc_t description, void const* alpha, void const* a,
                 cublasLtMatrixLayout_t a_layout, void const* b, cublasLtMatrixLayout_t b_layout, void const* beta,
                 void const* c, cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                 cublasLtMatmulAlgo_t const* algo, void* workspace, std::size_t workspace_bytes, cudaStream_t stream));
/// C = alpha op(A) + beta op(B), where each matrix has its own layout.
COSMATI_CUBLAS_(cublasLtMatrixTransform,
                (cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t description, void const* alpha, void const* a,
                 cublasLtMatrixLayout_t a_layout, void const* beta, void const* b, cublasLtMatrixLayout_t b_layout,
                 void* c, cublasLtMatrixLayout_t c_layout, cudaStream_t stream));

#undef COSMATI_CUBLAS_

#endif

#include <cosmati/core/macros_end.hpp>
