// SPDX-License-Identifier: Apache-2.0
/// @file
/// What cuBLASLt's descriptions hold. They live in the opaque words that CUDA's header gives to a program.
#pragma once

#include <cosmati/cuda/cublas_lt.hpp>

#include <cstdint>
#include <cstring>

namespace cosmati_sim {

// Each begins with a mark, which tells it from memory that was never initialised. Members have CUDA's types of
// attributes.
struct lt_layout {
  static constexpr std::uint32_t mark = 0x6c744c61;
  std::uint32_t is_made = 0;
  std::uint32_t type = 0;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;
  std::int32_t order = CUBLASLT_ORDER_COL, batches = 1;
  std::int64_t stride = 0, plane = 0;  // between the matrices, in elements; between real and imaginary parts, in bytes
  std::uint32_t batch_mode = CUBLASLT_BATCH_MODE_STRIDED;
  bool operator==(lt_layout const&) const = default;
};
struct lt_matmul {
  static constexpr std::uint32_t mark = 0x6c744d75;
  std::uint32_t is_made = 0;
  std::int32_t compute = 0, scale = 0, pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N, transc = CUBLAS_OP_N, fill = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  std::int32_t multiprocessors = 0, aux_type = -1, bias_type = -1;
  void *bias = nullptr, *aux = nullptr;
  std::int64_t bias_stride = 0, aux_leading = 0, aux_stride = 0, alpha_stride = 0;
  void *scale_a = nullptr, *scale_b = nullptr, *scale_c = nullptr, *scale_d = nullptr, *largest_d = nullptr;
  void *aux_scale = nullptr, *aux_largest = nullptr, *out_scale = nullptr, *emulation = nullptr;
  std::int32_t mode_a = 0, mode_b = 0, mode_c = 0, mode_d = 0, aux_mode = 0, out_mode = 0;
  std::int8_t fast_sums = 0;
};
struct lt_preference {
  static constexpr std::uint32_t mark = 0x6c745072;
  std::uint32_t is_made = 0;
  std::uint32_t search = CUBLASLT_SEARCH_BEST_FIT;
  std::uint64_t workspace = 0;  // bytes
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint32_t align_a = 256, align_b = 256, align_c = 256, align_d = 256;  // bytes
  float waves = 0;
  std::uint64_t implementations = ~std::uint64_t(0);
};
struct lt_transform {
  static constexpr std::uint32_t mark = 0x6c745472;
  std::uint32_t is_made = 0;
  std::int32_t scale = 0, pointer_mode = CUBLASLT_POINTER_MODE_HOST, transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
};
struct lt_algo {
  static constexpr std::uint32_t mark = 0x6c74416c;
  std::uint32_t is_made = 0;
  std::int32_t id = 0;
  std::uint32_t tile = 0, splits = 1, reduction = 0, swizzling = 0, option = 0, stages = 0;
  std::uint16_t inner_shape = 0, cluster_shape = 0;
};

/// What a description of a program holds.
template <class T, class Opaque>
T lt_read(Opaque const& from) {
  static_assert(sizeof(T) <= sizeof(Opaque));
  T value;
  std::memcpy(static_cast<void*>(&value), from.data, sizeof value);
  return value;
}
template <class T, class Opaque>
void lt_write(Opaque& to, T const& value) {
  std::memcpy(to.data, &value, sizeof value);
}
/// The same of a pointer that a program gives. @return false if it is null, or was never made
template <class T, class Opaque>
bool lt_get(Opaque const* from, T& out) {
  if (from == nullptr) return false;
  out = lt_read<T>(*from);
  return out.is_made == T::mark;
}

/// Whether it is a handle of cuBLASLt or cuBLAS.
bool lt_handle_exists(cublasLtHandle_t handle);

}  // namespace cosmati_sim
