// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the host functions of CUDA remember: the last error, streams, events, attributes of kernels.
#pragma once

#include <cosmati/cuda/device.hpp>
#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/graph.hpp>
#include <cosmati/cuda/stream.hpp>

#include <cstddef>

namespace cosmati_sim {

/// Remembers the error for cudaGetLastError, and returns it. After an error that ended a kernel, all calls return that
/// one.
cudaError_t cuda_result(cudaError_t error);
/// Whether the call comes from a destructor of a kernel's argument that is no destructor of the program's: in a lane,
/// or while a launch looks for its kernel. On a GPU the arguments are copied and destroyed once, by the host.
bool cuda_is_of_argument();
/// Remembers an error that ended a kernel.
cudaError_t cuda_kernel_error(cudaError_t error);
/// The error that ended an earlier kernel, or cudaSuccess.
cudaError_t cuda_lasting_error();
/// Forgets every error.
void cuda_reset_errors();

/// Orders the next launch of a stream: the default stream waits for streams that are not cudaStreamNonBlocking, and
/// they for it.
void cuda_order(cudaStream_t stream);
/// Waits for the work of a stream. The default stream waits for the others.
void cuda_wait(cudaStream_t stream);

/// Whether the stream is a default one, or was made and not destroyed.
bool cuda_stream_exists(cudaStream_t stream);

/// The fill of a graph's node, whose elements have 1, 2 or 4 bytes.
cudaError_t cuda_fill_elements(cudaMemsetParams const& fill, cudaStream_t stream);

/// The bytes of dynamic shared memory that a kernel may have: 48 KB, unless cudaFuncSetAttribute gave it more.
std::size_t cuda_most_shared_bytes(void const* kernel);

/// The properties of the simulated card.
cudaDeviceProp const& cuda_properties();

}  // namespace cosmati_sim
