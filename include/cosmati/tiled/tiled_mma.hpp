// SPDX-License-Identifier: Apache-2.0
/// @file
/// `TiledMMA`: a matrix instruction repeated over threads and over values. `ThrMMA`: one thread's share of the
/// operands.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_atom.hpp>
#include <cosmati/core/math.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tiled/mma_algebra.hpp>
#include <cosmati/tiled/mma_call.hpp>
#include <cosmati/tiled/mma_check.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
#define COSMATI_MMA_OBJECT_(name)                                                                \
  struct name##_object {                                                                         \
    static constexpr operand_forms operands{                                                     \
        .second = read_as::divisor, .third = read_as::divisor, .fifth = read_as::divisor};       \
    template <class Num>                                                                         \
    static constexpr auto apply(flat_tree<Num> const& layout, flat_tree<Num> const& permutation, \
                                flat_tree<Num> const& atom, flat_tree<Num> const& atom_tv,       \
                                flat_tree<Num> const& atoms) {                                   \
      return algebra::name(layout, permutation, atom, atom_tv, atoms);                           \
    }                                                                                            \
  };
COSMATI_MMA_OBJECT_(mma_fragments)
COSMATI_MMA_OBJECT_(mma_thread_offsets)
COSMATI_MMA_OBJECT_(mma_partition)
#undef COSMATI_MMA_OBJECT_
struct mma_layout_tv_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& fragments, flat_tree<Num> const& threads,
                              flat_tree<Num> const& spread) {
    return algebra::mma_layout_tv(fragments, threads, spread);
  }
};

/// The extent that a permutation covers. `_` covers `otherwise`.
template <class Permutation, class Otherwise>
COSMATI_HD constexpr auto extent_of_permutation(Permutation const& p, Otherwise const& otherwise) {
  if constexpr (is_underscore_v<Permutation>)
    return otherwise;
  else
    return size(p);
}
}  // namespace detail

template <class TiledMMA, class ThrVMNK>
struct ThrMMA;

/// @tparam Atom the instruction
/// @tparam AtomLayoutMNK (M, N, K) -> index of the atom: the number of adjacent atoms, which different threads execute
/// @tparam PermutationMNK for each of M, N and K: `_`, or a tiler that gives the order in which the tile's elements
///   belong to atoms
template <class Atom_, class AtomLayoutMNK, class PermutationMNK = Tile<Underscore, Underscore, Underscore>>
struct TiledMMA : Atom_ {
  using Atom = Atom_;
  using AtomShape_MNK = typename Atom::Shape_MNK;
  using AtomThrID = typename Atom::ThrID;
  using AtomLayoutC_TV = typename Atom::LayoutC_TV;
  using AtomLayoutA_TV = typename Atom::LayoutA_TV;
  using AtomLayoutB_TV = typename Atom::LayoutB_TV;
  using Permutations = PermutationMNK;
  static_assert(is_static_v<AtomLayoutMNK> && is_static_v<PermutationMNK>,
                "TiledMMA: the layout of the atoms and the permutations must be static: Layout<Shape<_2, _2, _1>>{}, "
                "Tile<_32, _32, _16>{}");
  static_assert(AtomLayoutMNK::rank == 3 && tuple_size_v<PermutationMNK> == 3,
                "TiledMMA: the layout of the atoms and the permutations have three modes, M, N and K");
  static_assert(
      sizeof(detail::sums_come_out_elsewhere<std::is_same_v<typename Atom::LayoutC_TV, typename Atom::LayoutD_TV>>) !=
      0);

  /// (T, M, N, K) -> thread, where T counts the threads of an atom and M, N, K count atoms.
  using ThrLayoutVMNK = typename detail::layout_result<detail::tiled_product_object, AtomThrID, AtomLayoutMNK>::type;

  /// The layout of the threads: within an atom, and over atoms along M, N and K.
  COSMATI_HD static constexpr auto get_thr_layout_vmnk() { return ThrLayoutVMNK{}; }

