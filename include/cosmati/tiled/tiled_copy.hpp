// SPDX-License-Identifier: Apache-2.0
/// @file
/// `TiledCopy`: which thread moves which values of a tile with which instruction; `ThrCopy`: one thread's share.
#pragma once

#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tiled/algebra.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
struct layout_tv_object {
  static constexpr unsigned tilers = 0;
  template <class Num>
  static constexpr auto apply(flat<Num> const& thr, flat<Num> const& val) {
    return algebra::layout_tv_of(thr, val);
  }
};
struct tiler_object {
  static constexpr unsigned tilers = 0;
  template <class Num>
  static constexpr auto apply(flat<Num> const& thr, flat<Num> const& val) {
    return algebra::tiler_of(thr, val);
  }
};
struct thread_values_object {
  static constexpr unsigned tilers = 0;
  template <class... Num>
  static constexpr auto apply(flat<Num> const&... f) {
    return algebra::thread_values(f...);
  }
};
struct thread_fragments_object {
  static constexpr unsigned tilers = 2;
  template <class... Num>
  static constexpr auto apply(flat<Num> const&... f) {
    return algebra::thread_fragments(f...);
  }
};
struct thread_offsets_object {
  static constexpr unsigned tilers = 2;
  template <class... Num>
  static constexpr auto apply(flat<Num> const&... f) {
    return algebra::thread_offsets(f...);
  }
};
struct thread_partition_object {
  static constexpr unsigned tilers = 2;
  template <class... Num>
  static constexpr auto apply(flat<Num> const&... f) {
    return algebra::thread_partition(f...);
  }
};
struct side_layout_tv_object {
  static constexpr unsigned tilers = 1;
  template <class... Num>
  static constexpr auto apply(flat<Num> const&... f) {
    return algebra::side_layout_tv(f...);
  }
};
struct reference_to_side_object {
  static constexpr unsigned tilers = 0;
  template <class... Num>
  static constexpr auto apply(flat<Num> const&... f) {
    return algebra::reference_to_side(f...);
  }
};
struct atoms_of_object {
  static constexpr unsigned tilers = 0;
  template <class Num>
  static constexpr auto apply(flat<Num> const& layout_tv, flat<Num> const& atom_ref) { return algebra::divided_by_atoms(layout_tv, atom_ref); }
};
struct retiled_object {
  static constexpr unsigned tilers = 0b100;
  template <class Num>
  static constexpr auto apply(flat<Num> const& fragment, flat<Num> const& layout_tv, flat<Num> const& tiler,
                              flat<Num> const& threads, flat<Num> const& atom_values) {
    return algebra::retiled(fragment, layout_tv, tiler, threads.shape[0], atom_values.shape[0]);
  }
};

