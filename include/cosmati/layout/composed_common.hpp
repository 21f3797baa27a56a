// SPDX-License-Identifier: Apache-2.0
/// @file
/// Common parts of two layouts of which one is swizzled, and the swizzle of a layout.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/composed_layout.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
COSMATI_HD constexpr int smaller_int(int a, int b) { return a < b ? a : b; }
}  // namespace detail
/// @name Common parts of two layouts of which one is swizzled
/// @{
/// A swizzle keeps runs of 2^M elements together.
template <int Bits, int M, int S, class O, class B, class S2, class D2>
COSMATI_HD constexpr auto max_common_vector(ComposedLayout<Swizzle<Bits, M, S>, O, B> const& a,
                                            Layout<S2, D2> const& b) {
  using N = decltype(max_common_vector(a.layout_b(), b));
  if constexpr (static_integer<N>) {
    constexpr int run = 1 << M;
    return C<detail::smaller_int(static_cast<int>(N::value), run)>{};
  } else {
    return C<1>{};
  }
}
template <int Bits, int M, int S, class O, class B, class S2, class D2>
COSMATI_HD constexpr auto max_common_vector(Layout<S2, D2> const& b,
                                            ComposedLayout<Swizzle<Bits, M, S>, O, B> const& a) {
  return max_common_vector(a, b);
}
template <int Bits, int M, int S, class O, class B, int Bits2, int M2, int S2, class O2, class B2>
COSMATI_HD constexpr auto max_common_vector(ComposedLayout<Swizzle<Bits, M, S>, O, B> const& a,
                                            ComposedLayout<Swizzle<Bits2, M2, S2>, O2, B2> const& b) {
  return max_common_vector(make_composed_layout(Swizzle<Bits, (M < M2 ? M : M2), S>{}, C<0>{}, a.layout_b()),
                           b.layout_b());
}
/// A divisor of every offset, apart from those of a contiguous run. It is at most the size that the swizzle keeps
/// together.
template <class A, class O, class B>
COSMATI_HD constexpr auto max_alignment(ComposedLayout<A, O, B> const& l) {
  constexpr auto common = [](auto x, auto y) { return algebra::gcd(x, y); };
  constexpr std::int64_t inner = decltype(max_alignment(l.layout_b()))::value;
  constexpr std::int64_t outer = decltype(max_alignment(l.layout_a()))::value;
  if constexpr (static_integer<O>)
    return C<static_cast<int>(common(common(inner, outer), static_cast<std::int64_t>(O::value)))>{};
  else
    return C<1>{};
}
/// A fragment drops the swizzle.
template <class A, class O, class B>
COSMATI_HD constexpr auto make_fragment_like(ComposedLayout<A, O, B> const& l) {
  return make_fragment_like(l.layout_b());
}
template <class A, class O, class B>
COSMATI_HD constexpr auto make_layout_like(ComposedLayout<A, O, B> const& l) {
  return make_layout_like(l.layout_b());
}
/// @}

/// @name The swizzle of a layout
/// @{
/// As a type; Swizzle<0, 4, 3> for a layout without a swizzle.
template <class T>
struct get_swizzle {
  using type = Swizzle<0, 4, 3>;
};
template <int Bits, int M, int S, class O, class B>
struct get_swizzle<ComposedLayout<Swizzle<Bits, M, S>, O, B>> {
  using type = Swizzle<Bits, M, S>;
};
template <class T>
using get_swizzle_t = typename get_swizzle<T>::type;
template <class L>
COSMATI_HD constexpr auto get_swizzle_portion(L const&) {
  return Swizzle<0, 4, 3>{};
}
template <int Bits, int M, int S, class O, class B>
COSMATI_HD constexpr auto get_swizzle_portion(ComposedLayout<Swizzle<Bits, M, S>, O, B> const&) {
  return Swizzle<Bits, M, S>{};
}
template <class Sh, class D>
COSMATI_HD constexpr auto get_nonswizzle_portion(Layout<Sh, D> const& l) {
  return l;
}
template <int Bits, int M, int S, class O, class B>
COSMATI_HD constexpr auto get_nonswizzle_portion(ComposedLayout<Swizzle<Bits, M, S>, O, B> const& l) {
  return l.layout_b();
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
