// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma.sync` on the simulated device: one function over the 32 lanes of a warp computes every row of the table.
///
/// Products are exact. The sums depend on the type:
/// - half, bfloat16, TF32, 8-bit floating point: products are added to C in float, k ascending, and each sum is rounded
///   to nearest even. TF32 reads the upper 19 bits. A sum in half is rounded to half once, at the end. A GPU aligns and
///   truncates in an order that PTX does not specify, so the results agree bit by bit only if all sums are exact.
/// - double: fused multiply-add, k ascending.
/// - integers: exact sums, which wrap to 32 bits or are clamped. For single bits the ones are counted.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/exchange.hpp>
#include <cosmati/atom/mma_traits.hpp>

#if defined(COSMATI_SIMULATED)
#pragma push_macro("__builtin_memcpy")  // registers; see runtime/seen_builtins.hpp
#undef __builtin_memcpy
namespace COSMATI_NAMESPACE::detail {

// Registers are not memory that the simulated device watches, and there are thousands of accesses here.
#define COSMATI_UNWATCHED_ __attribute__((no_sanitize("thread", "undefined")))

/// The index of each (thread, value) in an operand, and the number of values. @tparam step uses only every `step`th
/// value
template <class L, int step = 1>
struct mma_index_table {
  static constexpr int threads = static_cast<int>(decltype(size<0>(L{}))::value);
  static constexpr int values = static_cast<int>(decltype(size<1>(L{}))::value) / step;
  std::uint16_t of[std::size_t{threads}][std::size_t{values}] = {};
  constexpr mma_index_table() {
    for (int t = 0; t < threads; ++t) {
      for (int v = 0; v < values; ++v) of[t][v] = static_cast<std::uint16_t>(L{}(t, v * step));
    }
  }
};
template <class L, int step = 1>
inline constexpr mma_index_table<L, step> mma_index_of{};

/// Converts the bits of a narrow floating-point format to a float, exactly.
template <class Format>
COSMATI_UNWATCHED_ inline float widened(std::uint32_t code) {
  constexpr std::uint32_t sign = 1u << (Format::exponent_bits + Format::mantissa_bits), magnitude = sign - 1;
  constexpr int up = 23 - Format::mantissa_bits;
  // The bits are read as a float with another bias. One multiplication corrects the bias, for subnormal numbers too.
  constexpr float bias = [] {
    float x = 1;
    for (int i = Format::bias; i < 127; ++i) x *= 2;
    return x;
  }();
  float x = __builtin_bit_cast(float, (code & magnitude) << up) * bias;
  if ((code & magnitude) >> Format::mantissa_bits == (1u << Format::exponent_bits) - 1 &&
      (Format::has_infinity || (code & magnitude) == magnitude))
    x = __builtin_bit_cast(float, 0x7f800000u | (code & magnitude) << up);
  return (code & sign) != 0 ? -x : x;
}

/// Value v of a register array, in the type of the sums.
template <class T>
struct held_value;
template <class Format>
struct held_value<minifloat<Format>> {
  using type = float;
  COSMATI_UNWATCHED_ static float get(unsigned char const* p, int v) {
    if constexpr (Format::bits == 32) {
      std::uint32_t x;
      __builtin_memcpy(&x, p + 4 * v, 4);
      return __builtin_bit_cast(float, x & ~0x1fffu);
    } else if constexpr (Format::bits == 16) {
      std::uint16_t x;
      __builtin_memcpy(&x, p + 2 * v, 2);
      return widened<Format>(x);
    } else {
      return widened<Format>(p[v]);
    }
  }
};
template <class T>
requires(std::is_arithmetic_v<T>) struct held_value<T> {
  using type = std::conditional_t<std::is_integral_v<T>, std::int32_t, T>;
  COSMATI_UNWATCHED_ static type get(unsigned char const* p, int v) {
    T x;
    __builtin_memcpy(&x, p + static_cast<int>(sizeof(T)) * v, sizeof(T));
    return x;
  }
};
template <int bits, bool is_signed>
struct held_value<integer_subbyte<bits, is_signed>> {
  using type = std::int32_t;
  COSMATI_UNWATCHED_ static std::int32_t get(unsigned char const* p, int v) {
    int const x = p[v * bits / 8] >> (v * bits % 8) & ((1 << bits) - 1);
    return is_signed && x >> (bits - 1) != 0 ? x - (1 << bits) : x;
  }
};

/// Converts one sum to the bits of the register. @param total exact, also beyond 32 bits
template <class Op>
COSMATI_UNWATCHED_ inline void put_sum(unsigned char* p, int v, double total) {
  using D = typename Op::ValTypeD;
  if constexpr (std::is_same_v<D, double> || std::is_same_v<D, float>) {
    D const x = static_cast<D>(total);
    __builtin_memcpy(p + static_cast<int>(sizeof(D)) * v, &x, sizeof(D));
  } else {
    auto const x = D(static_cast<float>(total)).storage;
    __builtin_memcpy(p + static_cast<int>(sizeof x) * v, &x, sizeof x);
  }
}
template <class Op>
COSMATI_UNWATCHED_ inline void put_sum(unsigned char* p, int v, std::int64_t total) {
  if constexpr (Op::variant == mma_variant::saturate) {
    if (total > 0x7fffffff) total = 0x7fffffff;
    if (total < -INT64_C(0x80000000)) total = -INT64_C(0x80000000);
  }
  auto const x = static_cast<std::uint32_t>(total);
  __builtin_memcpy(p + 4 * v, &x, 4);
}

/// sum(m, n) += a(m, k) b(n, k), k ascending. @param a has rows of K elements, @param b rows of N (one for each k),
/// @param sum rows of N
template <int M, int N, int K>
COSMATI_UNWATCHED_ inline void add_products(float const* a, float const* b, float* sum) {
  for (int m = 0; m < M; ++m) {
    float row[std::size_t{N}];
    for (int n = 0; n < N; ++n) row[n] = sum[m * N + n];
    for (int k = 0; k < K; ++k) {
      float const x = a[m * K + k];
      for (int n = 0; n < N; ++n) row[n] += x * b[k * N + n];
    }
    for (int n = 0; n < N; ++n) sum[m * N + n] = row[n];
  }
}
template <int M, int N, int K>
COSMATI_UNWATCHED_ inline void add_products(double const* a, double const* b, double* sum) {
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      for (int k = 0; k < K; ++k) sum[m * N + n] = __builtin_fma(a[m * K + k], b[k * N + n], sum[m * N + n]);
    }
  }
}
template <int M, int N, int K>
COSMATI_UNWATCHED_ inline void add_products(std::int32_t const* a, std::int32_t const* b, std::int64_t* sum) {
  for (int m = 0; m < M; ++m) {
    std::int32_t row[std::size_t{N}] = {};
    for (int k = 0; k < K; ++k) {
      std::int32_t const x = a[m * K + k];
      for (int n = 0; n < N; ++n) row[n] += x * b[k * N + n];
    }
    for (int n = 0; n < N; ++n) sum[m * N + n] += row[n];
  }
}

