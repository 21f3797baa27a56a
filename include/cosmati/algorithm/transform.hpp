// SPDX-License-Identifier: Apache-2.0
/// @file
/// `transform`: applies a function to every element, in place or into another tensor.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/element.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T, class F>
struct transform_in_place {
  T& t;
  F& f;
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr void operator()(Index i) const {
    store_computed(t, i, f, load_element(t, i));
  }
};
template <class Out, class F, class... In>
struct transform_into;
template <class Out, class F, class In>
struct transform_into<Out, F, In> {
  Out& out;
  F& f;
  In const& in;
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr void operator()(Index i) const {
    store_computed(out, i, f, load_element(in, i));
  }
};
template <class Out, class F, class A, class B>
struct transform_into<Out, F, A, B> {
  Out& out;
  F& f;
  A const& a;
  B const& b;
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr void operator()(Index i) const {
    store_computed(out, i, f, load_element(a, i), load_element(b, i));
  }
};
template <class T, class F>
COSMATI_HD constexpr void transform_elements(T& t, F& f) {
  if constexpr (tensor_is_read_only<typename T::element_type>::ok) {
    for_each_index(t, transform_in_place<T, F>{t, f});
  }
}
template <class Out, class F, class... In>
COSMATI_HD constexpr void transform_elements_into(Out& out, F& f, In const&... in) {
  if constexpr (tensor_is_read_only<typename Out::element_type>::ok) {
    if ((as_many_elements(in, out) && ...)) for_each_index(out, transform_into<Out, F, In...>{out, f, in...});
  }
}
}  // namespace detail

/// @name transform
/// Views may be temporaries. A tensor that owns its elements is written in place.
/// @{
/// t(i) = f(t(i))
template <class E, class L, class F>
COSMATI_HD constexpr void transform(Tensor<E, L>& t, F&& f) {
  detail::transform_elements(t, f);
}
template <class E, class L, class F>
COSMATI_HD constexpr void transform(Tensor<E, L> const& t, F&& f) {
  detail::transform_elements(t, f);
}
/// out(i) = f(in(i))
template <class E, class L, class OutE, class OutL, class F>
COSMATI_HD constexpr void transform(Tensor<E, L> const& in, Tensor<OutE, OutL>& out, F&& f) {
  detail::transform_elements_into(out, f, in);
}
template <class E, class L, class OutE, class OutL, class F>
COSMATI_HD constexpr void transform(Tensor<E, L> const& in, Tensor<OutE, OutL> const& out, F&& f) {
  detail::transform_elements_into(out, f, in);
}
/// out(i) = f(a(i), b(i))
template <class EA, class LA, class EB, class LB, class OutE, class OutL, class F>
COSMATI_HD constexpr void transform(Tensor<EA, LA> const& a, Tensor<EB, LB> const& b, Tensor<OutE, OutL>& out, F&& f) {
  detail::transform_elements_into(out, f, a, b);
}
template <class EA, class LA, class EB, class LB, class OutE, class OutL, class F>
COSMATI_HD constexpr void transform(Tensor<EA, LA> const& a, Tensor<EB, LB> const& b, Tensor<OutE, OutL> const& out,
                                    F&& f) {
  detail::transform_elements_into(out, f, a, b);
}
/// @}

namespace lazy {
/// A tensor whose elements are f of t's elements, computed when they are read.
template <class Engine, class Layout, class F>
COSMATI_HD constexpr auto transform(Tensor<Engine, Layout> const& t, F const& f) {
  return make_tensor(make_transform_iter(f, t.data()), t.layout());
}
}  // namespace lazy

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
