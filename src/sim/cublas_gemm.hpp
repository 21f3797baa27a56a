// SPDX-License-Identifier: Apache-2.0
/// @file
/// cuBLAS's products of matrices in one form: one product, products at equal distances, or arrays of pointers.
#pragma once

#include <functional>
#include <optional>

#include "cublas_handle.hpp"
#include "matrix_product.hpp"

namespace cosmati_sim {

/// Gets a number that the host has given, or that is read when the work begins. @return false after a hazard
using scalar_reader = std::function<bool(double&)>;
/// @param at not null; @param reason why it is the host's, if it is; @return empty after a hazard
scalar_reader reader_of_scalar(char const* function, element_kind kind, char const* name, void const* at,
                               bool of_device, char const* reason);

/// The matrices of one operand. `at` is the first matrix, or an array of pointers to matrices.
struct gemm_operand {
  void const* at;
  element_kind kind;
  int leading;
  long long stride = 0;  // between the matrices, in elements
};
/// The arguments of a call.
struct gemm_call {
  char const* function;
  cublasHandle_t handle;
  cublasOperation_t transa, transb;
  int m, n, k;
  void const *alpha, *beta;
  element_kind scalars;
  sum_kind sums;
  gemm_operand a, b, c;
  int batches = 1;
  bool has_pointers = false;
};

/// Checks the arguments, and does the work in the handle's stream.
cublasStatus_t run_gemm(gemm_call const& call);

/// The kind of elements of CUDA's type, if matrices can have it.
std::optional<element_kind> element_kind_of(cudaDataType type);
/// The type of the computation without the demand for its plain arithmetic, which it has here anyway.
cublasComputeType_t without_pedantic(cublasComputeType_t compute);

/// The types of a computation.
struct gemm_types {
  element_kind a, b, c, scalars;
  sum_kind sums;
};
/// The types for CUDA's numbers; nothing if cuBLAS does not have the combination.
std::optional<gemm_types> gemm_types_of(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute);

}  // namespace cosmati_sim
