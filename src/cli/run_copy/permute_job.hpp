// SPDX-License-Identifier: Apache-2.0
/// @file
/// What `cosmati run-copy --permute` hands to a device: a copy between two strided arrays. As in job.hpp, nothing here
/// depends on `COSMATI_NAMESPACE`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cosmati_run_copy {

/// A mode of both arrays; strides in elements.
struct permuted_mode {
  std::int64_t extent, source, target;
};

struct permute_job {
  int value_bytes = 0;
  std::vector<permuted_mode> modes;
  std::size_t elements = 0;
  void const* input = nullptr;
  void* output = nullptr;  ///< what is here goes to the device before, and comes back after
};

struct permute_outcome {
  std::string device;
  std::string problem, plan, why;  ///< in words: see cosmati/kernel/copy_text.hpp
  int considered = 0;              ///< plans
  double predicted_us = 0;         ///< on an H200
  double seconds = 0;              ///< in the kernel
};

/// @throws std::exception with a sentence
permute_outcome permute_on_simulated_device(permute_job const& job);
/// Only there when compiled with COSMATI_CUDA.
permute_outcome permute_on_gpu(permute_job const& job);

/// The same copy where input and output are memory of the device: queued, nothing comes back.
void permute_memory_of_simulated_device(permute_job const& job);
void permute_memory_of_gpu(permute_job const& job);

}  // namespace cosmati_run_copy
