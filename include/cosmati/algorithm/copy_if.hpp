// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy_if`: a copy of the elements whose predicate holds.
///
/// Predicates are a tensor: one an element, or one for all that a step in the source's first mode covers (a vector).
/// A vector moves by one instruction only where the predicates of all its elements hold; where some hold, those
/// elements move one by one. What has no predicate that holds is neither read nor written; an atom that fills with
/// zeros (SM80_CP_ASYNC_..._ZFILL) writes zeros there.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy_where.hpp>
#include <cosmati/algorithm/place_bounds.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <auto predicates, auto elements, auto in_first_mode>
struct predicates_do_not_match : refused {
  static constexpr bool divides = predicates > 0 ? elements % predicates == 0 : elements == 0;
  static constexpr auto each = predicates > 0 ? elements / predicates : 1;
  static constexpr bool ok = divides && (each == 0 || in_first_mode % each == 0);
  static_assert(
      ok,
      "copy_if: predicates and elements do not match, predicates_do_not_match<PREDICATES, ELEMENTS, VECTOR>: there "
      "are PREDICATES for ELEMENTS, of which VECTOR in the first mode; give one predicate an element (the source's "
      "shape), or one a vector (the source's shape without its first mode)");
};

template <class Pred>
inline constexpr int count_of_predicates = -1;
template <tensor_type Pred>
inline constexpr int count_of_predicates<Pred> = elements_of<Pred>;
/// Whether `copy_if` may be called with such tensors, and if not, the class that says why.
template <class How, class Pred, class Src, class Dst>
struct copy_if_check {
  using check = copy_check<How, Src, Dst, bounds_are_predicates>;
  static constexpr bool predicates_match = [] {
    if constexpr (tensor_type<Pred> && check::ok && elements_of<Src> >= 0) {
      if constexpr (elements_of<Pred> >= 0) {
        constexpr int n = elements_of<Src>, p = elements_of<Pred>;
        constexpr int each = p > 0 && n >= p ? n / p : 1;
        return p > 0 ? n % p == 0 && extent_of_mode<Src, 0> % each == 0 : n == 0;
      }
    }
    return true;
  }();
  static constexpr bool ok = check::ok && predicates_match;
};
template <class Check, bool copyable = Check::check::ok>
struct mistake_of_copy_if : copy_mistake<typename Check::check> {};
template <class How, class Pred, class Src, class Dst>
struct mistake_of_copy_if<copy_if_check<How, Pred, Src, Dst>, true> {
  using type = predicates_do_not_match<count_of_predicates<Pred>, elements_of<Src>, extent_of_mode<Src, 0>>;
};
template <class How, class Pred, class Src, class Dst>
concept copyable_if = copy_if_check<How, Pred, Src, std::remove_cvref_t<Dst>>::ok;
template <class How, class Pred, class Src, class Dst>
using mistake_in_copy_if = typename mistake_of_copy_if<copy_if_check<How, Pred, Src, std::remove_cvref_t<Dst>>>::type;

template <class Atom, class Pred, class Src, class Dst>
COSMATI_HD constexpr void copy_with_atom_if([[maybe_unused]] Atom const& atom, Pred const& pred, Src const& src,
                                            Dst& dst) {
  constexpr int auto_bits = auto_vector_bits<typename Atom::CopyOp>;
  if (!sizes_agree(src, dst)) return;
  if constexpr (has_instruction<Atom>) {
    copy_with_instruction_where(atom, src, dst, predicates<Pred, Src>(pred, src));
  } else if constexpr (own_copy_operation<typename Atom::CopyOp>) {
    copy_by_own_operation_where(atom, src, dst, predicates<Pred, Src>(pred, src));
  } else if constexpr (auto_bits > 0) {
    copy_widest_if<auto_bits, (auto_bits > 8 ? auto_bits : 0), true>(pred, src, dst);
  } else {
    constexpr int v = atom_vector<Atom>;
    constexpr int bits = v * Atom::value_bits;
    predicates<Pred, Src> const holds(pred, src);
    if constexpr (bits % 8 == 0) {
      if (!__builtin_is_constant_evaluated())
        return move_where<bits / 8, v, predicates<Pred, Src>::uniform % v == 0>(holds, src, dst);
    }
    move_elements_where(holds, src, dst);
  }
}
/// Whether the tiled copy is known to divide both tiles, so that predicates need tell of nothing beyond them.
template <class TC, class Src, class Dst>
inline constexpr bool divides_both_tiles =
    std::is_same_v<decltype(elements_of_tile<TC>(std::declval<Src const&>())), everything>&&
        std::is_same_v<decltype(elements_of_tile<TC>(std::declval<Dst const&>())), everything>;
