// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print` for copy atoms, tiled copies and their threads: the tiler, the TV layout and the atom's layouts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/print.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class Sink, class T>
COSMATI_HD void put_line(Sink& out, char const* name, T const& x) {
  out.text("  ");
  out.text(name);
  put_text(out, x);
  out.text("\n");
}
template <class Sink, class... A>
COSMATI_HD void put_text(Sink& out, Copy_Atom<A...> const&) {
  using Atom = Copy_Atom<A...>;
  out.text("Copy_Atom\n");
  put_line(out, "ThrID:        ", typename Atom::ThrID{});
  put_line(out, "ValLayoutSrc: ", typename Atom::ValLayoutSrc{});
  put_line(out, "ValLayoutDst: ", typename Atom::ValLayoutDst{});
  put_line(out, "ValLayoutRef: ", typename Atom::ValLayoutRef{});
  out.text("  ValueType:    ");
  out.integer(Atom::value_bits);
  out.text("b\n");
}
template <class Sink, class A, class TV, class Tiler>
COSMATI_HD void put_text(Sink& out, TiledCopy<A, TV, Tiler> const& tiled_copy) {
  out.text("TiledCopy\n");
  put_line(out, "Tiler_MN:       ", Tiler{});
  put_line(out, "TiledLayout_TV: ", TV{});
  put_text(out, static_cast<A const&>(tiled_copy));
}
template <class Sink, class TC, class Idx>
COSMATI_HD void put_text(Sink& out, ThrCopy<TC, Idx> const& thread) {
  out.text("ThrCopy\n");
  put_line(out, "ThrIdx: ", thread.thr_idx());
  put_text(out, TC{});
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
