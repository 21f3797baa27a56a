// SPDX-License-Identifier: Apache-2.0
// CUDA's copies and fills. They are checked before they begin, and complete when the call returns.
#include <cosmati/cuda/memory.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstring>
#include <string>

#include "cuda_array.hpp"
#include "cuda_capture.hpp"
#include "cuda_copy.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "host_waits.hpp"
#include "memory.hpp"
#include "raw_access.hpp"
#include "shadow.hpp"
#include "stream_copies.hpp"
#include "stream_order.hpp"
#include "symbols.hpp"

using namespace cosmati_sim;

namespace {

char const* name_of_kind(cudaMemcpyKind kind) {
  constexpr char const* names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                   "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
  return names[static_cast<int>(kind)];
}

cudaError_t refuse(hazard_kind kind, std::string message) {
  report_host_hazard(kind, std::move(message));
  return cudaErrorInvalidValue;
}

bool is_in_device_range(std::uintptr_t at) { return at - device_memory.low < device_memory.bytes; }

/// Whether the rows lie in one allocation. The hazard names the bytes that do not.
cudaError_t look_at_allocation(end_of_copy const& e, allocation const* a) {
  if (a == nullptr) {
    return refuse(hazard_kind::out_of_bounds,
                  formatted("{}: the {}, at {:#x}, is in no allocation of the device", e.function, e.role, e.at));
  }
  if (a->freed) {
    return refuse(hazard_kind::out_of_bounds,
                  formatted("{}: the {} is byte {} of an allocation of {} bytes that has been freed", e.function,
                            e.role, e.at - a->low, a->bytes));
  }
  std::size_t const begin = e.at - a->low;
  if (begin + e.bytes() <= a->bytes) return cudaSuccess;
  return refuse(hazard_kind::out_of_bounds,
                formatted("{}: the {} is bytes {} to {} of an allocation of {} bytes; copy {} bytes fewer, or allocate "
                          "as many more",
                          e.function, e.role, begin, begin + e.bytes() - 1, a->bytes, begin + e.bytes() - a->bytes));
}

/// @param of_device whether the direction says so; null if it does not tell
cudaError_t look_at(end_of_copy const& e, cudaMemcpyKind kind, bool of_device) {
  if (e.at == 0) {
    return refuse(hazard_kind::invalid_argument,
                  formatted("{}: the {} is null, and there are {} bytes to move", e.function, e.role, e.bytes()));
  }
  if (!is_in_device_range(e.at)) {
    if (kind == cudaMemcpyDefault || !of_device || is_module_memory(e.at)) return cudaSuccess;
    return refuse(hazard_kind::wrong_space,
                  formatted("{}: the {}, at {:#x}, is memory of the host, and {} takes memory of the device; change "
                            "the direction, or swap the pointers",
                            e.function, e.role, e.at, name_of_kind(kind)));
  }
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, e.at);
  if (cudaError_t const error = look_at_allocation(e, a)) return error;
  if (kind == cudaMemcpyDefault || of_device || a->of_host_too) return cudaSuccess;
  return refuse(hazard_kind::wrong_space,
                formatted("{}: the {} is byte {} of an allocation of the device, and {} takes memory of the host; "
                          "change the direction, or swap the pointers",
                          e.function, e.role, e.at - a->low, name_of_kind(kind)));
}

/// The row's bytes that have been written count as written at the destination, too.
void pass_on_written(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (!is_in_device_range(to)) return;
  allocation_table const table = current_allocations();
  allocation const* const a = is_in_device_range(from) ? find_allocation(*table, from) : nullptr;
  if (a == nullptr || a->shadow == nullptr || a->shadow->counts_as_written) return host_writes(to, bytes);
  shadow_region const& s = *a->shadow;
  if (s.written == nullptr) return;
  for (std::size_t i = 0; i < bytes; ++i) {
    std::size_t const byte = from + i - s.low;
    if ((s.written[byte >> 4] >> (byte & 15) & 1) != 0) host_writes(to + i, 1);
  }
}

/// Whether nothing has ever written a byte of these rows.
bool is_unwritten(end_of_copy const& e) {
  if (!is_in_device_range(e.at)) return false;
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, e.at);
  if (a == nullptr || a->shadow == nullptr || a->shadow->counts_as_written) return false;
  shadow_region const& s = *a->shadow;
  if (s.written == nullptr) return true;
  for (std::size_t row = 0; row < e.height; ++row) {
    for (std::size_t i = 0; i < e.width; ++i) {
      std::size_t const byte = e.at + row * e.pitch + i - s.low;
      if ((s.written[byte >> 4] >> (byte & 15) & 1) != 0) return false;
    }
  }
  return true;
}

