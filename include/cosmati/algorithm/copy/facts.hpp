// SPDX-License-Identifier: Apache-2.0
/// @file
/// What types tell of a copy's tensors, atoms and tiles before it runs: sizes, contiguous runs, places.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/copy/layout_facts.hpp>
#include <cosmati/algorithm/counting.hpp>
#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class T>
struct static_size {
  static constexpr int value = [] {
    if constexpr (!static_integer<T>)
      return 0;
    else
      return static_cast<std::int64_t>(T::value) <= INT64_C(0x7fffffff) ? static_cast<int>(T::value) : 0;
  }();
};
/// The number of elements of a copy where the type of one side tells it, else 0.
template <class Src, class Dst>
inline constexpr int static_elements = [] {
  constexpr int n = static_size<decltype(size(std::declval<Src const&>()))>::value;
  return n != 0 ? n : static_size<decltype(size(std::declval<Dst const&>()))>::value;
}();
template <class T>
inline constexpr int bits_of_value = static_cast<int>(sizeof_bits_v<typename T::value_type>);
/// The destination of a call, to be written: a constant view is copied, for its elements are no constants.
template <class Dst>
COSMATI_HD constexpr Dst& writable(Dst& dst) {
  return dst;
}
template <class Dst>
COSMATI_HD constexpr Dst writable(Dst const& dst) {
  return dst;
}
/// Memory that no constant evaluation knows: copies of it have no code for that.
template <class T>
inline constexpr bool in_device_memory = is_gmem_v<T> || is_smem_v<T>;
/// Elements are stored in memory, at addresses.
template <class Src, class Dst>
concept both_have_addresses = requires(Src const& src, Dst& dst) {
  static_cast<void const*>(raw_pointer_cast(src.data()));
  static_cast<void*>(raw_pointer_cast(dst.data()));
};
/// Bytes of the access that moves one element as it is; 0 where there is none, and C++ has to assign the element.
template <class Src, class Dst>
inline constexpr int bytes_of_element = [] {
  constexpr int bits = bits_of_value<Src>;
  constexpr bool whole = bits % 8 == 0 && bits <= 128 && (bits & (bits - 1)) == 0;
  if constexpr (whole && std::is_same_v<typename Src::value_type, typename Dst::value_type>)
    return both_have_addresses<Src, Dst> ? bits / 8 : 0;
  else
    return 0;
}();
/// The number of elements, `otherwise` if it is known at run time; an int unless it is too large for one.
template <class T, int otherwise>
inline constexpr auto size_or = [] {
  using N = decltype(size(std::declval<T const&>()));
  if constexpr (static_integer<N>)
    return narrowest<static_cast<std::int64_t>(N::value)>;
  else
    return otherwise;
}();
/// How many values lie one behind the other from the first on; no more than a swizzled pointer leaves together.
template <class T>
inline constexpr int run_of = [] {
  constexpr int run = static_cast<int>(layout_facts<typename T::layout_type>::run % (1 << 30));
  constexpr int kept = bytes_kept_together<typename T::iterator> * 8 / bits_of_value<T>;
  return run < kept ? run : kept > 1 ? kept : 1;
}();
/// Bytes that lie side by side in both tensors, from the first on; layouts known at run time in part count as far as
/// they are known.
template <class Src, class Dst>
inline constexpr int bytes_in_common = [] {
  using L1 = typename Src::layout_type;
  using L2 = typename Dst::layout_type;
  if constexpr (std::is_same_v<L1, L2> && plain_layout<L1> && !composed_layout<L1> && is_static_v<L1>) {
    if constexpr (cosize(L1{}) == size(L1{}))
      return static_cast<int>(decltype(size(L1{}))::value) * bits_of_value<Src> / 8;
  }
  return static_cast<int>(algebra::gcd(run_of<Src>, run_of<Dst>)) * bits_of_value<Src> / 8;
}();
/// What divides the offsets of vectors of n elements, as far as known; 0: they all start at 0.
template <class T, int n>
inline constexpr int vectors_start_at_multiples_of =
    static_cast<int>(layout_facts<typename T::layout_type>::template alignment<n, 0> % (std::int64_t{1} << 30));

/// The values that one call of a single-thread instruction moves.
template <class Atom>
inline constexpr int atom_vector = static_cast<int>(Atom::NumValSrc::value);
/// Values that one instruction must find side by side: 1 where `copy` chooses the width itself.
template <class Atom>
inline constexpr int vector_of_atom = auto_vector_bits<typename Atom::CopyOp> > 0 ? 1 : atom_vector<Atom>;

/// The values of one call, and how many of them lie side by side, on either side of an atom: where an instruction has
/// registers, those of 32 bits.
template <class Atom>
struct atom_vectors {
  static constexpr int source = vector_of_atom<Atom>, destination = source;
  static constexpr int source_run = source, destination_run = source;
  static constexpr bool source_in_registers = false, destination_in_registers = false;
};
template <class Atom>
requires(names_an_instruction<typename Atom::CopyOp> &&
         !is_bulk_copy<typename Atom::CopyOp>) struct atom_vectors<Atom> {
  static constexpr auto needs = Atom::CopyOp::instruction;
  static constexpr int of_a_register = Atom::value_bits < 32 ? 32 / Atom::value_bits : 1;
  static constexpr int source = static_cast<int>(Atom::NumValSrc::value);
  static constexpr int destination = static_cast<int>(Atom::NumValDst::value);
  static constexpr bool source_in_registers = needs.source == memory_space::rmem;
  static constexpr bool destination_in_registers = needs.destination == memory_space::rmem;
  static constexpr int source_run = source_in_registers ? of_a_register : source;
  static constexpr int destination_run = destination_in_registers ? of_a_register : destination;
};