template <int values_per_thread, int values_of_the_atom>
struct value_layout_too_short {
  static_assert(values_per_thread % values_of_the_atom == 0,
                "TiledCopy: the value layout is too short for the atom's vector: a thread holds "
                "value_layout_too_short<VALUES, NEEDED> "
                "VALUES, the atom moves NEEDED at once; give each thread a multiple of NEEDED values along the "
                "contiguous mode, such as "
                "Layout<Shape<_1, Int<NEEDED>>>, or take a narrower atom");
  static constexpr bool ok = true;
};
template <int threads, int threads_of_the_atom>
struct thread_layout_too_small {
  static_assert(threads % threads_of_the_atom == 0,
                "TiledCopy: the thread layout has no whole number of the atom's thread groups "
                "(thread_layout_too_small<THREADS, NEEDED>); "
                "use a multiple of NEEDED threads");
  static constexpr bool ok = true;
};
template <int values, int values_as_vectors>
struct vector_crosses_the_value_layout {
  static_assert(values == values_as_vectors,
                "TiledCopy: the atom's vector crosses a mode of the value layout, which it does not divide, so that some vectors would join "
                "values that are not neighbours; let the first mode of the value layout that has stride 1 be a multiple of the atom's values");
  static constexpr bool ok = values == values_as_vectors;
};
template <int tensor_rank, int tiler_rank>
struct tensor_has_fewer_modes_than_the_tile {
  static_assert(tensor_rank >= tiler_rank,
                "partition: the tensor has fewer modes than the tiled copy's tile "
                "(tensor_has_fewer_modes_than_the_tile<TENSOR, TILE>); "
                "give the tensor a mode for each of the tile's, or make the tiled copy with thread and value layouts "
                "of the tensor's rank");
  static constexpr bool ok = tensor_rank >= tiler_rank;
};
template <class ThreadLayout>
struct thread_layout_must_be_static {
  static_assert(is_static_v<ThreadLayout>,
                "make_tiled_copy: the thread layout has run-time integers (see thread_layout_must_be_static<LAYOUT>), "
                "but who moves what is "
                "part of the tiled copy's type; write Int<N>{} (or _8{}) for every extent and stride");
  static constexpr bool ok = is_static_v<ThreadLayout>;
};
template <class ValueLayout>
struct value_layout_must_be_static {
  static_assert(is_static_v<ValueLayout>,
                "make_tiled_copy: the value layout has run-time integers (see value_layout_must_be_static<LAYOUT>), "
                "but who moves what is "
                "part of the tiled copy's type; write Int<N>{} (or _4{}) for every extent and stride");
  static constexpr bool ok = is_static_v<ValueLayout>;
};
template <bool bijective, int threads, int reach>
struct thread_layout_is_not_a_bijection {
  static_assert(bijective,
                "make_tiled_copy: the thread layout is not a bijection: thread_layout_is_not_a_bijection<false, "
                "THREADS, REACH>: it has "
                "THREADS coordinates and reaches indices below REACH, leaving some thread out or naming one twice; use "
                "a compact layout, "
                "such as Layout<Shape<_4, _2>, Stride<_1, _4>>");
  static constexpr bool ok = bijective;
};
template <bool bijective, int values, int reach>
struct value_layout_is_not_a_bijection {
  static_assert(bijective,
                "make_tiled_copy: the value layout is not a bijection: value_layout_is_not_a_bijection<false, VALUES, "
                "REACH>: it has VALUES "
                "coordinates and reaches indices below REACH, leaving some value out or naming one twice; use a "
                "compact layout, such as "
                "Layout<Shape<_1, _4>, Stride<_4, _1>>");
  static constexpr bool ok = bijective;
};
}  // namespace detail

template <class TiledCopy, class ThrIdx>
struct ThrCopy;