cudaError_t copy(end_of_copy const& to, end_of_copy const& from, cudaMemcpyKind kind) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  if (to.width == 0 || to.height == 0) return cudaSuccess;
  if (static_cast<unsigned>(kind) > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (to.height > 1 && (to.width > to.pitch || from.width > from.pitch)) return cudaErrorInvalidPitchValue;
  bool const to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool const from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (cudaError_t const error = look_at(to, kind, to_device)) return error;
  if (cudaError_t const error = look_at(from, kind, from_device)) return error;
  if (!is_in_device_range(to.at) && is_unwritten(from)) {
    refuse(hazard_kind::uninitialized,
           formatted("{}: nothing has written any of the {} bytes of the device's memory that the host gets",
                     from.function, from.width * from.height));
  }
  own_moves const device;
  for (std::size_t row = 0; row < to.height; ++row) {
    std::memmove(reinterpret_cast<void*>(to.at + row * to.pitch),
                 reinterpret_cast<void const*>(from.at + row * from.pitch), to.width);
    pass_on_written(to.at + row * to.pitch, from.at + row * from.pitch, to.width);
  }
  return cudaSuccess;
}

std::uintptr_t address(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }

cudaError_t copy_bytes(char const* function, void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cuda_result(copy({function, "destination", address(to), bytes, bytes, 1},
                          {function, "source", address(from), bytes, bytes, 1}, kind));
}

cudaError_t fill(end_of_copy const& to, int value) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  if (to.width == 0 || to.height == 0) return cudaSuccess;
  if (cudaError_t const error = look_at(to, cudaMemcpyDeviceToDevice, true)) return error;
  own_moves const device;
  for (std::size_t row = 0; row < to.height; ++row) {
    std::memset(reinterpret_cast<void*>(to.at + row * to.pitch), value, to.width);
    if (is_in_device_range(to.at)) host_writes(to.at + row * to.pitch, to.width);
  }
  return cudaSuccess;
}

void const* key_of(cudaStream_t stream) { return stream == cudaStreamLegacy ? nullptr : stream; }

copied_rows rows_of(end_of_copy const& e, bool writes) {
  return {e.function, e.at, e.height > 1 ? e.pitch : e.width, e.width, e.height, writes};
}

/// Whether the host's memory may be paged out. A copy to it is over when the call returns.
bool is_pageable(end_of_copy const& e) {
  std::size_t registered = 0;
  return !is_in_device_range(e.at) && !registered_bytes(e.at, registered);
}

/// Marks the rows of an asynchronous copy, which the host may use again after a wait.
void mark_in_flight(end_of_copy const& e, bool writes, cudaStream_t stream) {
  void const* const in = key_of(stream);
  for (std::size_t row = 0; row < e.height; ++row) copy_is_in_flight(e.at + row * e.pitch, e.width, writes, in);
}

cudaError_t copy_in_stream(end_of_copy const& to, end_of_copy const& from, cudaMemcpyKind kind, cudaStream_t stream) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  if (!cuda_stream_exists(stream)) {
    report_host_hazard(hazard_kind::invalid_argument,
                       formatted("{}: the stream was never made, or has been destroyed", to.function));
    return cuda_result(cudaErrorInvalidResourceHandle);
  }
  return cuda_enqueue(stream, cudaGraphNodeTypeMemcpy, [=, calls = calls_of_program()](cudaStream_t s) {
    cuda_order(s);
    bool const moves = to.width != 0 && to.height != 0;
    if (moves) {
      look_beside_copy(rows_of(to, true), key_of(s), calls);
      look_beside_copy(rows_of(from, false), key_of(s), calls);
    }
    cudaError_t const error = cuda_result(copy(to, from, kind));
    if (error == cudaSuccess && moves) {
      if (!is_pageable(to)) {
        std::uint64_t const number = order_copy(key_of(s));
        copy_runs(rows_of(to, true), key_of(s), number, calls);
        copy_runs(rows_of(from, false), key_of(s), number, calls);
      }
      mark_in_flight(to, true, s);
      mark_in_flight(from, false, s);
    }
    return error;
  });
}

cudaError_t fill_in_stream(end_of_copy const& to, int value, cudaStream_t stream) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  if (!cuda_stream_exists(stream)) {
    report_host_hazard(hazard_kind::invalid_argument,
                       formatted("{}: the stream was never made, or has been destroyed", to.function));
    return cuda_result(cudaErrorInvalidResourceHandle);
  }
  return cuda_enqueue(stream, cudaGraphNodeTypeMemset, [=, calls = calls_of_program()](cudaStream_t s) {
    cuda_order(s);
    bool const fills = to.width != 0 && to.height != 0;
    if (fills) look_beside_copy(rows_of(to, true), key_of(s), calls);
    cudaError_t const error = cuda_result(fill(to, value));
    if (error == cudaSuccess && fills) {
      copy_runs(rows_of(to, true), key_of(s), order_copy(key_of(s)), calls);
      mark_in_flight(to, true, s);
    }
    return error;
  });
}

