// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies of rows, which the copies of CUDA's arrays use as well.
#pragma once

#include <cosmati/cuda/memory.hpp>

#include <cstddef>
#include <cstdint>

namespace cosmati_sim {

/// One end of a copy: rows of `width` bytes, `pitch` bytes apart.
struct end_of_copy {
  char const* function;
  char const* role;  // source or destination
  std::uintptr_t at;
  std::size_t pitch, width, height;
  std::size_t bytes() const { return pitch * (height - 1) + width; }
};

/// Copies the rows now. @return CUDA's error, which cuda_result still has to remember
cudaError_t cuda_copy_rows(end_of_copy const& to, end_of_copy const& from, cudaMemcpyKind kind);
/// Copies the rows in the order of a stream.
cudaError_t cuda_copy_rows_in_stream(end_of_copy const& to, end_of_copy const& from, cudaMemcpyKind kind,
                                     cudaStream_t stream);

}  // namespace cosmati_sim