/// The operands that a lane gives an instruction.
struct mma_lane {
  void const* a;
  void const* b;
  void const* c;
  void* d;
  unsigned lanes;  ///< the lanes that take part
};

template <class T, class L, class X>
COSMATI_UNWATCHED_ inline void take_operand(unsigned char const* p, int thread, X* out) {
  for (int v = 0; v < mma_index_table<L>::values; ++v)
    out[mma_index_of<L>.of[thread][v]] = static_cast<X>(held_value<T>::get(p, v));
}

/// The sums that depend on an unwritten register. They become unwritten too.
template <class Op>
struct unwritten_sums {
  static constexpr int M = Op::M, N = Op::N;
  bool any = false, row[std::size_t{M}] = {}, column[std::size_t{N}] = {},
       sum[std::size_t{M * N}] = {};  // whether each sum is unwritten, column-major

  COSMATI_UNWATCHED_ static bool is_unwritten(unsigned char const* p, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      if (p[i] != (i % 2 == 0 ? 0xFD : 0x7F)) return false;
    }
    return cosmati_sim_may_be_unwritten == nullptr || cosmati_sim_may_be_unwritten() != 0;
  }
  /// Marks the operand's values whose whole registers (or wider values) are unwritten. @param extent the extent of the
  /// mode that comes first in the operand's index
  template <class T, class L>
  COSMATI_UNWATCHED_ void look(unsigned char const* p, int thread, bool* of, int extent) {
    constexpr int bits = static_cast<int>(sizeof_bits_v<T>), word = bits > 32 ? bits : 32;
    constexpr int values = mma_index_table<L>::values;
    for (int first = 0; first + word / bits <= values; first += word / bits) {
      if (!is_unwritten(p + first * bits / 8, word / 8)) continue;
      any = true;
      for (int v = first; v < first + word / bits; ++v) of[mma_index_of<L>.of[thread][v] % extent] = true;
    }
  }
  COSMATI_UNWATCHED_ explicit unwritten_sums(mma_lane* const* lane) {
    using Traits = MMA_Traits<Op>;
    using C = typename Traits::CLayout;
    constexpr int bytes = static_cast<int>(sizeof_bits_v<typename Op::ValTypeC>) / 8;
    for (int t = 0; t < mma_index_table<C>::threads; ++t) {
      if constexpr (Op::variant != mma_variant::xor_popc && Op::variant != mma_variant::and_popc) {
        look<typename Op::ValTypeA, typename Traits::ALayout>(static_cast<unsigned char const*>(lane[t]->a), t, row, M);
        look<typename Op::ValTypeB, typename Traits::BLayout>(static_cast<unsigned char const*>(lane[t]->b), t, column,
                                                              N);
      }
      for (int v = 0; v < mma_index_table<C>::values; ++v) {
        if (!is_unwritten(static_cast<unsigned char const*>(lane[t]->c) + bytes * v, bytes)) continue;
        any = sum[mma_index_of<C>.of[t][v]] = true;
      }
    }
  }
  /// @param i the column-major index of the sum
  COSMATI_UNWATCHED_ bool has(int i) const { return any && (sum[i] || row[i % M] || column[i / M]); }
};

