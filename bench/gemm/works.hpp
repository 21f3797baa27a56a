// SPDX-License-Identifier: Apache-2.0
/// @file
/// The products that are measured: n x n x n, each with what cuBLAS is asked for in its place, and how its result is
/// checked. Every kernel's file adds its own.
#pragma once

#include "../measure.hpp"

#include <cublas_v2.h>
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/problem.hpp>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bench {

using namespace cosmati;

/// A tensor (n, n) whose mode `contiguous` has stride 1.
template <int contiguous, class T>
auto square(T* data, int n) {
  if constexpr (contiguous == 0)
    return make_tensor(make_gmem_ptr(data), make_shape(n, n), make_stride(_1{}, n));
  else
    return make_tensor(make_gmem_ptr(data), make_shape(n, n), make_stride(n, _1{}));
}

struct work {
  std::string name;    ///< gemm/simt, ...
  std::string type;    ///< of A and B, as cuBLAS' users call it
  std::string layout;  ///< TN: A and B contiguous along K; NT: along M and N. C is contiguous along N
  std::string tiles;   ///< the kernel's configuration
  int n;
  std::size_t bytes_ab, bytes_c;  ///< of an element
  cudaDataType_t cublas_ab, cublas_c;
  cublasComputeType_t cublas_compute;
  std::function<void(void const* a, void const* b, void* c)> run;
  /// Fills with random numbers of A's type.
  void (*fill)(void* out, std::size_t count, std::uint64_t seed);
  /// Elements of C that are not as the sums of random rows and columns in double, and those that differ from another's.
  unsigned long long (*wrong)(work const&, void const* a, void const* b, void const* c, void const* other);
  double (*instruction)();  ///< TFLOP/s of the instruction alone, in a loop without loads
};

template <class T>
struct cublas_type;
#define COSMATI_BENCH_CUBLAS_(T, ab, compute_)               \
  template <>                                                \
  struct cublas_type<T> {                                    \
    static constexpr cudaDataType_t value = ab;              \
    static constexpr cublasComputeType_t compute = compute_; \
  };
COSMATI_BENCH_CUBLAS_(half_t, CUDA_R_16F, CUBLAS_COMPUTE_32F)
COSMATI_BENCH_CUBLAS_(bfloat16_t, CUDA_R_16BF, CUBLAS_COMPUTE_32F)
COSMATI_BENCH_CUBLAS_(tfloat32_t, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32)
COSMATI_BENCH_CUBLAS_(float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
COSMATI_BENCH_CUBLAS_(double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
COSMATI_BENCH_CUBLAS_(std::int8_t, CUDA_R_8I, CUBLAS_COMPUTE_32I)
COSMATI_BENCH_CUBLAS_(int, CUDA_R_32I, CUBLAS_COMPUTE_32I)
#undef COSMATI_BENCH_CUBLAS_

template <class T>
__global__ void fill_with_numbers(T* out, std::size_t count, std::uint64_t seed) {
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count;
       k += std::size_t{gridDim.x} * blockDim.x) {
    std::uint64_t const word = mixed(k, seed);
    if constexpr (std::is_same_v<T, std::int8_t>)
      out[k] = static_cast<T>(word);
    else
      out[k] = static_cast<T>(static_cast<float>(static_cast<std::int32_t>(word)) * 0x1p-31f);
  }
}
template <class T>
COSMATI_HD double in_double(T const& x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<double>(static_cast<float>(x));
}
/// A warp an element (m, n) drawn at random; C is contiguous along N.
template <class T, class TC>
__global__ void count_wrong_sums(T const* a, T const* b, TC const* c, int n, bool along_k, std::uint64_t seed,
                                 double unit, double unit_of_c, unsigned long long* wrong) {
  std::uint64_t const word = mixed(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, seed);
  std::size_t const row = (word >> 32) % static_cast<unsigned>(n),
                    column = (word & 0xffffffffu) % static_cast<unsigned>(n);
  std::size_t const ld = static_cast<std::size_t>(n);
  double sum = 0, sizes = 0;
  for (std::size_t k = threadIdx.x % 32; k < ld; k += 32) {
    double const p = in_double(static_cast<T>(a[along_k ? row * ld + k : row + k * ld])) *
                     in_double(static_cast<T>(b[along_k ? column * ld + k : column + k * ld]));
    sum += p;
    sizes += fabs(p);
  }
  for (int apart = 16; apart > 0; apart /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    sizes += __shfl_xor_sync(0xffffffffu, sizes, apart);
  }
  double const error = fabs(in_double(static_cast<TC>(c[row * ld + column])) - sum);
  if (threadIdx.x % 32 == 0 && !(error <= n * unit * sizes + unit_of_c * fabs(sum))) atomicAdd(wrong, 1ull);
}
/// Elements that differ by more than `bound`, and those that are no numbers.
template <class TC>
__global__ void count_differing(TC const* c, TC const* other, std::size_t count, double bound, double unit_of_c,
                                unsigned long long* wrong) {
  unsigned long long mine = 0;
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count;
       k += std::size_t{gridDim.x} * blockDim.x) {
    double const x = in_double(static_cast<TC>(c[k])), y = in_double(static_cast<TC>(other[k]));
    mine += !(fabs(x - y) <= bound + 2 * unit_of_c * fabs(y));
  }
  if (mine != 0) atomicAdd(wrong, mine);
}
template <class T>
inline constexpr double unit_roundoff = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;  // 0 of integers

template <class T, class TC>
unsigned long long wrong_elements(work const& w, void const* a, void const* b, void const* c, void const* other) {
  using Sum = gemm_sum_t<T, T>;
  double const unit = 2 * unit_roundoff<Sum>;  // tensor cores truncate
  std::size_t const count = static_cast<std::size_t>(w.n) * static_cast<std::size_t>(w.n);
  device_buffer<unsigned long long> wrong(std::vector<unsigned long long>{0});
  static std::uint64_t seed = 1;
  launch(count_wrong_sums<T, TC>, {.grid = 4096, .block = 256}, static_cast<T const*>(a), static_cast<T const*>(b),
         static_cast<TC const*>(c), w.n, w.layout == "TN", seed++, unit, unit_roundoff<TC>, wrong.data());
  // the sum of n products of random numbers in (-1, 1): n / 4 is the sum of their sizes
  launch(count_differing<TC>, {.grid = 2048, .block = 256}, static_cast<TC const*>(c), static_cast<TC const*>(other),
         count, 2.0 * w.n * unit * w.n / 4, unit_roundoff<TC>, wrong.data());
  return wrong.download()[0];
}

/// A product of T to TC. @param run run(A, B, C) with tensors
template <class T, class TC, bool along_k, class Run>
work make_work(std::string name, std::string type, std::string tiles, int n, double (*instruction)(), Run const& run) {
  return {std::move(name),
          std::move(type),
          along_k ? "TN" : "NT",
          std::move(tiles),
          n,
          sizeof(T),
          sizeof(TC),
          cublas_type<T>::value,
          cublas_type<TC>::value,
          cublas_type<T>::compute,
          [run, n](void const* a, void const* b, void* c) {
            constexpr int mode = along_k ? 1 : 0;
            run(square<mode>(static_cast<T const*>(a), n), square<mode>(static_cast<T const*>(b), n),
                square<1>(static_cast<TC*>(c), n));
          },
          [](void* out, std::size_t count, std::uint64_t seed) {
            launch(fill_with_numbers<T>, {.grid = 2048, .block = 256}, static_cast<T*>(out), count, seed);
          },
          wrong_elements<T, TC>,
          instruction};
}

/// @name Each kernel's products
/// @{
void add_simt(std::vector<work>& all, int n);
void add_mma(std::vector<work>& all, int n);
/// @}

}  // namespace bench
