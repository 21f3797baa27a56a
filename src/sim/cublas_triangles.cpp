// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions of triangular, symmetric and diagonal matrices. What lies outside a triangle is not accessed.
#include <algorithm>
#include <vector>

#include "cublas_gemm.hpp"

using namespace cosmati_sim;

namespace {

template <class T>
constexpr element_kind kind_of = element_kind::f32;
template <>
constexpr element_kind kind_of<double> = element_kind::f64;

bool is_triangle(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER; }
bool is_side(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT; }

/// Adds the columns of a triangle of `n` rows. @param skipped 1 if the diagonal is not accessed
template <class T>
void add_triangle(library_task& task, char const* name, T const* at, int leading, int n, cublasFillMode_t uplo,
                  int skipped, bool reads, bool writes) {
  for (int j = 0; j < n; ++j) {
    bool const is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
    int const first = is_lower ? j + skipped : 0, count = (is_lower ? n - j : j + 1) - skipped;
    if (count == 0) continue;
    T const* const column = at + static_cast<std::ptrdiff_t>(j) * leading + first;
    task.operands.push_back(vector_operand(name, column, sizeof(T), count, 1, reads, writes));
  }
}

/// C = alpha op(A) op(A)^T + beta C, of which one triangle is written.
template <class T>
cublasStatus_t syrk(char const* function, cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                    int k, T const* alpha, T const* a, int lda, T const* beta, T* c, int ldc) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  bool const is_transposed = trans != CUBLAS_OP_N;
  if (!is_triangle(uplo) || !is_operation(trans) || n < 0 || k < 0 || lda < std::max(1, is_transposed ? k : n) ||
      ldc < std::max(1, n) || alpha == nullptr || beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  auto const of_alpha = cublas_scalar<T>(function, handle, "alpha", alpha),
             of_beta = cublas_scalar<T>(function, handle, "beta", beta);
  if (!of_alpha.is_right() || !of_beta.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    T by[2] = {};
    if (!of_alpha.read(function, [&](T v) { by[0] = v; }) || !of_beta.read(function, [&](T v) { by[1] = v; }))
      return false;
    if (by[0] != T(0) && k != 0)
      task.operands.push_back(
          matrix_operand("A", a, sizeof(T), is_transposed ? k : n, is_transposed ? n : k, lda, true, false));
    add_triangle(task, "C", c, ldc, n, uplo, 0, by[1] != T(0), true);
    task.compute = [=, scale = by[0], keep = by[1]] {
      auto const rows = static_cast<std::size_t>(n);
      std::vector<T> full(rows * rows);
      auto const leading = static_cast<std::size_t>(lda);
      multiply({{rows,
                 rows,
                 static_cast<std::size_t>(k),
                 {a, kind_of<T>, leading, is_transposed},
                 {a, kind_of<T>, leading, !is_transposed},
                 full.data(),
                 kind_of<T>,
                 rows,
                 static_cast<double>(scale),
                 0}},
               sizeof(T) == 8 ? sum_kind::f64 : sum_kind::f32);
      for (int j = 0; j < n; ++j) {
        bool const is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
        for (int i = is_lower ? j : 0; i < (is_lower ? n : j + 1); ++i) {
          T& entry = c[i + static_cast<std::ptrdiff_t>(j) * ldc];
          T const sum = full[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * rows];
          entry = keep == T(0) ? sum : sum + keep * entry;
        }
      }
    };
    return true;
  });
}

/// op(A) X = alpha B, or X op(A) = alpha B, where X replaces B (m x n) and A is triangular.
template <class T>
struct triangular_system {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  cublasDiagType_t diagonal;
  int m, n;
  T const* a;
  int lda;
  T* b;
  int ldb;

