// SPDX-License-Identifier: Apache-2.0
/// @file
/// Turns CUDA's own syntax into C++ that calls cosmati/cuda/launch.hpp.
#pragma once

#include <string>

namespace cosmati::cli {

/// Rewrites a preprocessed CUDA text. Lines keep their numbers.
///
/// `kernel<<<grid, block, shared, stream>>>(arguments)` becomes a call of `cosmati_cuda::launch`. `__shared__` becomes
/// `thread_local`, and `__global__` an attribute that keeps the kernel a function. The first argument of
/// `cudaLaunchKernel` loses its cast to `void*`, because its parameters must be known.
/// @param other_files_launch whether other files may launch the kernels of this one by their addresses
std::string without_cuda_syntax(std::string const& text, bool other_files_launch);

}  // namespace cosmati::cli