/// @tparam CopyAtom the instruction and the type of values
/// @tparam LayoutCopy_TV (thread, value) -> index in the tile, colexicographic
/// @tparam ShapeTiler_MN the tile's shape (a tiler)
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

  static_assert(
      detail::thread_layout_too_small<static_cast<int>(TiledNumThr::value), static_cast<int>(AtomNumThr::value)>::ok);
  static_assert(
      detail::value_layout_too_short<static_cast<int>(TiledNumVal::value), static_cast<int>(AtomNumVal::value)>::ok);

  /// ((atom thread, other threads), (atom values, other values)) -> index in the tile.
  using ThrValSrc =
      typename detail::layout_result<detail::thread_values_object, TiledLayout_TV, AtomLayoutRef, AtomLayoutSrc>::type;
  using ThrValDst =
      typename detail::layout_result<detail::thread_values_object, TiledLayout_TV, AtomLayoutRef, AtomLayoutDst>::type;
  static_assert(detail::vector_crosses_the_value_layout<
                static_cast<int>(decltype(size(TiledLayout_TV{}))::value),
                static_cast<int>(decltype(size(typename detail::layout_result<detail::atoms_of_object, TiledLayout_TV,
                                                                              AtomLayoutRef>::type{}))::value)>::ok);

  /// A tensor (or layout) of at least the tile's rank as (thread, (vector, others), (rests...)): every thread's
  /// partition.
  template <class T>
  COSMATI_HD static constexpr auto tidfrg_S(T&& t) {
    return fragments<ThrValSrc>(t);
  }
  template <class T>
  COSMATI_HD static constexpr auto tidfrg_D(T&& t) {
    return fragments<ThrValDst>(t);
  }
  /// A tensor that is cut into tiles already, ((TileM, TileN, ...), (RestM, RestN, ...)), distributed over threads and
  /// values.
  /// @param ref2trg from the atom's reference (thread, value) to the side wanted
  template <class T, class Ref2Trg>
  COSMATI_HD static constexpr auto tile2thrfrg(T&& t, Ref2Trg const& ref2trg) {
    auto const by_atom = zipped_divide(TiledLayout_TV{}, make_shape(AtomNumThr{}, AtomNumVal{}));
    auto const thr_val = coalesce(zip(composition(by_atom, make_tile(ref2trg, _))), Shape<_1, Shape<_1, _1>>{});
    return composition(t, make_tile(thr_val, _))(make_coord(_, _), _);
  }

  /// A register tensor (V, M, N, ...) of another partition of the tile as ((atom values, others), M', N', ...) of this
  /// one.
  template <class T>
  COSMATI_HD static constexpr auto retile(T&& t) {
    if constexpr (tensor_type<T>)
      return make_tensor(t.data(), retile(t.layout()));
    else
      return detail::layout_result<detail::retiled_object, std::remove_cvref_t<T>, TiledLayout_TV, Tiler_MN,
                                   TiledNumThr, AtomNumVal>::make(t, TiledLayout_TV{}, Tiler_MN{}, TiledNumThr{},
                                                                  AtomNumVal{});
  }

  /// (thread, value) -> index in the tile, as the source (destination) side of the atom sees it.
  COSMATI_HD static constexpr auto get_layoutS_TV() {
    return typename detail::layout_result<detail::side_layout_tv_object, Tiler_MN, ThrValSrc>::type{};
  }
  COSMATI_HD static constexpr auto get_layoutD_TV() {
    return typename detail::layout_result<detail::side_layout_tv_object, Tiler_MN, ThrValDst>::type{};
  }

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
  COSMATI_HD static constexpr auto get_thread_slice(ThrIdx const& thr_idx) {
    return get_slice(thr_idx);
  }

 private:
  template <class ThrVal, class T>
  COSMATI_HD static constexpr auto fragments(T&& t) {
    if constexpr (tensor_type<T>)
      return make_tensor(t.data(), fragments<ThrVal>(t.layout()));
    else if constexpr (composed_layout<T>)
      return make_composed_layout(t.layout_a(), t.offset(), fragments<ThrVal>(t.layout_b()));
    else {
      using R = detail::layout_result<detail::thread_fragments_object, std::remove_cvref_t<T>, Tiler_MN, ThrVal>;
      return R::make(t, Tiler_MN{}, ThrVal{});
    }
  }
};

/// A thread's place in a tile: with the tiled copy it gives its values their coordinates.
/// @tparam Base tile_place, @tparam Behind extents of the modes behind the tile's, @tparam is_source which side was
/// partitioned
template <class Base, class Behind, class ThrIdx, bool is_source>
struct thread_place {
  using base_type = Base;
  static constexpr bool source = is_source;
  [[no_unique_address]] Base base;
  [[no_unique_address]] detail::stored<720, Behind> behind_;
  [[no_unique_address]] detail::stored<760, ThrIdx> thr_idx_;

  COSMATI_HD constexpr decltype(auto) behind() const { return detail::unstore<Behind>(behind_); }
  COSMATI_HD constexpr decltype(auto) thr_idx() const { return detail::unstore<ThrIdx>(thr_idx_); }
  /// Shape of the tensor that was partitioned.
  COSMATI_HD constexpr auto shape() const { return tuple_cat(base.tile(), behind()); }

