// SPDX-License-Identifier: Apache-2.0
/// @file
/// Mistakes in a tiled copy, or in a tensor that it partitions. They are found as numbers and named by a class.
///
/// core/refused.hpp says how the compiler prints the class.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/tensor/tensor.hpp>
#include <cosmati/tiled/algebra.hpp>
#include <cosmati/tiled/refused_calls.hpp>

namespace COSMATI_NAMESPACE::detail {

/// @name Mistakes
/// @{
template <class ThreadLayout>
struct thread_layout_is_no_layout : refused {
  static_assert(never<sizeof(ThreadLayout) == 0>,
                "make_tiled_copy(atom, threads, values): the threads are no Layout; write "
                "Layout<Shape<_32, _8>>{}, or make_layout of the shape");
};
template <class ValueLayout>
struct value_layout_is_no_layout : refused {
  static_assert(never<sizeof(ValueLayout) == 0>,
                "make_tiled_copy(atom, threads, values): the values are no Layout; write "
                "Layout<Shape<_1, _4>>{}, or make_layout of the shape");
};
template <int mode, class ThreadLayout>
struct thread_layout_must_be_static : refused {
  static_assert(
      is_static_v<ThreadLayout>,
      "make_tiled_copy: the thread layout is dynamic: thread_layout_must_be_static<MODE, LAYOUT>: MODE of LAYOUT has a "
      "run-time integer, but who moves what is part of the tiled copy's type; write Int<N>{} or _8{} for every extent "
      "and stride");
};
template <int mode, class ValueLayout>
struct value_layout_must_be_static : refused {
  static_assert(
      is_static_v<ValueLayout>,
      "make_tiled_copy: the value layout is dynamic: value_layout_must_be_static<MODE, LAYOUT>: MODE of LAYOUT has a "
      "run-time integer, but who moves what is part of the tiled copy's type; write Int<N>{} or _4{} for every extent "
      "and stride");
};
template <int threads, int reach>
struct thread_layout_is_not_a_bijection {
  template <int mode, int has_stride, int needed>
  struct along_mode : refused {
    static_assert(
        has_stride == needed,
        "make_tiled_copy: the thread layout is not a bijection: thread_layout_is_not_a_bijection<THREADS, "
        "REACH>::along_mode<"
        "MODE, STRIDE, NEEDED>: its THREADS coordinates reach indices below REACH, which leaves a thread out or names "
        "one "
        "twice; MODE has STRIDE where NEEDED would be next; write a compact layout, as Layout<Shape<_4, _2>> is");
  };
};
template <int values, int reach>
struct value_layout_is_not_a_bijection {
  template <int mode, int has_stride, int needed>
  struct along_mode : refused {
    static_assert(
        has_stride == needed,
        "make_tiled_copy: the value layout is not a bijection: value_layout_is_not_a_bijection<VALUES, "
        "REACH>::along_mode<"
        "MODE, STRIDE, NEEDED>: its VALUES coordinates reach indices below REACH, which leaves a value out or names "
        "one "
        "twice; MODE has STRIDE where NEEDED would be next; write a compact layout, as Layout<Shape<_1, _4>> is");
  };
};
template <int values, int needed>
struct value_layout_too_short {
  template <int mode>
  struct along_mode : refused {
    static_assert(values % needed == 0,
                  "TiledCopy: the value layout is too short for the atom's vector: value_layout_too_short<VALUES, "
                  "NEEDED>::along_mode"
                  "<MODE>: each thread holds VALUES, along MODE, and the atom moves NEEDED at once; give each thread a "
                  "multiple of "
                  "NEEDED along the contiguous mode, as Layout<Shape<_1, Int<NEEDED>>>, or take an atom of VALUES");
  };
};
template <int threads, int needed>
struct thread_layout_too_small : refused {
  static_assert(threads % needed == 0,
                "TiledCopy: the threads are no whole number of the atom's groups (thread_layout_too_small<THREADS, "
                "NEEDED>: NEEDED "
                "threads act together); use a multiple of NEEDED threads");
};
template <int mode, int adjacent, int needed>
struct vector_crosses_the_value_layout : refused {
  static_assert(
      adjacent % needed == 0,
      "TiledCopy: the atom's vector crosses a mode of the value layout: vector_crosses_the_value_layout<MODE, "
      "ADJACENT, "
      "NEEDED>: along MODE a thread's values lie ADJACENT side by side, the atom moves NEEDED at once, so that a "
      "vector "
      "would join values that are not neighbours; let the value layout's mode of stride 1 be a multiple of NEEDED");
};
template <int tensor_rank, int tile_rank>
struct tensor_has_fewer_modes_than_the_tile : refused {
  static_assert(
      tensor_rank >= tile_rank,
      "partition: the rank of the tensor does not fit: tensor_has_fewer_modes_than_the_tile<TENSOR, TILE>: it has "
      "TENSOR "
      "modes, the tiled copy's tile TILE; give the tensor a mode for each of the tile's, or make the tiled copy with "
      "thread and value layouts of TENSOR modes");
};
/// The absence of a mistake.
struct nothing_wrong {
  static constexpr bool ok = true;
};
/// @}

struct layout_tv_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& thr, flat_tree<Num> const& val) {
    return algebra::layout_tv_of(thr, val);
  }
};
struct tiler_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& thr, flat_tree<Num> const& val) {
    return algebra::tiler_of(thr, val);
  }
};
struct atoms_of_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& layout_tv, flat_tree<Num> const& atom_ref) {
    return algebra::divided_by_atoms(layout_tv, atom_ref);
  }
};

