// SPDX-License-Identifier: Apache-2.0
// Numbers for matrix products: small numbers, whose sums are exact, and random products. The device that computes a
// product compares it with sums in double, to the bound of the accumulation's error. Memory outside the elements of C
// must stay as it was.
#pragma once

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/problem.hpp>
#include <cstdlib>
#include <limits>
#include <random>

namespace gemm_test {

using namespace cosmati;

#if defined(COSMATI_SIMULATED)
inline constexpr bool on_gpu = false;
#else
inline constexpr bool on_gpu = true;
#endif

__host__ __device__ inline std::uint64_t mixed(std::uint64_t k, std::uint64_t seed) {
  std::uint64_t z = (k + 1) * 0x9e3779b97f4a7c15ull + seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
template <class T>
struct random_value {  // in (-1, 1); 8-bit integers take every value, longer integers small values
  __host__ __device__ static T of(std::uint64_t word) {
    if constexpr (std::is_integral_v<T>)
      return sizeof(T) == 1 ? static_cast<T>(word) : static_cast<T>(static_cast<int>(word % 2001) - 1000);
    else if constexpr (sizeof(T) == 8)
      return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-63);
    else
      return static_cast<T>(static_cast<float>(static_cast<std::int32_t>(word)) * 0x1p-31f);
  }
};
template <class T>
struct random_value<complex<T>> {
  __host__ __device__ static complex<T> of(std::uint64_t word) {
    return {random_value<T>::of(word), random_value<T>::of(mixed(word, 1))};
  }
};

/// The i-th of the numbers -3 to 3. Sums of their products are exact in every type.
template <class T>
__host__ __device__ T small_number(unsigned i) {
  return static_cast<T>(static_cast<int>((i * 2654435761u >> 20) % 7) - 3);
}
template <class T>
__host__ __device__ double as_double(T const& x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<double>(static_cast<float>(x));
}

/// Real and imaginary part in double.
struct number {
  double re = 0, im = 0;
};
template <class T>
__host__ __device__ number as_number(T const& x) {
  if constexpr (requires { x.imag(); })
    return {as_double(x.real()), as_double(x.imag())};
  else
    return {as_double(x), 0};
}

/// The relative error of one rounding to T; 0 for integers.
template <class T>
inline constexpr double rounding = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
template <class T>
inline constexpr double rounding<complex<T>> = rounding<T>;
/// The absolute error of rounding a number below the smallest normal number.
template <class T>
inline constexpr double subnormal_rounding = (sizeof(T) < 8 ? static_cast<double>(std::numeric_limits<T>::min()) : 0) *
                                             rounding<T>;  // double has no such error left
template <class T>
inline constexpr double subnormal_rounding<complex<T>> = 2 * subnormal_rounding<T>;

/// An operand (x, y, batch) in a buffer, with padding between rows and between batches.
struct matrices {
  int x, y, batches, contiguous;
  long long leading, batch;
  __host__ __device__ long long offset(long long i, long long j, long long l) const {
    return l * batch + (contiguous == 0 ? i + j * leading : i * leading + j);
  }
  long long count() const { return batch * (batches - 1) + offset(x - 1, y - 1, 0) + 1; }
  /// Whether the element at that offset belongs to the matrix; sets its coordinate (i, j, l).
  __host__ __device__ bool find(long long at, int& i, int& j, int& l) const {
    l = batches > 1 ? static_cast<int>(at / batch) : 0;
    long long const rest = at - l * (batches > 1 ? batch : 0);
    int const outer = static_cast<int>(rest / leading), inner = static_cast<int>(rest % leading);
    i = contiguous == 0 ? inner : outer;
    j = contiguous == 0 ? outer : inner;
    return i < x && j < y;
  }
};

template <class T>
__global__ void fill_randomly(T* out, long long count, std::uint64_t seed) {
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < count; i += gridDim.x * 256ll)
    out[i] = random_value<T>::of(mixed(static_cast<std::uint64_t>(i), seed));
}
template <class TA, class TB, class TC, class Sum>
__global__ void count_wrong(TA const* a, matrices of_a, TB const* b, matrices of_b, TC const* c, matrices of_c,
                            long long count, std::uint64_t seed, Sum alpha, Sum beta, double factor,
                            unsigned long long* wrong, double* worst) {
  for (long long at = blockIdx.x * 256ll + threadIdx.x; at < count; at += gridDim.x * 256ll) {
    TC const old = random_value<TC>::of(mixed(static_cast<std::uint64_t>(at), seed));
    number const got = as_number(static_cast<TC>(c[at])), before = as_number(old);
    int m = 0, n = 0, l = 0;
    number wanted = before;
    double bound = 0;
    if (of_c.find(at, m, n, l)) {
      double re = 0, im = 0, sum_of_sizes = 0;
      for (int k = 0; k < of_a.y; ++k) {
        number const x = as_number(static_cast<TA>(a[of_a.offset(m, k, of_a.batches > 1 ? l : 0)]));
        number const y = as_number(static_cast<TB>(b[of_b.offset(n, k, of_b.batches > 1 ? l : 0)]));
        re += x.re * y.re - x.im * y.im;
        im += x.re * y.im + x.im * y.re;
        sum_of_sizes += (fabs(x.re) + fabs(x.im)) * (fabs(y.re) + fabs(y.im));
      }
      double const by = as_number(alpha).re, times = as_number(beta).re;
      wanted = {by * re + times * before.re, by * im + times * before.im};
      double const sizes = fabs(by) * sum_of_sizes + fabs(times) * (fabs(before.re) + fabs(before.im));
      bound = factor * (of_a.y + 4) * rounding<Sum> * sizes +
              1.01 * rounding<TC> * (fabs(wanted.re) + fabs(wanted.im)) + subnormal_rounding<TC>;
    }
    double const error = fabs(got.re - wanted.re) + fabs(got.im - wanted.im);
    if (!(error <= bound)) {
      atomicAdd(wrong, 1ull);
      *worst = error;
    }
  }
}

