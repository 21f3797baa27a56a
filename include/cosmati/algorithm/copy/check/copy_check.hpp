// SPDX-License-Identifier: Apache-2.0
/// @file
/// What is known to be wrong with a copy before it runs: `copy_check` finds the first mistake and its numbers.
///
/// The overloads of `copy` that copy require `copy_check<...>::ok`; one more returns `copy_check<...>::mistake`, a
/// class whose static_assert says what is wrong where `copy` is called (core/refused.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/check/mistakes.hpp>
#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/counting.hpp>
#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/atom/streaming.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE::detail {

/// What is wrong with a copy, and the numbers of the case.
struct copy_diagnosis {
  enum kind : int {
    fine,
    one_thread,
    read_only,
    types,
    atom_type,
    sizes,
    beyond,
    no_place,
    bounds_rank,
    no_whole_vectors,
    source_vector,
    destination_vector,
    source_alignment,
    destination_alignment,
    part_of_a_byte,
    source_memory,
    destination_memory,
    instructions,
    register_values,
    no_predicate,
    bulk_bytes,
    no_mbarrier,
    matrix_rows,
  };
  kind what = fine;
  std::int64_t a = 0, b = 0, c = 0, d = 0, e = 0;
};

/// The first mode along which a partition certainly covers elements that do not exist: the tile is not a multiple of
/// the tiled copy's, or the tensor is not one of the tile and the last tile is known to be among those covered.
template <class Place, class Tiler>
struct misfit_of;
/// Both extents are known, and the part does not divide the whole.
constexpr bool leaves_a_rest(std::int64_t whole, std::int64_t part) {
  return whole > 0 && part > 0 && whole % part != 0;
}
template <class Tile, class Full, class Origin, int... open, class Tiler>
struct misfit_of<tile_place<Tile, Full, Origin, open...>, Tiler> {
  template <std::size_t k>
  static constexpr copy_diagnosis along() {
    constexpr std::int64_t tile = extent_of_tile<tuple_element_t<k, Tile>>;
    constexpr std::int64_t full = extent_of_tile<tuple_element_t<k, Full>>;
    constexpr int mode = static_cast<int>(k);
    constexpr std::int64_t step = step_along<Tiler, k>;
    if (leaves_a_rest(tile, step)) return {copy_diagnosis::beyond, mode, tile, step};
    if (leaves_a_rest(full, tile)) {
      constexpr bool all = ((open == mode) || ...);
      using At = tuple_element_t<k, Origin>;
      bool last = all;
      if constexpr (static_integer<At>) last = all || At::value + tile > full;
      if (last) return {copy_diagnosis::beyond, mode, full, tile};
    }
    return {};
  }
  static constexpr copy_diagnosis value = [] {
    copy_diagnosis r;
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      ((r.what == copy_diagnosis::fine ? void(r = along<k>()) : void()), ...);
    }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<Tile>)>{});
    return r;
  }();
};
template <class T, class Tiler>
constexpr copy_diagnosis find_misfit() {
  if constexpr (has_thread_place<T>)
    return misfit_of<typename T::engine_type::place_type::base_type, Tiler>::value;
  else
    return {};
}

/// @name The mode along which a vector stops being contiguous
/// @{
/// The leaf of a layout at which the run from offset 0 on ends.
template <class L>
struct leaf_that_ends_the_run {
  static constexpr int value = [] {
    auto const& f = layout_facts<L>::value;
    std::int64_t run = 1;
    for (int i = 0; i < f.leaves; ++i) {
      if (algebra::is(f.shape[i], 1)) continue;
      if (!algebra::is_known(f.shape[i]) || !algebra::is(f.stride[i], run)) return i;
      run *= algebra::known(f.shape[i], "");
    }
    return -1;
  }();
  static constexpr int stride = [] {
    if constexpr (value >= 0) {
      auto const& d = layout_facts<L>::value.stride[value];
      if (algebra::is_known(d)) return static_cast<int>(algebra::known(d, ""));
    }
    return 0;
  }();
  static constexpr int mode = [] {
    auto const& f = layout_facts<L>::value;
    int m = 0;
    while (value >= 0 && m + 1 < f.rank() && algebra::mode_span(f, m).leaf_end <= value) ++m;
    return m;
  }();
};
template <class A, class O, class B>
struct leaf_that_ends_the_run<ComposedLayout<A, O, B>> : leaf_that_ends_the_run<B> {};
/// The run without what a swizzle makes of it.
template <class L>
inline constexpr int uncut_run_of = static_cast<int>(layout_facts<L>::run % (1 << 30));
template <class A, class O, class B>
inline constexpr int uncut_run_of<ComposedLayout<A, O, B>> = uncut_run_of<B>;

