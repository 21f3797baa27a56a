// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cublas_v2.h provides: vectors, and products of matrices, of real numbers, computed by the host's
/// threads. A call is a piece of work of the handle's stream, and its accesses are checked like those of a copy.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define CUBLAS_API_H_
#define CUBLAS_V2_H_
#include <cosmati/cuda/bf16.hpp>
#include <cosmati/cuda/complex.hpp>
#include <cosmati/cuda/cublas_types.hpp>
#include <cosmati/cuda/fp16.hpp>
#include <cosmati/cuda/memory.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cstddef>
#include <cstdint>

#define COSMATI_CUBLAS_(name, parameters) COSMATI_CUDA_API_(cublasStatus_t, name, parameters)
// CUDA's header calls these cublasCreate_v2 and so on, and cublasCreate is a macro. Here both names are functions.
#define COSMATI_CUBLAS_V2_(name, parameters)                                 \
  extern "C" cublasStatus_t name parameters asm("cosmati_sim_" #name "_v2"); \
  extern "C" cublasStatus_t name##_v2 parameters asm("cosmati_sim_" #name "_v2")

/// @name Handles
/// @{
COSMATI_CUBLAS_V2_(cublasCreate, (cublasHandle_t * handle));
COSMATI_CUBLAS_V2_(cublasDestroy, (cublasHandle_t handle));
COSMATI_CUBLAS_V2_(cublasGetVersion, (cublasHandle_t handle, int* version));
COSMATI_CUBLAS_(cublasGetProperty, (libraryPropertyType type, int* value));
COSMATI_CUDA_API_(std::size_t, cublasGetCudartVersion, (void));
COSMATI_CUBLAS_V2_(cublasSetStream, (cublasHandle_t handle, cudaStream_t stream));
COSMATI_CUBLAS_V2_(cublasGetStream, (cublasHandle_t handle, cudaStream_t* stream));
COSMATI_CUBLAS_V2_(cublasSetWorkspace, (cublasHandle_t handle, void* workspace, std::size_t bytes));
COSMATI_CUBLAS_V2_(cublasSetPointerMode, (cublasHandle_t handle, cublasPointerMode_t mode));
COSMATI_CUBLAS_V2_(cublasGetPointerMode, (cublasHandle_t handle, cublasPointerMode_t* mode));
COSMATI_CUBLAS_(cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode));
COSMATI_CUBLAS_(cublasGetMathMode, (cublasHandle_t handle, cublasMath_t* mode));
COSMATI_CUBLAS_(cublasSetAtomicsMode, (cublasHandle_t handle, cublasAtomicsMode_t mode));
COSMATI_CUBLAS_(cublasGetAtomicsMode, (cublasHandle_t handle, cublasAtomicsMode_t* mode));
COSMATI_CUBLAS_(cublasSetSmCountTarget, (cublasHandle_t handle, int count));
COSMATI_CUBLAS_(cublasGetSmCountTarget, (cublasHandle_t handle, int* count));
COSMATI_CUDA_API_(char const*, cublasGetStatusName, (cublasStatus_t status));
COSMATI_CUDA_API_(char const*, cublasGetStatusString, (cublasStatus_t status));
/// @}

/// @name Copies between the host and the device
/// @{
COSMATI_CUBLAS_(cublasSetVector, (int n, int bytes, void const* x, int incx, void* y, int incy));
COSMATI_CUBLAS_(cublasSetMatrix, (int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb));
COSMATI_CUBLAS_(cublasSetVectorAsync,
                (int n, int bytes, void const* x, int incx, void* y, int incy, cudaStream_t stream));
COSMATI_CUBLAS_(cublasSetMatrixAsync,
                (int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb, cudaStream_t stream));
COSMATI_CUBLAS_(cublasGetVector, (int n, int bytes, void const* x, int incx, void* y, int incy));
COSMATI_CUBLAS_(cublasGetMatrix, (int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb));
COSMATI_CUBLAS_(cublasGetVectorAsync,
                (int n, int bytes, void const* x, int incx, void* y, int incy, cudaStream_t stream));
COSMATI_CUBLAS_(cublasGetMatrixAsync,
                (int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb, cudaStream_t stream));
/// @}

