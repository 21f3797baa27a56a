// SPDX-License-Identifier: Apache-2.0
/// @file
/// Checks a product: compares its elements with sums in higher precision, computed on the host.
#pragma once

#include "job.hpp"

namespace cosmati_gemm {

struct comparison {
  std::int64_t compared = 0, of = 0;  ///< elements of C
  double error = 0;                   ///< the error that is the largest fraction of the allowed one
  double allowed = 0;                 ///< the allowed error there, from the roundings of operands, sums and result
};

/// Compares `most` elements of `p.c`, evenly spread, or all if there are fewer. Sums are long double for double, int64
/// for integers, double otherwise. Integers must be equal. Other numbers may differ by K roundings of the sum, plus
/// those of the operands and of the result.
/// @throws std::runtime_error with the wrong element and its error, or with the element that does not fit in C's type
comparison compare(product const& p, std::int64_t most);

}  // namespace cosmati_gemm
