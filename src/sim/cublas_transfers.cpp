// SPDX-License-Identifier: Apache-2.0
// cuBLAS's copies of vectors and matrices between the host and the device, which are CUDA's copies of rows.
#include <cosmati/cuda/cublas.hpp>
#include <cstdint>

#include "cuda_copy.hpp"
#include "cuda_state.hpp"

using namespace cosmati_sim;

namespace {

/// Columns of `rows` elements of `bytes` bytes. The leading dimensions are in elements.
struct transfer {
  char const* function;
  int rows, columns, bytes;
  void const* from;
  int from_leading;
  void* to;
  int to_leading;
  cudaMemcpyKind kind;

  bool is_valid() const {
    return rows >= 0 && columns >= 0 && bytes > 0 && from_leading >= rows && to_leading >= rows && from_leading > 0 &&
           to_leading > 0;
  }
  end_of_copy end(char const* role, void const* at, int leading) const {
    auto const size = static_cast<std::size_t>(bytes);
    return {function,
            role,
            reinterpret_cast<std::uintptr_t>(at),
            static_cast<std::size_t>(leading) * size,
            static_cast<std::size_t>(rows) * size,
            static_cast<std::size_t>(columns)};
  }
  /// @param stream of an asynchronous copy; null for one that the host waits for
  cublasStatus_t run(cudaStream_t const* stream) const {
    if (!is_valid()) return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
    end_of_copy const target = end("destination", to, to_leading), source = end("source", from, from_leading);
    if (stream != nullptr) {
      return cuda_copy_rows_in_stream(target, source, kind, *stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                                    : CUBLAS_STATUS_MAPPING_ERROR;
    }
    cuda_wait(nullptr);
    return cuda_result(cuda_copy_rows(target, source, kind)) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                            : CUBLAS_STATUS_MAPPING_ERROR;
  }
};

}  // namespace

cublasStatus_t cublasSetVector(int n, int bytes, void const* x, int incx, void* y, int incy) {
  return transfer{"cublasSetVector", 1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice}.run(nullptr);
}
cublasStatus_t cublasGetVector(int n, int bytes, void const* x, int incx, void* y, int incy) {
  return transfer{"cublasGetVector", 1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost}.run(nullptr);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb) {
  return transfer{"cublasSetMatrix", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice}.run(nullptr);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb) {
  return transfer{"cublasGetMatrix", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost}.run(nullptr);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, void const* x, int incx, void* y, int incy, cudaStream_t stream) {
  return transfer{"cublasSetVectorAsync", 1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice}.run(&stream);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, void const* x, int incx, void* y, int incy, cudaStream_t stream) {
  return transfer{"cublasGetVectorAsync", 1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost}.run(&stream);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
  return transfer{"cublasSetMatrixAsync", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice}.run(&stream);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, void const* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
  return transfer{"cublasGetMatrixAsync", rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost}.run(&stream);
}
