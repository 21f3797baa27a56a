// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's random numbers: its own, except those of ranlux48.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/words.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>

namespace thrust {
namespace random {

/// x -> (a x + c) mod m, with numbers below 2^32.
template <class UInt, UInt a, UInt c, UInt m>
class linear_congruential_engine {
 public:
  using result_type = UInt;
  static constexpr UInt multiplier = a, increment = c, modulus = m;
  static constexpr UInt min = c == 0 ? 1 : 0, max = m - 1;
  static constexpr UInt default_seed = 1;

  explicit linear_congruential_engine(UInt s = default_seed) { seed(s); }
  void seed(UInt s = default_seed) { x_ = c == 0 && s % m == 0 ? 1 : s % m; }
  UInt operator()() { return x_ = static_cast<UInt>((std::uint64_t{a} * x_ + c) % m); }
  /// Goes on by `count` numbers, in a time that grows with the logarithm.
  void discard(unsigned long long count) {
    std::uint64_t factor = a % m, summand = c % m;  // of a step of 2^k numbers
    for (; count != 0; count >>= 1) {
      if ((count & 1) != 0) x_ = static_cast<UInt>((factor * x_ + summand) % m);
      summand = (factor * summand + summand) % m;
      factor = factor * factor % m;
    }
  }
  friend bool operator==(linear_congruential_engine const& l, linear_congruential_engine const& r) {
    return l.x_ == r.x_;
  }

 private:
  UInt x_;
};

/// A shift register of k bits with feedback from bit q, of which each number takes s bits.
template <class UInt, std::size_t w, std::size_t k, std::size_t q, std::size_t s>
class linear_feedback_shift_engine {
 public:
  using result_type = UInt;
  static constexpr UInt min = 0, max = static_cast<UInt>(~UInt{0}) >> (sizeof(UInt) * 8 - w);
  static constexpr UInt default_seed = 341;

  explicit linear_feedback_shift_engine(UInt value = default_seed) { seed(value); }
  void seed(UInt value = default_seed) { value_ = value; }
  UInt operator()() {
    constexpr UInt kept = max << (w - k) & max;
    UInt const b = (((value_ << q) ^ value_) & max) >> (k - s);
    return value_ = (((value_ & kept) << s) ^ b) & max;
  }
  void discard(unsigned long long count) {
    while (count-- != 0) (*this)();
  }

 private:
  UInt value_;
};

/// The exclusive or of the numbers of two engines, which are shifted to the left.
template <class First, std::size_t s1, class Second, std::size_t s2 = 0>
class xor_combine_engine {
 public:
  using result_type = typename First::result_type;
  static constexpr result_type min = 0, max = std::numeric_limits<result_type>::max();

  xor_combine_engine() = default;
  explicit xor_combine_engine(result_type value) : first_(value), second_(value) {}
  void seed() { *this = {}; }
  void seed(result_type value) { *this = xor_combine_engine(value); }
  result_type operator()() {
    result_type const high = static_cast<result_type>(first_() << s1);
    return high ^ static_cast<result_type>(second_() << s2);
  }
  void discard(unsigned long long count) {
    while (count-- != 0) (*this)();
  }

 private:
  First first_;
  Second second_;
};

/// An engine of the standard library, with Thrust's constants in place of functions.
template <class Engine>
class standard_engine : public Engine {
 public:
  using Engine::Engine;
  static constexpr typename Engine::result_type min = Engine::min(), max = Engine::max();
};

using minstd_rand0 = linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;
using ranlux24_base = standard_engine<std::ranlux24_base>;
using ranlux48_base = standard_engine<std::ranlux48_base>;
using ranlux24 = standard_engine<std::ranlux24>;
using ranlux48 = standard_engine<std::ranlux48>;
using taus88 = xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>, 0,
                                  xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>, 0,
                                                     linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>, 0>,
                                  0>;

/// What distributions with two parameters have in common.
template <class T>
class distribution_of_two {
 public:
  using result_type = T;
  using param_type = std::pair<T, T>;
  explicit distribution_of_two(param_type const& parameters) : parameters_(parameters) {}
  void reset() {}
  param_type param() const { return parameters_; }
  void param(param_type const& parameters) { parameters_ = parameters; }
  friend bool operator==(distribution_of_two const& l, distribution_of_two const& r) {
    return l.parameters_ == r.parameters_;
  }

 protected:
  param_type parameters_;
};
/// What the uniform ones have in common.
template <class T>
class range_distribution : public distribution_of_two<T> {
 public:
  using distribution_of_two<T>::distribution_of_two;
  T a() const { return this->parameters_.first; }
  T b() const { return this->parameters_.second; }
  T min() const { return a(); }
  T max() const { return b(); }
};

/// Real numbers of [a, b).
template <class T = double>
class uniform_real_distribution : public range_distribution<T> {
 public:
  using typename range_distribution<T>::param_type;
  using range_distribution<T>::range_distribution;
  explicit uniform_real_distribution(T from = 0, T to = 1) : range_distribution<T>(param_type(from, to)) {}
  template <class Engine>
  T operator()(Engine& engine) {
    return (*this)(engine, this->parameters_);
  }
  template <class Engine>
  T operator()(Engine& engine, param_type const& range) {
    T const share = static_cast<T>(engine() - Engine::min) / (T{1} + static_cast<T>(Engine::max - Engine::min));
    return share * (range.second - range.first) + range.first;
  }
};

/// Integers of [a, b].
template <class T = int>
class uniform_int_distribution : public range_distribution<T> {
 public:
  using typename range_distribution<T>::param_type;
  using range_distribution<T>::range_distribution;
  explicit uniform_int_distribution(T from = 0, T to = std::numeric_limits<T>::max())
      : range_distribution<T>(param_type(from, to)) {}
  template <class Engine>
  T operator()(Engine& engine) {
    return (*this)(engine, this->parameters_);
  }
  template <class Engine>
  T operator()(Engine& engine, param_type const& range) {
    uniform_real_distribution<double> real(static_cast<double>(range.first), static_cast<double>(range.second) + 1);
    return static_cast<T>(real(engine));
  }
};

/// Normal numbers, by the inverse of their distribution from one number of the engine.
template <class T = double>
class normal_distribution : public distribution_of_two<T> {
 public:
  using typename distribution_of_two<T>::param_type;
  using distribution_of_two<T>::distribution_of_two;
  explicit normal_distribution(T mean = 0, T stddev = 1) : distribution_of_two<T>(param_type(mean, stddev)) {}
  template <class Engine>
  T operator()(Engine& engine) {
    return (*this)(engine, this->parameters_);
  }
  template <class Engine>
  T operator()(Engine& engine, param_type const& shape) {
    auto constexpr range = Engine::max - Engine::min;
    T const step = T{1} / static_cast<T>(range), half = step / 2;
    auto number = engine() - Engine::min;
    T factor = static_cast<T>(-1.4142135623730950488016887242097);
    if (number > range / 2) {
      number = range - number;
      factor = -factor;
    }
    T const p = static_cast<T>(number) * step + half;
    return shape.first + shape.second * factor * static_cast<T>(::erfcinv(2 * p));
  }
  T mean() const { return this->parameters_.first; }
  T stddev() const { return this->parameters_.second; }
  T min() const { return -std::numeric_limits<T>::infinity(); }
  T max() const { return std::numeric_limits<T>::infinity(); }
};

}  // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::linear_feedback_shift_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::ranlux24;
using random::ranlux24_base;
using random::ranlux48;
using random::ranlux48_base;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
using random::xor_combine_engine;

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
