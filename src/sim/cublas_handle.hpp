// SPDX-License-Identifier: Apache-2.0
/// @file
/// cuBLAS's handles, and how its calls become work of a stream.
#pragma once

#include <cosmati/cuda/cublas.hpp>

#include <cstddef>
#include <functional>

#include "library_call.hpp"

/// What a handle remembers.
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  int multiprocessors = 0;
};

namespace cosmati_sim {

/// Whether the handle was made, and not destroyed.
bool cublas_handle_exists(cublasHandle_t handle);
/// The status for an error of the work.
inline cublasStatus_t cublas_status_of(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
/// Does the work in the handle's stream.
cublasStatus_t cublas_enqueue(char const* function, cublasHandle_t handle, std::function<bool(library_task&)> make);
/// The same for work with a result, which the host waits for if the pointer mode says that the result is its own.
/// @param result not null; @param bytes of the result
cublasStatus_t cublas_enqueue_result(char const* function, cublasHandle_t handle, void* result, std::size_t bytes,
                                     std::function<bool(library_task&)> make);
/// Why a scalar is the host's.
constexpr char const* host_pointer_mode =
    "the pointer mode is CUBLAS_POINTER_MODE_HOST; call cublasSetPointerMode, or give a variable of the host";
/// A scalar that is where the pointer mode of the handle says.
template <class T>
library_scalar<T> cublas_scalar(char const* function, cublasHandle_t handle, char const* name, void const* at) {
  return {function, name, at, handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE, host_pointer_mode};
}

inline bool is_operation(cublasOperation_t o) { return o == CUBLAS_OP_N || o == CUBLAS_OP_T || o == CUBLAS_OP_C; }
/// A vector of `n` elements that are |increment| elements apart. @param n, increment not 0
inline library_operand vector_operand(char const* name, void const* at, std::size_t element, int n, int increment,
                                      bool reads, bool writes) {
  auto const apart = static_cast<std::size_t>(increment < 0 ? -static_cast<long long>(increment) : increment);
  auto const count = static_cast<std::size_t>(n);
  if (apart == 1) return {name, at, element, count, 1, count, reads, writes};
  return {name, at, element, 1, count, apart, reads, writes};
}
inline library_operand matrix_operand(char const* name, void const* at, std::size_t element, int rows, int columns,
                                      int leading, bool reads, bool writes) {
  return {name,
          at,
          element,
          static_cast<std::size_t>(rows),
          static_cast<std::size_t>(columns),
          static_cast<std::size_t>(leading),
          reads,
          writes};
}

/// The elements of a vector. With a negative increment the first one is the last in memory, as in BLAS.
template <class T>
class strided {
 public:
  strided(T* at, int n, int increment)
      : first_(increment < 0 ? at - static_cast<std::ptrdiff_t>(n - 1) * increment : at), increment_(increment) {}
  T& operator[](int i) const { return first_[static_cast<std::ptrdiff_t>(i) * increment_]; }

 private:
  T* first_;
  std::ptrdiff_t increment_;
};

}  // namespace cosmati_sim
