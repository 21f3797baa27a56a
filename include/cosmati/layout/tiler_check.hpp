// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tilers with more modes than the layout that they divide. The type of the result refuses them (core/refused.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>
#include <cosmati/layout/layout.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The number of modes that a tiler needs in the divided layout.
template <class Tiler>
inline constexpr int tiler_modes = tuple_type<Tiler> ? tuple_size_v<Tiler> : 1;

/// The ranks of a tiler that is too long for its mode, at any level of nesting; 0 if none is.
struct tiler_misfit {
  int layout = 0, tiler = 0;
};
template <class Tiler>
inline constexpr bool tiler_nests = false;
template <class... T>
inline constexpr bool tiler_nests<tuple<T...>> = (tuple_type<T> || ...);
template <class Tiler, class S>
inline constexpr tiler_misfit nested_misfit = {};
template <class... T, class... S>
requires(sizeof...(T) <= sizeof...(S)) inline constexpr tiler_misfit nested_misfit<tuple<T...>, tuple<S...>> = [] {
  tiler_misfit r;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    auto const look = [&](tiler_misfit here) {
      if (r.tiler == 0) r = here;
    };
    (look(nested_misfit<tuple_element_t<k, tuple<T...>>, tuple_element_t<k, tuple<S...>>>), ...);
  }
  (std::make_index_sequence<sizeof...(T)>{});
  return r;
}();
template <class... T, class S>
requires(static_cast<int>(sizeof...(T)) >
         tuple_size_v<S>) inline constexpr tiler_misfit nested_misfit<tuple<T...>, S> = {
    tuple_size_v<S>, static_cast<int>(sizeof...(T))};
template <class Tiler, class S>
concept tiler_fits = (tiler_modes<Tiler> <= tuple_size_v<S>)&&(!tiler_nests<Tiler> ||
                                                               nested_misfit<Tiler, S>.tiler == 0);

template <int layout_rank, int tiler_rank>
struct tiler_has_more_modes_than_the_layout : refused {
  static_assert(
      tiler_rank <= layout_rank,
      "composition, divide, product: tiler_has_more_modes_than_the_layout<LAYOUT, TILER>: the layout, or a nested mode "
      "of it, has LAYOUT modes, the tiler TILER, each for a mode of its own; drop modes of the tiler, or make one mode "
      "of "
      "several with a Layout as tiler");
};
}  // namespace detail

#define COSMATI_REFUSED(name)                                                                              \
  template <class S, class D, class Tiler>                                                                 \
  requires(detail::tiler_modes<Tiler> > tuple_size_v<S>)                                                   \
      COSMATI_HD detail::tiler_has_more_modes_than_the_layout<tuple_size_v<S>, detail::tiler_modes<Tiler>> \
      name(Layout<S, D> const& l, Tiler const& t);
COSMATI_REFUSED(composition)
COSMATI_REFUSED(logical_divide)
COSMATI_REFUSED(zipped_divide)
COSMATI_REFUSED(tiled_divide)
COSMATI_REFUSED(flat_divide)
COSMATI_REFUSED(logical_product)
COSMATI_REFUSED(zipped_product)
COSMATI_REFUSED(tiled_product)
COSMATI_REFUSED(flat_product)
#undef COSMATI_REFUSED
#define COSMATI_REFUSED(name)                                                                       \
  template <class S, class D, class Tiler>                                                          \
  requires(detail::tiler_modes<Tiler> <= tuple_size_v<S> && !detail::tiler_fits<Tiler, S>)          \
          COSMATI_HD detail::tiler_has_more_modes_than_the_layout < detail::nested_misfit<Tiler, S> \
  .layout, detail::nested_misfit<Tiler, S>.tiler > name(Layout<S, D> const& l, Tiler const& t);
COSMATI_REFUSED(composition)
COSMATI_REFUSED(logical_divide)
COSMATI_REFUSED(zipped_divide)
COSMATI_REFUSED(tiled_divide)
COSMATI_REFUSED(flat_divide)
#undef COSMATI_REFUSED

/// @name Divides by a tiler that is a refused result
/// @{
#define COSMATI_BY_REFUSED(name)                                                                                  \
  template <class S, class D, class Tiler>                                                                        \
  requires(detail::tiler_fits<Tiler, S> && refusal<Tiler>) COSMATI_HD constexpr refused name(Layout<S, D> const&, \
                                                                                             Tiler const&) {      \
    return {};                                                                                                    \
  }
COSMATI_BY_REFUSED(composition)
COSMATI_BY_REFUSED(logical_divide)
COSMATI_BY_REFUSED(zipped_divide)
COSMATI_BY_REFUSED(tiled_divide)
COSMATI_BY_REFUSED(flat_divide)
COSMATI_BY_REFUSED(logical_product)
COSMATI_BY_REFUSED(zipped_product)
COSMATI_BY_REFUSED(tiled_product)
COSMATI_BY_REFUSED(flat_product)
#undef COSMATI_BY_REFUSED
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
