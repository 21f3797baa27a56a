// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface between `cosmati run-copy --permute` and a device: a copy between two strided arrays. As in job.hpp,
/// nothing here depends on `COSMATI_NAMESPACE`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cosmati_run_copy {

/// A mode of both arrays. Strides are in elements.
struct permuted_mode {
  std::int64_t extent, source, target;
};

struct permute_job {
  int value_bytes = 0;
  std::vector<permuted_mode> modes;
  std::size_t elements = 0;
  void const* input = nullptr;
  void* output =
      nullptr;  ///< the output buffer; its content is copied to the device before the run, and back afterwards
};

struct permute_outcome {
  std::string device;
  std::string problem, plan, why;  ///< the texts of cosmati/kernel/copy_text.hpp
  int considered = 0;              ///< the number of plans
  double predicted_us = 0;         ///< the predicted time on an H200
  double seconds = 0;              ///< the time in the kernel
};

/// @throws std::exception with a sentence
permute_outcome permute_on_simulated_device(permute_job const& job);
/// Exists only if it is compiled with COSMATI_CUDA.
permute_outcome permute_on_gpu(permute_job const& job);

/// Queues the copy with input and output in device memory. It returns no outcome.
void permute_memory_of_simulated_device(permute_job const& job);
void permute_memory_of_gpu(permute_job const& job);

}  // namespace cosmati_run_copy
