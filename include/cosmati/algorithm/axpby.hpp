// SPDX-License-Identifier: Apache-2.0
/// @file
/// `axpby`: y = alpha * x + beta * y.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/element.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T>
COSMATI_HD constexpr bool is_zero([[maybe_unused]] T const& x) {
  if constexpr (static_integer<T>)
    return T::value == 0;
  else
    return x == static_cast<T>(0);
}
/// A predicate that is always true.
struct always {
  template <class Index>
  COSMATI_HD constexpr bool operator()(Index const&) const {
    return true;
  }
};
/// y(i) = alpha * x(i)
template <class Alpha, class X, class Y, class Pred>
struct scale_element {
  Alpha const& alpha;
  X const& x;
  Y& y;
  Pred const& p;
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr void operator()(Index i) const {
    if (!static_cast<bool>(p(i))) return;
    auto const of_x = load_element(x, i);
    store_element(y, i, as_written_as(static_cast<typename Y::value_type>(alpha * of_x), of_x));
  }
};
/// y(i) = alpha * x(i) + beta * y(i)
template <class Alpha, class X, class Beta, class Y, class Pred>
struct axpby_element {
  Alpha const& alpha;
  X const& x;
  Beta const& beta;
  Y& y;
  Pred const& p;
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr void operator()(Index i) const {
    if (!static_cast<bool>(p(i))) return;
    auto const of_x = load_element(x, i);
    auto const of_y = load_element(y, i);
    store_element(y, i, as_written_as(static_cast<typename Y::value_type>(alpha * of_x + beta * of_y), of_x, of_y));
  }
};
}  // namespace detail

/// y(i) = alpha * x(i) + beta * y(i) for each i whose predicate p(i) is true (by default for all).
///
/// If beta is zero, y is not read; its old elements are overwritten even if they are NaN.
/// @param p a tensor of the same size, or a function of the element's index
template <class Alpha, class XEngine, class XLayout, class Beta, class Y, class Pred = detail::always>
requires(tensor_type<Y>) COSMATI_HD constexpr void axpby(Alpha const& alpha, Tensor<XEngine, XLayout> const& x,
                                                         Beta const& beta, Y&& y, Pred const& p = {}) {
  if constexpr (detail::tensor_is_read_only<typename std::remove_cvref_t<Y>::element_type>::ok) {
    if (!detail::as_many_elements(x, y)) return;
    using Source = Tensor<XEngine, XLayout>;
    using Target = std::remove_reference_t<Y>;
    if (detail::is_zero(beta))  // one test for all elements
      detail::for_each_index(y, detail::scale_element<Alpha, Source, Target, Pred>{alpha, x, y, p});
    else
      detail::for_each_index(y, detail::axpby_element<Alpha, Source, Beta, Target, Pred>{alpha, x, beta, y, p});
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
