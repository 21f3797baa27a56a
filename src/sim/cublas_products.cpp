// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions that multiply matrices, and the sum of two.
#include <algorithm>

#include "cublas_gemm.hpp"

using namespace cosmati_sim;

namespace {

/// The element kinds of the functions whose names have a letter.
struct of_single {
  static constexpr element_kind kind = element_kind::f32;
  static constexpr element_kind scalars = kind;
  static constexpr sum_kind sums = sum_kind::f32;
};
struct of_double {
  static constexpr element_kind kind = element_kind::f64;
  static constexpr element_kind scalars = kind;
  static constexpr sum_kind sums = sum_kind::f64;
};
struct of_half {
  static constexpr element_kind kind = element_kind::f16;
  static constexpr element_kind scalars = kind;
  static constexpr sum_kind sums = sum_kind::f32;
};

/// C = alpha op(A) + beta op(B). @param lda, ldb, ldc in elements
template <class T>
struct sum_of_two {
  cublasOperation_t transa, transb;
  int m, n;
  T const* a;
  int lda;
  T const* b;
  int ldb;
  T* c;
  int ldc;

  bool is_valid() const {
    // An operand may be C itself, if it lies exactly on it.
    bool const a_fits = a != c || (transa == CUBLAS_OP_N && lda == ldc);
    bool const b_fits = b != c || (transb == CUBLAS_OP_N && ldb == ldc);
    return is_operation(transa) && is_operation(transb) && m >= 0 && n >= 0 && ldc >= std::max(1, m) &&
           lda >= std::max(1, transa == CUBLAS_OP_N ? m : n) && ldb >= std::max(1, transb == CUBLAS_OP_N ? m : n) &&
           a_fits && b_fits;
  }
  library_operand operand(char const* name, T const* at, int leading, bool is_transposed, bool writes) const {
    return matrix_operand(name, at, sizeof(T), is_transposed ? n : m, is_transposed ? m : n, leading, !writes, writes);
  }
  static T entry(T const* at, int leading, bool is_transposed, int i, int j) {
    return is_transposed ? at[j + static_cast<std::ptrdiff_t>(i) * leading]
                         : at[i + static_cast<std::ptrdiff_t>(j) * leading];
  }
  void compute(T alpha, T beta) const {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        T sum = T(0);
        if (alpha != T(0)) sum = alpha * entry(a, lda, transa != CUBLAS_OP_N, i, j);
        if (beta != T(0)) sum += beta * entry(b, ldb, transb != CUBLAS_OP_N, i, j);
        c[i + static_cast<std::ptrdiff_t>(j) * ldc] = sum;
      }
    }
  }
};

template <class T>
cublasStatus_t geam(char const* function, cublasHandle_t handle, T const* alpha, T const* beta,
                    sum_of_two<T> const& s) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!s.is_valid() || alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (s.m == 0 || s.n == 0) return CUBLAS_STATUS_SUCCESS;
  auto const of_a = cublas_scalar<T>(function, handle, "alpha", alpha),
             of_b = cublas_scalar<T>(function, handle, "beta", beta);
  if (!of_a.is_right() || !of_b.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    T by[2] = {};
    if (!of_a.read(function, [&](T v) { by[0] = v; }) || !of_b.read(function, [&](T v) { by[1] = v; })) return false;
    if (by[0] != T(0)) task.operands.push_back(s.operand("A", s.a, s.lda, s.transa != CUBLAS_OP_N, false));
    if (by[1] != T(0)) task.operands.push_back(s.operand("B", s.b, s.ldb, s.transb != CUBLAS_OP_N, false));
    task.operands.push_back(s.operand("C", s.c, s.ldc, false, true));
    task.compute = [s, a = by[0], b = by[1]] { s.compute(a, b); };
    return true;
  });
}

}  // namespace

#define COSMATI_SHAPE_ cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k
#define COSMATI_FIRST_(name, of) name, handle, transa, transb, m, n, k, alpha, beta, (of).scalars, (of).sums

