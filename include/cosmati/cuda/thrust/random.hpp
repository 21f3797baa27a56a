// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's random numbers: the engines and distributions of the standard library.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <random>

namespace thrust {

using std::minstd_rand;
using std::ranlux24;
using std::ranlux48;
using default_random_engine = std::minstd_rand;

namespace random {
using std::minstd_rand;
using default_random_engine = std::minstd_rand;
}  // namespace random

/// Integers of [a, b], or real numbers of [a, b).
template <class T>
class uniform_int_distribution : public std::uniform_int_distribution<T> {
 public:
  using std::uniform_int_distribution<T>::uniform_int_distribution;
};
template <class T = double>
class uniform_real_distribution : public std::uniform_real_distribution<T> {
 public:
  using std::uniform_real_distribution<T>::uniform_real_distribution;
};
template <class T = double>
class normal_distribution : public std::normal_distribution<T> {
 public:
  using std::normal_distribution<T>::normal_distribution;
};

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
