// SPDX-License-Identifier: Apache-2.0
/// @file
/// `refused`: the stand-in result of an ill-formed call. Every use of it compiles and does nothing, so that the user
/// sees one error.
///
/// A function has an overload for wrong calls. The *return type* of this overload is a class template derived from
/// `refused`, with the numbers of the case as arguments and a failing `static_assert` inside. The class is completed
/// where the function is called. The compiler therefore prints that line, the sentence and the numbers, and none of the
/// library's template arguments. Each layer has a header refused_calls.hpp, in which its functions accept such a
/// result.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integral_constant.hpp>

namespace COSMATI_NAMESPACE {

/// The stand-in result of an ill-formed call.
// A member may not have the name of a derived class's template parameter (such as `rank`), because it would hide the
// parameter.
struct refused {
  static constexpr bool ok = false;
  template <class... X>
  COSMATI_HD constexpr refused operator()(X const&...) const {
    return {};
  }
  template <class X>
  COSMATI_HD constexpr refused operator[](X const&) const {
    return {};
  }
  template <class X>
  COSMATI_HD constexpr refused const& operator=(X const&) const {
    return *this;
  }
  template <class X>
  requires(std::is_arithmetic_v<X>) COSMATI_HD constexpr operator X() const {
    return {};
  }  // NOLINT(google-explicit-constructor): stands for an element
  COSMATI_HD constexpr refused* begin() const { return nullptr; }
  COSMATI_HD constexpr refused* end() const { return nullptr; }

  /// @name Operators, which are found for refused results only
  /// @{
#define COSMATI_REFUSED(op, result)                                                                                   \
  template <class X>                                                                                                  \
  friend COSMATI_HD constexpr result operator op(refused const&, X const&) {                                          \
    return {};                                                                                                        \
  }                                                                                                                   \
  template <class X>                                                                                                  \
  requires(!std::is_base_of_v<refused, X>) friend COSMATI_HD constexpr result operator op(X const&, refused const&) { \
    return {};                                                                                                        \
  }
  COSMATI_REFUSED(+, refused)
  COSMATI_REFUSED(-, refused)
  COSMATI_REFUSED(*, refused)
  COSMATI_REFUSED(/, refused)
  COSMATI_REFUSED(%, refused)
  COSMATI_REFUSED(&, refused)
  COSMATI_REFUSED(|, refused)
  COSMATI_REFUSED(^, refused)
  COSMATI_REFUSED(<<, refused)
  COSMATI_REFUSED(>>, refused)
  COSMATI_REFUSED(==, bool)
  COSMATI_REFUSED(!=, bool)
  COSMATI_REFUSED(<, bool)
  COSMATI_REFUSED(>, bool)
  COSMATI_REFUSED(<=, bool)
  COSMATI_REFUSED(>=, bool)
#undef COSMATI_REFUSED
  template <std::size_t i>
  friend COSMATI_HD constexpr refused get(refused const&) {
    return {};
  }
  COSMATI_HD constexpr refused operator-() const { return {}; }
  COSMATI_HD constexpr refused operator+() const { return {}; }
  COSMATI_HD constexpr refused operator~() const { return {}; }
  COSMATI_HD constexpr bool operator!() const { return false; }
  COSMATI_HD constexpr refused operator*() const { return {}; }
  template <class X>
  COSMATI_HD constexpr refused const& operator+=(X const&) const {
    return *this;
  }
  template <class X>
  COSMATI_HD constexpr refused const& operator-=(X const&) const {
    return *this;
  }
  template <class X>
  COSMATI_HD constexpr refused const& operator*=(X const&) const {
    return *this;
  }
  /// @}

  /// Members of a tensor or a layout.
  COSMATI_HD constexpr refused tiled_mma() const { return {}; }
  COSMATI_HD constexpr refused data() const { return {}; }
  COSMATI_HD constexpr refused layout() const { return {}; }
  template <int...>
  COSMATI_HD constexpr refused shape() const {
    return {};
  }
  template <int...>
  COSMATI_HD constexpr refused stride() const {
    return {};
  }
  template <int...>
  COSMATI_HD constexpr C<1> size() const {
    return {};
  }
  template <class... X>
  COSMATI_HD constexpr refused compose(X const&...) const {
    return {};
  }
  /// Members of a tiled copy, a tiled product, or a thread's slice of one.
  template <class X>
  COSMATI_HD static constexpr refused get_slice(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused get_thread_slice(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_S(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_D(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused retile_S(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused retile_D(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_A(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_B(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_C(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_fragment_A(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_fragment_B(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_fragment_C(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused make_fragment_A(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused make_fragment_B(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused make_fragment_C(X const&) {
    return {};
  }
};

/// Whether T is the result of a refused call.
template <class T>
concept refusal = std::is_base_of_v<refused, std::remove_cvref_t<T>>;

/// Whether at least one of the types is the result of a refused call.
template <class... X>
concept any_refusal = (refusal<X> || ...);

/// @name Functions of integers and tuples, called with a refused result
/// @{
template <int... k, class... X>
COSMATI_HD constexpr C<1> size(refused const&, X const&...) {
  return {};
}
template <int... k, class... X>
COSMATI_HD constexpr refused shape(refused const&, X const&...) {
  return {};
}
template <int... k, refusal R>
COSMATI_HD constexpr refused rank(R const&) {
  return {};
}
template <int... k, refusal R>
COSMATI_HD constexpr refused depth(R const&) {
  return {};
}
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused ceil_div(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused idx2crd(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused crd2idx(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused slice(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused dice(X const&...) { return {}; }
template <class X, class Y>
requires(any_refusal<X, Y>) COSMATI_HD constexpr bool elem_less(X const&, Y const&) { return false; }
template <class X, class Y>
requires(any_refusal<X, Y>) COSMATI_HD constexpr bool elem_leq(X const&, Y const&) { return false; }
template <class X, class Y>
requires(any_refusal<X, Y>) COSMATI_HD constexpr bool elem_gtr(X const&, Y const&) { return false; }
template <class X, class Y>
requires(any_refusal<X, Y>) COSMATI_HD constexpr bool elem_geq(X const&, Y const&) { return false; }
template <class X, class Y>
requires(any_refusal<X, Y>) COSMATI_HD constexpr bool congruent(X const&, Y const&) { return false; }
template <class X, class Y>
requires(any_refusal<X, Y>) COSMATI_HD constexpr bool weakly_congruent(X const&, Y const&) { return false; }
template <class X, class Y>
requires(any_refusal<X, Y>) COSMATI_HD constexpr bool compatible(X const&, Y const&) { return false; }
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