/// The mode of the tile along which value `index` of a thread lies away from value 0.
template <class TV, class Tiler>
constexpr int mode_of_value(int index) {
  auto const& f = layout_facts<TV>::value;
  algebra::span_of_mode const values = algebra::mode_span(f, 1);
  std::int64_t at = 0;
  for (int i = values.leaf; i < values.leaf_end; ++i) {
    std::int64_t const extent = algebra::known(f.shape[i], "");
    at += index % extent * algebra::known(f.stride[i], "");
    index = static_cast<int>(index / extent);
  }
  int mode = 0;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    constexpr std::int64_t extents[] = {extent_of_tile<tuple_element_t<k, Tiler>>...};
    for (int i = 0; i < static_cast<int>(sizeof...(k)); ++i) {
      if (extents[i] <= 0) return;
      if (at % extents[i] != 0) mode = i;
      at /= extents[i];
    }
  }
  (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<Tiler>)>{});
  return mode;
}
/// @}

/// @name The ways of copying, by what chooses the instruction
/// @{
struct copy_by_layout {  ///< `copy` itself, converting where the types differ
  using atom = void;
  using tiler = void;
};
template <class How>
struct copy_method : copy_by_layout {};  // a policy
template <class... A>
struct copy_method<Copy_Atom<A...>> {
  using atom = Copy_Atom<A...>;
  using tiler = void;
};
template <class A, class TV, class Tiler>
struct copy_method<TiledCopy<A, TV, Tiler>> {
  using atom = A;
  using layout_tv = TV;
  using tiler = Tiler;
};
/// @}

template <class How>
inline constexpr bool is_thr_copy = false;
template <class TC, class Idx>
inline constexpr bool is_thr_copy<ThrCopy<TC, Idx>> = true;

template <class Src, class Dst>
constexpr copy_diagnosis different_sizes() {
  copy_diagnosis r{copy_diagnosis::sizes, size_or<Src, 0>, size_or<Dst, 0>, -1, 0, 0};
  auto const look = [&](int mode, std::int64_t n, std::int64_t m) {
    if (r.c < 0 && n > 0 && m > 0 && n != m) r = {r.what, r.a, r.b, mode, n, m};
  };
  if constexpr (has_thread_place<Src> && has_thread_place<Dst>) {
    using S = typename Src::engine_type::place_type::base_type::tile_type;
    using D = typename Dst::engine_type::place_type::base_type::tile_type;
    constexpr int n = smaller_int(tuple_size_v<S>, tuple_size_v<D>);
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (look(static_cast<int>(k), extent_of_tile<tuple_element_t<k, S>>, extent_of_tile<tuple_element_t<k, D>>), ...);
    }
    (std::make_index_sequence<static_cast<std::size_t>(n)>{});
  }
  constexpr int ranks = Src::rank > Dst::rank ? Src::rank : Dst::rank;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    auto const extent = [](auto mode, auto* t) {
      using T = std::remove_pointer_t<decltype(t)>;
      constexpr int i = decltype(mode)::value;
      if constexpr (i < T::rank) {
        using N = decltype(size<i>(std::declval<T const&>()));
        return static_size<N>::value;
      } else {
        return 1;
      }
    };
    (look(static_cast<int>(k), extent(C<static_cast<int>(k)>{}, static_cast<Src*>(nullptr)),
          extent(C<static_cast<int>(k)>{}, static_cast<Dst*>(nullptr))),
     ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(ranks)>{});
  return r;
}

/// Instead of the number of modes that the bounds have: there are none; predicates stand for them.
inline constexpr int no_bounds = -1;
inline constexpr int bounds_are_predicates = -2;