  int order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  bool is_valid() const {
    return is_side(side) && is_triangle(uplo) && is_operation(trans) && m >= 0 && n >= 0 &&
           lda >= std::max(1, order()) && ldb >= std::max(1, m) &&
           (diagonal == CUBLAS_DIAG_NON_UNIT || diagonal == CUBLAS_DIAG_UNIT);
  }
  void compute(T alpha) const {
    bool const is_left = side == CUBLAS_SIDE_LEFT, is_transposed = trans != CUBLAS_OP_N;
    bool const is_lower = (uplo == CUBLAS_FILL_MODE_LOWER) != is_transposed;
    bool const is_forward = is_lower == is_left;
    std::ptrdiff_t const step = is_left ? 1 : ldb, line = is_left ? ldb : 1;
    for (int l = 0; l < (is_left ? n : m); ++l) {
      T* const x = b + l * line;
      for (int s = 0; s < order(); ++s) {
        int const i = is_forward ? s : order() - 1 - s;
        double sum = alpha == T(0) ? 0. : static_cast<double>(alpha) * static_cast<double>(x[i * step]);
        for (int q = 0; q < s && alpha != T(0); ++q) {
          int const p = is_forward ? q : order() - 1 - q;
          bool const i_is_row = is_left != is_transposed;
          T const entry =
              i_is_row ? a[i + static_cast<std::ptrdiff_t>(p) * lda] : a[p + static_cast<std::ptrdiff_t>(i) * lda];
          sum -= static_cast<double>(entry) * static_cast<double>(x[p * step]);
        }
        if (diagonal == CUBLAS_DIAG_NON_UNIT && alpha != T(0))
          sum /= static_cast<double>(a[i + static_cast<std::ptrdiff_t>(i) * lda]);
        x[i * step] = static_cast<T>(sum);
      }
    }
  }
};
template <class T>
cublasStatus_t trsm(char const* function, cublasHandle_t handle, T const* alpha, triangular_system<T> const& s) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!s.is_valid() || alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (s.m == 0 || s.n == 0) return CUBLAS_STATUS_SUCCESS;
  auto const scalar = cublas_scalar<T>(function, handle, "alpha", alpha);
  if (!scalar.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    return scalar.read(function, [&](T by) {
      if (by != T(0))
        add_triangle(task, "A", s.a, s.lda, s.order(), s.uplo, s.diagonal == CUBLAS_DIAG_UNIT ? 1 : 0, true, false);
      task.operands.push_back(matrix_operand("B", s.b, sizeof(T), s.m, s.n, s.ldb, by != T(0), true));
      task.compute = [=] { s.compute(by); };
    });
  });
}

/// C = diag(x) A, or A diag(x).
template <class T>
cublasStatus_t dgmm(char const* function, cublasHandle_t handle, cublasSideMode_t side, int m, int n, T const* a,
                    int lda, T const* x, int incx, T* c, int ldc) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_side(side) || m < 0 || n < 0 || lda < std::max(1, m) || ldc < std::max(1, m) || incx == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  bool const is_left = side == CUBLAS_SIDE_LEFT;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    task.operands = {matrix_operand("A", a, sizeof(T), m, n, lda, true, false),
                     vector_operand("x", x, sizeof(T), is_left ? m : n, incx, true, false),
                     matrix_operand("C", c, sizeof(T), m, n, ldc, false, true)};
    task.compute = [=] {
      strided const by(x, is_left ? m : n, incx);
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i)
          c[i + static_cast<std::ptrdiff_t>(j) * ldc] =
              a[i + static_cast<std::ptrdiff_t>(j) * lda] * by[is_left ? i : j];
      }
    };
    return true;
  });
}

}  // namespace

#define COSMATI_TRIANGLES_(letter, T)                                                                                 \
  cublasStatus_t cublas##letter##syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, \
                                      T const* alpha, T const* a, int lda, T const* beta, T* c, int ldc) {            \
    return syrk("cublas" #letter "syrk", h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);                          \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,                 \
                                      cublasOperation_t trans, cublasDiagType_t diagonal, int m, int n,               \
                                      T const* alpha, T const* a, int lda, T* b, int ldb) {                           \
    return trsm<T>("cublas" #letter "trsm", h, alpha, {side, uplo, trans, diagonal, m, n, a, lda, b, ldb});           \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, T const* a, int lda,     \
                                      T const* x, int incx, T* c, int ldc) {                                          \
    return dgmm("cublas" #letter "dgmm", h, side, m, n, a, lda, x, incx, c, ldc);                                     \
  }
COSMATI_TRIANGLES_(S, float)
COSMATI_TRIANGLES_(D, double)
#undef COSMATI_TRIANGLES_
