// SPDX-License-Identifier: Apache-2.0
// The allocations of CUDA's calls, and its pools of memory.
#include "cuda_allocations.hpp"

#include <algorithm>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "report.hpp"

/// A pool counts the bytes of its allocations.
struct CUmemPoolHandle_st {
  std::uint64_t used = 0, most_used = 0, threshold = 0;
  int reuse[3] = {1, 1, 1};
};

namespace cosmati_sim {
namespace {

struct made_allocation {
  char const* function;
  std::size_t bytes;
  cudaMemPool_t pool;
  std::vector<void const*> calls;
};
struct all_allocations {
  std::mutex mutex;
  std::map<void*, made_allocation> made;
  CUmemPoolHandle_st default_pool;
  cudaMemPool_t current_pool = &default_pool;
  std::vector<cudaMemPool_t> pools;
};
all_allocations& allocations() {
  static auto* const all = new all_allocations;
  return *all;
}

int exit_status = -1;

/// Keeps the program's exit status for the search for leaks, which comes after all destructors.
__attribute__((constructor)) void remember_exit_status() {
  on_exit([](int status, void*) { exit_status = status; }, nullptr);
}

/// Reports the allocations of each line that the program has not freed. After a failure there is nothing to say.
__attribute__((destructor)) void look_for_leaks() {
  if (exit_status != 0 || !report_is_wanted() || cuda_lasting_error() != cudaSuccess) return;
  struct leak {
    char const* function;
    std::size_t count = 0, bytes = 0;
  };
  std::map<std::vector<void const*>, leak> leaks;
  for (auto const& [pointer, a] : allocations().made) {
    leak& l = leaks[a.calls];
    l.function = a.function;
    ++l.count;
    l.bytes += a.bytes;
  }
  for (auto const& [calls, l] : leaks) {
    std::string const name = l.function;
    char const* const by = name == "cudaMallocHost"          ? "cudaFreeHost"
                           : name.find("Array") != name.npos ? "cudaFreeArray"
                           : name.find("Async") != name.npos ? "cudaFreeAsync"
                                                             : "cudaFree";
    report_host_hazard_of(
        hazard_kind::leak,
        formatted("{}: {} allocation{} of this line, {} bytes, {} not freed when the program ends; "
                  "call {}",
                  l.function, l.count, l.count == 1 ? "" : "s", l.bytes, l.count == 1 ? "is" : "are", by),
        calls);
  }
}

}  // namespace

cudaError_t cuda_allocate(char const* function, void** out, std::size_t bytes, cudaMemPool_t pool) {
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  *out = nullptr;
  if (bytes == 0) return cuda_result(cudaSuccess);
  std::size_t free_bytes = 0, all_bytes = 0;
  cudaMemGetInfo(&free_bytes, &all_bytes);
  if (bytes > free_bytes) return cuda_result(cudaErrorMemoryAllocation);
  char text[512];
  if (cosmati_sim_allocate(out, bytes, text, sizeof text) != 0) {
    std::fprintf(stderr, "cosmati: %s of %zu bytes gives cudaErrorMemoryAllocation: %s\n", function, bytes, text);
    return cuda_result(cudaErrorMemoryAllocation);
  }
  all_allocations& all = allocations();
  std::lock_guard const lock(all.mutex);
  all.made[*out] = {function, bytes, pool, calls_of_program()};
  if (pool != nullptr) {
    pool->used += bytes;
    pool->most_used = std::max(pool->most_used, pool->used);
  }
  return cuda_result(cudaSuccess);
}

void forget_allocation(void* pointer) {
  all_allocations& all = allocations();
  std::lock_guard const lock(all.mutex);
  auto const found = all.made.find(pointer);
  if (found == all.made.end()) return;
  if (found->second.pool != nullptr) found->second.pool->used -= found->second.bytes;
  all.made.erase(found);
}

void free_all_allocations() {
  all_allocations& all = allocations();
  std::lock_guard const lock(all.mutex);
  for (auto const& [pointer, a] : all.made) cosmati_sim_free(pointer);
  all.made.clear();
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

namespace {

bool is_pool(cudaMemPool_t pool) {
  all_allocations& all = allocations();
  return pool == &all.default_pool || std::find(all.pools.begin(), all.pools.end(), pool) != all.pools.end();
}

}  // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (device != 0) return cuda_result(cudaErrorInvalidDevice);
  *out = &allocations().default_pool;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (device != 0) return cuda_result(cudaErrorInvalidDevice);
  *out = allocations().current_pool;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return cuda_result(cudaErrorInvalidDevice);
  if (!is_pool(pool)) return cuda_result(cudaErrorInvalidValue);
  allocations().current_pool = pool;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, cudaMemPoolProps const* p) {
  if (out == nullptr || p == nullptr || p->allocType != cudaMemAllocationTypePinned)
    return cuda_result(cudaErrorInvalidValue);
  if (p->handleTypes != cudaMemHandleTypeNone) return cuda_result(cudaErrorNotSupported);
  *out = new CUmemPoolHandle_st;
  allocations().pools.push_back(*out);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  all_allocations& all = allocations();
  if (pool == &all.default_pool || !is_pool(pool)) return cuda_result(cudaErrorInvalidValue);
  std::erase(all.pools, pool);  // its allocations stay, and count its bytes
  if (all.current_pool == pool) all.current_pool = &all.default_pool;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!is_pool(pool) || value == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolReuseAllowInternalDependencies) {
    pool->reuse[attribute - 1] = *static_cast<int*>(value);
    return cuda_result(cudaSuccess);
  }
  std::uint64_t const number = *static_cast<std::uint64_t*>(value);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool->threshold = number;
  } else if ((attribute == cudaMemPoolAttrUsedMemHigh || attribute == cudaMemPoolAttrReservedMemHigh) && number == 0) {
    pool->most_used = pool->used;
  } else {
    return cuda_result(cudaErrorInvalidValue);
  }
  return cuda_result(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!is_pool(pool) || value == nullptr) return cuda_result(cudaErrorInvalidValue);
  auto* const number = static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = pool->reuse[attribute - 1];
      break;
    case cudaMemPoolAttrReleaseThreshold:
      *number = pool->threshold;
      break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *number = pool->used;
      break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      *number = pool->most_used;
      break;
    default:
      return cuda_result(cudaErrorInvalidValue);
  }
  return cuda_result(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return cuda_result(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, cudaMemAccessDesc const* access, std::size_t count) {
  if (!is_pool(pool) || (count != 0 && access == nullptr)) return cuda_result(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    if (access[i].location.id != 0) return cuda_result(cudaErrorInvalidDevice);
  }
  return cuda_result(cudaSuccess);
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation*) {
  if (!is_pool(pool) || flags == nullptr) return cuda_result(cudaErrorInvalidValue);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaMallocFromPoolAsync(void** out, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (!cuda_stream_exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  if (!is_pool(pool)) return cuda_result(cudaErrorInvalidValue);
  return cuda_allocate("cudaMallocFromPoolAsync", out, bytes, pool);
}
cudaError_t cosmati_cuda::allocate_async(void** out, std::size_t bytes, cudaStream_t stream) {
  if (!cuda_stream_exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  return cuda_allocate("cudaMallocAsync", out, bytes, allocations().current_pool);
}
