// SPDX-License-Identifier: Apache-2.0
/// @file
/// `right_inverse` and `left_inverse` of swizzles and of composed layouts.
///
/// A swizzle is its own inverse. The inverse of `Swizzle o 0 o L` is a swizzle after the inverse of L. That swizzle
/// mixes the bits to which the inverse of L takes the mixed ones. With another offset the inverse is written
/// `inverse(L) o -offset o Swizzle`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/flatten.hpp>
#include <cosmati/layout/composed_layout.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Whether a layout takes each bit of an index to a bit of its own, and the bits of `mask` to neighbours. Then a
/// swizzle on one side of the layout equals a swizzle on the other.
template <std::size_t modes>
constexpr bool takes_bits_to_bits(std::int64_t const (&extent)[modes], std::int64_t const (&stride)[modes],
                                  std::int64_t mask) {
  auto const one_bit = [](std::int64_t x) { return x > 0 && (x & (x - 1)) == 0; };
  for (std::size_t i = 0; i < modes; ++i) {
    if ((i + 1 < modes && !one_bit(extent[i])) || (extent[i] > 1 && !one_bit(stride[i]))) return false;
  }
  std::int64_t before = 0;
  for (std::int64_t bit = 1; bit <= mask; bit *= 2) {
    if ((mask & bit) == 0) continue;
    std::int64_t rest = bit, at = 0;
    for (std::size_t i = 0; i < modes && rest > 0; ++i) {
      at += (i + 1 < modes ? rest % extent[i] : rest) * stride[i];
      rest /= extent[i];
    }
    // Beyond the layout's size the last mode continues, perhaps into the bits of another mode.
    for (std::size_t i = 0; i + 1 < modes && rest > 0; ++i) {
      if (at >= stride[i] && at < extent[i] * stride[i]) return false;
    }
    if (before != 0 && at != 2 * before) return false;
    before = at;
  }
  return true;
}
template <class L, std::int64_t... masks>
inline constexpr bool swizzles_move_behind = [] {
  using S = decltype(flatten_to_tuple(std::declval<L>().shape()));
  using D = decltype(flatten_to_tuple(std::declval<L>().stride()));
  return []<std::size_t... k>(std::index_sequence<k...>) {
    constexpr std::int64_t extent[] = {tuple_element_t<k, S>::value...};
    constexpr std::int64_t stride[] = {tuple_element_t<k, D>::value...};
    return (takes_bits_to_bits(extent, stride, masks) && ...);
  }
  (std::make_index_sequence<tuple_size_v<S>>{});
}();
template <int bits, int mask_read, int mask_changed, bool ok>
struct layout_tears_the_swizzled_bits {
  static_assert(
      ok,
      "right_inverse, left_inverse: layout_tears_the_swizzled_bits<BITS, READ, CHANGED>: the layout's inverse "
      "does not take the BITS bits of the masks READ and CHANGED to neighbouring bits, so that no swizzle "
      "stands behind it; use a layout whose extents and strides are powers of two and keep these bits "
      "together, or invert the layout alone");
};

/// The swizzle T with T(inverse(x)) == inverse(Swizzle(x)).
template <class Inverse, int Bits, int M, int S>
COSMATI_HD constexpr auto swizzle_behind(Inverse const& inverse, Swizzle<Bits, M, S> const& s) {
  using Sw = Swizzle<Bits, M, S>;
  static_assert(is_static_v<Inverse>,
                "right_inverse, left_inverse: the layout behind the swizzle has run-time integers, so that the bits of "
                "the inverse's swizzle are unknown; write Int<N>{} for its extents and strides");
  constexpr int y = Sw::yyy_msk::value, z = Sw::zzz_msk::value;
  if constexpr (Bits == 0 || !is_static_v<Inverse>) {
    (void)inverse, (void)s;
    return Swizzle<0, M, S>{};
  } else {
    constexpr bool ok = swizzles_move_behind<Inverse, y, z>;
    [[maybe_unused]] layout_tears_the_swizzled_bits<Bits, y, z, ok> const check;
    if constexpr (ok)
      return make_swizzle<decltype(inverse(C<y>{}))::value, decltype(inverse(C<z>{}))::value>();
    else
      return s;
  }
}
template <class Sw, class O, class Inverse>
COSMATI_HD constexpr auto inverse_behind(Sw const& s, O const& offset, Inverse const& inverse) {
  if constexpr (std::is_same_v<O, C<0>>)
    return composition(swizzle_behind(inverse, s), inverse);
  else
    return make_composed_layout(inverse, -offset, s);
}
}  // namespace detail

/// @name A swizzle is its own inverse
/// @{
template <int Bits, int M, int S>
COSMATI_HD constexpr auto right_inverse(Swizzle<Bits, M, S> const& s) {
  return s;
}
template <int Bits, int M, int S>
COSMATI_HD constexpr auto left_inverse(Swizzle<Bits, M, S> const& s) {
  return s;
}
/// @}

/// @name Inverses of a swizzle after a layout
/// @{
/// l(result(i)) == i for all i below the size of right_inverse(l.layout_b()), if its extents and strides are powers of
/// two.
template <int Bits, int M, int S, class O, class B>
COSMATI_HD constexpr auto right_inverse(ComposedLayout<Swizzle<Bits, M, S>, O, B> const& l) {
  return detail::inverse_behind(l.layout_a(), l.offset(), right_inverse(l.layout_b()));
}
/// result(l(i)) == i for all i below the size of l, if l.layout_b() is injective and its integers are powers of two.
template <int Bits, int M, int S, class O, class B>
COSMATI_HD constexpr auto left_inverse(ComposedLayout<Swizzle<Bits, M, S>, O, B> const& l) {
  return detail::inverse_behind(l.layout_a(), l.offset(), left_inverse(l.layout_b()));
}
/// @}

/// @name Inverses of a layout after a layout
/// @{
template <class A, class O, class B>
COSMATI_HD constexpr auto right_inverse(ComposedLayout<A, O, B> const& l) {
  return make_composed_layout(right_inverse(l.layout_b()), -l.offset(), right_inverse(l.layout_a()));
}
template <class A, class O, class B>
COSMATI_HD constexpr auto left_inverse(ComposedLayout<A, O, B> const& l) {
  return make_composed_layout(left_inverse(l.layout_b()), -l.offset(), left_inverse(l.layout_a()));
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
