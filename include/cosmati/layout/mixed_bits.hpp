// SPDX-License-Identifier: Apache-2.0
/// @file
/// `MixedBits<S, F>`: an unsigned integer of 32 bits. Some bits are known at compile time and some at run time; all
/// others are zero. An exclusive-or with a swizzle's mask then stays static where possible.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/math.hpp>
#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/layout/layout.hpp>
#include <cosmati/layout/swizzle.hpp>

namespace COSMATI_NAMESPACE {

/// The value is `StaticInt | dynamic_int_`.
/// @tparam StaticInt the bits known to be 1
/// @tparam StaticFlags the bits known at run time only; dynamic_int_ has no other bits
template <std::uint32_t StaticInt, std::uint32_t StaticFlags>
struct MixedBits {
  static_assert(StaticFlags != 0, "MixedBits<S, F>: without a run-time bit, write C<S>");
  static_assert((StaticInt & StaticFlags) == 0, "MixedBits<S, F>: a bit is known at compile time or at run time");

  std::uint32_t dynamic_int_;

  COSMATI_HD constexpr operator std::uint32_t() const noexcept {  // NOLINT(google-explicit-constructor): a number
    return StaticInt | dynamic_int_;
  }
};

namespace detail {
/// The known bits of an operand: those that are 1, and those that may be 1.
template <class T>
struct mixed_facts;
template <std::uint32_t S, std::uint32_t F>
struct mixed_facts<MixedBits<S, F>> {
  static constexpr std::uint32_t ones = S, open = F;
};
template <auto v>
struct mixed_facts<C<v>> {
  static constexpr std::uint32_t ones = static_cast<std::uint32_t>(v), open = 0;
};
template <class T>
inline constexpr bool is_mixed = false;
template <std::uint32_t S, std::uint32_t F>
inline constexpr bool is_mixed<MixedBits<S, F>> = true;
/// Two operands: one is a MixedBits, the other a MixedBits or static.
template <class A, class B>
concept mixed_pair = (is_mixed<A> && (is_mixed<B> || static_integer<B>)) || (is_mixed<B> && static_integer<A>);

template <class T>
COSMATI_HD constexpr std::uint32_t value_of_bits(T const& x) {
  if constexpr (is_mixed<T>)
    return x;
  else
    return static_cast<std::uint32_t>(T::value);
}
/// The value with these bits static. If no bit is left to run time, the result is C<ones>.
template <std::uint32_t ones, std::uint32_t open>
COSMATI_HD constexpr auto mixed(std::uint32_t value) {
  constexpr std::uint32_t at_run_time = open & ~ones;
  if constexpr (at_run_time == 0)
    return C<ones>{};
  else
    return MixedBits<ones, at_run_time>{value & at_run_time};
}
}  // namespace detail

/// `s | (d & f)`, where the bits of s are static. The result is a MixedBits, or a static integer if no bit is left to
/// run time.
template <auto s, integer Dynamic, auto f>
COSMATI_HD constexpr auto make_mixed_bits(C<s>, Dynamic const& d, C<f>) {
  constexpr auto open = static_cast<std::uint32_t>(f) & ~static_cast<std::uint32_t>(s);
  if constexpr (open == 0)
    return C<s>{};
  else if constexpr (static_integer<Dynamic>)
    return C<s>{} | (d & C<open>{});
  else
    return MixedBits<static_cast<std::uint32_t>(s), open>{static_cast<std::uint32_t>(d) & open};
}

/// @name Bit operations
/// A bit of the result is static if the static bits of the operands decide it.
/// @{
template <class A, class B>
requires detail::mixed_pair<A, B> COSMATI_HD constexpr auto operator&(A const& a, B const& b) {
  using FactsA = detail::mixed_facts<A>;
  using FactsB = detail::mixed_facts<B>;
  return detail::mixed<(FactsA::ones & FactsB::ones), ((FactsA::ones | FactsA::open) & (FactsB::ones | FactsB::open))>(
      detail::value_of_bits(a) & detail::value_of_bits(b));
}
template <class A, class B>
requires detail::mixed_pair<A, B> COSMATI_HD constexpr auto operator|(A const& a, B const& b) {
  using FactsA = detail::mixed_facts<A>;
  using FactsB = detail::mixed_facts<B>;
  return detail::mixed<(FactsA::ones | FactsB::ones), (FactsA::open | FactsB::open)>(detail::value_of_bits(a) |
                                                                                     detail::value_of_bits(b));
}
template <class A, class B>
requires detail::mixed_pair<A, B> COSMATI_HD constexpr auto operator^(A const& a, B const& b) {
  using FactsA = detail::mixed_facts<A>;
  using FactsB = detail::mixed_facts<B>;
  constexpr std::uint32_t open = FactsA::open | FactsB::open;
  return detail::mixed<((FactsA::ones ^ FactsB::ones) & ~open), open>(detail::value_of_bits(a) ^
                                                                      detail::value_of_bits(b));
}
template <std::uint32_t S, std::uint32_t F, auto n>
COSMATI_HD constexpr auto operator<<(MixedBits<S, F> const& m, C<n>) {
  return detail::mixed<(S << n), (F << n)>(m.dynamic_int_ << n);
}
template <std::uint32_t S, std::uint32_t F, auto n>
COSMATI_HD constexpr auto operator>>(MixedBits<S, F> const& m, C<n>) {
  return detail::mixed<(S >> n), (F >> n)>(m.dynamic_int_ >> n);
}
/// Shifts by n to the left and to the right. A negative n shifts the other way.
template <std::uint32_t S, std::uint32_t F, auto n>
COSMATI_HD constexpr auto shiftl(MixedBits<S, F> const& m, C<n>) {
  if constexpr (n >= 0)
    return m << C<n>{};
  else
    return m >> C<-n>{};
}
template <std::uint32_t S, std::uint32_t F, auto n>
COSMATI_HD constexpr auto shiftr(MixedBits<S, F> const& m, C<n>) {
  if constexpr (n >= 0)
    return m >> C<n>{};
  else
    return m << C<-n>{};
}
/// Operations on the values, with a static integer.
template <std::uint32_t S, std::uint32_t F, auto v>
COSMATI_HD constexpr bool operator==(MixedBits<S, F> const& m, C<v>) {
  return static_cast<std::uint32_t>(m) == static_cast<std::uint32_t>(v);
}
/// @}

/// @name In units of N, a power of two
/// @{
template <std::uint32_t S, std::uint32_t F, auto n>
COSMATI_HD constexpr auto safe_div(MixedBits<S, F> const& m, C<n>) {
  static_assert(n > 0 && (n & (n - 1)) == 0, "safe_div(MixedBits, n): n must be a power of two");
  static_assert(((S | F) & (static_cast<std::uint32_t>(n) - 1)) == 0,
                "safe_div(MixedBits, n): n must divide every bit");
  return detail::mixed<S / static_cast<std::uint32_t>(n), F / static_cast<std::uint32_t>(n)>(
      m.dynamic_int_ / static_cast<std::uint32_t>(n));
}
template <std::uint32_t N, std::uint32_t S, std::uint32_t F>
COSMATI_HD constexpr auto upcast(MixedBits<S, F> const& m) {
  return safe_div(m, C<N>{});
}
template <std::uint32_t N, std::uint32_t S, std::uint32_t F>
COSMATI_HD constexpr auto downcast(MixedBits<S, F> const& m) {
  static_assert(N != 0 && (N & (N - 1)) == 0, "downcast<N>(MixedBits): N must be a power of two");
  return detail::mixed<S * N, F * N>(m.dynamic_int_ * N);
}
/// The largest power of two that divides every value that m may have.
template <std::uint32_t S, std::uint32_t F>
COSMATI_HD constexpr auto max_alignment(MixedBits<S, F> const&) {
  return C<((S | F) & (~(S | F) + 1))>{};
}
/// @}

/// @name to_mixed_bits: the offset of a coordinate, if shape times stride is a power of two in each mode
/// @{
template <class Shape, class Stride, class Coord>
COSMATI_HD constexpr auto to_mixed_bits(Shape const& shape, Stride const& stride, Coord const& coord) {
  if constexpr (tuple_type<Shape>) {
    static_assert(tuple_type<Stride> && tuple_type<Coord>,
                  "to_mixed_bits(shape, stride, coord): the three must be nested alike");
    static_assert(tuple_size_v<Shape> == tuple_size_v<Stride> && tuple_size_v<Shape> == tuple_size_v<Coord>,
                  "to_mixed_bits(shape, stride, coord): the three must have as many modes");
    return transform_apply(
        shape, stride, coord, [](auto const& s, auto const& d, auto const& c) { return to_mixed_bits(s, d, c); },
        [](auto const&... part) { return (C<std::uint32_t{0}>{} ^ ... ^ part); });
  } else {
    static_assert(static_integer<Shape> && static_integer<Stride> && integer<Coord>,
                  "to_mixed_bits(shape, stride, coord): shape and stride must be static, the coordinate an integer");
    constexpr auto extent = static_cast<std::uint32_t>(Shape::value * Stride::value);
    static_assert((extent & (extent - 1)) == 0, "to_mixed_bits: shape * stride must be a power of two in each mode");
    return make_mixed_bits(C<std::uint32_t{0}>{}, coord * stride,
                           C<static_cast<std::uint32_t>((Shape::value - 1) * Stride::value)>{});
  }
}
template <class S, class D, class Coord>
COSMATI_HD constexpr auto to_mixed_bits(Layout<S, D> const& layout, Coord const& coord) {
  return to_mixed_bits(layout.shape(), layout.stride(), idx2crd(coord, layout.shape()));
}
/// @}

namespace detail {
/// Writes `M_1|(4&6)=5`: the static bits, the run-time bits with their mask, the value.
template <class Sink, std::uint32_t S, std::uint32_t F>
COSMATI_HD void put_text(Sink& out, MixedBits<S, F> const& m) {
  out.text("M_");
  out.integer(S);
  out.text("|(");
  out.integer(m.dynamic_int_);
  out.character('&');
  out.integer(F);
  out.text(")=");
  out.integer(static_cast<std::uint32_t>(m));
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
