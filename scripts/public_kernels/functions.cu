// SPDX-License-Identifier: Apache-2.0
// Calls functions of public files that have no main function, or one that takes hours. The file is included as it is.
// FILE_NAME is its name; PREFIX_SUM, SUM or PRODUCT is the function to call. The argument is the count or the extent.
// FIRST, if it is there, is the first number of a prefix sum, and the others are 1: the sums pass all numbers above it.
#include <cuda_fp16.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#if defined(FILE_NAME)
#include FILE_NAME
#endif

namespace {

template <class T>
T* uploaded(std::vector<T> const& host) {
  T* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T>
std::vector<T> downloaded(T const* device, size_t count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

#if defined(PREFIX_SUM)
/// The exclusive sums of n numbers against a loop.
bool is_right(size_t n) {
  std::vector<unsigned> in(n), want(n);
  for (size_t i = 0, sum = 0; i < n; sum += in[i++]) {
#if defined(FIRST)
    in[i] = i == 0 ? FIRST : 1;
#else
    in[i] = static_cast<unsigned>(i * 7 % 13);
#endif
    want[i] = static_cast<unsigned>(sum);
  }
  unsigned *d_in = uploaded(in), *d_out = nullptr;
  cudaMalloc(&d_out, n * sizeof(unsigned));
  PREFIX_SUM(d_out, d_in, n);
  return downloaded(d_out, n) == want;
}
#elif defined(SUM)
bool is_right(size_t n) {
  std::vector<unsigned> in(n);
  unsigned want = 0;
  for (size_t i = 0; i < n; want += in[i++]) in[i] = static_cast<unsigned>(i * 7 % 13);
  return SUM(uploaded(in), static_cast<unsigned>(n)) == want;
}
#elif defined(PRODUCT)
/// C = A B of n x n small integers, which all types hold, against a loop. beta is 0, and C has been written.
bool is_right(size_t n) {
  using T = ELEMENT;
  std::vector<T> A(n * n), B(n * n), C(n * n, T(5.0f));
  for (size_t i = 0; i < n * n; ++i) {
    A[i] = T(float(int(i * 7 % 5) - 2));
    B[i] = T(float(int(i * 3 % 7) - 3));
  }
  T const one(1.0f), zero(0.0f);
  T* d_C = uploaded(C);
  PRODUCT<T>(n, n, n, &one, uploaded(A), n, uploaded(B), n, &zero, d_C, n, nullptr);
  C = downloaded(d_C, n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t k = 0; k < n; ++k) sum += float(A[i * n + k]) * float(B[k * n + j]);
      if (float(C[i * n + j]) != sum) {
        std::printf("C[%zu][%zu] is %g, not %g\n", i, j, float(C[i * n + j]), sum);
        return false;
      }
    }
  }
  return true;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  size_t const n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 128;
  bool const right = is_right(n);
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
