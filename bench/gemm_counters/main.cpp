// SPDX-License-Identifier: Apache-2.0
/// @file
/// What shared memory counts in matrix products, by the hardware and by the simulated device.
///
///     bench_gemm_counters           launches every case in order; on the simulated device prints what each counted
///     bench_gemm_counters --list    the cases
///
/// Nsight Compute reads the hardware's counters: run.py starts it, and compares.
#include "cases.hpp"

#include <cstdio>
#include <cstring>
#if defined(COSMATI_SIMULATED)
#include <cosmati/runtime/cost_trace.hpp>
#endif

int main(int argc, char** argv) {
  std::vector<gemm_counters::counted_case> all;
  gemm_counters::add_mma_f16(all);
  gemm_counters::add_mma_bf16(all);
  gemm_counters::add_mma_tf32(all);
  gemm_counters::add_mma_s8(all);
  gemm_counters::add_mma_f64(all);
  gemm_counters::add_simt_f32(all);
  gemm_counters::add_simt_f64(all);
  bool const list = argc > 1 && std::strcmp(argv[1], "--list") == 0;
  for (auto const& c : all) {
    if (list) {
      std::printf("%s\n", c.name.c_str());
      continue;
    }
    try {
#if defined(COSMATI_SIMULATED)
      cosmati::cost_trace const counting;
      c.run();
      cosmati::kernel_costs const costs = counting.kernels().at(0);
      std::printf("%s", c.name.c_str());
      for (int k = 0; k < cosmati::instruction_kinds; ++k) {
        auto const& x = costs.of[k];
        if (x.instructions == 0) continue;
        std::printf(",%s:%llu:%llu:%llu:%llu:%llu", cosmati::instruction_kind_names[k],
                    static_cast<unsigned long long>(x.instructions), static_cast<unsigned long long>(x.requests),
                    static_cast<unsigned long long>(x.sectors), static_cast<unsigned long long>(x.wavefronts),
                    static_cast<unsigned long long>(x.bank_conflicts));
      }
      std::printf("\n");
#else
      c.run();
#endif
    } catch (cosmati::error const& problem) {
      std::fprintf(stderr, "%s: %s\n", c.name.c_str(), problem.what());
      return 1;
    }
  }
  return 0;
}
