// SPDX-License-Identifier: Apache-2.0
/// @file
/// The peers of matrix products: `cublasGemmEx`, and the algorithms that cuBLASLt's heuristic proposes.
///
/// C (M, N) is contiguous along N. Both libraries are column-major, so they compute the transpose, (B A)^T.
#pragma once

#include "works.hpp"

#include <cublasLt.h>

namespace bench {

inline void check_cublas(cublasStatus_t status, char const* doing) {
  if (status != CUBLAS_STATUS_SUCCESS) throw error("%s: %s", doing, cublasGetStatusString(status));
}

/// A factor in the type that a computation scales by.
union cublas_scalar {
  float f;
  double d;
  int i;
  cublas_scalar(cublasComputeType_t compute, int value) {
    if (compute == CUBLAS_COMPUTE_64F)
      d = value;
    else if (compute == CUBLAS_COMPUTE_32I)
      i = value;
    else
      f = static_cast<float>(value);
  }
};

/// `cublasGemmEx` with its default algorithm.
class cublas {
 public:
  cublas() {
    check_cublas(cublasCreate(&handle_), "cublasCreate");
    check_cublas(cublasSetWorkspace(handle_, workspace_.data(), workspace_.size()), "cublasSetWorkspace");
  }
  ~cublas() { cublasDestroy(handle_); }
  cublas(cublas const&) = delete;
  cublas& operator=(cublas const&) = delete;

  void run(work const& w, void const* a, void const* b, void* c) { check_cublas(call(w, a, b, c), "cublasGemmEx"); }
  /// Whether it has the product.
  bool can(work const& w, void const* a, void const* b, void* c) { return call(w, a, b, c) == CUBLAS_STATUS_SUCCESS; }

 private:
  cublasStatus_t call(work const& w, void const* a, void const* b, void* c) {
    cublas_scalar const one(w.cublas_compute, 1), zero(w.cublas_compute, 0);
    return cublasGemmEx(handle_, w.b_along_k ? CUBLAS_OP_T : CUBLAS_OP_N, w.a_along_k ? CUBLAS_OP_N : CUBLAS_OP_T, w.n,
                        w.m, w.k, &one, b, w.cublas_ab, w.b_along_k ? w.k : w.n, a, w.cublas_ab,
                        w.a_along_k ? w.k : w.m, &zero, c, w.cublas_c, w.n, w.cublas_compute, CUBLAS_GEMM_DEFAULT);
  }

  cublasHandle_t handle_ = nullptr;
  device_buffer<std::uint8_t> workspace_{std::size_t{64} << 20};
};

/// The algorithms of cuBLASLt for one product, the first 8 of the heuristic. Products of 8-bit floats use the fast
/// accumulation, that of the instruction.
class cublas_lt {
 public:
  explicit cublas_lt(work const& w) : compute_(w.cublas_compute) {
    check_cublas(cublasLtCreate(&handle_), "cublasLtCreate");
    cudaDataType_t const scale = compute_ == CUBLAS_COMPUTE_32I   ? CUDA_R_32I
                                 : compute_ == CUBLAS_COMPUTE_64F ? CUDA_R_64F
                                                                  : CUDA_R_32F;
    check_cublas(cublasLtMatmulDescCreate(&product_, compute_, scale), "cublasLtMatmulDescCreate");
    set(CUBLASLT_MATMUL_DESC_TRANSA, w.b_along_k ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, w.a_along_k ? CUBLAS_OP_N : CUBLAS_OP_T);
    if (w.is_float8) set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
    layout(b_, w.cublas_ab, w.b_along_k ? w.k : w.n, w.b_along_k ? w.n : w.k);
    layout(a_, w.cublas_ab, w.a_along_k ? w.k : w.m, w.a_along_k ? w.m : w.k);
    layout(c_, w.cublas_c, w.n, w.m);
    cublasLtMatmulPreference_t preference = nullptr;
    check_cublas(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    std::size_t const bytes = workspace_.size();
    check_cublas(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                                      sizeof bytes),
                 "cublasLtMatmulPreferenceSetAttribute");
    if (cublasLtMatmulAlgoGetHeuristic(handle_, product_, b_, a_, c_, c_, preference, most, found_, &count_) !=
        CUBLAS_STATUS_SUCCESS)
      count_ = 0;
    cublasLtMatmulPreferenceDestroy(preference);
  }
  ~cublas_lt() {
    for (auto* one : {a_, b_, c_}) cublasLtMatrixLayoutDestroy(one);
    cublasLtMatmulDescDestroy(product_);
    cublasLtDestroy(handle_);
  }
  cublas_lt(cublas_lt const&) = delete;
  cublas_lt& operator=(cublas_lt const&) = delete;

  /// The number of algorithms.
  int count() const { return count_; }
  /// Runs one of them. @return whether it did
  bool run(int algorithm, void const* a, void const* b, void* c) {
    cublas_scalar const one(compute_, 1), zero(compute_, 0);
    return cublasLtMatmul(handle_, product_, &one, b, b_, a, a_, &zero, c, c_, c, c_, &found_[algorithm].algo,
                          workspace_.data(), workspace_.size(), nullptr) == CUBLAS_STATUS_SUCCESS;
  }

 private:
  static constexpr int most = 8;
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    check_cublas(cublasLtMatmulDescSetAttribute(product_, attribute, &value, sizeof value),
                 "cublasLtMatmulDescSetAttribute");
  }
  static void layout(cublasLtMatrixLayout_t& made, cudaDataType_t type, int rows, int columns) {
    check_cublas(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(rows),
                                            static_cast<std::uint64_t>(columns), rows),
                 "cublasLtMatrixLayoutCreate");
  }

  cublasComputeType_t compute_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
  cublasLtMatmulHeuristicResult_t found_[most] = {};
  int count_ = 0;
  device_buffer<std::uint8_t> workspace_{std::size_t{64} << 20};
};

}  // namespace bench
