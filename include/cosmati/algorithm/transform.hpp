// SPDX-License-Identifier: Apache-2.0
/// @file
/// `transform`: a function of every element, in place or into another tensor.
#pragma once

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
    store_element(t, i, f(load_element(t, i)));
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
    store_element(out, i, f(load_element(in, i)));
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
    store_element(out, i, f(load_element(a, i), load_element(b, i)));
  }
};
}  // namespace detail

/// t(i) = f(t(i))
template <class T, class F>
requires(tensor_type<T>) COSMATI_HD constexpr void transform(T&& t, F&& f) {
  if constexpr (detail::tensor_is_read_only<typename std::remove_cvref_t<T>::element_type>::ok) {
    detail::for_each_index(t, detail::transform_in_place<std::remove_reference_t<T>, std::remove_reference_t<F>>{t, f});
  }
}
/// out(i) = f(in(i))
template <class Engine, class Layout, class Out, class F>
requires(tensor_type<Out>) COSMATI_HD constexpr void transform(Tensor<Engine, Layout> const& in, Out&& out, F&& f) {
  if constexpr (detail::tensor_is_read_only<typename std::remove_cvref_t<Out>::element_type>::ok) {
    if (!detail::as_many_elements(in, out)) return;
    detail::for_each_index(
        in, detail::transform_into<std::remove_reference_t<Out>, std::remove_reference_t<F>, Tensor<Engine, Layout>>{
                out, f, in});
  }
}
/// out(i) = f(a(i), b(i))
template <class EngineA, class LayoutA, class EngineB, class LayoutB, class Out, class F>
requires(tensor_type<Out>) COSMATI_HD
    constexpr void transform(Tensor<EngineA, LayoutA> const& a, Tensor<EngineB, LayoutB> const& b, Out&& out, F&& f) {
  if constexpr (detail::tensor_is_read_only<typename std::remove_cvref_t<Out>::element_type>::ok) {
    if (!detail::as_many_elements(a, b) || !detail::as_many_elements(a, out)) return;
    detail::for_each_index(a, detail::transform_into<std::remove_reference_t<Out>, std::remove_reference_t<F>,
                                                     Tensor<EngineA, LayoutA>, Tensor<EngineB, LayoutB>>{out, f, a, b});
  }
}

namespace lazy {
/// The tensor whose elements are f of t's, computed when they are read.
template <class Engine, class Layout, class F>
COSMATI_HD constexpr auto transform(Tensor<Engine, Layout> const& t, F const& f) {
  return make_tensor(make_transform_iter(f, t.data()), t.layout());
}
}  // namespace lazy

}  // namespace COSMATI_NAMESPACE
