// SPDX-License-Identifier: Apache-2.0
/// @file
/// Products of matrices in the host's memory, as fast as plain C++ makes them: packed tiles, a small kernel in
/// registers, all threads of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cosmati_sim {

/// The type of a matrix's elements.
enum class element_kind : std::uint8_t { f16, bf16, f32, f64, i8, i32, e4m3, e5m2 };
constexpr std::size_t bytes_of(element_kind kind) {
  constexpr std::size_t bytes[] = {2, 2, 4, 8, 1, 4, 1, 1};
  return bytes[static_cast<std::size_t>(kind)];
}
/// The type in which products are summed.
enum class sum_kind : std::uint8_t { f32, f64, i32 };

/// A factor, stored by columns that are `leading` elements apart.
struct factor {
  void const* at;
  element_kind kind;
  std::size_t leading;
  bool is_transposed;
};
/// C (m x n) = alpha op(A) (m x k) op(B) (k x n) + beta C. With beta = 0, C is not read; with alpha = 0, A and B are
/// not.
struct matrix_product {
  std::size_t m, n, k;
  factor a, b;
  void* c;
  element_kind c_kind;
  std::size_t c_leading;
  double alpha, beta;  // each type of a scalar that the sums have fits
};

/// Computes the products, which may run in any order.
void multiply(std::vector<matrix_product> const& products, sum_kind sums);

/// Calls `work` with 0 to count - 1, on the threads of the host.
/// @param has_much whether the work is worth more than one thread
void for_each_on_host(std::size_t count, bool has_much, void (*work)(void const* context, std::size_t index),
                      void const* context);

}  // namespace cosmati_sim
