// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_pipeline.h adds to its primitives: nvcuda::experimental::pipeline, a thread's groups of copies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define _CUDA_PIPELINE_H_
#include <cosmati/cuda/async_copy.hpp>
#include <cosmati/cuda/awbarrier.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace nvcuda::experimental {

/// The groups of copies that a thread has started, counted from 0.
class pipeline {
 public:
  /// Ends a group. @return its number
  std::size_t commit(COSMATI_SITE_) {
    cosmati_sim_cp_async_commit(file, line);
    return groups_++;
  }
  void commit_and_wait(COSMATI_SITE_) {
    commit(file, line);
    cosmati_sim_cp_async_wait(0, file, line);
  }
  /// Waits for the group with this number.
  void wait(std::size_t group, COSMATI_SITE_) {
    if (group < groups_) cosmati_sim_cp_async_wait(static_cast<int>(groups_ - group - 1), file, line);
  }
  /// Waits for all groups but the `newest` last ones.
  template <unsigned newest>
  void wait_prior(COSMATI_SITE_) {
    cosmati_sim_cp_async_wait(static_cast<int>(newest), file, line);
  }
  void arrive_on(awbarrier& barrier, COSMATI_SITE_) {
    cosmati_sim_cp_async_mbarrier_arrive(barrier.native_handle(), 0, file, line);
  }

 private:
  std::size_t groups_ = 0;
};

/// Copies one object to shared memory without waiting.
template <class T>
void memcpy_async(T& shared, T const& global, pipeline&, COSMATI_SITE_) {
  cosmati_cuda::copy_share(&shared, &global, sizeof(T), 0, 1, file, line);
}

}  // namespace nvcuda::experimental

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
