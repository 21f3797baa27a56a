// SPDX-License-Identifier: Apache-2.0
/// @file
/// `TiledCopy`: which thread moves which values of a tile with which instruction. `ThrCopy`: one thread's share.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/layout/algebra/contiguous.hpp>
#include <cosmati/layout/opaque.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tiled/algebra.hpp>
#include <cosmati/tiled/thread_place.hpp>
#include <cosmati/tiled/tiled_copy_check.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
struct thread_values_object {
  static constexpr operand_forms operands{};
  template <class... Num>
  static constexpr auto apply(flat_tree<Num> const&... f) {
    return algebra::thread_values(f...);
  }
};
struct thread_fragments_object {
  static constexpr operand_forms operands{.second = read_as::divisor};
  template <class... Num>
  static constexpr auto apply(flat_tree<Num> const&... f) {
    return algebra::thread_fragments(f...);
  }
};
struct thread_offsets_object {
  static constexpr operand_forms operands{.second = read_as::divisor};
  template <class... Num>
  static constexpr auto apply(flat_tree<Num> const&... f) {
    return algebra::thread_offsets(f...);
  }
};
struct thread_partition_object {
  static constexpr operand_forms operands{.second = read_as::divisor};
  template <class... Num>
  static constexpr auto apply(flat_tree<Num> const&... f) {
    return algebra::thread_partition(f...);
  }
};
struct side_layout_tv_object {
  static constexpr operand_forms operands{.first = read_as::tiler};
  template <class... Num>
  static constexpr auto apply(flat_tree<Num> const&... f) {
    return algebra::side_layout_tv(f...);
  }
};
struct reference_to_side_object {
  static constexpr operand_forms operands{};
  template <class... Num>
  static constexpr auto apply(flat_tree<Num> const&... f) {
    return algebra::reference_to_side(f...);
  }
};
struct retiled_object {
  static constexpr operand_forms operands{.third = read_as::tiler};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& fragment, flat_tree<Num> const& layout_tv,
                              flat_tree<Num> const& tiler, flat_tree<Num> const& threads,
                              flat_tree<Num> const& atom_values) {
    return algebra::retiled(fragment, layout_tv, tiler, threads.shape[0], atom_values.shape[0]);
  }
};

}  // namespace detail

template <class TiledCopy, class ThrIdx>
struct ThrCopy;

/// @tparam CopyAtom the instruction and the type of values
/// @tparam LayoutCopy_TV (thread, value) -> index in the tile, colexicographic
/// @tparam ShapeTiler_MN the shape of the tile, as a tiler
template <class CopyAtom, class LayoutCopy_TV, class ShapeTiler_MN>
struct TiledCopy : CopyAtom {
  using Atom = CopyAtom;
  using AtomThrID = typename CopyAtom::ThrID;
  using AtomLayoutSrc = typename CopyAtom::ValLayoutSrc;
  using AtomLayoutDst = typename CopyAtom::ValLayoutDst;
  using AtomLayoutRef = typename CopyAtom::ValLayoutRef;
  using AtomNumThr = decltype(size<0>(AtomLayoutRef{}));
  using AtomNumVal = decltype(size<1>(AtomLayoutRef{}));
  using Tiler_MN = ShapeTiler_MN;
  using TiledLayout_TV = LayoutCopy_TV;
  using TiledNumThr = decltype(size<0>(TiledLayout_TV{}));
  using TiledNumVal = decltype(size<1>(TiledLayout_TV{}));

  static_assert(sizeof(typename detail::atoms_fill<CopyAtom, LayoutCopy_TV, ShapeTiler_MN>::says) != 0);