/// @name Vectors; scalars and results are in the memory that the pointer mode says
/// @{
#define COSMATI_CUBLAS_VECTORS_(letter, lower, T)                                                                 \
  COSMATI_CUBLAS_V2_(cublas##letter##axpy,                                                                        \
                     (cublasHandle_t handle, int n, T const* alpha, T const* x, int incx, T* y, int incy));       \
  COSMATI_CUBLAS_V2_(cublas##letter##scal, (cublasHandle_t handle, int n, T const* alpha, T* x, int incx));       \
  COSMATI_CUBLAS_V2_(cublas##letter##copy, (cublasHandle_t handle, int n, T const* x, int incx, T* y, int incy)); \
  COSMATI_CUBLAS_V2_(cublas##letter##swap, (cublasHandle_t handle, int n, T* x, int incx, T* y, int incy));       \
  COSMATI_CUBLAS_V2_(cublas##letter##dot,                                                                         \
                     (cublasHandle_t handle, int n, T const* x, int incx, T const* y, int incy, T* result));      \
  COSMATI_CUBLAS_V2_(cublas##letter##nrm2, (cublasHandle_t handle, int n, T const* x, int incx, T* result));      \
  COSMATI_CUBLAS_V2_(cublas##letter##asum, (cublasHandle_t handle, int n, T const* x, int incx, T* result));      \
  COSMATI_CUBLAS_V2_(cublas##letter##rot,                                                                         \
                     (cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, T const* c, T const* s));     \
  COSMATI_CUBLAS_V2_(cublasI##lower##amax, (cublasHandle_t handle, int n, T const* x, int incx, int* result));    \
  COSMATI_CUBLAS_V2_(cublasI##lower##amin, (cublasHandle_t handle, int n, T const* x, int incx, int* result))
COSMATI_CUBLAS_VECTORS_(S, s, float);
COSMATI_CUBLAS_VECTORS_(D, d, double);
#undef COSMATI_CUBLAS_VECTORS_
/// @}

/// @name A matrix and vectors
/// @{
#define COSMATI_CUBLAS_MATRIX_VECTOR_(letter, lower, T)                                                               \
  COSMATI_CUBLAS_V2_(cublas##letter##gemv,                                                                            \
                     (cublasHandle_t handle, cublasOperation_t trans, int m, int n, T const* alpha, T const* a,       \
                      int lda, T const* x, int incx, T const* beta, T* y, int incy));                                 \
  COSMATI_CUBLAS_V2_(cublas##letter##ger, (cublasHandle_t handle, int m, int n, T const* alpha, T const* x, int incx, \
                                           T const* y, int incy, T* a, int lda));                                     \
  COSMATI_CUBLAS_V2_(cublas##letter##symv, (cublasHandle_t handle, cublasFillMode_t uplo, int n, T const* alpha,      \
                                            T const* a, int lda, T const* x, int incx, T const* beta, T* y, int incy))
COSMATI_CUBLAS_MATRIX_VECTOR_(S, s, float);
COSMATI_CUBLAS_MATRIX_VECTOR_(D, d, double);
#undef COSMATI_CUBLAS_MATRIX_VECTOR_
/// @}

/// @name Matrices, which are stored by columns
/// @{
#define COSMATI_CUBLAS_REAL_PRODUCTS_(letter, lower, T)                                                               \
  COSMATI_CUBLAS_V2_(cublas##letter##gemm,                                                                            \
                     (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, \
                      T const* alpha, T const* a, int lda, T const* b, int ldb, T const* beta, T* c, int ldc));       \
  COSMATI_CUBLAS_(cublas##letter##geam,                                                                               \
                  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,           \
                   T const* alpha, T const* a, int lda, T const* beta, T const* b, int ldb, T* c, int ldc))
#define COSMATI_CUBLAS_TRIANGLES_(letter, lower, T)                                                                  \
  COSMATI_CUBLAS_V2_(cublas##letter##syrk,                                                                           \
                     (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,           \
                      T const* alpha, T const* a, int lda, T const* beta, T* c, int ldc));                           \
  COSMATI_CUBLAS_V2_(cublas##letter##trsm,                                                                           \
                     (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,  \
                      cublasDiagType_t diagonal, int m, int n, T const* alpha, T const* a, int lda, T* b, int ldb)); \
  COSMATI_CUBLAS_(cublas##letter##dgmm, (cublasHandle_t handle, cublasSideMode_t side, int m, int n, T const* a,     \
                                         int lda, T const* x, int incx, T* c, int ldc))
COSMATI_CUBLAS_TRIANGLES_(S, s, float);
COSMATI_CUBLAS_TRIANGLES_(D, d, double);
#undef COSMATI_CUBLAS_TRIANGLES_
COSMATI_CUBLAS_REAL_PRODUCTS_(S, s, float);
COSMATI_CUBLAS_REAL_PRODUCTS_(D, d, double);
#undef COSMATI_CUBLAS_REAL_PRODUCTS_
COSMATI_CUBLAS_(cublasHgemm, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                              int k, __half const* alpha, __half const* a, int lda, __half const* b, int ldb,
                              __half const* beta, __half* c, int ldc));
#define COSMATI_CUBLAS_BATCHES_(letter, lower, T)                                                                      \
  COSMATI_CUBLAS_(cublas##letter##gemmStridedBatched,                                                                  \
                  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,     \
                   T const* alpha, T const* a, int lda, long long stride_a, T const* b, int ldb, long long stride_b,   \
                   T const* beta, T* c, int ldc, long long stride_c, int batches));                                    \
  COSMATI_CUBLAS_(                                                                                                     \
      cublas##letter##gemmBatched,                                                                                     \
      (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, T const* alpha, \
       T const* const a[], int lda, T const* const b[], int ldb, T const* beta, T* const c[], int ldc, int batches))
COSMATI_CUBLAS_BATCHES_(S, s, float);
COSMATI_CUBLAS_BATCHES_(D, d, double);
COSMATI_CUBLAS_BATCHES_(H, h, __half);
#undef COSMATI_CUBLAS_BATCHES_
COSMATI_CUBLAS_(cublasGemmEx, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                               int k, void const* alpha, void const* a, cudaDataType a_type, int lda, void const* b,
                               cudaDataType b_type, int ldb, void const* beta, void* c, cudaDataType c_type, int ldc,
                               cublasComputeType_t compute, cublasGemmAlgo_t algo));
