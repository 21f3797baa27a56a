// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tilers of more modes than what they divide: refused by the type of the result (core/refused.hpp).
#pragma once

#include <cosmati/core/refused.hpp>
#include <cosmati/layout/layout.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The modes that a tiler needs in what it divides.
template <class Tiler>
inline constexpr int tiler_modes = tuple_type<Tiler> ? tuple_size_v<Tiler> : 1;

template <int layout_rank, int tiler_rank>
struct tiler_has_more_modes_than_the_layout : refused {
  static_assert(
      tiler_rank <= layout_rank,
      "composition, divide, product: tiler_has_more_modes_than_the_layout<LAYOUT, TILER>: the layout has LAYOUT "
      "modes, the tiler TILER, each for a mode of its own; drop modes of the tiler, or make one mode of "
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

}  // namespace COSMATI_NAMESPACE
