// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's arrays. Rows follow each other without padding, and so do slices, layers and faces.
#pragma once

#include <cosmati/cuda/array.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda_copy.hpp"

/// An array. The extents are in elements, as the program gave them: a height or depth may be 0.
struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned flags;
  void* data;
};

/// An array with levels, of which each is an array.
struct cudaMipmappedArray {
  std::vector<cudaArray_t> levels;
};

namespace cosmati_sim {

/// Whether the mipmapped array was made, and not freed.
bool cuda_mipmaps_exist(cudaMipmappedArray const* array);
/// Bytes of an element; 0 if textures have no such elements.
std::size_t bytes_of_element(cudaChannelFormatDesc const& format);
/// Whether the array was made, and not freed.
bool cuda_array_exists(cudaArray const* array);
inline std::size_t row_bytes_of(cudaArray const& a) { return a.extent.width * bytes_of_element(a.format); }
inline std::size_t rows_of(cudaArray const& a) { return a.extent.height == 0 ? 1 : a.extent.height; }
inline std::size_t slices_of(cudaArray const& a) { return a.extent.depth == 0 ? 1 : a.extent.depth; }
/// Gives the rows of a copy that lie in an array; a hazard if there is no such array, or the rows leave it.
/// @param x, width in bytes, @param z the slice
cudaError_t cuda_rows_of_array(end_of_copy& out, char const* function, char const* role, cudaArray const* array,
                               std::size_t x, std::size_t y, std::size_t z, std::size_t width, std::size_t height);
/// Forgets all arrays, whose memory is freed otherwise.
void cuda_forget_arrays();

}  // namespace cosmati_sim
