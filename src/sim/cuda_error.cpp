// SPDX-License-Identifier: Apache-2.0
// CUDA's error codes.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cuda_state.hpp"
#include "host_hazard.hpp"

namespace cosmati_sim {
namespace {

thread_local cudaError_t last = cudaSuccess;
std::atomic<cudaError_t> lasting = cudaSuccess;

}  // namespace

cudaError_t cuda_lasting_error() { return lasting.load(); }

cudaError_t cuda_result(cudaError_t error) {
  if (lasting.load() != cudaSuccess) return lasting.load();
  if (error != cudaSuccess) last = error;
  return error;
}

cudaError_t cuda_kernel_error(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  lasting.compare_exchange_strong(none, error);
  return lasting.load();
}

void cuda_reset_errors() {
  lasting = cudaSuccess;
  last = cudaSuccess;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

cudaError_t cudaPeekAtLastError() { return lasting.load() != cudaSuccess ? lasting.load() : last; }

cudaError_t cudaGetLastError() {
  cudaError_t const error = cudaPeekAtLastError();
  last = cudaSuccess;
  return error;
}

char const* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define COSMATI_CASE(name, number, text) \
  case name:                             \
    return text;
    COSMATI_CUDA_ERRORS_(COSMATI_CASE)
#undef COSMATI_CASE
  }
  return "unrecognized error code";
}

char const* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define COSMATI_CASE(name, number, text) \
  case name:                             \
    return #name;
    COSMATI_CUDA_ERRORS_(COSMATI_CASE)
#undef COSMATI_CASE
  }
  return "unrecognized error code";
}

/// Ends the program in a call of a function of CUDA's libraries that is not here.
extern "C" [[noreturn]] void cosmati_sim_absent(char const* name) {
  report_host_hazard(hazard_kind::invalid_argument, std::string(name) + " is not on the simulated device");
  std::fflush(nullptr);
  std::fprintf(stderr, "cosmati: %s is not on the simulated device\n", name);
  std::_Exit(2);
}