COSMATI_CUBLAS_(cublasGemmStridedBatchedEx,
                (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                 void const* alpha, void const* a, cudaDataType a_type, int lda, long long stride_a, void const* b,
                 cudaDataType b_type, int ldb, long long stride_b, void const* beta, void* c, cudaDataType c_type,
                 int ldc, long long stride_c, int batches, cublasComputeType_t compute, cublasGemmAlgo_t algo));
COSMATI_CUBLAS_(cublasGemmBatchedEx,
                (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                 void const* alpha, void const* const a[], cudaDataType a_type, int lda, void const* const b[],
                 cudaDataType b_type, int ldb, void const* beta, void* const c[], cudaDataType c_type, int ldc,
                 int batches, cublasComputeType_t compute, cublasGemmAlgo_t algo));
COSMATI_CUBLAS_(cublasSgemmEx,
                (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                 float const* alpha, void const* a, cudaDataType a_type, int lda, void const* b, cudaDataType b_type,
                 int ldb, float const* beta, void* c, cudaDataType c_type, int ldc));
/// @}

#undef COSMATI_CUBLAS_
#undef COSMATI_CUBLAS_V2_

namespace cosmati_cuda {
/// Programs for CUDA 10 give the type of the computation as one of elements.
/// @return CUBLAS_COMPUTE_32F if it is none of the four
constexpr cublasComputeType_t compute_type_of(cudaDataType type) {
  return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}
}  // namespace cosmati_cuda
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                   int n, int k, void const* alpha, void const* a, cudaDataType a_type, int lda,
                                   void const* b, cudaDataType b_type, int ldb, void const* beta, void* c,
                                   cudaDataType c_type, int ldc, cudaDataType compute, cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                      cosmati_cuda::compute_type_of(compute), algo);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, void const* alpha,
                                                 void const* a, cudaDataType a_type, int lda, long long stride_a,
                                                 void const* b, cudaDataType b_type, int ldb, long long stride_b,
                                                 void const* beta, void* c, cudaDataType c_type, int ldc,
                                                 long long stride_c, int batches, cudaDataType compute,
                                                 cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, ldb,
                                    stride_b, beta, c, c_type, ldc, stride_c, batches,
                                    cosmati_cuda::compute_type_of(compute), algo);
}
inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, void const* alpha, void const* const a[],
                                          cudaDataType a_type, int lda, void const* const b[], cudaDataType b_type,
                                          int ldb, void const* beta, void* const c[], cudaDataType c_type, int ldc,
                                          int batches, cudaDataType compute, cublasGemmAlgo_t algo) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type,
                             ldc, batches, cosmati_cuda::compute_type_of(compute), algo);
}

#endif

#include <cosmati/core/macros_end.hpp>
