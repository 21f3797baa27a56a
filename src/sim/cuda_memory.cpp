// SPDX-License-Identifier: Apache-2.0
// CUDA's allocations.
#include <cosmati/cuda/memory.hpp>
#include <cosmati/cuda/words.hpp>
#include <cosmati/runtime/sim_abi.hpp>

#include "access.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "memory.hpp"
#include "symbols.hpp"

using namespace cosmati_sim;

namespace {

cudaError_t allocate(void** out, std::size_t bytes) {
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  *out = nullptr;
  if (bytes == 0) return cuda_result(cudaSuccess);
  char text[512];
  return cuda_result(cosmati_sim_allocate(out, bytes, text, sizeof text) == 0 ? cudaSuccess
                                                                              : cudaErrorMemoryAllocation);
}

cudaError_t allocate_for_both(void** out, std::size_t bytes) {
  cudaError_t const error = allocate(out, bytes);
  if (error == cudaSuccess && *out != nullptr) share_with_host(*out);
  return error;
}

/// The address of an allocation's first byte; otherwise a hazard says why it is none.
bool may_be_freed(char const* function, void* pointer) {
  allocation_table const table = current_allocations();
  auto const at = reinterpret_cast<std::uintptr_t>(pointer);
  allocation const* const a = find_allocation(*table, at);
  std::string why;
  if (a == nullptr) {
    why = formatted("{}: {} is no memory of the device; free what cudaMalloc returned", function, pointer);
  } else if (a->freed) {
    why = formatted("{}: the allocation of {} bytes at {} has been freed before; free it once", function, a->bytes,
                    reinterpret_cast<void*>(a->low));
  } else if (a->low != at) {
    why = formatted("{}: {} is byte {} of an allocation of {} bytes; free its first byte", function, pointer,
                    at - a->low, a->bytes);
  } else {
    return true;
  }
  report_host_hazard(hazard_kind::invalid_argument, why);
  return false;
}

cudaError_t free_memory(char const* function, void* pointer) {
  if (pointer == nullptr) return cuda_result(cudaSuccess);
  cosmati_sim_host_waits(2, nullptr);
  if (!may_be_freed(function, pointer)) return cuda_result(cudaErrorInvalidValue);
  cosmati_sim_free(pointer);
  return cuda_result(cudaSuccess);
}

}  // namespace

cudaError_t cudaMalloc(void** out, std::size_t bytes) { return allocate(out, bytes); }
cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return allocate(out, *pitch * height);
}
cudaError_t cudaMallocHost(void** out, std::size_t bytes) { return allocate_for_both(out, bytes); }
cudaError_t cosmati_cuda::allocate_managed(void** out, std::size_t bytes) { return allocate_for_both(out, bytes); }
cudaError_t cosmati_cuda::allocate_async(void** out, std::size_t bytes, cudaStream_t) { return allocate(out, bytes); }
cudaError_t cudaFree(void* pointer) { return free_memory("cudaFree", pointer); }
cudaError_t cudaFreeHost(void* pointer) { return free_memory("cudaFreeHost", pointer); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return free_memory("cudaFreeAsync", pointer); }

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  std::size_t used = 0;
  visit_live_allocations([&](allocation const& a) { used += a.bytes; });
  *all_bytes = cuda_properties().totalGlobalMem;
  *free_bytes = *all_bytes > used ? *all_bytes - used : 0;
  return cuda_result(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, void const* pointer) {
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, reinterpret_cast<std::uintptr_t>(pointer));
  *out = {};
  if (a == nullptr || a->freed) return cuda_result(cudaSuccess);
  out->type = a->of_host_too ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
  out->devicePointer = const_cast<void*>(pointer);
  if (a->of_host_too) out->hostPointer = const_cast<void*>(pointer);
  return cuda_result(cudaSuccess);
}

extern "C" int cosmati_sim_space_of(void const* address) {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (at - device_memory.low < device_memory.bytes || is_module_memory(at)) return 2;
  return this_worker != nullptr && is_shared_memory(*this_worker, at) ? 1 : 0;
}
