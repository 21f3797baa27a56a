// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's function objects, tuples and pairs.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <functional>
#include <tuple>
#include <utility>

namespace thrust {

using std::divides;
using std::equal_to;
using std::get;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::make_pair;
using std::make_tuple;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::pair;
using std::plus;
using std::tie;
using std::tuple;

template <class T = void>
struct maximum {
  T operator()(T const& a, T const& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class T>
  T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
};
template <class T = void>
struct minimum {
  T operator()(T const& a, T const& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
  template <class T>
  T operator()(T const& a, T const& b) const {
    return b < a ? b : a;
  }
};
template <class T = void>
struct identity {
  T const& operator()(T const& x) const { return x; }
};
template <class T>
struct square {
  T operator()(T const& x) const { return x * x; }
};

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
