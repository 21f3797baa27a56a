// SPDX-License-Identifier: Apache-2.0
// CUDA's allocations.
#include <cosmati/cuda/memory.hpp>
#include <cosmati/cuda/words.hpp>
#include <cosmati/runtime/sim_abi.hpp>

#include <set>

#include "access.hpp"
#include "cuda_allocations.hpp"
#include "cuda_capture.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "host_waits.hpp"
#include "memory.hpp"
#include "symbols.hpp"

using namespace cosmati_sim;

namespace {

cudaError_t allocate_for_both(char const* function, void** out, std::size_t bytes) {
  cudaError_t const error = cuda_allocate(function, out, bytes);
  if (error == cudaSuccess && *out != nullptr) share_with_host(*out);
  return error;
}

std::set<std::uintptr_t>& managed() {
  static auto* const all = new std::set<std::uintptr_t>;
  return *all;
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

/// Whether a destructor of a kernel's argument frees the memory, and not the program. What a
/// copy of the argument allocated is freed.
bool is_freed_by_argument(void* pointer) {
  if (!cuda_is_of_argument()) return false;
  allocation_table const& before = this_worker != nullptr ? this_worker->running->allocations : cuda_before_search();
  return find_allocation(*before, reinterpret_cast<std::uintptr_t>(pointer)) != nullptr;
}

cudaError_t free_memory(char const* function, void* pointer) {
  if (pointer == nullptr || is_freed_by_argument(pointer)) return cuda_result(cudaSuccess);
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  cosmati_sim_host_waits(2, nullptr);
  if (!may_be_freed(function, pointer)) return cuda_result(cudaErrorInvalidValue);
  forget_allocation(pointer);
  managed().erase(reinterpret_cast<std::uintptr_t>(pointer));
  cosmati_sim_free(pointer);
  return cuda_result(cudaSuccess);
}

/// The allocation of the address, if it is live.
allocation const* live_allocation(allocation_table const& table, void const* pointer) {
  allocation const* const a = find_allocation(*table, reinterpret_cast<std::uintptr_t>(pointer));
  return a != nullptr && !a->freed ? a : nullptr;
}

}  // namespace

cudaError_t cudaMalloc(void** out, std::size_t bytes) { return cuda_allocate("cudaMalloc", out, bytes); }
cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cuda_allocate("cudaMallocPitch", out, *pitch * height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  std::size_t const pitch = (extent.width + 511) / 512 * 512;
  *out = make_cudaPitchedPtr(nullptr, pitch, extent.width, extent.height);
  return cuda_allocate("cudaMalloc3D", &out->ptr, pitch * extent.height * extent.depth);
}
cudaError_t cudaMallocHost(void** out, std::size_t bytes) { return allocate_for_both("cudaMallocHost", out, bytes); }
cudaError_t cosmati_cuda::allocate_managed(void** out, std::size_t bytes) {
  if (bytes == 0) return cuda_result(cudaErrorInvalidValue);
  cudaError_t const error = allocate_for_both("cudaMallocManaged", out, bytes);
  if (error == cudaSuccess) managed().insert(reinterpret_cast<std::uintptr_t>(*out));
  return error;
}
cudaError_t cudaFree(void* pointer) { return free_memory("cudaFree", pointer); }
cudaError_t cudaFreeHost(void* pointer) { return free_memory("cudaFreeHost", pointer); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (!cuda_stream_exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  if (cuda_is_captured(stream)) {  // the graph may run again, so that its memory stays
    forget_allocation(pointer);
    return cuda_result(cudaSuccess);
  }
  return free_memory("cudaFreeAsync", pointer);
}

cudaError_t cudaHostGetDevicePointer(void** out, void* host, unsigned flags) {
  allocation_table const table = current_allocations();
  allocation const* const a = live_allocation(table, host);
  if (out == nullptr || flags != 0 || a == nullptr || !a->of_host_too) return cuda_result(cudaErrorInvalidValue);
  *out = host;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  allocation_table const table = current_allocations();
  allocation const* const a = live_allocation(table, host);
  if (a == nullptr || !a->of_host_too) return cuda_result(cudaErrorInvalidValue);
  *flags = cudaHostAllocMapped;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned) {
  if (memory == nullptr || bytes == 0) return cuda_result(cudaErrorInvalidValue);
  bool const is_new = register_host_memory(reinterpret_cast<std::uintptr_t>(memory), bytes);
  return cuda_result(is_new ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void* memory) {
  bool const was_there = unregister_host_memory(reinterpret_cast<std::uintptr_t>(memory));
  return cuda_result(was_there ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cosmati_managed_hint(void const* pointer, std::size_t bytes) {
  allocation_table const table = current_allocations();
  allocation const* const a = live_allocation(table, pointer);
  bool const is_managed = a != nullptr && managed().count(a->low) != 0;
  if (!is_managed || reinterpret_cast<std::uintptr_t>(pointer) + bytes > a->low + a->bytes || bytes == 0)
    return cuda_result(cudaErrorInvalidValue);
  return cuda_result(cudaSuccess);
}

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
  if (a == nullptr || a->freed) {
    std::size_t bytes = 0;
    bool const registered = registered_bytes(reinterpret_cast<std::uintptr_t>(pointer), bytes);
    out->device = registered ? 0 : cudaInvalidDeviceId;
    out->hostPointer = const_cast<void*>(pointer);
    if (registered) out->type = cudaMemoryTypeHost;
    return cuda_result(cudaSuccess);
  }
  out->type = managed().count(a->low) != 0 ? cudaMemoryTypeManaged
              : a->of_host_too             ? cudaMemoryTypeHost
                                           : cudaMemoryTypeDevice;
  out->devicePointer = const_cast<void*>(pointer);
  if (a->of_host_too) out->hostPointer = const_cast<void*>(pointer);
  return cuda_result(cudaSuccess);
}

extern "C" int cosmati_sim_space_of(void const* address) {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (at - device_memory.low < device_memory.bytes || is_module_memory(at)) return 2;
  return this_worker != nullptr && is_shared_memory(*this_worker, at) ? 1 : 0;
}
