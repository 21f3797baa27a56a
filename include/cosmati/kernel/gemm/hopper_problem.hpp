// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a product by `gemm_hopper` may have beside its matrices: groups of rows, and scales of blocks along K.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/gemm/problem.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A tensor of scales: one float for each row of A, or each 128 columns of C, and each 128 elements of K.
struct block_scales {
  float const* data;
  std::int64_t along, along_k, along_batch;  ///< elements from one scale to the next
};

/// A problem with groups or scales. @tparam Plain gemm_problem
template <class Plain, bool grouped_, bool scaled_>
struct hopper_problem : Plain {
  static constexpr bool grouped = grouped_, scaled = scaled_;
  /// Groups: the rows offsets[g] to offsets[g + 1] - 1 of A and C use matrix g of B. There is one element more than
  /// matrices. The array is on the device.
  int const* offsets;
  block_scales scales_a, scales_b;
};
template <class Problem>
inline constexpr bool hopper_grouped = [] {
  if constexpr (requires { Problem::grouped; })
    return Problem::grouped;
  else
    return false;
}();
template <class Problem>
inline constexpr bool hopper_scaled = [] {
  if constexpr (requires { Problem::scaled; })
    return Problem::scaled;
  else
    return false;
}();

/// Scales along a mode of extent `extent` and along K, as the kernel takes them. Throws `error` if the tensor's extents
/// are others. @param name of the operand, @param scales (extents, K / 128[, L])
template <char name, class E, class L>
block_scales make_block_scales(Tensor<E, L> const& scales, std::int64_t extent, std::int64_t k) {
  using T = Tensor<E, L>;
  static_assert(T::rank == 2 || T::rank == 3, "gemm_hopper_scaled: scales are (M, K / 128) and (N / 128, K / 128)");
  auto const blocks = (k + 127) / 128;
  if (static_cast<std::int64_t>(size<0>(scales)) != extent || static_cast<std::int64_t>(size<1>(scales)) != blocks)
    throw error(
        "gemm_hopper_scaled: the scales of %c are (%lld, %lld), not (%lld, %lld): one for each row of A, or each 128 "
        "columns of C, and each 128 elements of K",
        name, static_cast<long long>(size<0>(scales)), static_cast<long long>(size<1>(scales)),
        static_cast<long long>(extent), static_cast<long long>(blocks));
  char const text[] = {'s', 'c', 'a', 'l', 'e', 's', ' ', 'o', 'f', ' ', name, '\0'};
  if (extent > 0 && blocks > 0) expect_device_memory("gemm_hopper_scaled", text, raw_pointer_cast(scales.data()));
  auto const& stride = scales.layout().stride();
  block_scales r{raw_pointer_cast(scales.data()), static_cast<std::int64_t>(get<0>(stride)),
                 static_cast<std::int64_t>(get<1>(stride)), 0};
  if constexpr (T::rank == 3) r.along_batch = static_cast<std::int64_t>(get<2>(stride));
  return r;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