  /// The partition's modes are the values' and one a mode of the tensor; those behind the tile's count tiles.
  template <class Coord>
  COSMATI_HD static constexpr bool survives() {
    return detail::fixes_only_behind<Coord, 1 + Base::rank>;
  }
  template <class Coord>
  COSMATI_HD constexpr auto after(Coord const& coord) const {
    auto const in_tensor = take<1, tuple_size_v<Coord>>(coord);
    auto const moved = base.after(in_tensor);
    auto const left = slice(take<1 + Base::rank, tuple_size_v<Coord>>(coord), behind());
    return thread_place<std::remove_const_t<decltype(moved)>, std::remove_const_t<decltype(left)>, ThrIdx, is_source>{
        moved, left, thr_idx()};
  }
};

/// One thread of a tiled copy.
template <class TiledCopy, class ThrIdx>
struct ThrCopy {
  [[no_unique_address]] detail::stored<800, ThrIdx> thr_idx_;

  COSMATI_HD constexpr decltype(auto) thr_idx() const { return detail::unstore<ThrIdx>(thr_idx_); }

  /// The thread's values of a source (destination) tensor: ((vector, others), rest of mode 0, rest of mode 1, ...).
  template <class T>
  requires(tensor_type<T>) COSMATI_HD constexpr auto partition_S(T&& t) const {
    return partition<typename TiledCopy::ThrValSrc, true>(t);
  }
  template <class T>
  requires(tensor_type<T>) COSMATI_HD constexpr auto partition_D(T&& t) const {
    return partition<typename TiledCopy::ThrValDst, false>(t);
  }

  template <class T>
  requires(tensor_type<T>) COSMATI_HD static constexpr auto retile_S(T&& t) { return TiledCopy::retile(t); }
  template <class T>
  requires(tensor_type<T>) COSMATI_HD static constexpr auto retile_D(T&& t) { return TiledCopy::retile(t); }

 private:
  template <class ThrVal, bool is_source, class T>
  COSMATI_HD constexpr auto partition(T&& t) const {
    using Tiler = typename TiledCopy::Tiler_MN;
    constexpr int n = std::remove_cvref_t<T>::rank;
    if constexpr (!detail::tensor_has_fewer_modes_than_the_tile<n, tuple_size_v<Tiler>>::ok) {
      return t;
    } else {
      auto const place = place_in(t, std::make_index_sequence<n>{});
      using Base = std::remove_const_t<decltype(place)>;
      auto const behind = take<Base::rank, n>(product_each(wrap(t.shape())));
      using Place = thread_place<Base, std::remove_const_t<decltype(behind)>, ThrIdx, is_source>;
      auto const it = t.data();
      auto const& l = t.layout();
      if constexpr (composed_layout<decltype(l)>) {
        auto const inside = cut<ThrVal>(l.layout_b());
        return make_placed_tensor(it, Place{place, behind, thr_idx()},
                                  make_composed_layout(l.layout_a(), l.offset() + first<ThrVal>(l.layout_b()), inside));
      } else {
        auto const inside = cut<ThrVal>(l);
        return make_placed_tensor(it + first<ThrVal>(l), Place{place, behind, thr_idx()}, inside);
      }
    }
  }
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
      return R::make(l, Tiler{}, ThrVal{});
  }
  template <class ThrVal, class L>
  COSMATI_HD constexpr auto first(L const& l) const {
    using Tiler = typename TiledCopy::Tiler_MN;
    using R = detail::layout_result<detail::thread_offsets_object, L, Tiler, ThrVal>;
    if constexpr (R::is_static)
      return typename R::type{}(thr_idx());
    else
      return R::make(l, Tiler{}, ThrVal{})(thr_idx());
  }
};