template <class Atom>
inline constexpr bool warp_wide_atom = [] {
  if constexpr (requires { Atom::CopyOp::instruction; })
    return Atom::CopyOp::instruction.lanes > 1;
  else
    return false;
}();
/// Whether the tensors are where the atom's instruction wants them.
template <class Atom, class Src, class Dst, int bounds>
constexpr copy_diagnosis diagnose_instruction() {
  using D = copy_diagnosis;
  using Op = typename Atom::CopyOp;
  constexpr int s = static_cast<int>(memory_space_v<Src>), d = static_cast<int>(memory_space_v<Dst>);
  if constexpr (is_bulk_copy<Op>) {
    if constexpr (is_smem_v<Src> && !std::is_same_v<Op, SM90_BULK_COPY_G2S>) {
      if constexpr (!is_gmem_v<Dst>) return {D::destination_memory, static_cast<int>(memory_space::gmem), d};
    } else {
      if constexpr (std::is_same_v<Op, SM90_BULK_COPY_S2G>)
        return {D::source_memory, static_cast<int>(memory_space::smem), s};
      if constexpr (!is_gmem_v<Src>) return {D::source_memory, static_cast<int>(memory_space::gmem), s};
      if constexpr (!is_smem_v<Dst>) return {D::destination_memory, static_cast<int>(memory_space::smem), d};
      if constexpr (!requires { std::declval<Atom>().barrier; }) return {D::no_mbarrier};
    }
    if (bounds != no_bounds) return {D::no_predicate};
    if (bytes_in_common<Src, Dst> % 16 != 0) return {D::bulk_bytes, bytes_in_common<Src, Dst>};
  } else if constexpr (names_an_instruction<Op>) {
    constexpr auto needs = Op::instruction;
    auto const lives = [](auto* t, memory_space where) {
      using T = std::remove_pointer_t<decltype(t)>;
      return where == memory_space::gmem ? is_gmem_v<T> : where == memory_space::smem ? is_smem_v<T> : is_rmem_v<T>;
    };
    if (!lives(static_cast<Src*>(nullptr), needs.source)) return {D::source_memory, static_cast<int>(needs.source), s};
    if (!lives(static_cast<Dst*>(nullptr), needs.destination))
      return {D::destination_memory, static_cast<int>(needs.destination), d};
    if ((needs.lanes > 1 || streaming_atom<Op>)&&bounds != no_bounds) return {D::no_predicate};
  }
  return {};
}

