// SPDX-License-Identifier: Apache-2.0
// Parts that the examples of matrix products share: the operands, the check of the result, and the time on a GPU.
#pragma once

#include <algorithm>
#include <cosmati/cosmati.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace example {

using namespace cosmati;

/// C (M, N) = A B of A (M, K) and B (N, K), small integers, so that every sum is exact. C is contiguous along M.
/// @tparam T the type of A's and B's elements
template <class T>
class products {
 public:
  int M, N, K;
  device_buffer<float> c;

  /// @param tile_k divides K; 128 divides M and N. The program's arguments may give M, N and K
  products(int argc, char** argv, int m, int n, int k, int tile_k)
      : M(argc > 3 ? std::atoi(argv[1]) : m),
        N(argc > 3 ? std::atoi(argv[2]) : n),
        K(argc > 3 ? std::atoi(argv[3]) : k),
        c(static_cast<std::size_t>(M) * static_cast<std::size_t>(N)) {
    if (M % 128 == 0 && N % 128 == 0 && K % tile_k == 0 && M > 0 && N > 0 && K > 0) return;
    std::fprintf(stderr, "M, N and K are %d, %d and %d: give multiples of 128, 128 and %d\n", M, N, K, tile_k);
    std::exit(2);
  }
  dim3 grid() const { return dim3(static_cast<unsigned>(M / 128), static_cast<unsigned>(N / 128)); }

  /// @name The operands, contiguous along K or along M and N
  /// @{
  device_buffer<T> a(bool along_k) const { return values(M, 1, along_k); }
  device_buffer<T> b(bool along_k) const { return values(N, 2, along_k); }
  /// @}

  /// Runs `multiply`, which launches a kernel that computes `c`. Says whether `c` is right, and on a GPU how fast.
  template <class Multiply>
  void step(char const* name, Multiply const& multiply) {
    c.fill(-1);
    multiply();
    int const wrong = count_wrong(c.download());
    ok_ = ok_ && wrong == 0;
    std::printf("%-15s %s", name, wrong == 0 ? "right" : "WRONG");
    if (!is_simulated()) {
      std::vector<double> ms;
      for (int i = 0; i < 21; ++i) {
        event begin, end;
        begin.record();
        for (int j = 0; j < 10; ++j) multiply();
        end.record();
        ms.push_back(static_cast<double>(elapsed_ms(begin, end)) / 10);
      }
      std::nth_element(ms.begin(), ms.begin() + 10, ms.end());
      std::printf("  %7.4f ms  %6.2f TFLOP/s", ms[10], 2e-9 * M * N * K / ms[10]);
    }
    std::printf("\n");
  }
  /// The program's exit status.
  int status() const { return ok_ ? 0 : 1; }

 private:
  static float value_at(int i, int k, int seed) { return static_cast<float>((i * 5 + k * 3 + seed) % 7 - 3); }

  device_buffer<T> values(int rows, int seed, bool along_k) const {
    std::vector<T> host(static_cast<std::size_t>(rows) * static_cast<std::size_t>(K));
    for (int k = 0; k < K; ++k) {
      for (int i = 0; i < rows; ++i)
        host[static_cast<std::size_t>(along_k ? i * K + k : i + k * rows)] = T(value_at(i, k, seed));
    }
    return device_buffer<T>(host);
  }
  int count_wrong(std::vector<float> const& got) const {
    int const step = N > 512 ? 61 : 7;  // a few columns are enough
    int wrong = 0;
    for (int j = 0; j < N; j += step) {
      for (int i = 0; i < M; ++i) {
        float sum = 0;
        for (int k = 0; k < K; ++k) sum += value_at(i, k, 1) * value_at(j, k, 2);
        wrong += got[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(M)] != sum;
      }
    }
    return wrong;
  }

  bool ok_ = true;
};

}  // namespace example
