// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions of vectors.
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "cublas_handle.hpp"

using namespace cosmati_sim;

namespace {

/// Whether the handle lives and no pointer is null.
template <class... Pointers>
cublasStatus_t check(cublasHandle_t handle, Pointers... pointers) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  return ((pointers == nullptr) || ...) ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t axpy(char const* function, cublasHandle_t handle, int n, T const* alpha, T const* x, int incx, T* y,
                    int incy) {
  if (cublasStatus_t const status = check(handle, alpha)) return status;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  auto const scalar = cublas_scalar<T>(function, handle, "alpha", alpha);
  if (!scalar.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    task.operands = {vector_operand("x", x, sizeof(T), n, incx, true, false),
                     vector_operand("y", y, sizeof(T), n, incy, true, true)};
    return scalar.read(function, [&](T a) {
      task.compute = [=] {
        strided const from(x, n, incx);
        strided const to(y, n, incy);
        for (int i = 0; i < n; ++i) to[i] += a * from[i];
      };
    });
  });
}

template <class T>
cublasStatus_t scal(char const* function, cublasHandle_t handle, int n, T const* alpha, T* x, int incx) {
  if (cublasStatus_t const status = check(handle, alpha)) return status;
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  auto const scalar = cublas_scalar<T>(function, handle, "alpha", alpha);
  if (!scalar.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    return scalar.read(function, [&](T a) {
      task.operands = {vector_operand("x", x, sizeof(T), n, incx, true, true)};
      task.compute = [=] {
        strided const to(x, n, incx);
        for (int i = 0; i < n; ++i) to[i] *= a;
      };
    });
  });
}

template <class T>
cublasStatus_t copy(char const* function, cublasHandle_t handle, int n, T const* x, int incx, T* y, int incy) {
  if (cublasStatus_t const status = check(handle)) return status;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    task.operands = {vector_operand("x", x, sizeof(T), n, incx, true, false),
                     vector_operand("y", y, sizeof(T), n, incy, false, true)};
    task.compute = [=] {
      strided const from(x, n, incx);
      strided const to(y, n, incy);
      for (int i = 0; i < n; ++i) to[i] = from[i];
    };
    return true;
  });
}

template <class T>
cublasStatus_t swap(char const* function, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {
  if (cublasStatus_t const status = check(handle)) return status;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    task.operands = {vector_operand("x", x, sizeof(T), n, incx, true, true),
                     vector_operand("y", y, sizeof(T), n, incy, true, true)};
    task.compute = [=] {
      strided const one(x, n, incx), other(y, n, incy);
      for (int i = 0; i < n; ++i) std::swap(one[i], other[i]);
    };
    return true;
  });
}

template <class T>
cublasStatus_t rot(char const* function, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, T const* c,
                   T const* s) {
  if (cublasStatus_t const status = check(handle, c, s)) return status;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  auto const cosine = cublas_scalar<T>(function, handle, "c", c), sine = cublas_scalar<T>(function, handle, "s", s);
  if (!cosine.is_right() || !sine.is_right()) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(function, handle, [=](library_task& task) {
    task.operands = {vector_operand("x", x, sizeof(T), n, incx, true, true),
                     vector_operand("y", y, sizeof(T), n, incy, true, true)};
    T by[2] = {};
    bool const is_read = cosine.read(function, [&](T v) { by[0] = v; }) && sine.read(function, [&](T v) { by[1] = v; });
    task.compute = [=, cos = by[0], sin = by[1]] {
      strided const one(x, n, incx), other(y, n, incy);
      for (int i = 0; i < n; ++i) {
        T const old = one[i];
        one[i] = cos * old + sin * other[i];
        other[i] = cos * other[i] - sin * old;
      }
    };
    return is_read;
  });
}

template <class T>
cublasStatus_t dot(char const* function, cublasHandle_t handle, int n, T const* x, int incx, T const* y, int incy,
                   T* result) {
  if (cublasStatus_t const status = check(handle, result)) return status;
  return cublas_enqueue_result(function, handle, result, sizeof(T), [=](library_task& task) {
    if (n > 0) {
      task.operands = {vector_operand("x", x, sizeof(T), n, incx, true, false),
                       vector_operand("y", y, sizeof(T), n, incy, true, false)};
    }
    task.compute = [=] {
      strided const one(x, n, incx), other(y, n, incy);
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += static_cast<double>(one[i]) * static_cast<double>(other[i]);
      *result = static_cast<T>(sum);
    };
    return true;
  });
}

