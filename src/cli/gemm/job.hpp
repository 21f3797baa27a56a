// SPDX-License-Identifier: Apache-2.0
/// @file
/// What `cosmati gemm` hands to a device: a matrix product in plain numbers.
///
/// Nothing here depends on `COSMATI_NAMESPACE`: a file compiled for the simulated device and one compiled by nvcc,
/// whose library classes differ, both take it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cosmati_gemm {

/// What the files hold.
enum class element { half, float32, float64, int8, complex64 };
enum class kernel { simt, mma };
/// To what a float is rounded for matrix instructions.
enum class rounding { none, tfloat32, bfloat16 };

/// A matrix (x, y), or one a batch.
struct matrices {
  void const* data = nullptr;                           ///< on the host
  std::int64_t step_x = 0, step_y = 0, step_batch = 0;  ///< elements, as they lie there
  bool batched = true;                                  ///< or one serves all batches
  bool along_y = true;  ///< contiguous along y for the kernel; else along x, if takes_any_order
  bool turned = false;  ///< they lie otherwise, and the device copies them first
};

/// C (L, M, N) = f(alpha A B + beta C + bias) of A (L, M, K) and B (L, N, K), contiguous along K or along M and N; C is
/// along N. C has the elements of A and B, and 32-bit integers where these have 8 bits.
struct product {
  element type = element::float32;
  kernel by = kernel::simt;
  rounding rounded = rounding::none;
  int m = 0, n = 0, k = 0, batches = 1;
  matrices a, b;
  matrices before;  ///< what C holds on the device before; the kernel reads it where beta is not zero
  double alpha = 1, beta = 0;
  bool relu = false;
  std::int64_t bias_m = 0, bias_n = 0;  ///< elements of `bias` from one row and one column of C to the next
  // on the host
  void const* bias = nullptr;  ///< null: none; elements of C's type, `bias_count` of them
  std::size_t bias_count = 0;
  void* c = nullptr;                               ///< what it holds after
  std::atomic<std::uint64_t>* finished = nullptr;  ///< counts elements of C on the simulated device, unless null
};

/// Whether the kernel is compiled for operands contiguous along M and N too: what each type is multiplied by unless
/// the user says otherwise, of the two types that are common. For all others a compiler would take a minute.
inline bool takes_any_order(product const& p) {
  return (p.type == element::half && p.by == kernel::mma) || (p.type == element::float32 && p.by == kernel::simt);
}

/// What warp instructions of one kind cost.
struct instruction_cost {
  std::string kind;
  std::uint64_t instructions, bytes_used, sectors, ideal_sectors, wavefronts, bank_conflicts;
};

struct outcome {
  std::string device;
  double seconds = 0;                   ///< of the kernel
  std::vector<instruction_cost> costs;  ///< on the simulated device: of all but elements that are moved one by one
};

/// @throws std::exception with a sentence
outcome run_on_simulated_device(product const& p);
/// Only there when compiled with COSMATI_CUDA.
outcome run_on_gpu(product const& p);

}  // namespace cosmati_gemm
