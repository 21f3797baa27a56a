// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's function objects, tuples and pairs.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/thrust/placeholders.hpp>
#include <functional>
#include <tuple>
#include <utility>

namespace thrust {

using std::bit_and;
using std::bit_or;
using std::bit_xor;
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
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;

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

/// @name Bases that name the types of a function object. Thrust had them until CUDA 12.
/// @{
template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};
/// @}

/// A function object that says the opposite of another.
template <class Predicate>
struct unary_negate {
  Predicate p;
  template <class T>
  bool operator()(T const& x) const {
    return !p(x);
  }
};
template <class Predicate>
unary_negate<Predicate> not1(Predicate p) {
  return {p};
}
template <class Predicate>
unary_negate<Predicate> not_fn(Predicate p) {
  return {p};
}

/// Calls a function with the elements of a tuple as its arguments.
template <class Function>
struct zip_function {
  Function f;
  template <class Tuple>
  decltype(auto) operator()(Tuple&& t) const {
    return std::apply(f, std::forward<Tuple>(t));
  }
};
template <class Function>
zip_function<std::decay_t<Function>> make_zip_function(Function&& f) {
  return {std::forward<Function>(f)};
}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