/// The first mode of a layout that breaks the numbering 0, 1, 2, ...: its stride, and the stride that would continue
/// it.
struct gap {
  int mode = -1, stride = 0, needed = 1;
};
template <class Num>
constexpr gap find_gap(flat_tree<Num> const& f) {
  bool used[flat_tree<Num>::capacity]{};
  std::int64_t next = 1;
  for (int round = 0; round < f.leaves; ++round) {
    int found = -1;
    int nearest = -1;
    for (int i = 0; i < f.leaves; ++i) {
      if (used[i] || algebra::is(f.shape[i], 1)) continue;
      if (algebra::is(f.stride[i], next)) found = i;
      if (nearest < 0 || algebra::known(f.stride[i], "") < algebra::known(f.stride[nearest], "")) nearest = i;
    }
    if (nearest < 0) break;
    if (found < 0) {
      gap g{0, static_cast<int>(algebra::known(f.stride[nearest], "")), static_cast<int>(next)};
      while (g.mode + 1 < f.rank() && algebra::mode_span(f, g.mode).leaf_end <= nearest) ++g.mode;
      return g;
    }
    used[found] = true;
    next *= algebra::known(f.shape[found], "");
  }
  return {};
}
/// The first mode of a layout type with a run-time integer.
template <class L>
inline constexpr int dynamic_mode = 0;
template <class... S, class... D>
inline constexpr int dynamic_mode<Layout<tuple<S...>, tuple<D...>>> = [] {
  int mode = 0;
  bool going = true;
  ((going = going && is_static_v<S> && is_static_v<D>, mode += going ? 1 : 0), ...);
  return mode;
}();

/// The mode of the tile along which a thread's value 1 lies, and the number of adjacent values along that mode.
template <class TV, class Tiler>
struct first_values {
  static constexpr auto compute() {
    struct {
      int mode = 0, adjacent = 1;
    } r;
    flat_tree<std::int64_t> const f = lifted<std::int64_t, TV>();
    algebra::span_of_mode const values = algebra::mode_span(f, 1);
    int i = values.leaf;
    while (i + 1 < values.leaf_end && f.shape[i] == 1) ++i;
    r.adjacent = static_cast<int>(f.shape[i]);
    std::int64_t at = f.stride[i];
    flat_tree<std::int64_t> const tile =
        algebra::product_each(algebra::tile_shape(lifted<std::int64_t, Tiler>(read_as::tiler)));
    while (r.mode + 1 < tile.leaves && at >= tile.shape[r.mode]) at /= tile.shape[r.mode++];
    return r;
  }
  static constexpr int mode = compute().mode;
  static constexpr int adjacent = compute().adjacent;
};

/// Whether n coordinates of mode i of a layout fill whole inner modes, so that n can divide the mode.
template <class Num>
constexpr bool divides_mode(flat_tree<Num> const& f, int i, std::int64_t n) {
  algebra::span_of_mode const s = algebra::mode_span(f, i);
  for (int leaf = s.leaf; leaf < s.leaf_end && n > 1; ++leaf) {
    std::int64_t extent = f.shape[leaf];
    while (leaf + 1 < s.leaf_end && f.stride[leaf + 1] == f.stride[leaf] * f.shape[leaf]) extent *= f.shape[++leaf];
    if (extent % n == 0) return true;
    if (n % extent != 0) return false;
    n /= extent;
  }
  return true;
}

