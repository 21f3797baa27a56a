// SPDX-License-Identifier: Apache-2.0
/// @file
/// The threads among which an object of cuda:: orders accesses.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
}
#endif

#include <cosmati/core/macros_end.hpp>
