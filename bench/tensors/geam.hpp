// SPDX-License-Identifier: Apache-2.0
/// @file
/// Transposes by cuBLAS' geam, where it is linked: C = 1 * A^T.
#pragma once

#if defined(BENCH_CUBLAS)
#include <cublas_v2.h>

#include <memory>

#include "harness.hpp"

namespace bench {

inline void check_cublas(cublasStatus_t status, char const* doing) {
  if (status != CUBLAS_STATUS_SUCCESS) throw error("%s: cuBLAS status %d", doing, static_cast<int>(status));
}

/// Batches of rows x columns, C order, to columns x rows, one call a batch; elements of 4, 8 or 16 bytes, as float,
/// double and complex double.
inline contestant geam_transpose(int element_bytes, std::int64_t batches, std::int64_t rows, std::int64_t columns,
                                 char const* in, char* out) {
  cublasHandle_t handle;
  check_cublas(cublasCreate(&handle), "creating a handle");
  std::shared_ptr<cublasContext> const owned(handle, [](cublasHandle_t h) { cublasDestroy(h); });
  auto const run = [=] {
    auto const m = static_cast<int>(rows), n = static_cast<int>(columns);
    for (std::int64_t k = 0; k < batches; ++k) {
      auto const at = static_cast<std::size_t>(k * rows * columns * element_bytes);
      auto const go = [&](auto geam, auto one, auto zero) {
        using T = decltype(one);
        check_cublas(geam(owned.get(), CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, reinterpret_cast<T const*>(in + at), n,
                          &zero, reinterpret_cast<T const*>(out + at), m, reinterpret_cast<T*>(out + at), m),
                     "geam");
      };
      if (element_bytes == 4)
        go(cublasSgeam, 1.f, 0.f);
      else if (element_bytes == 8)
        go(cublasDgeam, 1., 0.);
      else
        go(cublasZgeam, cuDoubleComplex{1, 0}, cuDoubleComplex{0, 0});
    }
  };
  return {"cublas geam", run};
}

}  // namespace bench
#endif