/// Whether the values and threads of a tile form whole atoms.
template <class Atom, class TV, class Tiler>
struct atoms_fill {
  static constexpr int threads = static_cast<int>(decltype(size<0>(TV{}))::value);
  static constexpr int values = static_cast<int>(decltype(size<1>(TV{}))::value);
  static constexpr int atom_threads = static_cast<int>(decltype(size<0>(typename Atom::ValLayoutRef{}))::value);
  static constexpr int atom_values = static_cast<int>(decltype(size<1>(typename Atom::ValLayoutRef{}))::value);
  static constexpr bool crossed = !divides_mode(lifted<std::int64_t, TV>(), 0, atom_threads) ||
                                  !divides_mode(lifted<std::int64_t, TV>(), 1, atom_values);
  static constexpr auto find() {
    using First = first_values<TV, Tiler>;
    if constexpr (threads % atom_threads != 0) {
      return std::type_identity<thread_layout_too_small<threads, atom_threads>>{};
    } else if constexpr (values % atom_values != 0) {
      return std::type_identity<
          typename value_layout_too_short<values, atom_values>::template along_mode<First::mode>>{};
    } else if constexpr (crossed) {
      return std::type_identity<vector_crosses_the_value_layout<First::mode, First::adjacent, atom_values>>{};
    } else {
      using Divided = typename layout_result<atoms_of_object, TV, typename Atom::ValLayoutRef>::type;
      if constexpr (decltype(size(Divided{}))::value == threads * values) {
        return std::type_identity<nothing_wrong>{};
      } else {
        return std::type_identity<vector_crosses_the_value_layout<First::mode, First::adjacent, atom_values>>{};
      }
    }
  }
  using says = typename decltype(find())::type;
};

/// The check of make_tiled_copy's arguments. `says` is nothing_wrong, or the class that names the mistake.
template <class Atom, class Thr, class Val>
struct tiled_copy_check {
  template <class L>
  static constexpr bool bijective = evaluate_bool<is_bijective_object, L>;
  template <class L>
  static constexpr int length = static_cast<int>(decltype(size(L{}))::value);
  template <class L>
  static constexpr int reach = static_cast<int>(decltype(cosize(L{}))::value);
  template <class L>
  static constexpr gap gap_of = find_gap(lifted<std::int64_t, L>());

  static constexpr auto find() {
    if constexpr (!is_layout_v<Thr>)
      return std::type_identity<thread_layout_is_no_layout<Thr>>{};
    else if constexpr (!is_layout_v<Val>)
      return std::type_identity<value_layout_is_no_layout<Val>>{};
    else if constexpr (!is_static_v<Thr>)
      return std::type_identity<thread_layout_must_be_static<dynamic_mode<Thr>, Thr>>{};
    else if constexpr (!is_static_v<Val>)
      return std::type_identity<value_layout_must_be_static<dynamic_mode<Val>, Val>>{};
    else if constexpr (!bijective<Thr>) {
      constexpr gap g = gap_of<Thr>;
      return std::type_identity<typename thread_layout_is_not_a_bijection<length<Thr>, reach<Thr>>::template along_mode<
          g.mode, g.stride, g.needed>>{};
    } else if constexpr (!bijective<Val>) {
      constexpr gap g = gap_of<Val>;
      return std::type_identity<typename value_layout_is_not_a_bijection<length<Val>, reach<Val>>::template along_mode<
          g.mode, g.stride, g.needed>>{};
    } else {
      return std::type_identity<typename atoms_fill<Atom, typename made<>::layout_tv, typename made<>::tiler>::says>{};
    }
  }
  template <class T = Thr, class V = Val>
  struct made {
    using layout_tv = typename layout_result<layout_tv_object, T, V>::type;
    using tiler = typename types_at<operation<tiler_object, T, V>, 0, 0>::shape;
  };
  using says = typename decltype(find())::type;
  static constexpr bool ok = std::is_same_v<says, nothing_wrong>;
};

/// Whether a tensor or layout has at least as many modes as a tiler.
template <class Tiler, class T>
inline constexpr bool has_the_modes_of = std::remove_cvref_t<T>::rank >= tuple_size_v<Tiler>;
template <class Tiler, class T>
using lacks_modes_of = tensor_has_fewer_modes_than_the_tile<std::remove_cvref_t<T>::rank, tuple_size_v<Tiler>>;

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
