// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copies of boxes of tensors that CUDA's header cuda/barrier provides: one thread brings a box of one to five
/// modes to shared memory, or back.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/barrier.hpp>
#include <cosmati/cuda/driver_types.hpp>

namespace cuda::device::experimental {

/// @name Copies of boxes. The coordinates are those of the box's first element; the barrier expects the box's bytes.
/// @{
#define COSMATI_BOX_COPIES_(modes, parameters, ...)                                           \
  template <thread_scope scope>                                                               \
  void cp_async_bulk_tensor_##modes##d_global_to_shared(                                      \
      void* to, CUtensorMap const* tensor, COSMATI_PARAMETERS_ parameters, barrier<scope>& b, \
      char const* file = __builtin_FILE(), int line = __builtin_LINE()) {                     \
    int const first[] = {__VA_ARGS__};                                                        \
    cosmati_sim_tensor_load(to, tensor, modes, first, b.handle(), file, line);                \
  }                                                                                           \
  inline void cp_async_bulk_tensor_##modes##d_shared_to_global(                               \
      CUtensorMap const* tensor, COSMATI_PARAMETERS_ parameters, void const* from,            \
      char const* file = __builtin_FILE(), int line = __builtin_LINE()) {                     \
    int const first[] = {__VA_ARGS__};                                                        \
    cosmati_sim_tensor_store(tensor, from, modes, first, file, line);                         \
  }
#define COSMATI_PARAMETERS_(...) __VA_ARGS__
COSMATI_BOX_COPIES_(1, (int c0), c0)
COSMATI_BOX_COPIES_(2, (int c0, int c1), c0, c1)
COSMATI_BOX_COPIES_(3, (int c0, int c1, int c2), c0, c1, c2)
COSMATI_BOX_COPIES_(4, (int c0, int c1, int c2, int c3), c0, c1, c2, c3)
COSMATI_BOX_COPIES_(5, (int c0, int c1, int c2, int c3, int c4), c0, c1, c2, c3, c4)
#undef COSMATI_PARAMETERS_
#undef COSMATI_BOX_COPIES_
/// @}

}  // namespace cuda::device::experimental

#endif

#include <cosmati/core/macros_end.hpp>