/// cudaMemset and its kin: in the default stream, and not over when they return, unless the host uses the memory, too.
/// https://docs.nvidia.com/cuda/cuda-runtime-api/api-sync-behavior.html
cudaError_t fill_in_default_stream(end_of_copy const& to, int value) {
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, to.at);
  if (a == nullptr || a->of_host_too) return cuda_result(fill(to, value));
  return fill_in_stream(to, value, nullptr);
}

/// The end of a copy of a box in slice `z`.
end_of_copy slice_of(char const* function, char const* role, cudaPitchedPtr const& p, cudaPos const& at,
                     cudaExtent const& extent, std::size_t z) {
  return {function, role,         address(p.ptr) + ((at.z + z) * p.ysize + at.y) * p.pitch + at.x,
          p.pitch,  extent.width, extent.height};
}

/// One side of a copy of a box: an array, whose positions are in elements, or memory, where they are in bytes.
struct side_of_box {
  char const* role;
  cudaArray_t array;
  cudaPitchedPtr const& memory;
  cudaPos const& at;

  /// @param extent with the width in bytes
  cudaError_t slice(end_of_copy& out, char const* function, cudaExtent const& extent, std::size_t z) const {
    if (array != nullptr && memory.ptr != nullptr) {
      return refuse(hazard_kind::invalid_argument,
                    formatted("{}: the {} is an array and memory as well; set one of the two to zero", function, role));
    }
    if (array == nullptr) {
      out = slice_of(function, role, memory, at, extent, z);
      return cudaSuccess;
    }
    std::size_t const x = cuda_array_exists(array) ? at.x * bytes_of_element(array->format) : 0;
    return cuda_rows_of_array(out, function, role, array, x, at.y, at.z + z, extent.width, extent.height);
  }
};

/// The extent with its width in bytes. Where an array takes part, the program gives it in the array's elements.
cudaError_t extent_in_bytes(char const* function, cudaMemcpy3DParms const& c, cudaExtent& extent) {
  extent = c.extent;
  std::size_t element = 0;
  for (cudaArray_t const array : {c.dstArray, c.srcArray}) {
    if (array == nullptr || !cuda_array_exists(array)) continue;
    std::size_t const bytes = bytes_of_element(array->format);
    if (element != 0 && bytes != element) {
      return refuse(hazard_kind::invalid_argument,
                    formatted("{}: the elements of the two arrays have {} and {} bytes; copy between arrays whose "
                              "elements have equal sizes",
                              function, bytes, element));
    }
    element = bytes;
  }
  if (element != 0) extent.width *= element;
  return cudaSuccess;
}

/// @param move copies one slice
template <class Move>
cudaError_t copy_box(char const* function, cudaMemcpy3DParms const* c, Move move) {
  if (c == nullptr) return cuda_result(cudaErrorInvalidValue);
  cudaExtent extent = {};
  if (cudaError_t const error = extent_in_bytes(function, *c, extent)) return cuda_result(error);
  side_of_box const target = {"destination", c->dstArray, c->dstPtr, c->dstPos};
  side_of_box const source = {"source", c->srcArray, c->srcPtr, c->srcPos};
  for (std::size_t z = 0; z < extent.depth; ++z) {
    end_of_copy to = {}, from = {};
    if (cudaError_t const error = target.slice(to, function, extent, z)) return cuda_result(error);
    if (cudaError_t const error = source.slice(from, function, extent, z)) return cuda_result(error);
    if (cudaError_t const error = move(to, from)) return error;
  }
  return cuda_result(cudaSuccess);
}

/// The place of a symbol's bytes; a hazard if they do not lie in it.
cudaError_t place_in_symbol(char const* function, std::size_t symbol_bytes, std::size_t bytes, std::size_t offset) {
  if (offset + bytes <= symbol_bytes) return cudaSuccess;
  return cuda_result(refuse(hazard_kind::out_of_bounds,
                            formatted("{}: bytes {} to {} of a symbol of {} bytes; copy {} bytes fewer", function,
                                      offset, offset + bytes - 1, symbol_bytes, offset + bytes - symbol_bytes)));
}

}  // namespace

