// SPDX-License-Identifier: Apache-2.0
/// @file
/// What cublasLtMatmul does with the sums of a product: scales, C, bias, activation, gradients.
#pragma once

#include "cublas_lt_product.hpp"

namespace cosmati_sim {

/// The memory and scalars of a call.
struct lt_arguments {
  void const *a, *b, *c;
  void* d;
  double alpha, beta;
  void const *alphas, *betas;  // vectors with an element for each row of D, or null
};

/// Computes D, and what the epilogue makes beside it, of `sums`: columns of m sums, the batches one behind another.
/// The sums are of the type that `p` says, and are lost.
void lt_finish(lt_product const& p, lt_arguments const& args, void* sums);

}  // namespace cosmati_sim