/// Extents whose multiples make a problem without edges.
struct tiles {
  int m = 0, n = 0, k = 0;
};

/// Counts the elements that are wrong after one product by run(A, B, C, alpha, beta).
/// @tparam ka, kb whether A and B are contiguous along K
/// @tparam cn whether C is contiguous along N
/// @param largest the largest extent
/// @param factor of the error's bound
/// @param whole tiles whose multiples the extents are, with rows aligned to 16 bytes; without it, any extents
/// @param row_bytes rows and batches are multiples of so many bytes apart; 0: of elements
template <class TA, class TB, class TC, bool ka, bool kb, bool cn, class Run>
unsigned long long wrong_elements(std::mt19937& random, int largest, double factor, Run const& run,
                                  tiles const& whole = {}, int row_bytes = 0) {
  using Sum = gemm_sum_t<TA, TB>;
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  auto const extent = [&] {  // half of them multiples of 8
    int const e = 1 + below(largest);
    return below(2) == 0 || e < 8 ? e : e / 8 * 8;
  };
  auto const extent_of = [&](int tile) {
    return tile == 0 ? extent() : tile * (1 + below(tile <= largest / 3 ? 3 : 1));
  };
  int const m = extent_of(whole.m), n = extent_of(whole.n), k = extent_of(whole.k),
            l = below(4) == 0 ? 1 + below(3) : 1;
  int const gap = whole.k != 0 ? 16 * below(2) : below(3) == 0 ? below(9) : below(2) == 0 ? 8 : 0;
  auto const laid = [&](int x, int y, bool second, int batches, std::size_t element_bytes) {
    long long const step = row_bytes == 0 ? 1 : row_bytes / static_cast<int>(element_bytes);
    auto const rounded = [&](long long count) { return (count + step - 1) / step * step; };
    matrices r{x, y, batches, second ? 1 : 0, rounded((second ? y : x) + gap), 0};
    r.batch = rounded(r.leading * (second ? x : y) + gap);
    return r;
  };
  matrices const of_a = laid(m, k, ka, l, sizeof(TA)),
                 of_b = laid(n, k, kb, l > 1 && below(2) == 0 ? 1 : l, sizeof(TB)),
                 of_c = laid(m, n, cn, l, sizeof(TC));
  device_buffer<TA> a(static_cast<std::size_t>(of_a.count()));
  device_buffer<TB> b(static_cast<std::size_t>(of_b.count()));
  device_buffer<TC> c(static_cast<std::size_t>(of_c.count()));
  device_buffer<unsigned long long> wrong(std::vector<unsigned long long>{0});
  device_buffer<double> worst(std::vector<double>{0});
  std::uint64_t const seed = random();
  unsigned const blocks = largest > 200 ? 512 : 2;
  launch(fill_randomly<TA>, {.grid = blocks, .block = 256}, a.data(), of_a.count(), seed + 1);
  launch(fill_randomly<TB>, {.grid = blocks, .block = 256}, b.data(), of_b.count(), seed + 2);
  launch(fill_randomly<TC>, {.grid = blocks, .block = 256}, c.data(), of_c.count(), seed + 3);
  auto const tensor = [&](auto* data, matrices const& of, auto second, auto batched) {
    auto const first = make_gmem_ptr(data);
    if constexpr (decltype(second)::value && decltype(batched)::value)
      return make_tensor(first, make_shape(of.x, of.y, of.batches), make_stride(of.leading, _1{}, of.batch));
    else if constexpr (decltype(batched)::value)
      return make_tensor(first, make_shape(of.x, of.y, of.batches), make_stride(_1{}, of.leading, of.batch));
    else if constexpr (decltype(second)::value)
      return make_tensor(first, make_shape(of.x, of.y), make_stride(of.leading, _1{}));
    else
      return make_tensor(first, make_shape(of.x, of.y), make_stride(_1{}, of.leading));
  };
  Sum const alpha = static_cast<Sum>(below(2) == 0 ? 1 : 1 + below(3)), beta = static_cast<Sum>(below(3));
  TA const* const pa = a.data();
  TB const* const pb = b.data();
  auto const A = tensor(pa, of_a, C<ka>{}, C<true>{});
  auto const C_ = tensor(c.data(), of_c, C<cn>{}, C<true>{});
  if (of_b.batches == l)
    run(A, tensor(pb, of_b, C<kb>{}, C<true>{}), C_, alpha, beta);
  else
    run(A, tensor(pb, of_b, C<kb>{}, C<false>{}), C_, alpha, beta);
  launch(count_wrong<TA, TB, TC, Sum>, {.grid = blocks, .block = 256}, pa, of_a, pb, of_b,
         static_cast<TC const*>(c.data()), of_c, of_c.count(), seed + 3, alpha, beta, factor, wrong.data(),
         worst.data());
  auto const count = wrong.download()[0];
  if (count != 0)
    std::printf("M %d N %d K %d L %d, gap %d: %llu wrong, one by %g\n", m, n, k, l, gap, count, worst.download()[0]);
  return count;
}

/// Number of problems for one kernel: COSMATI_GEMM_PROBLEMS, or `otherwise`.
inline int problems(int otherwise) {
  char const* const text = std::getenv("COSMATI_GEMM_PROBLEMS");
  return text == nullptr ? otherwise : std::atoi(text);
}

}  // namespace gemm_test