  /// The extent of the tile along M (0), N (1) or K (2).
  template <int mode>
  COSMATI_HD static constexpr auto tile_size_mnk() {
    static_assert(0 <= mode && mode < 3, "tile_size_mnk<I>: I is 0 for M, 1 for N, 2 for K");
    auto const atoms = size<mode>(AtomShape_MNK{}) * size<mode + 1>(ThrLayoutVMNK{});
    return max(atoms, detail::extent_of_permutation(get<mode>(PermutationMNK{}), atoms));
  }
  /// The permutation along M (0), N (1) or K (2). If it is `_`, the result is the atoms' extent.
  template <int mode>
  COSMATI_HD static constexpr auto permutation_mnk() {
    static_assert(0 <= mode && mode < 3, "permutation_mnk<I>: I is 0 for M, 1 for N, 2 for K");
    auto const p = get<mode>(PermutationMNK{});
    if constexpr (is_underscore_v<std::remove_const_t<decltype(p)>>)
      return size<mode>(AtomShape_MNK{}) * size<mode + 1>(ThrLayoutVMNK{});
    else
      return p;
  }

  template <int mode>
  using permutation_check = detail::atoms_do_not_divide_the_permutation<
      static_cast<int>(decltype(size(permutation_mnk<mode>()))::value),
      static_cast<int>(decltype(size<mode>(AtomShape_MNK{}) * size<mode + 1>(ThrLayoutVMNK{}))::value), "MNK"[mode]>;

  /// The distribution of an operand. x and y are its modes (0 for M, 1 for N, 2 for K).
  template <int mode_x, int mode_y, class AtomTV>
  struct operand {
    static constexpr int x = mode_x, y = mode_y;
    using permutation = decltype(make_tile(permutation_mnk<x>(), permutation_mnk<y>()));
    using atom = decltype(make_tile(size<x>(AtomShape_MNK{}), size<y>(AtomShape_MNK{})));
    using atoms = decltype(make_tile(size<x + 1>(ThrLayoutVMNK{}), size<y + 1>(ThrLayoutVMNK{})));
    template <class Object, class L>
    using result = detail::layout_result<Object, L, permutation, atom, AtomTV, atoms>;
    /// The result of `Object` for a layout and this operand.
    template <class Object, class L>
    COSMATI_HD static constexpr auto make(L const& l) {
      return result<Object, L>::make(l, permutation{}, atom{}, AtomTV{}, atoms{});
    }
    /// (thread, values) -> index in the tile of this operand.
    static constexpr auto layout_tv() {
      using Tile = decltype(make_layout(make_shape(tile_size_mnk<x>(), tile_size_mnk<y>())));
      constexpr int m = decltype(size<1>(ThrLayoutVMNK{}))::value;
      constexpr int n = decltype(size<2>(ThrLayoutVMNK{}))::value;
      constexpr int k = decltype(size<3>(ThrLayoutVMNK{}))::value;
      constexpr int extent_x = x == 0 ? m : n;
      using Spread = Layout<Shape<C<m>, C<n>, C<k>>, Stride<C<(x == 0 ? 1 : 0)>,
                                                            C<(x == 1   ? 1
                                                               : y == 1 ? extent_x
                                                                        : 0)>,
                                                            C<(y == 2 ? extent_x : 0)>>>;
      return typename detail::layout_result<detail::mma_layout_tv_object,
                                            typename result<detail::mma_fragments_object, Tile>::type, ThrLayoutVMNK,
                                            Spread>::type{};
    }
  };
  using operand_A = operand<0, 2, AtomLayoutA_TV>;
  using operand_B = operand<1, 2, AtomLayoutB_TV>;
  using operand_C = operand<0, 1, AtomLayoutC_TV>;

