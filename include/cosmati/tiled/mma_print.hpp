// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print` for MMA atoms, tiled MMAs and their threads.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tiled/print.hpp>
#include <cosmati/tiled/tiled_mma.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class Sink, class... A>
COSMATI_HD void put_text(Sink& out, MMA_Atom<A...> const&) {
  using Atom = MMA_Atom<A...>;
  out.text("MMA_Atom\n");
  put_line(out, "ThrID:      ", typename Atom::ThrID{});
  put_line(out, "Shape_MNK:  ", typename Atom::Shape_MNK{});
  put_line(out, "LayoutA_TV: ", typename Atom::LayoutA_TV{});
  put_line(out, "LayoutB_TV: ", typename Atom::LayoutB_TV{});
  put_line(out, "LayoutC_TV: ", typename Atom::LayoutC_TV{});
}
template <class Sink, class A, class L, class P>
COSMATI_HD void put_text(Sink& out, TiledMMA<A, L, P> const& tiled_mma) {
  out.text("TiledMMA\n");
  put_line(out, "ThrLayoutVMNK:  ", tiled_mma.get_thr_layout_vmnk());
  put_line(out, "PermutationMNK: ", P{});
  put_text(out, static_cast<A const&>(tiled_mma));
}
template <class Sink, class Mma, class V>
COSMATI_HD void put_text(Sink& out, ThrMMA<Mma, V> const& thread) {
  out.text("ThrMMA\n");
  put_line(out, "Thr VMNK: ", thread.thr_vmnk_);
  put_text(out, static_cast<Mma const&>(thread));
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