/// Computes one product of `Op`. @param lane thread of the product -> operands of its lane
template <class Op>
COSMATI_UNWATCHED_ inline void multiply_matrices(mma_lane* const* lane) {
  using Traits = MMA_Traits<Op>;
  using X = typename held_value<typename Op::ValTypeA>::type;
  using Total = std::conditional_t<std::is_same_v<X, std::int32_t>, std::int64_t, X>;
  constexpr int M = Op::M, N = Op::N, K = Op::K;
  using sums = mma_index_table<typename Traits::DLayout>;
  unwritten_sums<Op> const unwritten(lane);
  Total total[std::size_t{M * N}], by_columns[std::size_t{M * N}];
  for (int t = 0; t < sums::threads; ++t)
    take_operand<typename Op::ValTypeC, typename Traits::CLayout>(static_cast<unsigned char const*>(lane[t]->c), t,
                                                                  by_columns);
  for (int i = 0; i < M * N; ++i) total[i] = by_columns[i % N * M + i / N];
  if constexpr (Op::variant == mma_variant::xor_popc || Op::variant == mma_variant::and_popc) {
    std::uint32_t a[std::size_t{M * K / 32}], b[std::size_t{N * K / 32}];  // words of 32 bits along k, row after row
    constexpr int a_words = M * K / 32 / 32, b_words = N * K / 32 / 32;
    for (int t = 0; t < 32; ++t) {
      for (int r = 0; r < a_words; ++r) {
        int const i = mma_index_of<typename Traits::ALayout, 32>.of[t][r];
        __builtin_memcpy(&a[i % M * (K / 32) + i / M / 32], static_cast<unsigned char const*>(lane[t]->a) + 4 * r, 4);
      }
      for (int r = 0; r < b_words; ++r) {
        int const i = mma_index_of<typename Traits::BLayout, 32>.of[t][r];
        __builtin_memcpy(&b[i % N * (K / 32) + i / N / 32], static_cast<unsigned char const*>(lane[t]->b) + 4 * r, 4);
      }
    }
    for (int i = 0; i < M * N; ++i) {
      for (int k = 0; k < K / 32; ++k) {
        std::uint32_t const x = a[i / N * (K / 32) + k], y = b[i % N * (K / 32) + k];
        total[i] += __builtin_popcount(Op::variant == mma_variant::xor_popc ? x ^ y : x & y);
      }
    }
  } else {
    X a[std::size_t{M * K}], b[std::size_t{N * K}], a_by_columns[std::size_t{M * K}];
    for (int t = 0; t < sums::threads; ++t) {
      take_operand<typename Op::ValTypeA, typename Traits::ALayout>(static_cast<unsigned char const*>(lane[t]->a), t,
                                                                    a_by_columns);
      take_operand<typename Op::ValTypeB, typename Traits::BLayout>(static_cast<unsigned char const*>(lane[t]->b), t,
                                                                    b);
    }
    for (int i = 0; i < M * K; ++i) a[i] = a_by_columns[i % K * M + i / K];
    add_products<M, N, K>(a, b, total);
  }
  for (int t = 0; t < sums::threads; ++t) {
    for (int v = 0; v < sums::values; ++v) {
      int const i = mma_index_of<typename Traits::DLayout>.of[t][v];
      auto* const d = static_cast<unsigned char*>(lane[t]->d);
      using Sum = std::conditional_t<std::is_floating_point_v<Total>, double, std::int64_t>;
      put_sum<Op>(d, v, static_cast<Sum>(total[i % M * N + i / M]));
      if (!unwritten.has(i)) continue;
      constexpr int bytes = static_cast<int>(sizeof_bits_v<typename Op::ValTypeD>) / 8;
      for (int b = 0; b < bytes; ++b) d[bytes * v + b] = b % 2 == 0 ? 0xFD : 0x7F;
    }
  }
}

