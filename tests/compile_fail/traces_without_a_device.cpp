// SPDX-License-Identifier: Apache-2.0
// What needs the simulated device says so where nvcc compiles for a GPU.
// only: nvcc
// expect 1: cost_trace counts on the simulated device
// expect 2: access_trace sees the simulated device
// reject: undefined
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cosmati/runtime/trace.hpp>
using namespace cosmati;

std::uint64_t traced() {
#if COSMATI_FAIL == 1
  cost_trace const costs;
  return costs.of("transpose").shared_bank_conflicts() + costs.kernels().size();
#elif COSMATI_FAIL == 2
  access_trace const accesses({.records_per_thread = 4});
  return accesses.counts().size() + accesses.records().size();
#else
  return 0;
#endif
}
