// SPDX-License-Identifier: Apache-2.0
#include "gemm/check.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cosmati/number/number_types.hpp>
#include <limits>
#include <stdexcept>

namespace cosmati_gemm {

namespace {

/// A number in the precision of the sums: real and imaginary part.
template <class S>
struct pair {
  S re = 0, im = 0;
};

template <class T>
constexpr bool is_complex = requires(T x) {
  x.imag();
};

template <class T>
struct part {
  using type = T;
};
template <class T>
struct part<cosmati::complex<T>> {
  using type = T;
};
template <class T>
using part_t = typename part<T>::type;

template <class S, class T>
pair<S> as(T const& x) {
  if constexpr (is_complex<T>)
    return {static_cast<S>(x.real()), static_cast<S>(x.imag())};
  else if constexpr (std::is_arithmetic_v<T>)
    return {static_cast<S>(x), 0};
  else
    return {static_cast<S>(static_cast<float>(x)), 0};
}
template <class S>
S size_of(pair<S> const& x) {
  return std::abs(x.re) + std::abs(x.im);
}

/// The precision of a type: the relative rounding error, the smallest normal number and the largest one.
struct precision {
  double unit, smallest, largest;
};
template <class T>
constexpr precision precision_of() {
  using limits = std::numeric_limits<T>;
  return {static_cast<double>(limits::epsilon()) / 2, static_cast<double>(limits::min()),
          static_cast<double>(limits::max())};
}

/// The position of an element, its correct value, and the allowed difference.
template <class S>
struct expected {
  std::int64_t batch, m, n;
  pair<S> value;
  double sizes;    ///< the sum of the magnitudes of all terms
  double allowed;  ///< the allowed error; 0 for integers
};

std::string place(product const& p, std::int64_t batch, std::int64_t m, std::int64_t n) {
  return p.batches > 1 ? fmt::format("[{},{},{}]", batch, m, n) : fmt::format("[{},{}]", m, n);
}
template <class S>
std::string text(pair<S> const& x, bool complex) {
  if constexpr (std::is_integral_v<S>)
    return fmt::format("{}", x.re);
  else if (complex)
    return fmt::format("{:.9g}{:+.9g}j", x.re, x.im);
  else
    return fmt::format("{:.{}g}", x.re, std::is_same_v<S, long double> ? 17 : 9);
}

/// @tparam T the type of A and B
/// @tparam TC the type of C
/// @tparam Sum the type of the kernel's sums (of the real part)
/// @tparam S the type of the reference
template <class T, class TC, class Sum, class S>
class reference {
  static constexpr precision sums = precision_of<Sum>(), results = precision_of<part_t<TC>>();

 public:
  explicit reference(product const& p) : p_(p) {}

  comparison run(std::int64_t most) const {
    comparison r;
    r.of = std::int64_t{p_.batches} * p_.m * p_.n;
    r.compared = std::clamp<std::int64_t>(most, 0, r.of);
    double largest = -1;
    for (std::int64_t i = 0; i < r.compared; ++i) {
      std::int64_t const at = place_of(i, r.compared, r.of);
      expected<S> const e = wanted(at);
      pair<S> const got = as<S>(static_cast<TC const*>(p_.c)[at]);
      if constexpr (std::is_integral_v<S>) {
        if (e.value.re != static_cast<TC>(e.value.re))
          throw std::runtime_error(fmt::format(
              "C{} is {}, which 32 bits do not hold; nothing was written: give A and B as floating-point numbers",
              place(p_, e.batch, e.m, e.n), e.value.re));
        if (got.re != e.value.re) wrong(e, got);
      } else {
        double const error = static_cast<double>(size_of<S>({got.re - e.value.re, got.im - e.value.im}));
        if (!(error <= e.allowed)) {
          if (error != 0 && !may_be_infinite(e, got)) wrong(e, got);
        } else if (error > largest * e.allowed) {
          largest = error / e.allowed;
          r.error = error;
          r.allowed = e.allowed;
        }
      }
    }
    return r;
  }

 private:
  /// The i-th of `count` positions in [0, all). Each is at a random offset in its own part, so that no row or column is
  /// left out.
  static std::int64_t place_of(std::int64_t i, std::int64_t count, std::int64_t all) {
    auto const begin = [&](std::int64_t x) {
      return static_cast<std::int64_t>(static_cast<__int128>(x) * all / count);  // the whole range, if each of its
                                                                                 // elements has a position
    };
    std::int64_t const first = begin(i), width = begin(i + 1) - first;
    return first + static_cast<std::int64_t>(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ull >> 33) % width;
  }

