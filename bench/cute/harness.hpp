// SPDX-License-Identifier: Apache-2.0
/// @file
/// What every program of bench/cute needs: the library under test, memory, a clock.
///
/// `-DBENCH_CUTE` takes CuTe's headers, else Cosmati's are taken under the name `cute`.
#pragma once

#if defined(BENCH_CUTE)
#include <cute/algorithm/axpby.hpp>
#include <cute/algorithm/cooperative_gemm.hpp>
#include <cute/atom/copy_traits_sm90.hpp>
#include <cute/tensor.hpp>
#else
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
namespace cute = cosmati;
#define CUTE_UNROLL COSMATI_UNROLL
#define CUTE_NO_UNROLL COSMATI_NO_UNROLL
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace bench {

inline void check(cudaError_t status, char const* doing) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", doing, cudaGetErrorString(status));
  std::exit(1);
}

/// Device memory of n elements: multiples of 1/8 in [-1, 1], or nothing in particular.
template <class T>
struct array {
  T* data = nullptr;
  std::vector<T> host;
  array(std::size_t n, unsigned seed) : host(n) {
    std::mt19937 random(seed);
    for (T& x : host) x = T(static_cast<float>(static_cast<int>(random() % 17) - 8) / 8.0f);
    check(cudaMalloc(&data, n * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(data, host.data(), n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  explicit array(std::size_t n) : host(n) {
    check(cudaMalloc(&data, n * sizeof(T)), "cudaMalloc");
    check(cudaMemset(data, 0x7f, n * sizeof(T)), "cudaMemset");
  }
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  ~array() { cudaFree(data); }
  std::vector<T> const& download() {
    check(cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return host;
  }
};

/// Prints the median time of a launch as one line of JSON; the exit status says whether the result was right.
template <class Launch, class Right>
int run(char const* program, Launch const& launch, Right const& right) {
  launch();
  check(cudaDeviceSynchronize(), program);
  bool const is_right = right();
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  constexpr int launches = 10;
  for (int k = 0; k < 25; ++k) {
    check(cudaEventRecord(begin), "cudaEventRecord");
    for (int i = 0; i < launches; ++i) launch();
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), program);
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    if (k >= 5) times.push_back(ms * 1000 / launches);
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"program\": \"%s\", \"us\": %.3f, \"right\": %s}\n", program, times[times.size() / 2],
              is_right ? "true" : "false");
  return is_right ? 0 : 1;
}

/// Whether every element is near the wanted one.
template <class T, class Wanted>
bool near(std::vector<T> const& got, double tolerance, Wanted const& wanted) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const want = wanted(i), difference = static_cast<double>(static_cast<float>(got[i])) - want;
    if (!(difference <= tolerance && -difference <= tolerance)) {
      std::fprintf(stderr, "element %zu is %g, not %g\n", i, static_cast<double>(static_cast<float>(got[i])), want);
      return false;
    }
  }
  return true;
}

}  // namespace bench