/// Executes `Op` by the calling lane's warp.
template <class Op>
void simulate_mma_sync(void* d, void const* a, void const* b, void const* c) {
  char const* const name = mma_mnemonic<Op>::value;
  mma_lane mine = {a, b, c, d, 0};
  cosmati_sim_meet(
      0xffffffffu, &mine,
      [](void* const* arguments, unsigned lanes) {
        if (lanes == 0xffffffffu) {
          using Thread = typename MMA_Traits<Op>::ThrID;
          for (int product = 0; product < 32 / Op::threads; ++product) {
            mma_lane* lane[Op::threads];
            for (int t = 0; t < Op::threads; ++t)
              lane[t] = static_cast<mma_lane*>(arguments[Thread{}(t) + 4 * product]);
            multiply_matrices<Op>(lane);
          }
        }
        for (int lane = 0; lane < 32; ++lane) {
          if (arguments[lane] != nullptr) static_cast<mma_lane*>(arguments[lane])->lanes = lanes;
        }
      },
      name, nullptr, 0);
  if (mine.lanes != 0xffffffffu) lanes_are_missing(mine.lanes, name);
}

#undef COSMATI_UNWATCHED_

}  // namespace COSMATI_NAMESPACE::detail
#pragma pop_macro("__builtin_memcpy")
#endif

#include <cosmati/core/macros_end.hpp>
