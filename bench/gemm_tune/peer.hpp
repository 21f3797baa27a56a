// SPDX-License-Identifier: Apache-2.0
/// @file
/// The peers of a product of bfloat16: `cublasGemmEx`, and the first 8 algorithms of cuBLASLt's heuristic.
#pragma once

#include "../measure.hpp"
#include "tune.hpp"

#include <cublasLt.h>
#include <cublas_v2.h>

namespace bench {

template <class T>
__global__ void fill_randomly(T* out, std::size_t count, std::uint64_t seed) {
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count;
       k += std::size_t{gridDim.x} * blockDim.x)
    out[k] = static_cast<T>(static_cast<float>(static_cast<std::int32_t>(mixed(k, seed))) * 0x1p-31f);
}
template <class T>
void fill(T* out, std::size_t count, std::uint64_t seed) {
  launch(fill_randomly<T>, {.grid = 2048, .block = 256}, out, count, seed);
}

/// The libraries are column-major, so they compute C^T = B A^T.
class peer {
 public:
  peer(int m, int n, int k) {
    check(cublasCreate(&handle_));
    check(cublasSetWorkspace(handle_, workspace_.data(), workspace_.size()));
    check(cublasLtCreate(&lt_));
    check(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    cublasOperation_t const t = CUBLAS_OP_T;
    check(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_TRANSA, &t, sizeof t));
    auto const layout = [](cublasLtMatrixLayout_t& made, int rows, int columns) {
      check(cublasLtMatrixLayoutCreate(&made, CUDA_R_16BF, static_cast<std::uint64_t>(rows),
                                       static_cast<std::uint64_t>(columns), rows));
    };
    layout(b_, k, n);
    layout(a_, k, m);
    layout(c_, n, m);
    cublasLtMatmulPreference_t preference = nullptr;
    check(cublasLtMatmulPreferenceCreate(&preference));
    std::size_t const bytes = workspace_.size();
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                               sizeof bytes));
    if (cublasLtMatmulAlgoGetHeuristic(lt_, product_, b_, a_, c_, c_, preference, 8, found_, &count_) !=
        CUBLAS_STATUS_SUCCESS)
      count_ = 0;
    cublasLtMatmulPreferenceDestroy(preference);
  }
  ~peer() {
    for (auto* one : {a_, b_, c_}) cublasLtMatrixLayoutDestroy(one);
    cublasLtMatmulDescDestroy(product_);
    cublasLtDestroy(lt_);
    cublasDestroy(handle_);
  }
  peer(peer&&) = delete;
  peer(peer const&) = delete;
  peer& operator=(peer const&) = delete;

  /// The number of algorithms.
  int count() const { return count_ + 1; }
  /// The number of `cublasGemmEx`.
  int gemm_ex() const { return count_; }
  /// Runs one of them. @return whether it did
  bool run(int i, product const& p, cudaStream_t stream) {
    float const one = 1, zero = 0;
    if (i < count_)
      return cublasLtMatmul(lt_, product_, &one, p.b, b_, p.a, a_, &zero, p.c, c_, p.c, c_, &found_[i].algo,
                            workspace_.data(), workspace_.size(), stream) == CUBLAS_STATUS_SUCCESS;
    return cublasSetStream(handle_, stream) == CUBLAS_STATUS_SUCCESS &&
           cublasSetWorkspace(handle_, workspace_.data(), workspace_.size()) == CUBLAS_STATUS_SUCCESS &&
           cublasGemmEx(handle_, CUBLAS_OP_T, CUBLAS_OP_N, p.n, p.m, p.k, &one, p.b, CUDA_R_16BF, p.k, p.a, CUDA_R_16BF,
                        p.k, &zero, p.c, CUDA_R_16BF, p.n, CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
  }

 private:
  static void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) throw error("cuBLAS: %s", cublasGetStatusString(status));
  }

  cublasHandle_t handle_ = nullptr;
  cublasLtHandle_t lt_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
  cublasLtMatmulHeuristicResult_t found_[8] = {};
  int count_ = 0;
  device_buffer<std::uint8_t> workspace_{std::size_t{64} << 20};
};

}  // namespace bench