/// The three functions of a letter.
#define COSMATI_PRODUCTS_(letter, T, of)                                                                              \
  cublasStatus_t cublas##letter##gemm(COSMATI_SHAPE_, T const* alpha, T const* a, int lda, T const* b, int ldb,       \
                                      T const* beta, T* c, int ldc) {                                                 \
    return run_gemm(                                                                                                  \
        {COSMATI_FIRST_("cublas" #letter "gemm", of{}), {a, of::kind, lda}, {b, of::kind, ldb}, {c, of::kind, ldc}}); \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##gemmStridedBatched(COSMATI_SHAPE_, T const* alpha, T const* a, int lda,              \
                                                    long long stride_a, T const* b, int ldb, long long stride_b,      \
                                                    T const* beta, T* c, int ldc, long long stride_c, int batches) {  \
    return run_gemm({COSMATI_FIRST_("cublas" #letter "gemmStridedBatched", of{}),                                     \
                     {a, of::kind, lda, stride_a},                                                                    \
                     {b, of::kind, ldb, stride_b},                                                                    \
                     {c, of::kind, ldc, stride_c},                                                                    \
                     batches});                                                                                       \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##gemmBatched(COSMATI_SHAPE_, T const* alpha, T const* const a[], int lda,             \
                                             T const* const b[], int ldb, T const* beta, T* const c[], int ldc,       \
                                             int batches) {                                                           \
    return run_gemm({COSMATI_FIRST_("cublas" #letter "gemmBatched", of{}),                                            \
                     {a, of::kind, lda},                                                                              \
                     {b, of::kind, ldb},                                                                              \
                     {c, of::kind, ldc},                                                                              \
                     batches,                                                                                         \
                     true});                                                                                          \
  }
COSMATI_PRODUCTS_(S, float, of_single)
COSMATI_PRODUCTS_(D, double, of_double)
COSMATI_PRODUCTS_(H, __half, of_half)
#undef COSMATI_PRODUCTS_

cublasStatus_t cublasGemmEx(COSMATI_SHAPE_, void const* alpha, void const* a, cudaDataType a_type, int lda,
                            void const* b, cudaDataType b_type, int ldb, void const* beta, void* c, cudaDataType c_type,
                            int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto const types = gemm_types_of(a_type, b_type, c_type, compute);
  if (!types) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run_gemm({COSMATI_FIRST_("cublasGemmEx", *types), {a, types->a, lda}, {b, types->b, ldb}, {c, types->c, ldc}});
}
cublasStatus_t cublasGemmStridedBatchedEx(COSMATI_SHAPE_, void const* alpha, void const* a, cudaDataType a_type,
                                          int lda, long long stride_a, void const* b, cudaDataType b_type, int ldb,
                                          long long stride_b, void const* beta, void* c, cudaDataType c_type, int ldc,
                                          long long stride_c, int batches, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto const types = gemm_types_of(a_type, b_type, c_type, compute);
  if (!types) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run_gemm({COSMATI_FIRST_("cublasGemmStridedBatchedEx", *types),
                   {a, types->a, lda, stride_a},
                   {b, types->b, ldb, stride_b},
                   {c, types->c, ldc, stride_c},
                   batches});
}
cublasStatus_t cublasGemmBatchedEx(COSMATI_SHAPE_, void const* alpha, void const* const a[], cudaDataType a_type,
                                   int lda, void const* const b[], cudaDataType b_type, int ldb, void const* beta,
                                   void* const c[], cudaDataType c_type, int ldc, int batches,
                                   cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto const types = gemm_types_of(a_type, b_type, c_type, compute);
  if (!types) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run_gemm({COSMATI_FIRST_("cublasGemmBatchedEx", *types),
                   {a, types->a, lda},
                   {b, types->b, ldb},
                   {c, types->c, ldc},
                   batches,
                   true});
}
cublasStatus_t cublasSgemmEx(COSMATI_SHAPE_, float const* alpha, void const* a, cudaDataType a_type, int lda,
                             void const* b, cudaDataType b_type, int ldb, float const* beta, void* c,
                             cudaDataType c_type, int ldc) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto const types = gemm_types_of(a_type, b_type, c_type, CUBLAS_COMPUTE_32F);
  if (!types) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run_gemm(
      {COSMATI_FIRST_("cublasSgemmEx", *types), {a, types->a, lda}, {b, types->b, ldb}, {c, types->c, ldc}});
}
#undef COSMATI_FIRST_
#undef COSMATI_SHAPE_

#define COSMATI_SUM_(letter, T)                                                                                     \
  cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,    \
                                      int m, int n, T const* alpha, T const* a, int lda, T const* beta, T const* b, \
                                      int ldb, T* c, int ldc) {                                                     \
    return geam<T>("cublas" #letter "geam", handle, alpha, beta, {transa, transb, m, n, a, lda, b, ldb, c, ldc});   \
  }
COSMATI_SUM_(S, float)
COSMATI_SUM_(D, double)
#undef COSMATI_SUM_
