// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensors of tuples.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/zip_tensor.hpp>
#include <cute/tensor_impl.hpp>

#include <cosmati/core/macros_begin.hpp>

namespace COSMATI_NAMESPACE {

/// Layouts of one rank as one layout: a coordinate gives the tuple of their offsets, and a slice slices each.
template <class... Layouts>
struct ZipLayout {
  static constexpr int rank = (0 | ... | Layouts::rank);
  static_assert(((Layouts::rank == rank) && ...), "ZipLayout<L...>: the layouts need one rank");
  tuple<Layouts...> layouts_;

  COSMATI_HD constexpr ZipLayout(Layouts const&... layouts) : layouts_(layouts...) {}      // NOLINT
  COSMATI_HD constexpr ZipLayout(tuple<Layouts...> const& layouts) : layouts_(layouts) {}  // NOLINT
  template <class Coord>
  COSMATI_HD constexpr auto operator()(Coord const& c) const {
    auto const each = transform(layouts_, [&](auto const& l) { return l(c); });
    if constexpr (has_underscore<Coord>::value)
      return apply(each, [](auto const&... l) { return ZipLayout<std::remove_cvref_t<decltype(l)>...>(l...); });
    else
      return each;
  }
  template <class C0, class C1, class... Coords>
  COSMATI_HD constexpr auto operator()(C0 const& c0, C1 const& c1, Coords const&... c) const {
    return (*this)(make_coord(c0, c1, c...));
  }
};
template <class... L>
struct is_layout<ZipLayout<L...>> : std::true_type {};
template <class L>
struct is_zip_layout : std::false_type {};
template <class... L>
struct is_zip_layout<ZipLayout<L...>> : std::true_type {};

namespace detail {
/// The same act on each layout.
template <class... L, class F>
COSMATI_HD constexpr auto each_zipped(ZipLayout<L...> const& z, F const& f) {
  return apply(z.layouts_, [&](auto const&... l) { return ZipLayout<decltype(f(l))...>(f(l)...); });
}
}  // namespace detail

/// @name Of a ZipLayout: of its first layout, or of each
/// @{
template <int... mode, class... L>
COSMATI_HD constexpr auto rank(ZipLayout<L...> const& z) {
  return rank<mode...>(get<0>(z.layouts_));
}
template <int... mode, class... L>
COSMATI_HD constexpr auto size(ZipLayout<L...> const& z) {
  return size<mode...>(get<0>(z.layouts_));
}
template <int... mode, class... L>
COSMATI_HD constexpr auto get(ZipLayout<L...> const& z) {
  return detail::each_zipped(z, [](auto const& l) { return get<mode...>(l); });
}
template <int... mode, class... L>
COSMATI_HD constexpr auto layout(ZipLayout<L...> const& z) {
  return get<mode...>(z);
}
template <class... L, class Tiler>
COSMATI_HD constexpr auto logical_divide(ZipLayout<L...> const& z, Tiler const& tiler) {
  return detail::each_zipped(z, [&](auto const& l) { return logical_divide(l, tiler); });
}
template <class... L, class Tiler>
COSMATI_HD constexpr auto zipped_divide(ZipLayout<L...> const& z, Tiler const& tiler) {
  return detail::each_zipped(z, [&](auto const& l) { return zipped_divide(l, tiler); });
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
