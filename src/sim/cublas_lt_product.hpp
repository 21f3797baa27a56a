// SPDX-License-Identifier: Apache-2.0
/// @file
/// A product that cuBLASLt's descriptions describe, with the types and sizes that the library can compute.
#pragma once

#include <cstddef>

#include "cublas_lt_descriptions.hpp"
#include "library_call.hpp"
#include "matrix_product.hpp"

namespace cosmati_sim {

/// D (m x n) = epilogue(alpha op(A) (m x k) op(B) (k x n) + beta C), for each batch.
struct lt_product {
  lt_matmul op;
  lt_layout a, b, c, d;
  std::size_t m = 0, n = 0, k = 0, batches = 1;
  element_kind a_kind = {}, b_kind = {}, c_kind = {}, d_kind = {}, bias_kind = {}, aux_kind = {}, scalar_kind = {};
  sum_kind sums = {};

  bool has(int bits) const { return (op.epilogue & static_cast<unsigned>(bits)) != 0; }
};

// The bits of cublasLtEpilogue_t's numbers.
constexpr int lt_relu = 2, lt_bias = 4, lt_relu_gradient = 8, lt_bias_gradient = 16, lt_gelu = 32,
              lt_gelu_gradient = 64, lt_aux = 128;

/// Where an element lies in a matrix, in elements.
inline std::size_t lt_offset(lt_layout const& l, std::size_t row, std::size_t column) {
  auto const leading = static_cast<std::size_t>(l.leading);
  return l.order == CUBLASLT_ORDER_ROW ? row * leading + column : row + column * leading;
}
inline bool is_fp8(element_kind kind) { return kind == element_kind::e4m3 || kind == element_kind::e5m2; }

/// Checks descriptions. @return the status of CUDA for those that are wrong, or that no algorithm has
cublasStatus_t lt_check(cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                        cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, lt_product& out);
/// Adds the matrices of all batches to the operands of a call.
void lt_add(library_task& task, char const* name, void const* at, lt_layout const& l, std::size_t element, bool reads,
            bool writes);
/// Whether a layout is one of the library's, with at least one batch and a leading dimension that is not too small.
bool lt_layout_is_valid(lt_layout const& l);

}  // namespace cosmati_sim