/// @name Making tiled copies
/// @{
template <class... A, class LayoutCopy_TV, class Tiler>
COSMATI_HD constexpr auto make_tiled_copy_impl(Copy_Atom<A...> const& atom, LayoutCopy_TV const&, Tiler const&) {
  return TiledCopy<Copy_Atom<A...>, LayoutCopy_TV, Tiler>{atom};
}

/// Threads `thr` (m, n) -> thread, each holding values `val` (m, n) -> value: the tile is their raked product.
///
/// Both layouts are static bijections, else it is an error that says which and why.
template <class... A, class ThrLayout, class ValLayout = Layout<_1>>
COSMATI_HD constexpr auto make_tiled_copy(Copy_Atom<A...> const& atom, ThrLayout const& = {}, ValLayout const& = {}) {
  if constexpr (!detail::thread_layout_must_be_static<ThrLayout>::ok ||
                !detail::value_layout_must_be_static<ValLayout>::ok) {
    return 0;
  } else if constexpr (!detail::thread_layout_is_not_a_bijection<
                           detail::evaluate_bool<detail::is_bijective_object, ThrLayout>,
                           static_cast<int>(decltype(size(ThrLayout{}))::value),
                           static_cast<int>(decltype(cosize(ThrLayout{}))::value)>::ok ||
                       !detail::value_layout_is_not_a_bijection<
                           detail::evaluate_bool<detail::is_bijective_object, ValLayout>,
                           static_cast<int>(decltype(size(ValLayout{}))::value),
                           static_cast<int>(decltype(cosize(ValLayout{}))::value)>::ok) {
    return 0;
  } else {
    using TV = typename detail::layout_result<detail::layout_tv_object, ThrLayout, ValLayout>::type;
    using Tiler = typename detail::types_at<detail::operation<detail::tiler_object, ThrLayout, ValLayout>, 0, 0>::shape;
    return TiledCopy<Copy_Atom<A...>, TV, Tiler>{atom};
  }
}

/// From the layout (thread, value) -> offset in `data_layout`'s codomain that one atom-wide group of threads should
/// read.
/// @pre data_layout is injective on what atom_tv_layout names
template <class... A, class AtomTVLayout, class DataLayout>
COSMATI_HD constexpr auto make_cotiled_copy(Copy_Atom<A...> const& atom, AtomTVLayout const& atom_tv_layout,
                                            DataLayout const& data_layout) {
  static_assert(is_static_v<AtomTVLayout> && is_static_v<DataLayout>, "make_cotiled_copy: both layouts must be static");
  // offsets back to the data's linear index; what the data layout does not reach wraps to index 0
  auto const inverse = left_inverse(make_layout(data_layout, complement(data_layout)));
  auto const layout_tv_data = composition(inverse, atom_tv_layout);
  // which part of each mode of the data the atom spans
  auto const extents = product_each(wrap(shape(data_layout)));
  constexpr int n = tuple_size_v<decltype(extents)>;
  auto const tiler = [&]<std::size_t... k>(std::index_sequence<k...>) {
    auto const zeros = repeat<n>(C<0>{});
    return make_tile(filter(composition(make_layout(extents, replace<k>(zeros, C<1>{})), layout_tv_data))...);
  }
  (std::make_index_sequence<n>{});
  // index in the data -> index in the tile
  auto const tile2data = composition(make_layout(extents), tiler);
  auto const layout_tv = composition(left_inverse(tile2data), layout_tv_data);
  return make_tiled_copy_impl(atom, layout_tv, tiler);
}

/// An atom partitioned as the source (destination) side of another tiled copy.
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
/// The extents of a tiler: layouts in it count as their sizes.
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
/// The extent of the tile (along modes k...).
template <int... k, class A, class TV, class Tiler>
COSMATI_HD constexpr auto tile_size(TiledCopy<A, TV, Tiler> const&) {
  return size<k...>(detail::extents_of_tiler(Tiler{}));
}

}  // namespace COSMATI_NAMESPACE
