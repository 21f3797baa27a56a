// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy_if`: copies the elements whose predicate is true.
///
/// The predicates are a tensor with one predicate for each element, or for each step in the source's first mode (a
/// vector). One instruction moves a vector only if the predicates of all its elements are true. If some are true, those
/// elements move one by one. Other elements are neither read nor written. An atom that fills with zeros
/// (SM80_CP_ASYNC_..._ZFILL) writes zeros for them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/check/copy_check.hpp>
#include <cosmati/algorithm/copy/instruction.hpp>
#include <cosmati/algorithm/copy/place_bounds.hpp>
#include <cosmati/algorithm/copy/predicates.hpp>
#include <cosmati/algorithm/copy/where.hpp>

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
inline constexpr auto count_of_predicates = -1;
template <tensor_type Pred>
inline constexpr auto count_of_predicates<Pred> = elements_of<Pred>;
/// Whether `copy_if` may be called with such tensors. It extends `copy_check` by the number of predicates.
template <class How, class Pred, class Src, class Dst>
struct copy_if_check {
  static constexpr auto find() {
    using Copy = copy_check<How, Src, Dst, bounds_are_predicates>;
    constexpr auto n = elements_of<Src>, p = count_of_predicates<Pred>;
    if constexpr (!Copy::ok) {
      return std::type_identity<typename Copy::says>{};
    } else if constexpr (n < 0 || p < 0) {
      return std::type_identity<nothing_wrong>{};
    } else {
      constexpr auto vector = extent_of_mode<Src, 0>;
      constexpr auto each = p > 0 && n >= p ? n / p : 1;  // the number of elements that a predicate decides about
      constexpr bool match = p > 0 ? n % (p > 0 ? p : 1) == 0 && vector % each == 0 : n == 0;
      return std::type_identity<std::conditional_t<match, nothing_wrong, predicates_do_not_match<p, n, vector>>>{};
    }
  }
  using says = typename decltype(find())::type;
  static constexpr bool ok = std::is_same_v<says, nothing_wrong>;
};
template <class How, class Pred, class Src, class Dst>
concept copyable_if = copy_if_check<How, Pred, Src, destination_of_call<Dst>>::ok;
template <class How, class Pred, class Src, class Dst>
using mistake_in_copy_if = typename copy_if_check<How, Pred, Src, destination_of_call<Dst>>::says;

template <class Src, class Dst>
inline constexpr bool same_addressed_values =
    std::is_same_v<typename Src::value_type, typename Dst::value_type>&& has_addresses<Src>&& has_addresses<Dst>;

/// The number of elements of the widest vector, up to `proved`, whose elements share one predicate.
template <int proved, int share>
inline constexpr int vector_of_one_answer = static_cast<int>(largest_power_of_two_in(algebra::gcd(proved, share)));
/// @tparam share the number of elements, from each multiple of it, that share one predicate
/// @tparam split allows wider vectors, whose predicates decide at run time
template <int max_bits, int trusted, int share, bool split, class Holds, class Src, class Dst>
COSMATI_HD constexpr void copy_widest_where(Holds const& holds, Src const& src, Dst& dst) {
  constexpr int bits = bits_of_value<Src>;
  using Widest = widest_access<max_bits, trusted, Src, Dst>;
  constexpr int proved = Widest::proved;
  constexpr int vector = split ? proved : vector_of_one_answer<proved, share>;
  constexpr int bytes = vector * bits / 8;
  if constexpr (vector == 1 || vector * bits % 8 != 0) {
    copy_elements_where(holds, src, dst);
  } else {
    if (__builtin_is_constant_evaluated()) return copy_elements_where(holds, src, dst);
    constexpr bool uniform = share % vector == 0;
    constexpr int p1 = Widest::template assumed_bits<Src>;
    constexpr int p2 = Widest::template assumed_bits<Dst>;
    if constexpr (p1 >= bytes * 8 && p2 >= bytes * 8) {
      copy_vectors_where<bytes, vector, uniform>(holds, src, dst);
    } else if constexpr (!in_registers<Src> && !in_registers<Dst>) {
      if ((p1 >= bytes * 8 || may_begin_at<bytes>(src.data())) && (p2 >= bytes * 8 || may_begin_at<bytes>(dst.data())))
        copy_vectors_where<bytes, vector, uniform>(holds, src, dst);
      else
        copy_elements_where(holds, src, dst);
    } else {
      copy_elements_where(holds, src, dst);
    }
  }
}

template <int max_bits, int trusted, bool split, class Pred, class Src, class Dst>
COSMATI_HD constexpr void copy_widest_if(Pred const& pred, Src const& src, Dst& dst) {
  predicates<Pred, Src> const holds(pred, src);
  constexpr int share = predicates<Pred, Src>::uniform;
  using L1 = typename Src::layout_type;
  using L2 = typename Dst::layout_type;
  if constexpr (!same_addressed_values<Src, Dst>) {
    copy_elements_where(holds, src, dst);
  } else if constexpr (static_plain_layout<L1> && static_plain_layout<L2> && elements_of<Src> > 1) {
    using Common = typename layout_result<max_common_layout_object, L1, L2>::type;
    if constexpr (decltype(size(Common{}))::value <= 1) {
      copy_elements_where(holds, src, dst);
    } else {
      using Order = decltype(logical_divide(Layout<C<elements_of<Src>>>{}, Common{}));
      auto const s = make_tensor(src.data(), logical_divide(src.layout(), Common{}));
      auto d = make_tensor(dst.data(), logical_divide(dst.layout(), Common{}));
      copy_widest_where<max_bits, trusted, share_in_order<Order, share>::value, split>(
          reordered<predicates<Pred, Src>, Order>{holds}, s, d);
    }
  } else {
    copy_widest_where<max_bits, trusted, share, split>(holds, src, dst);
  }
}

