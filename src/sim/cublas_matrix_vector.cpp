// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions of a matrix and vectors.
#include <algorithm>
#include <vector>

#include "cublas_handle.hpp"

using namespace cosmati_sim;

namespace {

/// y = alpha op(A) x + beta y, where op(A) has `rows` rows. `entry(i, j)` gives an element of op(A).
template <class T>
struct product_with_vector {
  char const* function;
  cublasHandle_t handle;
  int rows, columns;  // of op(A)
  library_operand a;
  T const* x;
  int incx;
  T* y;
  int incy;

  /// @param multiply gets alpha, x and sums, to which it adds alpha op(A) x
  template <class Multiply>
  cublasStatus_t run(T const* alpha, T const* beta, Multiply multiply) const {
    auto const scale = cublas_scalar<T>(function, handle, "alpha", alpha),
               keep = cublas_scalar<T>(function, handle, "beta", beta);
    if (!scale.is_right() || !keep.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
    return cublas_enqueue(function, handle, [=, p = *this](library_task& task) {
      T by[2] = {};
      if (!scale.read(p.function, [&](T v) { by[0] = v; }) || !keep.read(p.function, [&](T v) { by[1] = v; }))
        return false;
      if (by[0] != T(0)) task.operands = {p.a, vector_operand("x", p.x, sizeof(T), p.columns, p.incx, true, false)};
      task.operands.push_back(vector_operand("y", p.y, sizeof(T), p.rows, p.incy, by[1] != T(0), true));
      task.compute = [=, a = by[0], b = by[1]] {
        std::vector<double> sums(static_cast<std::size_t>(p.rows));
        if (a != T(0)) multiply(strided(p.x, p.columns, p.incx), sums.data());
        strided const out(p.y, p.rows, p.incy);
        for (int i = 0; i < p.rows; ++i) {
          T const sum = a * static_cast<T>(sums[static_cast<std::size_t>(i)]);
          out[i] = b != T(0) ? sum + b * out[i] : sum;
        }
      };
      return true;
    });
  }
};

template <class T>
cublasStatus_t gemv(char const* function, cublasHandle_t handle, cublasOperation_t trans, int m, int n, T const* alpha,
                    T const* a, int lda, T const* x, int incx, T const* beta, T* y, int incy) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(trans) || m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 || alpha == nullptr ||
      beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  bool const is_transposed = trans != CUBLAS_OP_N;
  product_with_vector<T> const p = {function,
                                    handle,
                                    is_transposed ? n : m,
                                    is_transposed ? m : n,
                                    matrix_operand("A", a, sizeof(T), m, n, lda, true, false),
                                    x,
                                    incx,
                                    y,
                                    incy};
  return p.run(alpha, beta, [=](strided<T const> v, double* sums) {
    for (int j = 0; j < n; ++j) {
      T const* const column = a + static_cast<std::ptrdiff_t>(j) * lda;
      double sum = 0;
      double const by = is_transposed ? 0 : static_cast<double>(v[j]);
      for (int i = 0; i < m; ++i) {
        if (is_transposed) {
          sum += static_cast<double>(column[i]) * static_cast<double>(v[i]);
        } else {
          sums[i] += static_cast<double>(column[i]) * by;
        }
      }
      if (is_transposed) sums[j] = sum;
    }
  });
}

template <class T>
cublasStatus_t symv(char const* function, cublasHandle_t handle, cublasFillMode_t uplo, int n, T const* alpha,
                    T const* a, int lda, T const* x, int incx, T const* beta, T* y, int incy) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  bool const is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
  if ((!is_lower && uplo != CUBLAS_FILL_MODE_UPPER) || n < 0 || lda < std::max(1, n) || incx == 0 || incy == 0 ||
      alpha == nullptr || beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  // The other half of A is not read, so that it may be unwritten.
  product_with_vector<T> const p = {
      function, handle, n, n, matrix_operand("A", a, sizeof(T), n, n, lda, false, false), x, incx, y, incy};
  return p.run(alpha, beta, [=](strided<T const> v, double* sums) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        bool const is_stored = is_lower ? i >= j : i <= j;
        T const entry =
            is_stored ? a[i + static_cast<std::ptrdiff_t>(j) * lda] : a[j + static_cast<std::ptrdiff_t>(i) * lda];
        sums[i] += static_cast<double>(entry) * static_cast<double>(v[j]);
      }
    }
  });
}

template <class T>
cublasStatus_t ger(char const* function, cublasHandle_t handle, int m, int n, T const* alpha, T const* x, int incx,
                   T const* y, int incy, T* a, int lda) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || incx == 0 || incy == 0 || lda < std::max(1, m) || alpha == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  auto const scale = cublas_scalar<T>(function, handle, "alpha", alpha);
  if (!scale.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    return scale.read(function, [&](T by) {
      if (by == T(0)) return;
      task.operands = {vector_operand("x", x, sizeof(T), m, incx, true, false),
                       vector_operand("y", y, sizeof(T), n, incy, true, false),
                       matrix_operand("A", a, sizeof(T), m, n, lda, true, true)};
      task.compute = [=] {
        strided const rows(x, m, incx), columns(y, n, incy);
        for (int j = 0; j < n; ++j) {
          T const factor = by * columns[j];
          for (int i = 0; i < m; ++i) a[i + static_cast<std::ptrdiff_t>(j) * lda] += rows[i] * factor;
        }
      };
    });
  });
}

}  // namespace

#define COSMATI_MATRIX_VECTOR_(letter, T)                                                                              \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t h, cublasOperation_t trans, int m, int n, T const* alpha,         \
                                      T const* a, int lda, T const* x, int incx, T const* beta, T* y, int incy) {      \
    return gemv("cublas" #letter "gemv", h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);                       \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##symv(cublasHandle_t h, cublasFillMode_t uplo, int n, T const* alpha, T const* a,      \
                                      int lda, T const* x, int incx, T const* beta, T* y, int incy) {                  \
    return symv("cublas" #letter "symv", h, uplo, n, alpha, a, lda, x, incx, beta, y, incy);                           \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##ger(cublasHandle_t h, int m, int n, T const* alpha, T const* x, int incx, T const* y, \
                                     int incy, T* a, int lda) {                                                        \
    return ger("cublas" #letter "ger", h, m, n, alpha, x, incx, y, incy, a, lda);                                      \
  }
COSMATI_MATRIX_VECTOR_(S, float)
COSMATI_MATRIX_VECTOR_(D, double)
#undef COSMATI_MATRIX_VECTOR_
