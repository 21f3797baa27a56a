// SPDX-License-Identifier: Apache-2.0
/// @file
/// The products that are measured. Each has the types of the corresponding call of cuBLAS and a check of its result.
/// The file of each kernel adds its own.
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

/// A tensor (x, y) whose mode `contiguous` has stride 1.
template <int contiguous, class T>
auto matrix(T* data, int x, int y) {
  if constexpr (contiguous == 0)
    return make_tensor(make_gmem_ptr(data), make_shape(x, y), make_stride(_1{}, x));
  else
    return make_tensor(make_gmem_ptr(data), make_shape(x, y), make_stride(y, _1{}));
}

/// The extents of a product.
struct extents {
  int m, n, k;
  std::size_t count_a() const { return static_cast<std::size_t>(m) * static_cast<std::size_t>(k); }
  std::size_t count_b() const { return static_cast<std::size_t>(n) * static_cast<std::size_t>(k); }
  std::size_t count_c() const { return static_cast<std::size_t>(m) * static_cast<std::size_t>(n); }
};

struct work : extents {
  std::string name;           ///< gemm/simt, ...
  std::string type;           ///< the type of A and B, in the words of cuBLAS' users
  std::string layout;         ///< of A and B, T or N: contiguous along K, or A along M and B along N: TN, NT, NN, TT
  std::string tiles;          ///< the kernel's configuration
  bool a_along_k, b_along_k;  ///< C is contiguous along N
  bool is_float8;
  std::size_t bytes_ab, bytes_c;  ///< the sizes of an element
  cudaDataType_t cublas_ab, cublas_c;
  cublasComputeType_t cublas_compute;
  std::function<void(void const* a, void const* b, void* c)> run;
  /// Fills with random numbers of A's type.
  void (*fill)(void* out, std::size_t count, std::uint64_t seed);
  /// The number of elements of C that differ from the sums of random rows and columns in double, and of those that
  /// differ from another result.
  unsigned long long (*wrong)(work const&, void const* a, void const* b, void const* c, void const* other);
  double (*instruction)();  ///< the TFLOP/s of the instruction alone, in a loop without loads; or none
  /// Compares with the fastest of what cuBLASLt's heuristic and cublasGemmEx have, each run on the next of several
  /// copies of the operands, so that L2 holds nothing of them.
  bool best_peer = false;
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
COSMATI_BENCH_CUBLAS_(float_e4m3_t, CUDA_R_8F_E4M3, CUBLAS_COMPUTE_32F)
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
/// Each warp checks one random element (m, n). C is contiguous along N.
template <class T, class TC>
__global__ void count_wrong_sums(T const* a, T const* b, TC const* c, extents e, bool a_along_k, bool b_along_k,
                                 std::uint64_t seed, double unit, double unit_of_c, unsigned long long* wrong) {
  std::uint64_t const word = mixed(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, seed);
  std::size_t const row = (word >> 32) % static_cast<unsigned>(e.m),
                    column = (word & 0xffffffffu) % static_cast<unsigned>(e.n);
  std::size_t const m = static_cast<std::size_t>(e.m), n = static_cast<std::size_t>(e.n),
                    ld = static_cast<std::size_t>(e.k);
  double sum = 0, sizes = 0;
  for (std::size_t k = threadIdx.x % 32; k < ld; k += 32) {
    double const p = in_double(static_cast<T>(a[a_along_k ? row * ld + k : row + k * m])) *
                     in_double(static_cast<T>(b[b_along_k ? column * ld + k : column + k * n]));
    sum += p;
    sizes += fabs(p);
  }
  for (int apart = 16; apart > 0; apart /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    sizes += __shfl_xor_sync(0xffffffffu, sizes, apart);
  }
  double const error = fabs(in_double(static_cast<TC>(c[row * n + column])) - sum);
  if (threadIdx.x % 32 == 0 && !(error <= e.k * unit * sizes + unit_of_c * fabs(sum))) atomicAdd(wrong, 1ull);
}
/// Counts the elements that differ by more than `bound`, and the NaNs.
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
inline constexpr double unit_roundoff = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;  // 0 for integers

template <class T, class TC>
unsigned long long wrong_elements(work const& w, void const* a, void const* b, void const* c, void const* other) {
  using Sum = gemm_sum_t<T, T>;
  // tensor cores truncate, and sum products of 8-bit floats with 14 bits, 32 at once
  double const unit = (w.is_float8 ? 64 : 2) * unit_roundoff<Sum>;
  device_buffer<unsigned long long> wrong(std::vector<unsigned long long>{0});
  static std::uint64_t seed = 1;
  launch(count_wrong_sums<T, TC>, {.grid = 4096, .block = 256}, static_cast<T const*>(a), static_cast<T const*>(b),
         static_cast<TC const*>(c), static_cast<extents const&>(w), w.a_along_k, w.b_along_k, seed++, unit,
         unit_roundoff<TC>, wrong.data());
  // the terms are k products of random numbers in (-1, 1), whose magnitudes sum up to k / 4
  launch(count_differing<TC>, {.grid = 2048, .block = 256}, static_cast<TC const*>(c), static_cast<TC const*>(other),
         w.count_c(), 2.0 * w.k * unit * w.k / 4, unit_roundoff<TC>, wrong.data());
  return wrong.download()[0];
}

/// A product from T to TC. @param run run(A, B, C) with tensors
template <class T, class TC, bool a_along_k, bool b_along_k, class Run>
work make_work(std::string name, std::string type, std::string tiles, extents const& e, double (*instruction)(),
               Run const& run) {
  return {e,
          std::move(name),
          std::move(type),
          std::string(a_along_k ? "T" : "N") + (b_along_k ? "N" : "T"),
          std::move(tiles),
          a_along_k,
          b_along_k,
          sizeof(T) == 1 && !std::is_integral_v<T>,
          sizeof(T),
          sizeof(TC),
          cublas_type<T>::value,
          cublas_type<TC>::value,
          cublas_type<T>::compute,
          [run, e](void const* a, void const* b, void* c) {
            run(matrix<a_along_k>(static_cast<T const*>(a), e.m, e.k),
                matrix<b_along_k>(static_cast<T const*>(b), e.n, e.k), matrix<1>(static_cast<TC*>(c), e.m, e.n));
          },
          [](void* out, std::size_t count, std::uint64_t seed) {
            launch(fill_with_numbers<T>, {.grid = 2048, .block = 256}, static_cast<T*>(out), count, seed);
          },
          wrong_elements<T, TC>,
          instruction};
}

/// @name The products of each kernel
/// @{
void add_simt(std::vector<work>& all, int n);
void add_mma(std::vector<work>& all, int n);
void add_hopper(std::vector<work>& all);
/// Products of public models, by gemm_hopper.
void add_models(std::vector<work>& all);
/// @}

}  // namespace bench
