// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's headers cuda/std/barrier, cuda/std/latch and cuda/std/semaphore provide: those of cuda:: with the scope
/// of the system.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/barrier.hpp>
#include <cosmati/cuda/semaphore.hpp>

namespace cuda::std {
template <class Completion = void>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
using latch = ::cuda::latch<thread_scope_system>;
template <::std::ptrdiff_t most = 0x7fffffff>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, most>;
using binary_semaphore = ::cuda::binary_semaphore<thread_scope_system>;
}  // namespace cuda::std

#endif

#include <cosmati/core/macros_end.hpp>
