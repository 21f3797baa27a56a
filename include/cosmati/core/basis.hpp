// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ScaledBasis<T, N...>`: a stride that moves along one mode of a coordinate. `E<0>{}` prints as `1@0`.
///
/// A layout with such strides, such as that of `make_identity_layout`, maps coordinates to coordinates.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>

namespace COSMATI_NAMESPACE {

/// T times the unit coordinate of mode N... (outermost mode first). T is a static or a run-time integer.
template <class T, int... N>
struct ScaledBasis {
  static_assert(sizeof...(N) >= 1 && sizeof...(N) <= 8, "a basis names 1 to 8 levels of modes");
  static_assert(((N >= 0 && N < 15) && ...), "the modes of a basis are 0 to 14");
  [[no_unique_address]] detail::stored<ScaledBasis, 0, T> stored_value;
  char : 0;  // see detail::stored_elements
  /// The factor of the unit coordinate.
  COSMATI_HD constexpr decltype(auto) value() const { return detail::unstore<T>(stored_value); }
  /// The outermost mode, as a static integer.
  COSMATI_HD static constexpr auto mode() {
    constexpr int modes[] = {N...};
    return C<modes[0]>{};
  }
};

namespace detail {
template <int... N>
struct basis_of_modes {
  using type = ScaledBasis<C<1>, N...>;
};
template <>
struct basis_of_modes<> {
  using type = C<1>;
};
template <class T>
inline constexpr bool is_scaled_basis_of = false;
template <class T, int... N>
inline constexpr bool is_scaled_basis_of<ScaledBasis<T, N...>> = true;
COSMATI_ALSO_OF_REFERENCES(bool, is_scaled_basis_of)
template <int... N>
constexpr std::uint32_t basis_code() {
  int const modes[] = {N...};
  std::uint32_t code = 0;
  for (unsigned i = 0; i < sizeof...(N); ++i) code |= static_cast<std::uint32_t>(modes[i] + 1) << (4 * i);
  return code;
}
}  // namespace detail

/// The unit coordinate of mode N...; `E<>` is the integer 1.
template <int... N>
using E = typename detail::basis_of_modes<N...>::type;

/// Whether T is a ScaledBasis.
template <class T>
struct is_scaled_basis : bool_constant<detail::is_scaled_basis_of<T>> {};
/// A multiple of a unit coordinate.
template <class T>
concept scaled_basis = detail::is_scaled_basis_of<T>;

/// The factor of a basis. An integer is its own factor.
template <class T, int... N>
COSMATI_HD constexpr auto basis_value(ScaledBasis<T, N...> const& e) {
  return T(e.value());
}
template <integer T>
COSMATI_HD constexpr T basis_value(T const& e) {
  return e;
}

template <class T, int... N, integer U>
COSMATI_HD constexpr auto operator*(ScaledBasis<T, N...> const& e, U const& n) {
  using R = decltype(T(e.value()) * n);
  auto v = detail::operand<R>(T(e.value())) * detail::operand<R>(n);
  return ScaledBasis<decltype(v), N...>{v};
}
template <integer U, class T, int... N>
COSMATI_HD constexpr auto operator*(U const& n, ScaledBasis<T, N...> const& e) {
  return e * n;
}
template <class T, class U, int... N, int... M>
COSMATI_HD constexpr auto operator==(ScaledBasis<T, N...> const& a, ScaledBasis<U, M...> const& b) {
  if constexpr (detail::basis_code<N...>() == detail::basis_code<M...>())
    return T(a.value()) == U(b.value());
  else
    return C<false>{};
}
template <class T, int... N, integer U>
COSMATI_HD constexpr C<false> operator==(ScaledBasis<T, N...> const&, U const&) {
  return {};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