  /// @name An operand (tensor or layout) as ((T, (atoms along its modes)), (V, (rest of its modes...)))
  /// @{
  template <class T>
  COSMATI_HD static constexpr auto thrfrg_A(T&& t) {
    return fragments<operand_A>(t);
  }
  template <class T>
  COSMATI_HD static constexpr auto thrfrg_B(T&& t) {
    return fragments<operand_B>(t);
  }
  template <class T>
  COSMATI_HD static constexpr auto thrfrg_C(T&& t) {
    return fragments<operand_C>(t);
  }
  /// @}
  /// @name (thread, values) -> index in the tile of A (M, K), B (N, K), C (M, N)
  /// @{
  COSMATI_HD static constexpr auto get_layoutA_TV() { return decltype(operand_A::layout_tv()){}; }
  COSMATI_HD static constexpr auto get_layoutB_TV() { return decltype(operand_B::layout_tv()){}; }
  COSMATI_HD static constexpr auto get_layoutC_TV() { return decltype(operand_C::layout_tv()){}; }
  /// @}

  /// The slice of one thread. @param thr_idx from 0 to size - 1
  template <class ThrIdx>
  requires(integer<ThrIdx>) COSMATI_HD static constexpr auto get_slice(ThrIdx const& thr_idx) {
#if !defined(NDEBUG) || defined(COSMATI_SIMULATED)
    if (!__builtin_is_constant_evaluated() &&
        static_cast<std::int64_t>(thr_idx) >= static_cast<std::int64_t>(cosize(ThrLayoutVMNK{}))) {
      fail(
          "get_slice: thread %d of a tiled MMA of %d threads; launch as many threads as size(tiled_mma), or let only "
          "those multiply",
          static_cast<int>(thr_idx), static_cast<int>(size(ThrLayoutVMNK{})));
    }
#endif
    auto const vmnk = ThrLayoutVMNK{}.get_flat_coord(thr_idx);
    return ThrMMA<TiledMMA, std::remove_const_t<decltype(vmnk)>>{{}, vmnk};
  }
  template <class ThrIdx>
  requires(!integer<ThrIdx>) COSMATI_HD static detail::thread_is_no_number<ThrIdx> get_slice(ThrIdx const& thr_idx);
  /// CuTe's other name of the same function.
  template <class ThrIdx>
  COSMATI_HD static constexpr auto get_thread_slice(ThrIdx const& thr_idx) {
    return get_slice(thr_idx);
  }

 private:
  template <class Operand, class T>
  COSMATI_HD static constexpr auto fragments(T&& t) {
    if constexpr (tensor_type<T>)
      return make_tensor(t.data(), fragments<Operand>(t.layout()));
    else if constexpr (composed_layout<T>)
      return make_composed_layout(t.layout_a(), t.kept_offset(), fragments<Operand>(t.layout_b()));
    else
      return Operand::template make<detail::mma_fragments_object>(t);
  }
};

/// One thread of a tiled MMA. @tparam ThrVMNK the thread's index in the atom, and the atom's indices along M, N and K
template <class TiledMMA, class ThrVMNK>
struct ThrMMA : TiledMMA {
  ThrVMNK thr_vmnk_;

