// SPDX-License-Identifier: Apache-2.0
// CUDA's arrays: allocation, and copies from and to them.
#include "cuda_array.hpp"

#include <cosmati/runtime/sim_abi.hpp>

#include <mutex>
#include <set>

#include "cuda_allocations.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "host_waits.hpp"

namespace cosmati_sim {
namespace {

struct all_arrays {
  std::mutex mutex;
  std::set<cudaArray const*> live;
};
all_arrays& arrays() {
  static auto* const all = new all_arrays;
  return *all;
}

cudaError_t refuse(cudaError_t error, hazard_kind kind, std::string message) {
  report_host_hazard(kind, std::move(message));
  return error;
}

/// Why a GPU has no array of this extent; empty if it has.
std::string wrong_extent(cudaExtent const& e, unsigned flags) {
  cudaDeviceProp const& p = cuda_properties();
  auto const most = [](int n) { return static_cast<std::size_t>(n); };
  bool const layered = (flags & cudaArrayLayered) != 0, cubemap = (flags & cudaArrayCubemap) != 0;
  if (e.width == 0) return "the width is 0";
  if (cubemap) {
    if (e.width != e.height) return formatted("a cubemap of {} by {} elements is no square", e.width, e.height);
    if (layered ? e.depth == 0 || e.depth % 6 != 0 : e.depth != 6)
      return formatted("a cubemap has 6 faces{}, and the depth is {}", layered ? " a layer" : "", e.depth);
    return "";
  }
  cudaExtent limit = {most(p.maxTexture1D), 0, 0};
  if (layered) {
    if (e.depth == 0) return "a layered array has at least one layer, and the depth is 0";
    limit = e.height == 0 ? cudaExtent{most(p.maxTexture1DLayered[0]), 0, most(p.maxTexture1DLayered[1])}
                          : cudaExtent{most(p.maxTexture2DLayered[0]), most(p.maxTexture2DLayered[1]),
                                       most(p.maxTexture2DLayered[2])};
  } else if (e.depth != 0) {
    if (e.height == 0) return formatted("the height is 0, and the depth {}", e.depth);
    limit = {most(p.maxTexture3D[0]), most(p.maxTexture3D[1]), most(p.maxTexture3D[2])};
  } else if (e.height != 0) {
    limit = {most(p.maxTexture2D[0]), most(p.maxTexture2D[1]), 0};
  }
  if (e.width <= limit.width && e.height <= limit.height && e.depth <= limit.depth) return "";
  return formatted("the extent is {} by {} by {} elements, and the device has at most {} by {} by {}", e.width,
                   e.height, e.depth, limit.width, limit.height, limit.depth);
}

cudaError_t allocate_array(char const* function, cudaArray_t* out, cudaChannelFormatDesc const* format,
                           cudaExtent extent, unsigned flags) {
  if (out == nullptr || format == nullptr) return cuda_result(cudaErrorInvalidValue);
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather |
                             cudaArrayColorAttachment;
  if ((flags & ~known) != 0) {
    return cuda_result(refuse(cudaErrorNotSupported, hazard_kind::invalid_argument,
                              formatted("{}: the flags {:#x} are not on the simulated device", function, flags)));
  }
  std::size_t const bytes = bytes_of_element(*format);
  if (bytes == 0) {
    return cuda_result(refuse(
        cudaErrorInvalidChannelDescriptor, hazard_kind::invalid_argument,
        formatted("{}: there are no elements of {}, {}, {} and {} bits of kind {}; 1, 2 or 4 channels have 8, 16 or 32 "
                  "bits each, and floats 16 or 32",
                  function, format->x, format->y, format->z, format->w, static_cast<int>(format->f))));
  }
  if (std::string const why = wrong_extent(extent, flags); !why.empty()) {
    return cuda_result(
        refuse(cudaErrorInvalidValue, hazard_kind::invalid_argument, formatted("{}: {}", function, why)));
  }
  cudaArray made = {*format, extent, flags, nullptr};
  if (cudaError_t const error =
          cuda_allocate(function, &made.data, row_bytes_of(made) * rows_of(made) * slices_of(made)))
    return error;
  *out = new cudaArray(made);
  all_arrays& all = arrays();
  std::lock_guard const lock(all.mutex);
  all.live.insert(*out);
  return cudaSuccess;
}

cudaError_t look_for_array(char const* function, cudaArray const* array) {
  if (cuda_array_exists(array)) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, hazard_kind::invalid_argument,
                formatted("{}: the array was never made, or has been freed", function));
}

/// The rows of an array as a copy of bytes that follow each other.
cudaError_t bytes_of_array(end_of_copy& out, char const* function, char const* role, cudaArray const* array,
                           std::size_t x, std::size_t y, std::size_t bytes) {
  if (cudaError_t const error = cuda_rows_of_array(out, function, role, array, x, y, 0, 0, 0)) return error;
  std::size_t const begin = y * row_bytes_of(*array) + x, all = row_bytes_of(*array) * rows_of(*array);
  if (begin + bytes > all) {
    return refuse(cudaErrorInvalidValue, hazard_kind::out_of_bounds,
                  formatted("{}: the {} is bytes {} to {} of an array of {} bytes; copy {} bytes fewer", function, role,
                            begin, begin + bytes - 1, all, begin + bytes - all));
  }
  out.pitch = out.width = bytes;
  out.height = 1;
  return cudaSuccess;
}

end_of_copy rows_of_memory(char const* function, char const* role, void const* p, std::size_t pitch, std::size_t width,
                           std::size_t height) {
  return {function, role, reinterpret_cast<std::uintptr_t>(p), pitch, width, height};
}

/// Copies now, or in a stream.
struct mover {
  bool in_stream = false;
  cudaStream_t stream = nullptr;
  cudaError_t operator()(end_of_copy const& to, end_of_copy const& from, cudaMemcpyKind kind) const {
    if (in_stream) return cuda_copy_rows_in_stream(to, from, kind, stream);
    cuda_wait(nullptr);
    return cuda_result(cuda_copy_rows(to, from, kind));
  }
};

cudaError_t copy_to_array(char const* function, cudaArray_t to, std::size_t x, std::size_t y, void const* from,
                          std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind, mover move) {
  end_of_copy rows = {};
  if (cudaError_t const error = cuda_rows_of_array(rows, function, "destination", to, x, y, 0, width, height))
    return cuda_result(error);
  return move(rows, rows_of_memory(function, "source", from, pitch, width, height), kind);
}
cudaError_t copy_from_array(char const* function, void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                            std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind, mover move) {
  end_of_copy rows = {};
  if (cudaError_t const error = cuda_rows_of_array(rows, function, "source", from, x, y, 0, width, height))
    return cuda_result(error);
  return move(rows_of_memory(function, "destination", to, pitch, width, height), rows, kind);
}
cudaError_t copy_bytes_to_array(char const* function, cudaArray_t to, std::size_t x, std::size_t y, void const* from,
                                std::size_t bytes, cudaMemcpyKind kind, mover move) {
  end_of_copy rows = {};
  if (cudaError_t const error = bytes_of_array(rows, function, "destination", to, x, y, bytes))
    return cuda_result(error);
  return move(rows, rows_of_memory(function, "source", from, bytes, bytes, 1), kind);
}
cudaError_t copy_bytes_from_array(char const* function, void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                  std::size_t bytes, cudaMemcpyKind kind, mover move) {
  end_of_copy rows = {};
  if (cudaError_t const error = bytes_of_array(rows, function, "source", from, x, y, bytes)) return cuda_result(error);
  return move(rows_of_memory(function, "destination", to, bytes, bytes, 1), rows, kind);
}

}  // namespace

