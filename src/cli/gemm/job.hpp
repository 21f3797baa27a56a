// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface between `cosmati gemm` and a device: a matrix product in plain numbers.
///
/// Nothing here depends on `COSMATI_NAMESPACE`. A file compiled for the simulated device and one compiled by nvcc have
/// different library classes, and both use this header.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cosmati_gemm {

/// The element types of the files.
enum class element { half, float32, float64, int8, complex64 };
enum class kernel { simt, mma };
/// The type to which a float is rounded for matrix instructions.
enum class rounding { none, tfloat32, bfloat16 };

/// A matrix (x, y), or one for each batch.
struct matrices {
  void const* data = nullptr;                           ///< the elements on the host
  std::int64_t step_x = 0, step_y = 0, step_batch = 0;  ///< the steps in elements, as they are in memory
  bool batched = true;                                  ///< otherwise one matrix serves all batches
  bool along_y = true;  ///< contiguous along y for the kernel; otherwise along x, if takes_any_order
  bool turned = false;  ///< whether their order in memory differs, so that the device copies them first
};

/// C (L, M, N) = f(alpha A B + beta C + bias). A is (L, M, K) and B is (L, N, K), contiguous along K, or along M and N;
/// C is contiguous along N. C has the type of A and B, or 32-bit integers if these have 8 bits.
struct product {
  element type = element::float32;
  kernel by = kernel::simt;
  rounding rounded = rounding::none;
  int m = 0, n = 0, k = 0, batches = 1;
  matrices a, b;
  matrices before;  ///< the initial content of C on the device; the kernel reads it if beta is not zero
  double alpha = 1, beta = 0;
  bool relu = false;
  std::int64_t bias_m = 0, bias_n = 0;  ///< the step of `bias` in elements, from one row and one column of C to the
                                        ///< next
  // on the host
  void const* bias = nullptr;  ///< the bias, `bias_count` elements of C's type; null for none
  std::size_t bias_count = 0;
  void* c = nullptr;                               ///< the result
  std::atomic<std::uint64_t>* finished = nullptr;  ///< counts finished elements of C on the simulated device, unless
                                                   ///< null
};

/// Whether the kernel is compiled also for operands contiguous along M and N. It is for the default multiplication of
/// the two common types. A compiler would take a minute for all others.
inline bool takes_any_order(product const& p) {
  return (p.type == element::half && p.by == kernel::mma) || (p.type == element::float32 && p.by == kernel::simt);
}

/// The cost of warp instructions of one kind.
struct instruction_cost {
  std::string kind;
  std::uint64_t instructions, bytes_used, sectors, ideal_sectors, wavefronts, bank_conflicts;
};

struct outcome {
  std::string device;
  double seconds = 0;                   ///< the time of the kernel
  std::vector<instruction_cost> costs;  ///< the costs on the simulated device, except of elements that move one by one
};

/// @throws std::exception with a sentence
outcome run_on_simulated_device(product const& p);
/// Exists only if it is compiled with COSMATI_CUDA.
outcome run_on_gpu(product const& p);

}  // namespace cosmati_gemm