/// @tparam bounds how many modes the bounds have, or one of the above
template <class How, class Src, class Dst, int bounds>
constexpr copy_diagnosis diagnose_copy() {
  using D = copy_diagnosis;
  using Atom = typename copy_method<How>::atom;
  using Tiler = typename copy_method<How>::tiler;
  if constexpr (is_thr_copy<How>) return {D::one_thread};
  if constexpr (std::is_const_v<typename Dst::element_type>) return {D::read_only};
  if constexpr (!std::is_void_v<Atom>) {
    if constexpr (bits_of_value<Src> != bits_of_value<Dst>)
      return {D::types, bits_of_value<Src>, bits_of_value<Dst>};
    else if constexpr ((vector_of_atom<Atom> > 1 || names_an_instruction<typename Atom::CopyOp>)&&Atom::value_bits !=
                       bits_of_value<Src>)
      return {D::atom_type, Atom::value_bits, bits_of_value<Src>};
    constexpr D needs = diagnose_instruction<Atom, Src, Dst, bounds>();
    if constexpr (needs.what != D::fine) return needs;
  }
  if constexpr (bounds >= 0) {
    if constexpr (place_weight<Src>::value < 0 && place_weight<Dst>::value < 0)
      return {D::no_place};
    else if constexpr (rank_of_place<Src, Dst> != bounds)
      return {D::bounds_rank, rank_of_place<Src, Dst>, bounds};
  }
  constexpr std::int64_t n = size_or<Src, -1>;
  constexpr std::int64_t m = size_or<Dst, -1>;
  if constexpr (n >= 0 && m >= 0) {
    if constexpr (!warp_wide_atom<Atom>) {
      if constexpr (n != m) return different_sizes<Src, Dst>();
    } else if constexpr (n / atom_vectors<Atom>::source != m / atom_vectors<Atom>::destination) {
      return {D::instructions, n / atom_vectors<Atom>::source, m / atom_vectors<Atom>::destination};
    }
  }
  if constexpr (bounds == no_bounds && !std::is_void_v<Tiler>) {
    constexpr D src = find_misfit<Src, Tiler>();
    if constexpr (src.what != D::fine) return src;
    constexpr D dst = find_misfit<Dst, Tiler>();
    if constexpr (dst.what != D::fine) return dst;
  }
  if constexpr (!std::is_void_v<Atom>) {
    using V = atom_vectors<Atom>;
    constexpr int v = V::source;
    if constexpr (V::source > 1 || V::destination > 1) {
      if (n > 0 && n % V::source != 0) return {D::no_whole_vectors, n, V::source};
      if (m > 0 && m % V::destination != 0) return {D::no_whole_vectors, m, V::destination};
      auto const broken = [](auto* t, D::kind what, int needed) -> D {
        using T = std::remove_pointer_t<decltype(t)>;
        using Leaf = leaf_that_ends_the_run<typename T::layout_type>;
        int mode = Leaf::mode;
        if constexpr (!std::is_void_v<Tiler> && warp_wide_atom<Atom>)
          mode = mode_of_value<
              std::conditional_t<is_memory<Src>, decltype(How::get_layoutS_TV()), decltype(How::get_layoutD_TV())>,
              Tiler>(run_of<T>);
        else if constexpr (!std::is_void_v<Tiler>)
          mode = mode_of_value<typename copy_method<How>::layout_tv, Tiler>(run_of<T>);
        constexpr bool cut = run_of<T> < uncut_run_of<typename T::layout_type>;
        return {warp_wide_atom<Atom> ? D::matrix_rows : what, mode, cut ? 1 : Leaf::stride, run_of<T>, needed};
      };
      if constexpr (run_of<Src> % V::source_run != 0) {
        if (V::source_in_registers) return {D::register_values, run_of<Src>, V::source_run};
        return broken(static_cast<Src*>(nullptr), D::source_vector, V::source_run);
      }
      if constexpr (run_of<Dst> % V::destination_run != 0) {
        if (V::destination_in_registers) return {D::register_values, run_of<Dst>, V::destination_run};
        return broken(static_cast<Dst*>(nullptr), D::destination_vector, V::destination_run);
      }
      constexpr int s =
          static_cast<int>(algebra::gcd(vectors_start_at_multiples_of<Src, V::source_run>, step_of_threads<Src>));
      constexpr int d =
          static_cast<int>(algebra::gcd(vectors_start_at_multiples_of<Dst, V::destination_run>, step_of_threads<Dst>));
      if (is_memory<Src> && s % V::source_run != 0) return {D::source_alignment, s, V::source_run};
      if (is_memory<Dst> && d % V::destination_run != 0) return {D::destination_alignment, d, V::destination_run};
    }
    constexpr int bits = v * Atom::value_bits;
    if (is_memory<Dst> && auto_vector_bits<typename Atom::CopyOp> == 0 && bits % 8 != 0)
      return {D::part_of_a_byte, bits};
  }
  return {};
}

/// @name From a diagnosis to the class that says it
/// @{
#define COSMATI_WRONG_MEMORY_(side)                                                \
  template <int needed, int found>                                                 \
  struct wrong_##side##_memory {                                                   \
    using type = side##_is_not_in_registers<static_cast<memory_space>(found)>;     \
  };                                                                               \
  template <int found>                                                             \
  struct wrong_##side##_memory<static_cast<int>(memory_space::gmem), found> {      \
    using type = side##_is_not_in_global_memory<static_cast<memory_space>(found)>; \
  };                                                                               \
  template <int found>                                                             \
  struct wrong_##side##_memory<static_cast<int>(memory_space::smem), found> {      \
    using type = side##_is_not_in_shared_memory<static_cast<memory_space>(found)>; \
  };
