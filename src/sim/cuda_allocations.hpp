// SPDX-License-Identifier: Apache-2.0
/// @file
/// The allocations of CUDA's calls with their lines. Those that are live when the program ends well are leaks.
#pragma once

#include <cosmati/cuda/pool.hpp>

#include "memory.hpp"

#include <cstddef>

namespace cosmati_sim {

/// The allocations when this thread's launch began to look for its kernel.
allocation_table const& cuda_before_search();

/// Allocates memory of the device, which `function` of the program asks for. @param pool null for none
cudaError_t cuda_allocate(char const* function, void** out, std::size_t bytes, cudaMemPool_t pool = nullptr);
/// Tells that the allocation is freed.
void forget_allocation(void* pointer);
/// Frees all allocations, as cudaDeviceReset does.
void free_all_allocations();

}  // namespace cosmati_sim