/// The number of an atom's calls that a copy takes, -1 where it is known at run time.
template <class Atom, class Src, class Dst>
inline constexpr auto vectors_of = size_or<Src, -1> >= 0   ? size_or<Src, -1> / atom_vectors<Atom>::source
                                   : size_or<Dst, -1> >= 0 ? size_or<Dst, -1> / atom_vectors<Atom>::destination
                                                           : -1;

template <class T>
inline constexpr bool has_thread_place = false;
template <class T>
inline constexpr bool has_thread_place<T const> = has_thread_place<T>;
template <class Iterator, class Base, class Behind, class Idx, bool source, int step, bool known, class L>
inline constexpr bool
    has_thread_place<Tensor<PlacedEngine<Iterator, thread_place<Base, Behind, Idx, source, step, known>>, L>> = true;

/// What divides the offsets of the threads' first values, as far as known; 0 where nothing is.
template <class T>
inline constexpr int step_of_threads = [] {
  if constexpr (has_thread_place<T>)
    return T::engine_type::place_type::step;
  else
    return 0;
}();

/// The place of a tensor that is no tile of another: the tile's extents are the tensor's.
template <class Base>
inline constexpr bool is_whole_place = false;
template <class Tile, class... zero>
inline constexpr bool is_whole_place<tile_place<Tile, Tile, tuple<zero...>>> = (std::is_same_v<zero, C<0>> && ...);

/// A tile's place says more of the bounds than a whole tensor's; global memory more than shared.
template <class T>
struct place_weight {
  static constexpr int value = -1;
};
template <class T>
struct place_weight<T const> : place_weight<T> {};
template <class Iterator, class Base, class Behind, class Idx, bool source, int step, class L>
struct place_weight<Tensor<PlacedEngine<Iterator, thread_place<Base, Behind, Idx, source, step, true>>, L>> {
  static constexpr int value =
      (memory_space_v<Iterator> == memory_space::gmem ? 2 : 0) + (is_whole_place<Base> ? 0 : 1);
};
template <class Src, class Dst>
inline constexpr int rank_of_place = [] {
  if constexpr (place_weight<Src>::value < 0 && place_weight<Dst>::value < 0)
    return 0;
  else if constexpr (place_weight<Src>::value >= place_weight<Dst>::value)
    return Src::engine_type::place_type::base_type::rank;
  else
    return Dst::engine_type::place_type::base_type::rank;
}();

/// The extent of a mode of a tiler; 0 if it is known at run time.
template <class T>
inline constexpr std::int64_t extent_of_tile = 0;
template <auto v>
inline constexpr std::int64_t extent_of_tile<C<v>> = static_cast<std::int64_t>(v);
template <class S, class D>
inline constexpr std::int64_t extent_of_tile<Layout<S, D>> = [] {
  if constexpr (is_static_v<S>)
    return static_cast<std::int64_t>(decltype(size(S{}))::value);
  else
    return 0;
}();
/// How far apart copies of a mode of a tiler begin; 0 if it is known at run time. Strided modes have gaps, which other
/// copies fill, so that it may be more than the extent.
template <class T>
inline constexpr std::int64_t period_of_tile = extent_of_tile<T>;
template <class S, class D>
requires(is_static_v<Layout<S, D>>) inline constexpr std::int64_t period_of_tile<Layout<S, D>> = [] {
  auto const& f = layout_facts<Layout<S, D>>::value;
  std::int64_t period = 1;
  for (int i = 0; i < f.leaves; ++i) {
    std::int64_t const end = algebra::known(f.shape[i], "") * algebra::known(f.stride[i], "");
    period = end > period ? end : period;
  }
  return period;
}();
/// What a tiled copy's tile covers along mode k; 0 where it takes the whole mode.
template <class Tiler, std::size_t k>
inline constexpr std::int64_t step_along = [] {
  if constexpr (static_cast<int>(k) < tuple_size_v<Tiler>)
    return period_of_tile<tuple_element_t<k, Tiler>>;
  else
    return std::int64_t{0};
}();
/// A tiled copy is known to cover no element beyond the tile's end along mode k. @tparam Base tile_place
template <class Tiler, class Base, std::size_t k>
inline constexpr bool divides_tile = [] {
  constexpr std::int64_t step = step_along<Tiler, k>;
  constexpr std::int64_t tile = extent_of_tile<tuple_element_t<k, typename Base::tile_type>>;
  if constexpr (step <= 1)
    return true;
  else
    return tile > 0 && tile % step == 0;
}();
template <class Tiler, class Base>
inline constexpr bool divides_all_modes = []<std::size_t... k>(std::index_sequence<k...>) {
  return (divides_tile<Tiler, Base, k> && ...);
}
(std::make_index_sequence<static_cast<std::size_t>(Base::rank)>{});

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