std::size_t bytes_of_element(cudaChannelFormatDesc const& f) {
  int const bits[] = {f.x, f.y, f.z, f.w};
  int channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (int i = 0; i < 4; ++i) {
    if (bits[i] != (i < channels ? f.x : 0)) return 0;
  }
  if (channels == 0 || channels == 3 || (f.x != 8 && f.x != 16 && f.x != 32)) return 0;
  bool const normalized =
      f.f >= cudaChannelFormatKindUnsignedNormalized8X1 && f.f <= cudaChannelFormatKindSignedNormalized16X4;
  bool const plain = f.f == cudaChannelFormatKindSigned || f.f == cudaChannelFormatKindUnsigned;
  if (f.f == cudaChannelFormatKindFloat ? f.x == 8 : !plain && !(normalized && f.x != 32)) return 0;
  return static_cast<std::size_t>(channels * f.x / 8);
}

bool cuda_array_exists(cudaArray const* array) {
  all_arrays& all = arrays();
  std::lock_guard const lock(all.mutex);
  return all.live.count(array) != 0;
}

cudaError_t cuda_rows_of_array(end_of_copy& out, char const* function, char const* role, cudaArray const* array,
                               std::size_t x, std::size_t y, std::size_t z, std::size_t width, std::size_t height) {
  if (cudaError_t const error = look_for_array(function, array)) return error;
  std::size_t const row = row_bytes_of(*array), rows = rows_of(*array), slices = slices_of(*array);
  if (x + width > row || y + height > rows || z >= slices) {
    return refuse(
        cudaErrorInvalidValue, hazard_kind::out_of_bounds,
        formatted("{}: the {} is bytes {} to {} of rows {} to {} in slice {}, and the array has {} rows of {} "
                  "bytes in {} slice{}; copy less of it, or begin earlier",
                  function, role, x, x + width - 1, y, y + height - 1, z, rows, row, slices, slices == 1 ? "" : "s"));
  }
  out = {function, role, reinterpret_cast<std::uintptr_t>(array->data) + (z * rows + y) * row + x, row, width, height};
  return cudaSuccess;
}

