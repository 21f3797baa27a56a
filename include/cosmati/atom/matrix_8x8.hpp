// SPDX-License-Identifier: Apache-2.0
/// @file
/// The 8x8 matrices of 16-bit elements that ldmatrix, stmatrix and movmatrix move: (lane, bit) -> bit, in memory and in
/// registers.
///
/// Element (r, c) of matrix j begins at bit 1024 j + 128 r + 16 c.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/layout.hpp>

namespace COSMATI_NAMESPACE::detail {

/// @name One row of 128 bits for each lane: row r of matrix j belongs to lane 8 j + r; further lanes repeat the first
///   ones'
/// @{
template <int matrices>
struct matrix_rows {
  using type = Layout<Shape<Shape<C<8 * matrices>, C<4 / matrices>>, _128>, Stride<Stride<_128, _0>, _1>>;
};
template <>
struct matrix_rows<4> {
  using type = Layout<Shape<_32, _128>, Stride<_128, _1>>;
};
/// @}

/// @name One register of 32 bits for each matrix and lane
/// Lane l holds columns 2 (l % 4) and the next in row l / 4. Transposed, it holds rows 2 (l % 4) and the next in column
/// l / 4.
/// @{
template <int matrices, bool transposed>
struct matrix_registers {
  using type = Layout<Shape<_32, Shape<_32, C<matrices>>>, Stride<_32, Stride<_1, _1024>>>;
};
template <>
struct matrix_registers<1, false> {
  using type = Layout<Shape<_32, _32>, Stride<_32, _1>>;
};
template <int matrices>
struct matrix_registers<matrices, true> {
  using type =
      Layout<Shape<Shape<_4, _8>, Shape<_16, _2, C<matrices>>>, Stride<Stride<_256, _16>, Stride<_1, _128, _1024>>>;
};
template <>
struct matrix_registers<1, true> {
  using type = Layout<Shape<Shape<_4, _8>, Shape<_16, _2>>, Stride<Stride<_256, _16>, Stride<_1, _128>>>;
};
/// @}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
