// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a product is right: its elements against sums in higher precision, made on the host.
#pragma once

#include "job.hpp"

namespace cosmati_gemm {

struct comparison {
  std::int64_t compared = 0, of = 0;  ///< elements of C
  double error = 0;                   ///< where it is the largest part of what is allowed there
  double allowed = 0;                 ///< there, by the roundings of operands, sums and result
};

/// Compares `most` elements of `p.c`, evenly spread, or all if there are no more. Sums are long double for double,
/// int64 for integers, double for the rest. Integers must be equal; other numbers may differ by what K roundings of the
/// sum, those of the operands and that of the result amount to.
/// @throws std::runtime_error that says which element is wrong, by how much, or which does not fit C's type
comparison compare(product const& p, std::int64_t most);

}  // namespace cosmati_gemm