void cuda_forget_arrays() {
  all_arrays& all = arrays();
  std::lock_guard const lock(all.mutex);
  all.live.clear();
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

cudaError_t cudaMallocArray(cudaArray_t* out, cudaChannelFormatDesc const* format, std::size_t width,
                            std::size_t height, unsigned flags) {
  return allocate_array("cudaMallocArray", out, format, {width, height, 0}, flags);
}
cudaError_t cudaMalloc3DArray(cudaArray_t* out, cudaChannelFormatDesc const* format, cudaExtent extent,
                              unsigned flags) {
  return allocate_array("cudaMalloc3DArray", out, format, extent, flags);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr || cuda_is_of_argument()) return cuda_result(cudaSuccess);
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  cosmati_sim_host_waits(2, nullptr);
  if (cudaError_t const error = look_for_array("cudaFreeArray", array)) return cuda_result(error);
  {
    all_arrays& all = arrays();
    std::lock_guard const lock(all.mutex);
    all.live.erase(array);
  }
  forget_allocation(array->data);
  cosmati_sim_free(array->data);
  delete array;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  if (cudaError_t const error = look_for_array("cudaArrayGetInfo", array)) return cuda_result(error);
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (cudaError_t const error = look_for_array("cudaGetChannelDesc", array)) return cuda_result(error);
  *format = array->format;
  return cuda_result(cudaSuccess);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_to_array("cudaMemcpy2DToArray", to, x, y, from, pitch, width, height, kind, {});
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_array("cudaMemcpy2DToArrayAsync", to, x, y, from, pitch, width, height, kind, {true, stream});
}
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_from_array("cudaMemcpy2DFromArray", to, pitch, from, x, y, width, height, kind, {});
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_from_array("cudaMemcpy2DFromArrayAsync", to, pitch, from, x, y, width, height, kind, {true, stream});
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                     std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind) {
  char const* const function = "cudaMemcpy2DArrayToArray";
  end_of_copy target = {}, source = {};
  if (cudaError_t const error = cuda_rows_of_array(target, function, "destination", to, to_x, to_y, 0, width, height))
    return cuda_result(error);
  if (cudaError_t const error = cuda_rows_of_array(source, function, "source", from, x, y, 0, width, height))
    return cuda_result(error);
  return mover{}(target, source, kind);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t bytes,
                              cudaMemcpyKind kind) {
  return copy_bytes_to_array("cudaMemcpyToArray", to, x, y, from, bytes, kind, {});
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, void const* from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes_to_array("cudaMemcpyToArrayAsync", to, x, y, from, bytes, kind, {true, stream});
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                cudaMemcpyKind kind) {
  return copy_bytes_from_array("cudaMemcpyFromArray", to, from, x, y, bytes, kind, {});
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_bytes_from_array("cudaMemcpyFromArrayAsync", to, from, x, y, bytes, kind, {true, stream});
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                   std::size_t x, std::size_t y, std::size_t bytes, cudaMemcpyKind kind) {
  char const* const function = "cudaMemcpyArrayToArray";
  end_of_copy target = {}, source = {};
  if (cudaError_t const error = bytes_of_array(target, function, "destination", to, to_x, to_y, bytes))
    return cuda_result(error);
  if (cudaError_t const error = bytes_of_array(source, function, "source", from, x, y, bytes))
    return cuda_result(error);
  return mover{}(target, source, kind);
}
