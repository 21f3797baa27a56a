// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print_relative_error`: how far results are from a reference.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/util/print_error.hpp>)
#include_next <cutlass/util/print_error.hpp>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cmath>
#include <cosmati/tensor/tensor.hpp>
#include <cstdlib>
#include <cute/util/debug.hpp>

namespace COSMATI_NAMESPACE::detail {
/// Compares n numbers with a reference, and says how far they are: each alone, and all as one vector.
template <class Data, class Reference>
int relative_error(std::size_t n, Data const& data, Reference const& reference, bool each, bool summary,
                   double margin) {
  constexpr double least = 1e-200;
  double sum = 0, most = 0, difference = 0, squares = 0, norm = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto const expected = static_cast<double>(reference[i]);
    double const error = std::abs(static_cast<double>(data[i]) - expected);
    double const relative = error / (std::abs(expected) + least);
    if (each)
      printf("%zu: %g, reference %g, relative error %.3e\n", i, static_cast<double>(data[i]), expected, relative);
    sum += relative;
    most = relative > most ? relative : most;
    difference = error > difference ? error : difference;
    squares += error * error;
    norm += expected * expected;
  }
  double const whole = std::sqrt(squares / (norm + least));
  if (summary) {
    printf("Average relative error: %.3e\n", n == 0 ? 0.0 : sum / static_cast<double>(n));
    printf("Maximum relative error: %.3e\n", most);
    printf("Maximum difference    : %.3e\n", difference);
    printf("Vector relative error:  %.3e\n", whole);
  }
  printf("Vector reference  norm: %.3e\n", std::sqrt(norm));
  return whole <= margin ? EXIT_SUCCESS : EXIT_FAILURE;
}
}  // namespace COSMATI_NAMESPACE::detail

/// @name print_relative_error: EXIT_SUCCESS where the whole's relative error is at most `margin`
/// @{
template <class Data, class Reference>
int print_relative_error(std::size_t n, Data const& data, Reference const& reference, bool verbose = false,
                         bool print_error = true, double margin = 1e-5) {
  return ::COSMATI_NAMESPACE::detail::relative_error(n, data, reference, verbose, print_error, margin);
}
template <class Engine, class L>
int print_relative_error(::COSMATI_NAMESPACE::Tensor<Engine, L> data, ::COSMATI_NAMESPACE::Tensor<Engine, L> reference,
                         bool verbose = false, bool print_error = true, double margin = 1e-5) {
  auto const n = static_cast<std::size_t>(size(data));
  return ::COSMATI_NAMESPACE::detail::relative_error(n, data, reference, verbose, print_error, margin);
}
/// @}

#include <cosmati/core/macros_end.hpp>

#endif
