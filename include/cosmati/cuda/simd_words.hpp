// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's functions of words with four bytes or two halves that cuda_math.hpp lacks (`__vabs4`, `__vsetgtu2`, ...), and
/// its maxima and minima of sums (`__viaddmax_s32`, `__vimin3_u16x2`, ...).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/runtime/cuda_words.hpp>
#include <cstdint>

namespace cosmati_cuda {
/// `v` clamped to the range of a signed type.
template <class S>
constexpr int clamped(int v) {
  constexpr int most = static_cast<int>((1u << (8 * sizeof(S) - 1)) - 1);
  return v > most ? most : v < -most - 1 ? -most - 1 : v;
}
template <class E>
unsigned sum_of_differences(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned k = 0; k < 4 / sizeof(E); ++k) {
    E const x = element<E>(a, k), y = element<E>(b, k);
    sum += static_cast<unsigned>(x < y ? y - x : x - y);
  }
  return sum;
}
}  // namespace cosmati_cuda

#define COSMATI_WORD_(name, E, expression)                                                    \
  inline unsigned __v##name(unsigned a, unsigned b) {                                         \
    return cosmati_cuda::by_element<E>(a, b, [](int x, int y) -> int { return expression; }); \
  }
#define COSMATI_WORD_OF_ONE_(name, E, expression)                                            \
  inline unsigned __v##name(unsigned a) {                                                    \
    return cosmati_cuda::by_element<E>(a, 0u, [](int x, int) -> int { return expression; }); \
  }