  /// ((atom thread, other threads), (atom values, other values)) -> index in the tile.
  using ThrValSrc =
      typename detail::layout_result<detail::thread_values_object, TiledLayout_TV, AtomLayoutRef, AtomLayoutSrc>::type;
  using ThrValDst =
      typename detail::layout_result<detail::thread_values_object, TiledLayout_TV, AtomLayoutRef, AtomLayoutDst>::type;
  /// A tensor or layout of at least the tile's rank, partitioned for all threads: (thread, (vector, others),
  /// (rests...)).
  template <class T>
  requires(detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD static constexpr auto tidfrg_S(T&& t) {
    return fragments<ThrValSrc>(t);
  }
  template <class T>
  requires(detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD static constexpr auto tidfrg_D(T&& t) {
    return fragments<ThrValDst>(t);
  }
  template <class T>
  requires(!detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD
      static detail::lacks_modes_of<Tiler_MN, T> tidfrg_S(T&& t);
  template <class T>
  requires(!detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD
      static detail::lacks_modes_of<Tiler_MN, T> tidfrg_D(T&& t);
  /// Distributes a tensor that is already cut into tiles, ((TileM, TileN, ...), (RestM, RestN, ...)), over threads and
  /// values.
  /// @param ref2trg from the atom's reference (thread, value) to the wanted side
  template <class T, class Ref2Trg>
  COSMATI_HD static constexpr auto tile2thrfrg(T&& t, Ref2Trg const& ref2trg) {
    auto const by_atom = zipped_divide(TiledLayout_TV{}, make_shape(AtomNumThr{}, AtomNumVal{}));
    auto const thr_val = coalesce(zip(composition(by_atom, make_tile(ref2trg, _))), Shape<_1, Shape<_1, _1>>{});
    return composition(t, make_tile(thr_val, _))(make_coord(_, _), _);
  }

  /// Regroups a register tensor (V, M, N, ...) of another partition of the tile into ((atom values, others), M', N',
  /// ...).
  template <class T>
  COSMATI_HD static constexpr auto retile(T&& t) {
    if constexpr (tensor_type<T>)
      return make_tensor(t.data(), retile(t.layout()));
    else
      return detail::layout_result<detail::retiled_object, std::remove_cvref_t<T>, TiledLayout_TV, Tiler_MN,
                                   TiledNumThr, AtomNumVal>::make(t, TiledLayout_TV{}, Tiler_MN{}, TiledNumThr{},
                                                                  AtomNumVal{});
  }

  /// (thread, value) -> index in the tile, for the source or destination side of the atom.
  COSMATI_HD static constexpr auto get_layoutS_TV() {
    return typename detail::layout_result<detail::side_layout_tv_object, Tiler_MN, ThrValSrc>::type{};
  }
  COSMATI_HD static constexpr auto get_layoutD_TV() {
    return typename detail::layout_result<detail::side_layout_tv_object, Tiler_MN, ThrValDst>::type{};
  }

  /// The slice of one thread. @param thr_idx from 0 to size - 1
  template <class ThrIdx>
  requires(integer<ThrIdx>) COSMATI_HD static constexpr auto get_slice(ThrIdx const& thr_idx) {
#if !defined(NDEBUG) || defined(COSMATI_SIMULATED)
    if (!__builtin_is_constant_evaluated() && static_cast<std::int64_t>(thr_idx) >= TiledNumThr::value) {
      fail(
          "get_slice: thread %d of a tiled copy of %d threads; launch as many threads as size(tiled_copy), or let only "
          "those copy",
          static_cast<int>(thr_idx), static_cast<int>(TiledNumThr::value));
    }
#endif
    return ThrCopy<TiledCopy, ThrIdx>{thr_idx};
  }
  template <class ThrIdx>
  requires(!integer<ThrIdx>) COSMATI_HD static detail::thread_is_no_number<ThrIdx> get_slice(ThrIdx const& thr_idx);
  /// CuTe's other name of the same function.
  template <class ThrIdx>
  COSMATI_HD static constexpr auto get_thread_slice(ThrIdx const& thr_idx) {
    return get_slice(thr_idx);
  }

 private:
  template <class ThrVal, class T>
  COSMATI_HD static constexpr auto fragments(T&& t) {
    if constexpr (tensor_type<T>)
      return make_tensor(t.data(), fragments<ThrVal>(t.layout()));
    else if constexpr (composed_layout<T>)
      return make_composed_layout(t.layout_a(), t.kept_offset(), fragments<ThrVal>(t.layout_b()));
    else {
      using R = detail::layout_result<detail::thread_fragments_object, std::remove_cvref_t<T>, Tiler_MN, ThrVal>;
      return R::make(t, Tiler_MN{}, ThrVal{});
    }
  }
};

namespace detail {
/// A divisor of the offsets of the threads' first values in a layout L, as far as its strides are known.
template <class Tiler, class ThrVal, class L>
struct step_of_threads_in {
  static constexpr int value = algebra::known_step(layout_result<thread_offsets_object, L, Tiler, ThrVal>::Op::tree);
};
template <class Tiler, class ThrVal, class A, class O, class B>
struct step_of_threads_in<Tiler, ThrVal, ComposedLayout<A, O, B>> : step_of_threads_in<Tiler, ThrVal, B> {};
}  // namespace detail

/// One thread of a tiled copy, or one block of those that share the boxes of a tensor copy.
template <class TiledCopy, class ThrIdx>
struct ThrCopy {
  using Tiler_MN = typename TiledCopy::Tiler_MN;
  [[no_unique_address]] detail::stored<ThrCopy, 0, ThrIdx> thr_idx_;
  char : 0;  // see detail::stored_elements

  /// The thread's index.
  COSMATI_HD constexpr decltype(auto) thr_idx() const { return detail::unstore<ThrIdx>(thr_idx_); }

  /// The thread's values of a source or destination tensor: ((vector, others), rest of mode 0, rest of mode 1, ...).
  template <tensor_type T>
  requires(detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD constexpr auto partition_S(T&& t) const {
    return partition<detail::sides_of<TiledCopy, typename TiledCopy::ThrValSrc>, true>(t);
  }
  template <tensor_type T>
  requires(detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD constexpr auto partition_D(T&& t) const {
    return partition<detail::sides_of<TiledCopy, typename TiledCopy::ThrValDst>, false>(t);
  }
  template <tensor_type T>
  requires(!detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD detail::lacks_modes_of<Tiler_MN, T> partition_S(T&& t)
  const;
  template <tensor_type T>
  requires(!detail::has_the_modes_of<Tiler_MN, T>) COSMATI_HD detail::lacks_modes_of<Tiler_MN, T> partition_D(T&& t)
  const;
  COSMATI_HD static constexpr refused partition_S(refused const&) { return {}; }
  COSMATI_HD static constexpr refused partition_D(refused const&) { return {}; }

  /// Regroups a fragment of another tiled copy or product into the vectors of this one. No element moves.
  template <class T>
  requires(tensor_type<T>) COSMATI_HD static constexpr auto retile_S(T&& t) { return TiledCopy::retile(t); }
  template <class T>
  requires(tensor_type<T>) COSMATI_HD static constexpr auto retile_D(T&& t) { return TiledCopy::retile(t); }

 private:
  template <class Sides, bool is_source, class T>
  COSMATI_HD constexpr auto partition(T&& t) const {
    using ThrVal = typename Sides::threads;
    constexpr int n = std::remove_cvref_t<T>::rank;
    auto const place = place_in(t, std::make_index_sequence<std::size_t{n}>{});
    using Base = std::remove_const_t<decltype(place)>;
    auto const rest_extents = take<Base::rank, n>(product_each(wrap(t.shape())));
    auto const it = t.data();
    auto const& l = t.layout();
    using Place = thread_place<Base, std::remove_const_t<decltype(rest_extents)>, ThrIdx, is_source,
                               detail::step_of_threads_in<Tiler_MN, ThrVal, std::remove_cvref_t<decltype(l)>>::value,
                               !has_lost_its_place<std::remove_cvref_t<T>>>;
    if constexpr (composed_layout<decltype(l)>) {
      auto const inside = cut<typename Sides::values>(l.layout_b());
      return make_placed_tensor(it, Place{place, rest_extents, thr_idx()},
                                make_composed_layout(l.layout_a(),
                                                     detail::offset_moved<first_bits<ThrVal, decltype(l.layout_b())>>(
                                                         l.layout_a(), l.kept_offset(), first<ThrVal>(l.layout_b())),
                                                     inside));
    } else {
      auto const inside = cut<typename Sides::values>(l);
      using Offsets =
          detail::layout_result<detail::thread_offsets_object, std::remove_cvref_t<decltype(l)>, Tiler_MN, ThrVal>;
      return make_placed_tensor(detail::iterator_at<Offsets>(it, first<ThrVal>(l)),
                                Place{place, rest_extents, thr_idx()}, inside);
    }
  }
  template <class T>
  static constexpr bool has_lost_its_place = requires {
    requires std::is_same_v<typename T::engine_type::place_type, lost_place>;
  };
  template <class T, std::size_t... k>
  COSMATI_HD static constexpr auto place_in(T const& t, std::index_sequence<k...>) {
    if constexpr (requires { typename T::engine_type::place_type::tile_type; }) {
      return t.engine().place();
    } else {
      auto const shape = product_each(wrap(t.shape()));
      return tile_place<std::remove_const_t<decltype(shape)>, std::remove_const_t<decltype(shape)>,
                        tuple<C<static_cast<int>(0 * k)>...>>{shape, shape, {}};
    }
  }
  template <class ThrVal, class L>
  COSMATI_HD static constexpr auto cut(L const& l) {
    using Tiler = typename TiledCopy::Tiler_MN;
    using R = detail::layout_result<detail::thread_partition_object, L, Tiler, ThrVal>;
    if constexpr (R::is_static)
      return typename R::type{};
    else
      return detail::with_opaque_strides(R::make(l, Tiler{}, ThrVal{}));
  }
  /// The bits that `first` may have.
  template <class ThrVal, class L>
  static constexpr std::uint64_t first_bits = [] {
    using R = detail::layout_result<detail::thread_offsets_object, std::remove_cvref_t<L>, Tiler_MN, ThrVal>;
    if constexpr (R::is_static)
      return detail::layout_bits<typename R::type>;
    else
      return ~std::uint64_t{0};
  }();
  /// The thread's index as the layout needs it: unsigned if the offsets are integers.
  template <class L>
  COSMATI_HD constexpr auto number_for(L const&) const {
    if constexpr (has_basis_of<L>)
      return thr_idx();
    else
      return detail::counted(thr_idx());
  }
  template <class ThrVal, class L>
  COSMATI_HD constexpr auto first(L const& l) const {
    using Tiler = typename TiledCopy::Tiler_MN;
    using R = detail::layout_result<detail::thread_offsets_object, L, Tiler, ThrVal>;
    if constexpr (!has_basis_of<L> || has_basis_of<typename R::type>) {
      if constexpr (R::is_static)
        return typename R::type{}(number_for(l));
      else
        return R::make(l, Tiler{}, ThrVal{})(number_for(l));
    } else {
      return C<0>{};  // all threads begin at the same coordinate
    }
  }
  template <class L>
  static constexpr bool has_basis_of = detail::has_basis<std::remove_cvref_t<decltype(std::declval<L>().stride())>>;
};

/// @name Makers of tiled copies
/// @{
template <class... A, class LayoutCopy_TV, class Tiler>
COSMATI_HD constexpr auto make_tiled_copy_impl(Copy_Atom<A...> const& atom, LayoutCopy_TV const&, Tiler const&) {
  return TiledCopy<Copy_Atom<A...>, LayoutCopy_TV, Tiler>{atom};
}

/// The tiled copy of the threads `thr` (m, n) -> thread, each of which holds the values `val` (m, n) -> value. The tile
/// is their raked product.
///
/// Both layouts must be static bijections; otherwise an error says which layout is wrong and why.
template <class... A, class ThrLayout, class ValLayout = Layout<_1>>
requires(detail::tiled_copy_check<Copy_Atom<A...>, ThrLayout, ValLayout>::ok) COSMATI_HD
    constexpr auto make_tiled_copy(Copy_Atom<A...> const& atom, ThrLayout const& = {}, ValLayout const& = {}) {
  using Made = typename detail::tiled_copy_check<Copy_Atom<A...>, ThrLayout, ValLayout>::template made<>;
  return TiledCopy<Copy_Atom<A...>, typename Made::layout_tv, typename Made::tiler>{atom};
}
template <class... A, class ThrLayout, class ValLayout = Layout<_1>>
requires(!detail::tiled_copy_check<Copy_Atom<A...>, ThrLayout, ValLayout>::ok) COSMATI_HD
    typename detail::tiled_copy_check<Copy_Atom<A...>, ThrLayout, ValLayout>::says
    make_tiled_copy(Copy_Atom<A...> const& atom, ThrLayout const& thr = {}, ValLayout const& val = {});

/// The tiled copy from the layout (thread, value) -> offset in the codomain of `data_layout`. The layout gives
/// the values that one atom-wide group of threads should read.
/// @pre data_layout is injective on the offsets that atom_tv_layout names
template <class... A, class AtomTVLayout, class DataLayout>
COSMATI_HD constexpr auto make_cotiled_copy(Copy_Atom<A...> const& atom, AtomTVLayout const& atom_tv_layout,
                                            DataLayout const& data_layout) {
  static_assert(is_static_v<AtomTVLayout> && is_static_v<DataLayout>, "make_cotiled_copy: both layouts must be static");
  // offset -> linear index of the data; offsets that the data layout does not reach wrap to index 0
  auto const inverse = left_inverse(make_layout(data_layout, complement(data_layout)));
  auto const layout_tv_data = composition(inverse, atom_tv_layout);
  // the part of each mode of the data that the atom spans
  auto const extents = product_each(wrap(shape(data_layout)));
  constexpr int n = tuple_size_v<decltype(extents)>;
  auto const tiler = [&]<std::size_t... k>(std::index_sequence<k...>) {
    auto const zeros = repeat<n>(C<0>{});
    return make_tile(filter(composition(make_layout(extents, replace<k>(zeros, C<1>{})), layout_tv_data))...);
  }
  (std::make_index_sequence<std::size_t{n}>{});
  // index in the data -> index in the tile
  auto const tile2data = composition(make_layout(extents), tiler);
  auto const layout_tv = composition(left_inverse(tile2data), layout_tv_data);
  return make_tiled_copy_impl(atom, layout_tv, tiler);
}

/// A tiled copy by the atom, partitioned as the source or destination side of another tiled copy.
template <class... A, class TC>
COSMATI_HD constexpr auto make_tiled_copy_S(Copy_Atom<A...> const& atom, TC const&) {
  return make_tiled_copy_impl(atom, TC::get_layoutS_TV(), typename TC::Tiler_MN{});
}
template <class... A, class TC>
COSMATI_HD constexpr auto make_tiled_copy_D(Copy_Atom<A...> const& atom, TC const&) {
  return make_tiled_copy_impl(atom, TC::get_layoutD_TV(), typename TC::Tiler_MN{});
}
/// @}

/// The number of threads.
template <class A, class TV, class Tiler>
COSMATI_HD constexpr auto size(TiledCopy<A, TV, Tiler> const&) {
  return typename TiledCopy<A, TV, Tiler>::TiledNumThr{};
}
namespace detail {
/// The extents of a tiler. A layout in it counts as its size.
template <class T>
COSMATI_HD constexpr auto extents_of_tiler([[maybe_unused]] T const& t) {
  if constexpr (plain_layout<T>) {
    return size(t);
  } else if constexpr (tuple_type<T>) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) { return make_tuple(extents_of_tiler(get<k>(t))...); }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<T>)>{});
  } else {
    return t;
  }
}
}  // namespace detail
/// The extent of the tile, or of its modes k...
template <int... k, class A, class TV, class Tiler>
COSMATI_HD constexpr auto tile_size(TiledCopy<A, TV, Tiler> const&) {
  return size<k...>(detail::extents_of_tiler(Tiler{}));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
