// SPDX-License-Identifier: Apache-2.0
/// @file
/// `picture(x)`: the figure of a layout, swizzled layout, tensor, copy atom, tiled copy, MMA atom or tiled MMA.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/values_of_types.hpp>
#include <cosmati/layout/stream.hpp>
#include <cosmati/render/cost.hpp>
#include <cosmati/tiled/mma_print.hpp>
#include <sstream>

namespace COSMATI_NAMESPACE {

namespace detail {

/// A layout's type and integers, as a value.
template <class L>
AnyLayout as_any(L const& layout) {
  if constexpr (is_static_v<L>) {
    return AnyLayout(lifted<symbolic_integer, L>());
  } else {
    flat_tree<symbolic_integer> v;
    append_modes(v, layout.shape(), layout.stride());
    return AnyLayout(v);
  }
}
/// The text that `print` writes.
template <class T>
std::string text_of(T const& x) {
  std::ostringstream out;
  stream_sink<std::ostream> sink{out};
  put_text(sink, x);
  return out.str();
}
/// An element of a tensor.
template <class T>
std::string element_text(T const& x) {
  if constexpr (std::is_same_v<T, bool>) {
    return x ? "1" : "0";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(+x);
  } else if constexpr (requires { static_cast<double>(x); }) {
    std::ostringstream out;
    out << static_cast<double>(x);
    return out.str();
  } else if constexpr (requires { x.real(); }) {
    return element_text(x.real()) + "+" + element_text(x.imag()) + "i";
  } else {
    return text_of(x);
  }
}
template <class Tiler>
std::vector<std::int64_t> tile_extents() {
  flat_tree<symbolic_integer> const tiler = lifted<symbolic_integer, Tiler>(read_as::tiler);
  std::vector<std::int64_t> extent;
  if (tiler.is_leaf()) return {tiler.shape[0].value};
  extent.reserve(static_cast<std::size_t>(tiler.rank()));
  for (int i = 0; i < tiler.rank(); ++i) extent.push_back(algebra::size(mode(tiler, i)).value);
  return extent;
}

}  // namespace detail

/// @name Layouts
/// @{
template <class S, class D>
figure picture(Layout<S, D> const& layout) {
  figure f = picture(detail::as_any(layout));
  f.title = detail::text_of(layout);
  return f;
}
/// @param value_bits the bits of an element, which decide its bank colour
template <class A, class O, class B>
figure picture(ComposedLayout<A, O, B> const& layout, int value_bits = 16) {
  AnyComposedLayout any;
  any.swizzle = detail::outer_swizzle<A>();
  any.offset = static_cast<std::int64_t>(layout.offset());
  any.layout = detail::as_any(layout.layout_b());
  figure f = picture(any, value_bits);
  f.title = detail::text_of(layout);
  return f;
}
/// @}

/// The elements of a tensor, which the host must be able to read.
template <class E, class L>
figure picture(Tensor<E, L> const& tensor) {
  figure f;
  f.title = detail::text_of(tensor.layout());
  std::vector<std::int64_t> extents;
  auto const shape = product_each(wrap(tensor.shape()));
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (extents.push_back(static_cast<std::int64_t>(get<k>(shape))), ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<std::remove_const_t<decltype(shape)>>)>{});
  f.grid = detail::filled_grids("a tensor", "", std::move(extents), [&](figure_cell& cell, std::int64_t index) {
    using T = std::remove_cvref_t<typename Tensor<E, L>::value_type>;
    auto const& x = tensor(static_cast<int>(index));
    if constexpr (std::is_convertible_v<decltype(x), T>)
      cell.text = detail::element_text(static_cast<T>(x));
    else
      cell.text = detail::element_text(x);
  });
  return f;
}

/// @name Instructions, and tiled copies and products
/// @{
template <class... A>
figure picture(Copy_Atom<A...> const&) {
  using Atom = Copy_Atom<A...>;
  copy_side_view const source{detail::as_any(typename Atom::ValLayoutSrc{}),
                              static_cast<std::int64_t>(size<1>(typename Atom::ValLayoutSrc{}))};
  copy_side_view const destination{detail::as_any(typename Atom::ValLayoutDst{}),
                                   static_cast<std::int64_t>(size<1>(typename Atom::ValLayoutDst{}))};
  return picture_instruction("Copy_Atom of " + std::to_string(Atom::value_bits) + "-bit values", source, destination);
}
template <class A, class TV, class Tiler>
figure picture(TiledCopy<A, TV, Tiler> const&) {
  using Copy = TiledCopy<A, TV, Tiler>;
  copy_side_view const source{detail::as_any(Copy::get_layoutS_TV()),
                              static_cast<std::int64_t>(size<1>(typename A::ValLayoutSrc{}))};
  copy_side_view const destination{detail::as_any(Copy::get_layoutD_TV()),
                                   static_cast<std::int64_t>(size<1>(typename A::ValLayoutDst{}))};
  return picture_copy("TiledCopy, tile " + detail::text_of(Tiler{}), source, destination,
                      detail::tile_extents<Tiler>());
}
template <class... A>
figure picture(MMA_Atom<A...> const& atom) {
  return picture_atom("MMA_Atom " + detail::text_of(typename MMA_Atom<A...>::Shape_MNK{}), mma_values_of(atom));
}
template <class A, class L, class P>
figure picture(TiledMMA<A, L, P> const& mma) {
  return picture_mma("TiledMMA", mma_values_of(mma));
}
/// @}

/// A (thread, value) layout over a tile of the given shape.
template <class S, class D, class Tile>
figure picture_tv(Layout<S, D> const& layout_tv, Tile const& tile) {
  std::vector<std::int64_t> const extents = detail::extents_of(AnyTuple(detail::as_any(make_layout(tile)).shape()));
  figure f = picture_tv(detail::as_any(layout_tv), extents);
  f.title = detail::text_of(layout_tv);
  return f;
}

/// The cost of a tiled copy for static layouts: `picture_cost(tiled_copy, in_global(g), in_shared(s))`.
template <class A, class TV, class Tiler, class Src, class Dst>
requires(detail::is_static_place<Src>&& detail::is_static_place<Dst>) std::vector<figure> picture_cost(
    TiledCopy<A, TV, Tiler> const&, Src const&, Dst const&) {
  return picture_cost(detail::copy_values_of<TiledCopy<A, TV, Tiler>>(), detail::tensor_values_of<Src>(),
                      detail::tensor_values_of<Dst>());
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