COSMATI_WRONG_MEMORY_(source)
COSMATI_WRONG_MEMORY_(destination)
#undef COSMATI_WRONG_MEMORY_
template <class Check, copy_diagnosis::kind what = Check::found.what>
struct copy_mistake;
#define COSMATI_MISTAKE(kind, ...)               \
  template <class X>                             \
  struct copy_mistake<X, copy_diagnosis::kind> { \
    using type = __VA_ARGS__;                    \
  };
COSMATI_MISTAKE(one_thread, copy_needs_the_tiled_copy<X::ok>)
COSMATI_MISTAKE(read_only, destination_is_read_only<typename X::destination::element_type>)
COSMATI_MISTAKE(types, element_types_differ_in_size<typename X::source::value_type, typename X::destination::value_type,
                                                    X::found.a, X::found.b>)
COSMATI_MISTAKE(
    atom_type,
    atom_is_of_another_type_size<typename X::atom::ValType, typename X::source::value_type, X::found.a, X::found.b>)
COSMATI_MISTAKE(sizes, source_and_destination_sizes_differ<narrowest<X::found.a>, narrowest<X::found.b>, X::found.c,
                                                           narrowest<X::found.d>, narrowest<X::found.e>>)
COSMATI_MISTAKE(beyond, partition_reaches_beyond_the_tensor<X::found.a, narrowest<X::found.b>, narrowest<X::found.c>>)
COSMATI_MISTAKE(no_place, neither_tensor_knows_its_place<X::ok>)
COSMATI_MISTAKE(bounds_rank, bounds_have_another_rank<X::found.a, X::found.b>)
COSMATI_MISTAKE(no_whole_vectors, values_are_no_whole_vectors<narrowest<X::found.a>, X::found.b>)
COSMATI_MISTAKE(source_vector, source_vector_is_not_contiguous<X::found.a, X::found.b, X::found.c, X::found.d>)
COSMATI_MISTAKE(destination_vector,
                destination_vector_is_not_contiguous<X::found.a, X::found.b, X::found.c, X::found.d>)
COSMATI_MISTAKE(source_alignment, source_vectors_are_not_aligned<X::found.a, X::found.b>)
COSMATI_MISTAKE(destination_alignment, destination_vectors_are_not_aligned<X::found.a, X::found.b>)
COSMATI_MISTAKE(part_of_a_byte, threads_would_share_a_byte<X::found.a>)
COSMATI_MISTAKE(source_memory, typename wrong_source_memory<X::found.a, X::found.b>::type)
COSMATI_MISTAKE(destination_memory, typename wrong_destination_memory<X::found.a, X::found.b>::type)
COSMATI_MISTAKE(instructions, source_and_destination_instructions_differ<narrowest<X::found.a>, narrowest<X::found.b>>)
COSMATI_MISTAKE(register_values, register_values_are_not_adjacent<X::found.a, X::found.b>)
COSMATI_MISTAKE(no_predicate, instruction_has_no_predicate<X::ok>)
COSMATI_MISTAKE(bulk_bytes, bulk_copy_is_not_of_16_bytes<X::found.a>)
COSMATI_MISTAKE(no_mbarrier, bulk_copy_needs_its_mbarrier<X::ok>)
COSMATI_MISTAKE(matrix_rows, matrix_rows_are_not_contiguous<X::found.a, X::found.b, X::found.c, X::found.d>)
#undef COSMATI_MISTAKE
/// @}

/// Whether `copy` may be called with such tensors. @tparam How a Copy_Atom, a TiledCopy, or copy_by_layout
template <class How, class Src, class Dst, int bounds = no_bounds>
struct copy_check {
  using source = Src;
  using destination = Dst;
  using atom = typename copy_method<How>::atom;
  static constexpr copy_diagnosis found = diagnose_copy<How, Src, Dst, bounds>();
  static constexpr bool ok = found.what == copy_diagnosis::fine;
};
template <class How, class Src, class Dst, int bounds = no_bounds>
concept copyable = copy_check<How, Src, Dst, bounds>::ok;
/// The class that says why not.
template <class How, class Src, class Dst, int bounds = no_bounds>
using mistake_in_copy = typename copy_mistake<copy_check<How, Src, std::remove_cvref_t<Dst>, bounds>>::type;

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
