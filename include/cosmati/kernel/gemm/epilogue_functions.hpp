// SPDX-License-Identifier: Apache-2.0
/// @file
/// More epilogues of matrix products: activations, scales, a residual, and the largest magnitude of the results.
/// `gemm_chain` applies several, one after the other.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cmath>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/runtime/cuda_atomic.hpp>

namespace COSMATI_NAMESPACE {

/// @name Activations, of float
/// @{
/// x Phi(x), with the distribution function Phi of the normal distribution, by the complementary error function.
struct gemm_gelu {
  COSMATI_HD float operator()(float x) const { return 0.5f * x * erfcf(x * -0.70710678118654752f); }
};
/// x / (1 + exp(-x)).
struct gemm_silu {
  COSMATI_HD float operator()(float x) const { return x / (1.f + expf(-x)); }
};
/// @}

/// Converts to T, so that what follows computes in T: gemm_then(gemm_convert<float>{},
/// gemm_scale_along_n<float>{scales}) scales sums of integers by fractions.
template <class T>
struct gemm_convert {
  template <class V>
  COSMATI_HD constexpr T operator()(V const& x) const {
    return static_cast<T>(x);
  }
};

/// @name Scales and residuals; their arrays are on the device
/// @{
/// Multiplies by one number, such as the product of two operands' scales.
template <class T>
struct gemm_scale {
  T const* scale;
  template <class V>
  COSMATI_HD constexpr V operator()(V const& x) const {
    return static_cast<V>(x * static_cast<V>(*scale));
  }
};
/// Multiplies row m by element m of M.
template <class T>
struct gemm_scale_along_m {
  T const* scale;
  template <class V>
  COSMATI_HD constexpr V operator()(V const& x, int m, int, int) const {
    return static_cast<V>(x * static_cast<V>(scale[m]));
  }
};
/// Multiplies column n by element n of N.
template <class T>
struct gemm_scale_along_n {
  T const* scale;
  template <class V>
  COSMATI_HD constexpr V operator()(V const& x, int, int n, int) const {
    return static_cast<V>(x * static_cast<V>(scale[n]));
  }
};
/// Adds element (m, n, batch) of another tensor.
template <class T>
struct gemm_residual {
  T const* data;
  std::int64_t along_m, along_n = 1, along_batch = 0;  ///< elements from one to the next
  template <class V>
  COSMATI_HD constexpr V operator()(V const& x, int m, int n, int batch) const {
    return static_cast<V>(x + static_cast<V>(data[m * along_m + n * along_n + batch * along_batch]));
  }
};
/// @}

/// Raises *largest to the magnitude of the value, if that is larger, and returns the value. The magnitude of a NaN does
/// not count. *largest is 0 or more at the start.
struct gemm_amax {
  float* largest;
  COSMATI_HD float operator()(float x) const {
    [[maybe_unused]] float const magnitude = x < 0 ? -x : x;
#if defined(__CUDA_ARCH__) || defined(COSMATI_SIMULATED)
    // Floats that are not negative have the order of their bits.
    if (magnitude > 0) atomicMax(reinterpret_cast<unsigned*>(largest), bit_cast_of(magnitude));
#endif
    return x;
  }

 private:
  COSMATI_HD static unsigned bit_cast_of(float x) {
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
  }
};

/// Applies `first`, then `second`. Either may take the coordinates.
template <class First, class Second>
struct gemm_chain {
  First first;
  Second second;

  template <class V>
  requires(detail::epilogue_of_place<First, V> || detail::epilogue_of_place<Second, V>) COSMATI_HD constexpr auto
  operator()(V const& x, int m, int n, int batch) const {
    return apply(second, apply(first, x, m, n, batch), m, n, batch);
  }
  template <class V>
  requires(!detail::epilogue_of_place<First, V> && !detail::epilogue_of_place<Second, V>) COSMATI_HD constexpr auto
  operator()(V const& x) const {
    return second(first(x));
  }

 private:
  template <class F, class V>
  COSMATI_HD static constexpr auto apply(F const& f, V const& x, [[maybe_unused]] int m, [[maybe_unused]] int n,
                                         [[maybe_unused]] int batch) {
    if constexpr (detail::epilogue_of_place<F, V>)
      return f(x, m, n, batch);
    else
      return f(x);
  }
};
template <class First, class Second>
gemm_chain(First, Second) -> gemm_chain<First, Second>;

/// The chain of several: gemm_then(f, g, h) applies f, then g, then h.
template <class First, class... More>
constexpr auto gemm_then(First const& first, More const&... more) {
  if constexpr (sizeof...(More) == 0)
    return first;
  else
    return gemm_chain<First, decltype(gemm_then(more...))>{first, gemm_then(more...)};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