cudaError_t cosmati_sim::cuda_copy_rows(end_of_copy const& to, end_of_copy const& from, cudaMemcpyKind kind) {
  return copy(to, from, kind);
}
cudaError_t cosmati_sim::cuda_copy_rows_in_stream(end_of_copy const& to, end_of_copy const& from, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  return copy_in_stream(to, from, kind, stream);
}

cudaError_t cosmati_sim::cuda_fill_elements(cudaMemsetParams const& f, cudaStream_t stream) {
  std::size_t const width = f.width * f.elementSize;
  end_of_copy const to = {
      "a graph's memset", "destination", address(f.dst), f.height > 1 ? f.pitch : width, width, f.height};
  if (f.elementSize == 1) return fill_in_stream(to, static_cast<int>(f.value & 0xff), stream);
  cuda_order(stream);
  if (cudaError_t const error = cuda_result(fill(to, 0))) return error;
  own_moves const device;
  for (std::size_t row = 0; row < f.height; ++row) {
    for (std::size_t i = 0; i < f.width; ++i)
      std::memcpy(reinterpret_cast<void*>(to.at + row * to.pitch + i * f.elementSize), &f.value, f.elementSize);
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  cuda_wait(nullptr);
  return copy_bytes("cudaMemcpy", to, from, bytes, kind);
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_in_stream({"cudaMemcpyAsync", "destination", address(to), bytes, bytes, 1},
                        {"cudaMemcpyAsync", "source", address(from), bytes, bytes, 1}, kind, stream);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  cuda_wait(nullptr);
  return cuda_result(copy({"cudaMemcpy2D", "destination", address(to), to_pitch, width, height},
                          {"cudaMemcpy2D", "source", address(from), from_pitch, width, height}, kind));
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_in_stream({"cudaMemcpy2DAsync", "destination", address(to), to_pitch, width, height},
                        {"cudaMemcpy2DAsync", "source", address(from), from_pitch, width, height}, kind, stream);
}
cudaError_t cudaMemcpy3D(cudaMemcpy3DParms const* c) {
  cuda_wait(nullptr);
  return copy_box("cudaMemcpy3D", c,
                  [&](end_of_copy const& to, end_of_copy const& from) { return cuda_result(copy(to, from, c->kind)); });
}
cudaError_t cudaMemcpy3DAsync(cudaMemcpy3DParms const* c, cudaStream_t stream) {
  return copy_box("cudaMemcpy3DAsync", c, [&](end_of_copy const& to, end_of_copy const& from) {
    return copy_in_stream(to, from, c->kind, stream);
  });
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return fill_in_default_stream({"cudaMemset", "destination", address(to), bytes, bytes, 1}, value);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return fill_in_stream({"cudaMemsetAsync", "destination", address(to), bytes, bytes, 1}, value, stream);
}
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_in_default_stream({"cudaMemset2D", "destination", address(to), pitch, width, height}, value);
}
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  return fill_in_stream({"cudaMemset2DAsync", "destination", address(to), pitch, width, height}, value, stream);
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  cudaError_t error = cudaSuccess;
  for (std::size_t z = 0; z < extent.depth && error == cudaSuccess; ++z)
    error = fill_in_default_stream(slice_of("cudaMemset3D", "destination", to, {0, 0, 0}, extent, z), value);
  return cuda_result(error);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (std::size_t z = 0; z < extent.depth && error == cudaSuccess; ++z)
    error = fill_in_stream(slice_of("cudaMemset3DAsync", "destination", to, {0, 0, 0}, extent, z), value, stream);
  return cuda_result(error);
}

cudaError_t cosmati_cuda::copy_symbol(void* symbol, std::size_t symbol_bytes, void* other, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind, int to_symbol) {
  char const* const function = to_symbol != 0 ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
  cuda_wait(nullptr);
  if (cudaError_t const error = place_in_symbol(function, symbol_bytes, bytes, offset)) return error;
  char* const place = static_cast<char*>(symbol) + offset;
  return to_symbol != 0 ? copy_bytes(function, place, other, bytes, kind)
                        : copy_bytes(function, other, place, bytes, kind);
}
cudaError_t cosmati_cuda::copy_symbol_async(void* symbol, std::size_t symbol_bytes, void* other, std::size_t bytes,
                                            std::size_t offset, cudaMemcpyKind kind, int to_symbol,
                                            cudaStream_t stream) {
  char const* const function = to_symbol != 0 ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyFromSymbolAsync";
  if (cudaError_t const error = place_in_symbol(function, symbol_bytes, bytes, offset)) return error;
  std::uintptr_t const place = address(symbol) + offset, host = address(other);
  return copy_in_stream({function, "destination", to_symbol != 0 ? place : host, bytes, bytes, 1},
                        {function, "source", to_symbol != 0 ? host : place, bytes, bytes, 1}, kind, stream);
}