template <class Atom, class Pred, class Src, class Dst>
COSMATI_HD constexpr void copy_by_instruction_where([[maybe_unused]] Atom const& atom, Pred const& pred, Src const& src,
                                                    Dst& dst) {
  constexpr int auto_bits = auto_vector_bits<typename Atom::CopyOp>;
  if (!sizes_agree(src, dst)) return;
  if constexpr (has_instruction<Atom>) {
    copy_async_where(atom, src, dst, predicates<Pred, Src>(pred, src));
  } else if constexpr (own_copy_operation<typename Atom::CopyOp>) {
    copy_by_own_operation_where<Atom>(src, dst, predicates<Pred, Src>(pred, src));
  } else if constexpr (auto_bits > 0) {
    copy_widest_if<auto_bits, trusted_bits<auto_bits>, true>(pred, src, dst);
  } else {
    constexpr int v = atom_vector<Atom>;
    constexpr int bits = v * Atom::value_bits;
    predicates<Pred, Src> const holds(pred, src);
    if constexpr (bits % 8 == 0) {
      if (!__builtin_is_constant_evaluated())
        return copy_vectors_where<bits / 8, v, predicates<Pred, Src>::uniform % v == 0>(holds, src, dst);
    }
    copy_elements_where(holds, src, dst);
  }
}
/// Whether the tiled copy is known to divide both tiles, so that the predicates need not exclude elements beyond them.
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
/// The elements whose predicates are true and that belong to both tiles.
template <class TC, class Pred, class Src, class Dst>
COSMATI_HD constexpr void copy_inside_where(TC const& tiled_copy, Pred const& pred, Src const& src, Dst& dst) {
  using Atom = typename TC::Atom;
  if (side_fits_its_tile<TC>(src) && side_fits_its_tile<TC>(dst))
    return copy_by_instruction_where(static_cast<Atom const&>(tiled_copy), pred, src, dst);
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
    copy_async_where(static_cast<Atom const&>(tiled_copy), src, dst, inside, fills);
  } else if constexpr (own_copy_operation<typename Atom::CopyOp>) {
    copy_by_own_operation_where<Atom>(src, dst, inside);
  } else {
    if constexpr (same_addressed_values<Src, Dst> && bits % 8 == 0) {
      if (!__builtin_is_constant_evaluated()) return copy_vectors_where<bits / 8, v, false>(inside, src, dst);
    }
    copy_elements_where(inside, src, dst);
  }
}
}  // namespace detail

/// @name copy_if
/// `pred` is a tensor of the source's shape, or of its shape without the first mode. Without an atom it may also be a
/// function of the element's index.
/// @{
/// Uses vectors as wide as layouts and addresses prove, up to the elements that share one predicate. Elements are
/// converted if the types differ.
template <class Pred, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  if (detail::sizes_agree(src, to)) detail::copy_widest_if<128, 0, false>(pred, src, to);
}
/// Uses the atom's instruction, once for each vector whose predicates are all true.
template <class... A, class Pred, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable_if<Copy_Atom<A...>, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(Copy_Atom<A...> const& atom, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  auto&& to = detail::writable(dst);
  detail::copy_by_instruction_where(atom, pred, src, to);
}
/// Copies partitions of a tiled copy. The predicates must exclude the elements beyond the tensor. Elements that the
/// tiled copy covers beyond the ends of a tile are not copied for any predicate.
template <class A, class TV, class Tiler, class Pred, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable_if<TiledCopy<A, TV, Tiler>, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(TiledCopy<A, TV, Tiler> const& tiled_copy, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src,
        Dst&& dst) {
  using TC = TiledCopy<A, TV, Tiler>;
  auto&& to = detail::writable(dst);
  if constexpr (detail::divides_both_tiles<TC, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    detail::copy_by_instruction_where(static_cast<A const&>(tiled_copy), pred, src, to);
  else
    detail::copy_inside_where(tiled_copy, pred, src, to);
}
/// Copies by a policy: uses the widest vectors that are proved, and splits a vector whose predicates differ.
template <int N, class Pred, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(AutoVectorizingCopyWithAssumedAlignment<N> const&, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src,
        Dst&& dst) {
  auto&& to = detail::writable(dst);
  if (detail::sizes_agree(src, to)) detail::copy_widest_if<N, detail::trusted_bits<N>, true>(pred, src, to);
}
template <class Pred, class SrcEngine, class SrcLayout, tensor_type Dst>
requires detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> COSMATI_HD constexpr void
copy_if(AutoCopyAsync const&, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst) {
  copy_if(pred, src, dst);
}
/// @}

/// @name Copies that are known to be wrong
/// They are only declared. The type of the result names the mistake (core/refused.hpp).
/// @{
template <class Pred, class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst>)
    COSMATI_HD detail::mistake_in_copy_if<detail::copy_by_layout, Pred, Tensor<SrcEngine, SrcLayout>, Dst> copy_if(
        Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class How, class Pred, class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable_if<How, Pred, Tensor<SrcEngine, SrcLayout>, Dst>)
    COSMATI_HD detail::mistake_in_copy_if<How, Pred, Tensor<SrcEngine, SrcLayout>, Dst> copy_if(
        How const& how, Pred const& pred, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
/// @}

template <class... X, class T>
template <class Predicate, class Src, class Dst>
COSMATI_HD constexpr void Copy_Atom<Copy_Traits<X...>, T>::call(Predicate const& predicate, Src const& src,
                                                                Dst&& dst) const {
  copy_if(*this, predicate, src, static_cast<Dst&&>(dst));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