  /// @name The thread's values of an operand: (V, rest of its modes...)
  /// The tiled MMA must divide a tensor of static extents. With `ragged` it need not, and the partition covers whole
  /// tiles.
  /// @{
  template <tensor_type T>
  requires(detail::mma_partitions<TiledMMA, typename TiledMMA::operand_A, T>) COSMATI_HD
      constexpr auto partition_A(T&& t) const {
    return partition<typename TiledMMA::operand_A>(t);
  }
  template <tensor_type T>
  requires(detail::mma_partitions<TiledMMA, typename TiledMMA::operand_B, T>) COSMATI_HD
      constexpr auto partition_B(T&& t) const {
    return partition<typename TiledMMA::operand_B>(t);
  }
  template <tensor_type T>
  requires(detail::mma_partitions<TiledMMA, typename TiledMMA::operand_C, T>) COSMATI_HD
      constexpr auto partition_C(T&& t) const {
    return partition<typename TiledMMA::operand_C>(t);
  }
  template <tensor_type T>
  COSMATI_HD constexpr auto partition_A(T&& t, ragged_t) const {
    return partition<typename TiledMMA::operand_A>(t);
  }
  template <tensor_type T>
  COSMATI_HD constexpr auto partition_B(T&& t, ragged_t) const {
    return partition<typename TiledMMA::operand_B>(t);
  }
  template <tensor_type T>
  COSMATI_HD constexpr auto partition_C(T&& t, ragged_t) const {
    return partition<typename TiledMMA::operand_C>(t);
  }
  template <tensor_type T>
  requires(!detail::mma_partitions<TiledMMA, typename TiledMMA::operand_A, T>)
      COSMATI_HD detail::mma_partition_refusal<TiledMMA, typename TiledMMA::operand_A, T> partition_A(T&& t)
  const;
  template <tensor_type T>
  requires(!detail::mma_partitions<TiledMMA, typename TiledMMA::operand_B, T>)
      COSMATI_HD detail::mma_partition_refusal<TiledMMA, typename TiledMMA::operand_B, T> partition_B(T&& t)
  const;
  template <tensor_type T>
  requires(!detail::mma_partitions<TiledMMA, typename TiledMMA::operand_C, T>)
      COSMATI_HD detail::mma_partition_refusal<TiledMMA, typename TiledMMA::operand_C, T> partition_C(T&& t)
  const;
  /// @}
  /// @name Registers for these values
  /// @{
  template <tensor_type T, class... Ragged>
  COSMATI_HD constexpr auto partition_fragment_A(T&& t, Ragged... may_be_ragged) const {
    return fragment_of(partition_A(t, may_be_ragged...), [](auto const& p) { return TiledMMA::make_fragment_A(p); });
  }
  template <tensor_type T, class... Ragged>
  COSMATI_HD constexpr auto partition_fragment_B(T&& t, Ragged... may_be_ragged) const {
    return fragment_of(partition_B(t, may_be_ragged...), [](auto const& p) { return TiledMMA::make_fragment_B(p); });
  }
  template <tensor_type T, class... Ragged>
  COSMATI_HD constexpr auto partition_fragment_C(T&& t, Ragged... may_be_ragged) const {
    return fragment_of(partition_C(t, may_be_ragged...), [](auto const& p) { return TiledMMA::make_fragment_C(p); });
  }
  /// @}

 private:
  template <class Partition, class Make>
  COSMATI_HD static constexpr auto fragment_of(Partition const& p, Make const& make) {
    if constexpr (std::is_base_of_v<refused, Partition>)
      return refused{};
    else
      return make(p);
  }
  template <class Operand, class T>
  COSMATI_HD constexpr auto partition(T&& t) const {
    auto const it = t.data();
    auto const& l = t.layout();
    if constexpr (composed_layout<decltype(l)>) {
      using Offsets = decltype(Operand::template make<detail::mma_thread_offsets_object>(l.layout_b()));
      return make_tensor(it, make_composed_layout(l.layout_a(),
                                                  detail::offset_moved<detail::layout_bits<std::remove_cv_t<Offsets>>>(
                                                      l.layout_a(), l.kept_offset(), first<Operand>(l.layout_b())),
                                                  Operand::template make<detail::mma_partition_object>(l.layout_b())));
    } else {
      return make_tensor(it + first<Operand>(l),
                         detail::with_opaque_strides(Operand::template make<detail::mma_partition_object>(l)));
    }
  }
  template <class Operand, class L>
  COSMATI_HD constexpr auto first(L const& l) const {
    auto const offsets = Operand::template make<detail::mma_thread_offsets_object>(l);
    return offsets(
        make_coord(get<0>(thr_vmnk_), make_coord(get<Operand::x + 1>(thr_vmnk_), get<Operand::y + 1>(thr_vmnk_))));
  }
};

/// @name Makers of tiled MMAs
/// @{
/// A tiled MMA of adjacent atoms. The layout (M, N, K) -> index arranges them; a mode that is left out has one atom.
/// The permutation has one entry for each of M, N and K, which says which elements of a larger tile belong together: an
/// integer n takes n elements in order, a layout reorders them, and `_` takes as many as the atoms have.
template <class... A, class AtomLayout = Layout<Shape<_1, _1, _1>, Stride<_0, _0, _0>>,
          class Permutations = Tile<Underscore, Underscore, Underscore>>
