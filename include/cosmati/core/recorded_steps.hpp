// SPDX-License-Identifier: Apache-2.0
/// @file
/// Computes the recorded steps of an operation at run time: `compute<Op, node>(args...)` is the integer that node
/// `node` of the operation's expressions stands for.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tree_of_type.hpp>

namespace COSMATI_NAMESPACE {

/// @name Run-time inputs: leaf K of an argument, numbered as `lift` does
/// @{
template <int K, integer T>
COSMATI_HD constexpr T leaf_at(T const& x) {
  return x;
}
template <int K, class T, int... N>
COSMATI_HD constexpr auto leaf_at(ScaledBasis<T, N...> const& x) {
  return T(x.value());
}
template <int K, class... T>
COSMATI_HD constexpr auto leaf_at(tuple<T...> const& t);

namespace detail {
/// The element of a tuple that holds a leaf, and the number of leaves before that element.
struct leaf_place {
  int element = 0, before = 0;
};
template <int K, class... T>
constexpr leaf_place find_leaf() {
  leaf_place r;
  bool found = false;
  ((found = found || K < r.before + leaves_of<T>, found ? void() : void((r.before += leaves_of<T>, ++r.element))), ...);
  return r;
}
template <int K, class... T>
inline constexpr leaf_place place_of_leaf = find_leaf<K, T...>();
}  // namespace detail
template <int K, class... T>
COSMATI_HD constexpr auto leaf_at(tuple<T...> const& t) {
  constexpr int i = detail::place_of_leaf<K, T...>.element;
  if constexpr (integer<typename detail::element<i, T...>::type>)
    return get<i>(t);
  else
    return leaf_at<K - detail::place_of_leaf<K, T...>.before>(get<i>(t));
}
/// @}

namespace detail {
template <int i, class A, class... R>
COSMATI_HD constexpr auto const& pick(A const& a, R const&... r) {
  if constexpr (i == 0)
    return a;
  else
    return pick<i - 1>(r...);
}

/// A product of run-time integers is 64 bits wide, because tensors may have more than 2^31 elements.
template <class A, class B>
COSMATI_HD constexpr auto wide_product(A const& a, B const& b) {
  return static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b);
}
/// @throws on the host if the divisor is a run-time 0
template <class A, class B>
COSMATI_HD constexpr auto rounded_up_quotient(A const& a, B const& b) {
  using T = decltype(a / b);
  using U = std::make_unsigned_t<T>;
#if !defined(__CUDA_ARCH__)
  if (b == 0)
    fail("%lld ceil_div 0: division by zero; is an extent or a stride 0 at run time?", static_cast<long long>(a));
#endif
  return static_cast<T>((static_cast<U>(a) + static_cast<U>(b) - 1u) / static_cast<U>(b));
}

/// An extent of 0 that is known only at run time has no coordinates. The remainder is 0 then, instead of a fault.
template <class A, class B>
COSMATI_HD constexpr auto guarded_quotient(A const& a, B const& b) {
  using R = decltype(a / b);
  if constexpr (static_integer<B>)
    return operand<R>(a) / operand<R>(b);
  else if constexpr (static_integer<R>)
    return R{};  // a is a static 0
  else
    return b == 0 ? R(0) : operand<R>(a) / operand<R>(b);
}
template <class A, class B>
COSMATI_HD constexpr auto guarded_remainder(A const& a, B const& b) {
  using R = decltype(a % b);
  if constexpr (static_integer<B>)
    return operand<R>(a) % operand<R>(b);
  else if constexpr (static_integer<R>)
    return R{};  // a is a static 0
  else
    return b == 0 ? R(0) : operand<R>(a) % operand<R>(b);
}

/// Computes step `node` of an operation's recorded expressions.
template <class Op, int node, class... A>
COSMATI_HD constexpr auto compute(A const&... a) {
  constexpr expression e = Op::value.list.step[node];
  if constexpr (e.op == expression::input) {
    return leaf_at<e.b>(pick<e.a>(a...));
  } else if constexpr (e.op == expression::constant) {
    return literal<e.value>{};
  } else {
    auto const x = compute<Op, e.a>(a...);
    auto const y = compute<Op, e.b>(a...);
    if constexpr (e.op == expression::multiply)
      return wide_product(x, y);
    else if constexpr (e.op == expression::add)
      return x + y;
    else if constexpr (e.op == expression::subtract)
      return x - y;
    else if constexpr (e.op == expression::divide)
      return guarded_quotient(x, y);
    else if constexpr (e.op == expression::modulo)
      return guarded_remainder(x, y);
    else if constexpr (e.op == expression::ceil_divide)
      return rounded_up_quotient(x, y);
    else if constexpr (e.op == expression::minimum)
      return y < x ? std::common_type_t<decltype(x + y)>(y) : std::common_type_t<decltype(x + y)>(x);
    else if constexpr (e.op == expression::maximum)
      return x < y ? std::common_type_t<decltype(x + y)>(y) : std::common_type_t<decltype(x + y)>(x);
    else if constexpr (e.op == expression::absolute)
      return x < 0 ? -x : x;
    else
      return static_cast<int>(x > 0) - static_cast<int>(x < 0);
  }
}

template <class T, std::uint32_t basis>
struct with_basis {
  template <class Seq>
  struct expand;
  template <std::size_t... Is>
  struct expand<std::index_sequence<Is...>> {
    using type = ScaledBasis<T, static_cast<int>((basis >> (4 * Is)) & 15) - 1 ...>;
  };
  static constexpr int depth() {
    int n = 0;
    for (std::uint32_t b = basis; b != 0; b >>= 4) ++n;
    return n;
  }
  using type = typename expand<std::make_index_sequence<static_cast<std::size_t>(depth())>>::type;
  template <class V>
  COSMATI_HD static constexpr type make(V const& v) {
    return type{T(v)};
  }
};
template <class T>
struct with_basis<T, 0> {
  using type = T;
  template <class V>
  COSMATI_HD static constexpr T make(V const& v) {
    return v;
  }
};

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