  expected<S> wanted(std::int64_t at) const {
    expected<S> e{at / p_.n / p_.m, at / p_.n % p_.m, at % p_.n, {}, 0, 0};
    std::int64_t const k = p_.k;
    auto const row = [&](matrices const& of, std::int64_t x) {
      return static_cast<T const*>(of.data) + (of.batched ? e.batch * of.step_batch : 0) + x * of.step_x;
    };
    T const* const a = row(p_.a, e.m);
    T const* const b = row(p_.b, e.n);
    std::int64_t const step_a = p_.a.step_y, step_b = p_.b.step_y;
    pair<S> sum;
    S sizes = 0;
    for (std::int64_t i = 0; i < k; ++i) {
      pair<S> const x = as<S>(a[i * step_a]), y = as<S>(b[i * step_b]);
      sum.re += x.re * y.re;
      if constexpr (is_complex<T>) {
        sum.re -= x.im * y.im;
        sum.im += x.re * y.im + x.im * y.re;
      }
      if constexpr (!std::is_integral_v<S>) sizes += size_of(x) * size_of(y);
    }
    S const alpha = static_cast<Sum>(p_.alpha), beta = static_cast<Sum>(p_.beta);  // the factors as the kernel has them
    e.value = {alpha * sum.re, alpha * sum.im};
    S added = 0;
    auto const add = [&](pair<S> const& x) {
      e.value.re += x.re;
      e.value.im += x.im;
      added += size_of(x);
    };
    if (p_.beta != 0) {
      pair<S> const before = as<S>(static_cast<TC const*>(
          p_.before.data)[e.batch * p_.before.step_batch + e.m * p_.before.step_x + e.n * p_.before.step_y]);
      add({beta * before.re, beta * before.im});
    }
    if (p_.bias != nullptr) add(as<S>(static_cast<TC const*>(p_.bias)[e.m * p_.bias_m + e.n * p_.bias_n]));
    if (p_.relu && !(e.value.re > 0)) e.value.re = 0;
    if constexpr (!std::is_integral_v<S>) {
      double const products = static_cast<double>(std::abs(alpha) * sizes);
      e.sizes = products + static_cast<double>(added);
      double const operand = p_.rounded == rounding::bfloat16 ? 0x1p-8 : p_.rounded == rounding::tfloat32 ? 0x1p-11 : 0;
      // matrix instructions truncate when they add, which doubles the rounding error
      double const unit = (p_.by == kernel::mma ? 2 : 1) * sums.unit;
      e.allowed = (static_cast<double>(k) + 8) * (unit * e.sizes + sums.smallest) + 2.02 * operand * products +
                  1.01 * results.unit * static_cast<double>(size_of(e.value)) + results.smallest * results.unit;
    }
    return e;
  }

  /// Whether the result may be infinite or NaN: if an operand is, or if sums or the result exceed the range of their
  /// types.
  bool may_be_infinite(expected<S> const& e, pair<S> const& got) const {
    if (std::isfinite(got.re) && std::isfinite(got.im)) return false;
    if (!(e.sizes < sums.largest)) {  // an intermediate result is too large, or not finite
      auto const alike = [](S x, S y) { return std::isnan(x) ? std::isnan(y) : !std::isinf(x) || x == y; };
      return alike(e.value.re, got.re) && alike(e.value.im, got.im);
    }
    auto const beyond = [&](S x, S y) {
      return std::isfinite(y) || (std::isinf(y) && std::signbit(x) == std::signbit(y) &&
                                  static_cast<double>(std::abs(x)) + e.allowed >= results.largest);
    };
    return beyond(e.value.re, got.re) && beyond(e.value.im, got.im);
  }

  [[noreturn]] void wrong(expected<S> const& e, pair<S> const& got) const {
    std::string const allowed =
        std::is_integral_v<S> ? "" : fmt::format(", from which it may differ by {:.3g}", e.allowed);
    throw std::runtime_error(fmt::format("the product is wrong: C{} is {}, not {}{}; nothing was written",
                                         place(p_, e.batch, e.m, e.n), text(got, is_complex<T>),
                                         text(e.value, is_complex<T>), allowed));
  }

  product const& p_;
};

}  // namespace

comparison compare(product const& p, std::int64_t most) {
  switch (p.type) {
    case element::half:
      return reference<cosmati::half_t, cosmati::half_t, float, double>(p).run(most);
    case element::float32:
      return reference<float, float, float, double>(p).run(most);
    case element::float64:
      return reference<double, double, double, long double>(p).run(most);
    case element::int8:
      return reference<std::int8_t, std::int32_t, std::int32_t, std::int64_t>(p).run(most);
    default:
      return reference<cosmati::complex<float>, cosmati::complex<float>, float, double>(p).run(most);
  }
}

}  // namespace cosmati_gemm
