// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tuple`, `make_tuple`, `tuple_cat`, `get`, `find`; `eso`, where a program names what a tuple is made of.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>
#include <cute/container/cuda_types.hpp>
#include <cute/container/type_list.hpp>
#include <cute/numeric/integer_sequence.hpp>
#include <cute/util/type_traits.hpp>

/// Elements of which the empty ones take no place.
namespace COSMATI_NAMESPACE::eso {

template <class First, class... Rest>
inline constexpr bool is_first_empty_v = std::is_empty_v<First>;
template <class First, class... Rest>
inline constexpr bool is_rest_empty_v = (std::is_empty_v<Rest> && ...);
/// The elements of a tuple; the two booleans follow from their types.
template <bool first_is_empty, bool rest_is_empty, class... T>
struct ESO : tuple<T...> {
  using tuple<T...>::tuple;
};
template <class... T>
using ESO_t = ESO<is_first_empty_v<T...>, is_rest_empty_v<T...>, T...>;

/// @name Element n: of a constant, of a variable, of a temporary
/// @{
template <std::size_t n, bool first, bool rest, class... T>
COSMATI_HD constexpr decltype(auto) getv_cr(ESO<first, rest, T...> const& s) {
  return get<n>(static_cast<tuple<T...> const&>(s));
}
template <std::size_t n, bool first, bool rest, class... T>
COSMATI_HD constexpr decltype(auto) getv_r(ESO<first, rest, T...>& s) {
  return get<n>(static_cast<tuple<T...>&>(s));
}
template <std::size_t n, bool first, bool rest, class... T>
COSMATI_HD constexpr decltype(auto) getv_rr(ESO<first, rest, T...>&& s) {
  return get<n>(static_cast<tuple<T...>&&>(s));
}
/// @}

}  // namespace COSMATI_NAMESPACE::eso

#include <cosmati/core/macros_end.hpp>