template <class TC, class T>
COSMATI_HD constexpr bool side_fits_its_tile([[maybe_unused]] T const& t) {
  if constexpr (has_thread_place<T>)
    return fits_tile<typename TC::Tiler_MN>(t.engine().place(), modes_of(t));
  else
    return true;
}
/// Elements whose predicates hold and that belong to both tiles.
template <class TC, class Pred, class Src, class Dst>
COSMATI_HD constexpr void copy_within_tiles_if(TC const& tiled_copy, Pred const& pred, Src const& src, Dst& dst) {
  using Atom = typename TC::Atom;
  if (side_fits_its_tile<TC>(src) && side_fits_its_tile<TC>(dst))
    return copy_with_atom_if(static_cast<Atom const&>(tiled_copy), pred, src, dst);
  if (!sizes_agree(src, dst)) return;
  auto const in_source = elements_of_tile<TC>(src);
  auto const in_destination = elements_of_tile<TC>(dst);
  predicates<Pred, Src> const holds(pred, src);
  auto const inside = [&](auto i) { return in_source.inside(i) && in_destination.inside(i) && holds(i); };
  constexpr int v = vector_of_atom<Atom>;
  constexpr int bits = v * Atom::value_bits;
  if constexpr (has_instruction<Atom>) {
    auto const fills = [&] {
      if constexpr (has_thread_place<Dst>)
        return in_destination;
      else
        return in_source;
    }();
    copy_with_instruction_where(static_cast<Atom const&>(tiled_copy), src, dst, inside, fills);
  } else if constexpr (own_copy_operation<typename Atom::CopyOp>) {
    copy_by_own_operation_where(static_cast<Atom const&>(tiled_copy), src, dst, inside);
  } else {
    if constexpr (same_addressed_values<Src, Dst> && bits % 8 == 0) {
      if (!__builtin_is_constant_evaluated()) return move_where<bits / 8, v, false>(inside, src, dst);
    }
    move_elements_where(inside, src, dst);
  }
}
template <class Dst>
concept destination_tensor = tensor_type<Dst>;

}  // namespace detail

/// @name copy_if
/// `pred` is a tensor of the source's shape, or of its shape without the first mode; or, plain, a function of the
/// element's index.
/// @{
/// Vectors as wide as layouts and addresses prove and as one predicate decides about; elements convert where types
/// differ.
template <class Pred, class SrcEngine, class SrcLayout, detail::destination_tensor Dst>
requires detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  if (detail::sizes_agree(src, dst)) detail::copy_widest_if<128, 0, false>(pred, src, dst);
}
/// The instruction that the atom names, once a vector whose predicates all hold.
template <class... A, class Pred, class SrcEngine, class SrcLayout, detail::destination_tensor Dst>
requires detail::copyable_if<Copy_Atom<A...>, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(Copy_Atom<A...> const& atom, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  detail::copy_with_atom_if(atom, pred, src, dst);
}
/// Partitions of a tiled copy: the predicates answer for the tensor's edges. What the tiled copy covers beyond the ends
/// of a tile is not copied, whatever its predicates are.
template <class A, class TV, class Tiler, class Pred, class SrcEngine, class SrcLayout, detail::destination_tensor Dst>
requires detail::copyable_if<TiledCopy<A, TV, Tiler>, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(TiledCopy<A, TV, Tiler> const& tiled_copy, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src,
        Dst&& dst) {
  using TC = TiledCopy<A, TV, Tiler>;
  if constexpr (detail::divides_both_tiles<TC, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    detail::copy_with_atom_if(static_cast<A const&>(tiled_copy), pred, src, dst);
  else
    detail::copy_within_tiles_if(tiled_copy, pred, src, dst);
}
/// A policy: the widest vectors that are proved, split where their predicates differ.
template <int N, class Pred, class SrcEngine, class SrcLayout, detail::destination_tensor Dst>
requires detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(AutoVectorizingCopyWithAssumedAlignment<N> const&, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src,
        Dst&& dst) {
  if (detail::sizes_agree(src, dst)) detail::copy_widest_if<N, (N > 8 ? N : 0), true>(pred, src, dst);
}
template <class Pred, class SrcEngine, class SrcLayout, detail::destination_tensor Dst>
requires detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(AutoCopyAsync const&, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  copy_if(pred, src, dst);
}
/// @}

/// @name Copies that are known to be wrong
/// Declared only: the type of the result says what is wrong (core/refused.hpp).
/// @{
template <class Pred, class SrcEngine, class SrcLayout, detail::destination_tensor Dst>
requires(!detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst>)
    COSMATI_HD detail::mistake_in_copy_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> copy_if(
        Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class How, class Pred, class SrcEngine, class SrcLayout, detail::destination_tensor Dst>
requires(!detail::copyable_if<How, Pred, Tensor<SrcEngine, SrcLayout>, Dst>)
    COSMATI_HD detail::mistake_in_copy_if<How, Pred, Tensor<SrcEngine, SrcLayout>, Dst> copy_if(
        How const& how, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