// Comparisons give all ones as `cmp`, and 1 as `set`.
#define COSMATI_WORD_COMPARE_(name, E, expression) COSMATI_WORD_(set##name, E, expression ? 1 : 0)
#define COSMATI_WORDS_(n, S, U)                                                                            \
  COSMATI_WORD_OF_ONE_(abs##n, S, x < 0 ? -x : x)                                                          \
  COSMATI_WORD_OF_ONE_(absss##n, S, cosmati_cuda::clamped<S>(x < 0 ? -x : x))                              \
  COSMATI_WORD_OF_ONE_(neg##n, S, -x)                                                                      \
  COSMATI_WORD_OF_ONE_(negss##n, S, cosmati_cuda::clamped<S>(-x))                                          \
  COSMATI_WORD_(addss##n, S, cosmati_cuda::clamped<S>(x + y))                                              \
  COSMATI_WORD_(subss##n, S, cosmati_cuda::clamped<S>(x - y))                                              \
  COSMATI_WORD_(avgs##n, S, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)                                           \
  COSMATI_WORD_(haddu##n, U, (x + y) >> 1)                                                                 \
  COSMATI_WORD_(cmpges##n, S, x >= y ? -1 : 0)                                                             \
  COSMATI_WORD_(cmpgeu##n, U, x >= y ? -1 : 0)                                                             \
  COSMATI_WORD_(cmples##n, S, x <= y ? -1 : 0)                                                             \
  COSMATI_WORD_(cmpleu##n, U, x <= y ? -1 : 0)                                                             \
  COSMATI_WORD_COMPARE_(eq##n, U, x == y)                                                                  \
  COSMATI_WORD_COMPARE_(ne##n, U, x != y)                                                                  \
  COSMATI_WORD_COMPARE_(gts##n, S, x > y)                                                                  \
  COSMATI_WORD_COMPARE_(gtu##n, U, x > y)                                                                  \
  COSMATI_WORD_COMPARE_(lts##n, S, x < y)                                                                  \
  COSMATI_WORD_COMPARE_(ltu##n, U, x < y)                                                                  \
  COSMATI_WORD_COMPARE_(ges##n, S, x >= y)                                                                 \
  COSMATI_WORD_COMPARE_(geu##n, U, x >= y)                                                                 \
  COSMATI_WORD_COMPARE_(les##n, S, x <= y)                                                                 \
  COSMATI_WORD_COMPARE_(leu##n, U, x <= y)                                                                 \
  inline unsigned __vsads##n(unsigned a, unsigned b) { return cosmati_cuda::sum_of_differences<S>(a, b); } \
  inline unsigned __vsadu##n(unsigned a, unsigned b) { return cosmati_cuda::sum_of_differences<U>(a, b); }
COSMATI_WORDS_(4, std::int8_t, std::uint8_t)
COSMATI_WORDS_(2, std::int16_t, std::uint16_t)
#undef COSMATI_WORDS_
#undef COSMATI_WORD_COMPARE_
#undef COSMATI_WORD_OF_ONE_
#undef COSMATI_WORD_

// Maxima and minima of three, or of a sum and a number. Those that end in `relu` are at least 0. `T` is int, unsigned,
// or an element of a word.
namespace cosmati_cuda {
template <class T>
struct most {
  constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct least {
  constexpr T operator()(T a, T b) const { return b < a ? b : a; }
};
/// The result for each element of the three words. @param f of elements of type E
template <class E, class F>
constexpr unsigned of_three(unsigned a, unsigned b, unsigned c, F f) {
  unsigned result = 0;
  constexpr unsigned bits = 8 * sizeof(E);
  for (unsigned k = 0; k < 4 / sizeof(E); ++k) {
    E const one = f(static_cast<E>(a >> (bits * k)), static_cast<E>(b >> (bits * k)), static_cast<E>(c >> (bits * k)));
    if constexpr (bits == 32)
      result = static_cast<unsigned>(one);
    else
      result |= (static_cast<unsigned>(one) & ((1u << bits) - 1u)) << (bits * k);
  }
  return result;
}
template <class E>
constexpr E sum_of(E a, E b) {
  return static_cast<E>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
template <class E>
constexpr E at_least_0(E v) {
  return v < E(0) ? E(0) : v;
}
}  // namespace cosmati_cuda
#define COSMATI_THREE_(name, R, E, ...)                                                                 \
  inline R name(R a, R b, R c) {                                                                        \
    return static_cast<R>(cosmati_cuda::of_three<E>(static_cast<unsigned>(a), static_cast<unsigned>(b), \
                                                    static_cast<unsigned>(c), [](E x, E y, E z) -> E {  \
                                                      static_cast<void>(z);                             \
                                                      return __VA_ARGS__;                               \
                                                    }));                                                \
  }
#define COSMATI_TWO_(name, R, E, ...)                                                                       \
  inline R name(R a, R b) {                                                                                 \
    return static_cast<R>(cosmati_cuda::of_three<E>(static_cast<unsigned>(a), static_cast<unsigned>(b), 0u, \
                                                    [](E x, E y, E) -> E { return __VA_ARGS__; }));         \
  }
#define COSMATI_EXTREMES_OF_(word, type, R, E, extreme)                                     \
  COSMATI_THREE_(__viadd##word##_##type, R, E, extreme<E>()(cosmati_cuda::sum_of(x, y), z)) \
  COSMATI_THREE_(__vi##word##3_##type, R, E, extreme<E>()(extreme<E>()(x, y), z))
#define COSMATI_RELU_OF_(word, type, R, E, extreme)                                                                \
  COSMATI_THREE_(__viadd##word##_##type##_relu, R, E,                                                              \
                 cosmati_cuda::at_least_0(extreme<E>()(cosmati_cuda::sum_of(x, y), z)))                            \
  COSMATI_THREE_(__vi##word##3_##type##_relu, R, E, cosmati_cuda::at_least_0(extreme<E>()(extreme<E>()(x, y), z))) \
  COSMATI_TWO_(__vi##word##_##type##_relu, R, E, cosmati_cuda::at_least_0(extreme<E>()(x, y)))
#define COSMATI_EXTREMES_(word, extreme)                              \
  COSMATI_EXTREMES_OF_(word, s32, int, std::int32_t, extreme)         \
  COSMATI_EXTREMES_OF_(word, u32, unsigned, std::uint32_t, extreme)   \
  COSMATI_EXTREMES_OF_(word, s16x2, unsigned, std::int16_t, extreme)  \
  COSMATI_EXTREMES_OF_(word, u16x2, unsigned, std::uint16_t, extreme) \
  COSMATI_RELU_OF_(word, s32, int, std::int32_t, extreme)             \
  COSMATI_RELU_OF_(word, s16x2, unsigned, std::int16_t, extreme)
COSMATI_EXTREMES_(max, cosmati_cuda::most)
COSMATI_EXTREMES_(min, cosmati_cuda::least)
#undef COSMATI_EXTREMES_
#undef COSMATI_RELU_OF_
#undef COSMATI_EXTREMES_OF_
#undef COSMATI_TWO_
#undef COSMATI_THREE_

// The same of two, which also tell whether the first is the result.
#define COSMATI_EXTREME_AND_SIDE_(T, type, word, op)     \
  inline T __vib##word##_##type(T a, T b, bool* first) { \
    *first = a op b;                                     \
    return *first ? a : b;                               \
  }
COSMATI_EXTREME_AND_SIDE_(int, s32, max, >=)
COSMATI_EXTREME_AND_SIDE_(unsigned, u32, max, >=)
COSMATI_EXTREME_AND_SIDE_(int, s32, min, <=)
COSMATI_EXTREME_AND_SIDE_(unsigned, u32, min, <=)
#undef COSMATI_EXTREME_AND_SIDE_
#define COSMATI_EXTREMES_AND_SIDES_(E, type, word, op)                                  \
  inline unsigned __vib##word##_##type(unsigned a, unsigned b, bool* high, bool* low) { \
    E const low_a = static_cast<E>(a), low_b = static_cast<E>(b);                       \
    E const high_a = static_cast<E>(a >> 16), high_b = static_cast<E>(b >> 16);         \
    *low = low_a op low_b;                                                              \
    *high = high_a op high_b;                                                           \
    return ((*low ? a : b) & 0xffffu) | ((*high ? a : b) & 0xffff0000u);                \
  }
COSMATI_EXTREMES_AND_SIDES_(std::int16_t, s16x2, max, >=)
COSMATI_EXTREMES_AND_SIDES_(std::uint16_t, u16x2, max, >=)
COSMATI_EXTREMES_AND_SIDES_(std::int16_t, s16x2, min, <=)
COSMATI_EXTREMES_AND_SIDES_(std::uint16_t, u16x2, min, <=)
#undef COSMATI_EXTREMES_AND_SIDES_

#endif

#include <cosmati/core/macros_end.hpp>
