// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's vectors in managed memory, which the host and the device access.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/memory.hpp>
#include <cosmati/cuda/thrust/policies.hpp>
#include <cstddef>
#include <new>
#include <vector>

namespace thrust {

/// Allocates managed memory.
template <class T>
struct universal_allocator {
  using value_type = T;
  universal_allocator() = default;
  template <class U>
  universal_allocator(universal_allocator<U> const&) {}  // NOLINT(google-explicit-constructor): as of all allocators
  /// @throws std::bad_alloc
  T* allocate(std::size_t count) {
    T* p = nullptr;
    if (cudaMallocManaged(&p, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return p;
  }
  void deallocate(T* p, std::size_t) { cudaFree(p); }
  friend bool operator==(universal_allocator, universal_allocator) { return true; }
};

/// A vector in managed memory. The host waits for kernels that use it before it accesses an element.
template <class T>
class universal_vector : public std::vector<T, universal_allocator<T>> {
 public:
  using base = std::vector<T, universal_allocator<T>>;
  using base::base;
  universal_vector() = default;
  universal_vector(host_vector<T> const& other) : base(other.begin(), other.end()) {}  // NOLINT: as Thrust's
};

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