/// A function of one vector. Without elements, or with an increment that is not positive, the result is 0.
/// @param reduce gives the result of n > 0 elements
template <class T, class Result, class Reduce>
cublasStatus_t reduce_one(char const* function, cublasHandle_t handle, int n, T const* x, int incx, Result* result,
                          Reduce reduce) {
  if (cublasStatus_t const status = check(handle, result)) return status;
  return cublas_enqueue_result(function, handle, result, sizeof(Result), [=](library_task& task) {
    bool const is_empty = n <= 0 || incx <= 0;
    if (!is_empty) task.operands = {vector_operand("x", x, sizeof(T), n, incx, true, false)};
    task.compute = [=] { *result = is_empty ? Result(0) : static_cast<Result>(reduce(strided(x, n, incx), n)); };
    return true;
  });
}
template <class T>
cublasStatus_t nrm2(char const* function, cublasHandle_t handle, int n, T const* x, int incx, T* result) {
  return reduce_one(function, handle, n, x, incx, result, [](strided<T const> v, int count) {
    long double sum = 0;  // its exponent holds every square
    for (int i = 0; i < count; ++i) sum += static_cast<long double>(v[i]) * static_cast<long double>(v[i]);
    return std::sqrt(sum);
  });
}
template <class T>
cublasStatus_t asum(char const* function, cublasHandle_t handle, int n, T const* x, int incx, T* result) {
  return reduce_one(function, handle, n, x, incx, result, [](strided<T const> v, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += static_cast<double>(std::abs(v[i]));
    return sum;
  });
}
/// The number, from 1, of the first element of the largest magnitude, or of the smallest.
template <class T>
cublasStatus_t extreme(char const* function, cublasHandle_t handle, int n, T const* x, int incx, int* result,
                       bool is_largest) {
  return reduce_one(function, handle, n, x, incx, result, [is_largest](strided<T const> v, int count) {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      T const a = std::abs(v[i]), b = std::abs(v[best]);
      if (is_largest ? a > b : a < b) best = i;
    }
    return best + 1;
  });
}

}  // namespace

#define COSMATI_VECTORS_(letter, lower, T)                                                                             \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t h, int n, T const* alpha, T const* x, int incx, T* y, int incy) { \
    return axpy("cublas" #letter "axpy", h, n, alpha, x, incx, y, incy);                                               \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##scal(cublasHandle_t h, int n, T const* alpha, T* x, int incx) {                       \
    return scal("cublas" #letter "scal", h, n, alpha, x, incx);                                                        \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##copy(cublasHandle_t h, int n, T const* x, int incx, T* y, int incy) {                 \
    return copy("cublas" #letter "copy", h, n, x, incx, y, incy);                                                      \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##swap(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {                       \
    return swap("cublas" #letter "swap", h, n, x, incx, y, incy);                                                      \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##rot(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, T const* c,              \
                                     T const* s) {                                                                     \
    return rot("cublas" #letter "rot", h, n, x, incx, y, incy, c, s);                                                  \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##dot(cublasHandle_t h, int n, T const* x, int incx, T const* y, int incy, T* result) { \
    return dot("cublas" #letter "dot", h, n, x, incx, y, incy, result);                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t h, int n, T const* x, int incx, T* result) {                      \
    return nrm2("cublas" #letter "nrm2", h, n, x, incx, result);                                                       \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##asum(cublasHandle_t h, int n, T const* x, int incx, T* result) {                      \
    return asum("cublas" #letter "asum", h, n, x, incx, result);                                                       \
  }                                                                                                                    \
  cublasStatus_t cublasI##lower##amax(cublasHandle_t h, int n, T const* x, int incx, int* result) {                    \
    return extreme("cublasI" #lower "amax", h, n, x, incx, result, true);                                              \
  }                                                                                                                    \
  cublasStatus_t cublasI##lower##amin(cublasHandle_t h, int n, T const* x, int incx, int* result) {                    \
    return extreme("cublasI" #lower "amin", h, n, x, incx, result, false);                                             \
  }
COSMATI_VECTORS_(S, s, float)
COSMATI_VECTORS_(D, d, double)
#undef COSMATI_VECTORS_
