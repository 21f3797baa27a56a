// SPDX-License-Identifier: Apache-2.0
// CUDA's mipmapped arrays: each level is an array.
#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "cuda_array.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "live_objects.hpp"

namespace cosmati_sim {
namespace {

cudaError_t no_mipmaps(char const* function) {
  report_host_hazard(hazard_kind::invalid_argument,
                     formatted("{}: the mipmapped array was never made, or has been freed", function));
  return cuda_result(cudaErrorInvalidValue);
}

/// The extent of a level. Layers and faces do not become fewer.
cudaExtent extent_of_level(cudaExtent e, unsigned level, unsigned flags) {
  auto const shrunk = [&](std::size_t n) { return n == 0 ? 0 : std::max<std::size_t>(n >> level, 1); };
  bool const keeps_depth = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return {shrunk(e.width), shrunk(e.height), keeps_depth ? e.depth : shrunk(e.depth)};
}
/// The number of levels down to one element.
unsigned most_levels(cudaExtent const& e, unsigned flags) {
  bool const has_layers = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return static_cast<unsigned>(std::bit_width(std::max({e.width, e.height, has_layers ? 0 : e.depth})));
}

}  // namespace

bool cuda_mipmaps_exist(cudaMipmappedArray const* array) { return live_objects<cudaMipmappedArray>::all().has(array); }

}  // namespace cosmati_sim

using namespace cosmati_sim;

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* out, cudaChannelFormatDesc const* format, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  if (out == nullptr || format == nullptr || levels == 0) return cuda_result(cudaErrorInvalidValue);
  auto made = std::make_unique<cudaMipmappedArray>();
  for (unsigned level = 0; level < std::min(levels, std::max(most_levels(extent, flags), 1u)); ++level) {
    cudaArray_t array = nullptr;
    if (cudaError_t const error = cudaMalloc3DArray(&array, format, extent_of_level(extent, level, flags), flags)) {
      for (cudaArray_t const a : made->levels) cudaFreeArray(a);
      return cuda_result(error);
    }
    made->levels.push_back(array);
  }
  *out = live_objects<cudaMipmappedArray>::all().add(std::move(made));
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* out, cudaMipmappedArray_const_t array, unsigned level) {
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (!cuda_mipmaps_exist(array)) return no_mipmaps("cudaGetMipmappedArrayLevel");
  if (level >= array->levels.size()) {
    report_host_hazard(hazard_kind::invalid_argument,
                       formatted("cudaGetMipmappedArrayLevel: there is no level {}; the array has the levels 0 to {}",
                                 level, array->levels.size() - 1));
    return cuda_result(cudaErrorInvalidValue);
  }
  *out = array->levels[level];
  return cuda_result(cudaSuccess);
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  if (array == nullptr || cuda_is_of_argument()) return cuda_result(cudaSuccess);
  std::unique_ptr<cudaMipmappedArray> const freed = live_objects<cudaMipmappedArray>::all().take(array);
  if (freed == nullptr) return no_mipmaps("cudaFreeMipmappedArray");
  cudaError_t error = cudaSuccess;
  for (cudaArray_t const a : freed->levels) error = std::max(error, cudaFreeArray(a));
  return cuda_result(error);
}
