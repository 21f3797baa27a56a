// SPDX-License-Identifier: Apache-2.0
/// @file
/// `round_down`: the largest multiple at or below a number, for integers and tuples.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/int_tuple.hpp>
#include <cosmati/core/tuple.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
struct next_lower_multiple {
  template <class A, class B>
  COSMATI_HD constexpr auto operator()(A const& a, B const& b) const {
    static_assert(tuple_type<A> || !tuple_type<B>, "round_down(a, b): a is an integer and b a tuple of several modes");
    if constexpr (tuple_type<A>) {
      constexpr bool has_modes = tuple_type<B>;
      static_assert(!has_modes || tuple_size_v<B> == tuple_size_v<A>,
                    "round_down(a, b): a and b are tuples of different ranks; give b as many modes as a has");
      return modes(a, b, std::make_index_sequence<tuple_size_v<A>>{});
    } else {
      return a / b * b;
    }
  }

 private:
  template <class A, class B, std::size_t... i>
  COSMATI_HD constexpr auto modes(A const& a, B const& b, std::index_sequence<i...>) const {
    if constexpr (tuple_type<B>)
      return make_tuple((*this)(get<i>(a), get<i>(b))...);
    else
      return make_tuple((*this)(get<i>(a), b)...);
  }
};
}  // namespace detail
/// The largest multiple of b that is at most a, mode by mode. An integer b applies to each mode of a. @pre a >= 0, b >
/// 0
template <int_tuple A, int_tuple B>
COSMATI_HD constexpr auto round_down(A const& a, B const& b) {
  return detail::next_lower_multiple{}(a, b);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