COSMATI_HD constexpr auto make_tiled_mma(MMA_Atom<A...> const& atom, AtomLayout const& atoms = {},
                                         Permutations const& permutations = {}) {
  auto const mnk = append<3>(atoms, Layout<_1, _0>{});
  auto const p = append<3>(permutations, _);
  using Tiled = TiledMMA<MMA_Atom<A...>, std::remove_const_t<decltype(mnk)>, std::remove_const_t<decltype(p)>>;
  static_assert(sizeof(typename Tiled::template permutation_check<0>) +
                    sizeof(typename Tiled::template permutation_check<1>) +
                    sizeof(typename Tiled::template permutation_check<2>) !=
                0);
  return Tiled{{atom}};
}
template <class Op, class AtomLayout = Layout<Shape<_1, _1, _1>, Stride<_0, _0, _0>>,
          class Permutations = Tile<Underscore, Underscore, Underscore>>
COSMATI_HD constexpr auto make_tiled_mma(Op const&, AtomLayout const& atoms = {},
                                         Permutations const& permutations = {}) {
  return make_tiled_mma(MMA_Atom<Op>{}, atoms, permutations);
}
/// @}

/// @name Shapes of a thread's partitions: (V, rest of X, rest of Y) of an operand of that shape
/// @{
namespace detail {
template <class Operand, class S>
COSMATI_HD constexpr auto shape_of_partition(S const& shape) {
  return Operand::template make<mma_partition_object>(make_layout(shape)).shape();
}
}  // namespace detail
template <class A, class L, class P, class S>
COSMATI_HD constexpr auto partition_shape_A(TiledMMA<A, L, P> const&, S const& shape_mk) {
  return detail::shape_of_partition<typename TiledMMA<A, L, P>::operand_A>(shape_mk);
}
template <class A, class L, class P, class S>
COSMATI_HD constexpr auto partition_shape_B(TiledMMA<A, L, P> const&, S const& shape_nk) {
  return detail::shape_of_partition<typename TiledMMA<A, L, P>::operand_B>(shape_nk);
}
template <class A, class L, class P, class S>
COSMATI_HD constexpr auto partition_shape_C(TiledMMA<A, L, P> const&, S const& shape_mn) {
  return detail::shape_of_partition<typename TiledMMA<A, L, P>::operand_C>(shape_mn);
}
/// Registers for the sums of a tile with that shape.
template <class A, class L, class P, class S>
COSMATI_HD constexpr auto partition_fragment_C(TiledMMA<A, L, P> const& mma, S const& shape_mn) {
  return make_tensor<typename TiledMMA<A, L, P>::FrgTypeC>(partition_shape_C(mma, shape_mn));
}
/// @}

/// The extent of the tile along the modes k... (0, 1, 2 for M, N, K).
template <int... k, class A, class L, class P>
COSMATI_HD constexpr auto tile_size(TiledMMA<A, L, P> const&) {
  using T = TiledMMA<A, L, P>;
  return size<k...>(
      make_shape(T::template tile_size_mnk<0>(), T::template tile_size_mnk<1>(), T::template tile_size_mnk<2>()));
}
/// The shape (M, N, K) of the tile.
template <class A, class L, class P>
COSMATI_HD constexpr auto tile_shape(TiledMMA<A, L, P> const&) {
  using T = TiledMMA<A, L, P>;
  return make_shape(T::template tile_size_mnk<0>(), T::template tile_size_mnk<1>(), T::template tile_size_mnk<2>());
}
/// The number of threads, or with template arguments the extents of (T, M, N, K).
template <int... k, class A, class L, class P>
COSMATI_HD constexpr auto size(TiledMMA<A, L, P> const&) {
  return size<k...>(typename TiledMMA<A, L, P>::ThrLayoutVMNK{});
}
template <int... k, class A, class L, class P>
COSMATI_HD constexpr auto thr_size(TiledMMA<A, L, P> const&) {
  return size<k...>(typename TiledMMA<A, L, P>::ThrLayoutVMNK{});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
