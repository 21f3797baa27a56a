// SPDX-License-Identifier: Apache-2.0
/// @file
/// Finds mistakes in a copy before it runs.
///
/// The overloads of `copy` that copy require `copy_check<...>::ok`. Further overloads return
/// `copy_check<...>::says`, a class whose static_assert names the mistake where `copy` is called (core/refused.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/check/broken_run.hpp>
#include <cosmati/algorithm/copy/check/misfit.hpp>
#include <cosmati/algorithm/copy/check/mistakes.hpp>
#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/copy/own_operation.hpp>
#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/atom/streaming.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class Atom>
inline constexpr bool warp_wide_atom = [] {
  if constexpr (requires { Atom::CopyOp::instruction; })
    return Atom::CopyOp::instruction.lanes > 1;
  else
    return false;
}();
/// @name The ways of copying, by the argument that chooses the instruction
/// @{
struct copy_by_layout {  ///< `copy` itself, which converts if the types differ
  using atom = void;
  using tiler = void;
};
template <class How>
struct copy_method : copy_by_layout {};  // the copy of a policy
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

/// The layout of a tiled copy's values in its tile, on the side with the mistake; void without a tiled copy.
template <class How, bool source>
struct values_in_tile {
  using type = void;
};
template <class A, class TV, class Tiler, bool source>
struct values_in_tile<TiledCopy<A, TV, Tiler>, source> {
  using type = TV;
};
template <class A, class TV, class Tiler, bool source>
requires(warp_wide_atom<A>) struct values_in_tile<TiledCopy<A, TV, Tiler>, source> {
  using How = TiledCopy<A, TV, Tiler>;
  using type = std::conditional_t<source, decltype(How::get_layoutS_TV()), decltype(How::get_layoutD_TV())>;
};

template <class How>
inline constexpr bool is_thr_copy = false;
template <class TC, class Idx>
inline constexpr bool is_thr_copy<ThrCopy<TC, Idx>> = true;

/// Replaces the number of modes of the bounds if there are no bounds, or if predicates replace them.
inline constexpr int no_bounds = -1;
inline constexpr int bounds_are_predicates = -2;

/// Whether the tensor is in the memory that an instruction needs.
template <class T, memory_space where>
inline constexpr bool lives_in = where == memory_space::gmem   ? is_gmem_v<T>
                                 : where == memory_space::smem ? is_smem_v<T>
                                                               : is_rmem_v<T>;

/// Whether `copy` may be called with such tensors. `says` is nothing_wrong, or the class that names the first mistake.
/// The checks run in the order of the functions.
/// @tparam How a Copy_Atom, a TiledCopy, or copy_by_layout
/// @tparam Dst const if the call may not write to it
/// @tparam bounds the number of modes of the bounds, or one of the constants above
template <class How, class Src, class Dst, int bounds = no_bounds>
struct copy_check {
  using atom = typename copy_method<How>::atom;
  using tiler = typename copy_method<How>::tiler;
  static constexpr auto n = size_or<Src, -1>;
  static constexpr auto m = size_or<Dst, -1>;
  template <class Mistake>
  using says_that = std::type_identity<Mistake>;

  static constexpr auto find() {
    using Element =
        std::conditional_t<std::is_const_v<Dst>, typename Dst::element_type const, typename Dst::element_type>;
    if constexpr (is_thr_copy<How>)
      return says_that<copy_needs_the_tiled_copy<false>>{};
    else if constexpr (moves_tensors<atom> && bounds != no_bounds)
      return says_that<instruction_has_no_predicate<false>>{};
    else if constexpr (moves_tensors<atom>)
      return says_that<typename atom::template mistake<Src, Dst, static_cast<int>(atom::NumValSrc::value)>>{};
    else if constexpr (std::is_const_v<Element>)
      return says_that<destination_is_read_only<Element>>{};
    else if constexpr (std::is_void_v<atom>)
      return in_bounds();
    else
      return in_element_types();
  }
  static constexpr auto in_element_types() {
    using From = typename Src::value_type;
    using To = typename Dst::value_type;
    constexpr int from_bits = bits_of_value<Src>, to_bits = bits_of_value<Dst>, atom_bits = atom::value_bits;
    constexpr bool chooses_its_width = auto_vector_bits < typename atom::CopyOp >> 0;
    if constexpr (chooses_its_width && from_bits != to_bits && std::is_convertible_v<From, To>)
      return in_bounds();  // a policy as an atom: it converts, as the policy does
    else if constexpr (from_bits != to_bits)
      return says_that<element_types_differ_in_size<From, To, from_bits, to_bits>>{};
    else if constexpr (!chooses_its_width && atom_bits != from_bits)
      return says_that<atom_is_of_another_type_size<typename atom::ValType, From, atom_bits, from_bits>>{};
    else if constexpr (is_bulk_copy<typename atom::CopyOp>)
      return in_bulk();
    else if constexpr (names_an_instruction<typename atom::CopyOp>)
      return in_instruction();
    else if constexpr (own_copy_operation<typename atom::CopyOp> && bounds >= 0 && atom_vectors<atom>::source > 1)
      return says_that<instruction_has_no_predicate<false>>{};  // the instruction could not move a vector that the
                                                                // bounds cut
    else
      return in_bounds();
  }
  /// Checks a bulk copy, which goes from shared to global memory or from global to shared memory.
  static constexpr auto in_bulk() {
    using Op = typename atom::CopyOp;
    constexpr memory_space s = memory_space_v<Src>, d = memory_space_v<Dst>;
    constexpr bool stores = is_smem_v<Src> && !std::is_same_v<Op, SM90_BULK_COPY_G2S>;
    if constexpr (stores && !is_gmem_v<Dst>)
      return says_that<destination_is_not_in_global_memory<d>>{};
    else if constexpr (!stores && std::is_same_v<Op, SM90_BULK_COPY_S2G>)
      return says_that<source_is_not_in_shared_memory<s>>{};
    else if constexpr (!stores && !is_gmem_v<Src>)
      return says_that<source_is_not_in_global_memory<s>>{};
    else if constexpr (!stores && !is_smem_v<Dst>)
      return says_that<destination_is_not_in_shared_memory<d>>{};
    else if constexpr (!stores && !requires { std::declval<atom>().barrier; })
      return says_that<bulk_copy_needs_its_mbarrier<false>>{};
    else if constexpr (bounds != no_bounds)
      return says_that<instruction_has_no_predicate<false>>{};
    else if constexpr (run_of_bulk_copy<Src, Dst>::bytes % 16 != 0)
      return says_that<bulk_copy_is_not_of_16_bytes<run_of_bulk_copy<Src, Dst>::bytes>>{};
    else
      return in_bounds();
  }
  /// Checks that the tensors are in the memory that the atom's instruction needs.
  static constexpr auto in_instruction() {
    using Op = typename atom::CopyOp;
    constexpr auto needs = Op::instruction;
    if constexpr (!lives_in<Src, needs.source>)
      return says_that<source_is_elsewhere<needs.source, memory_space_v<Src>>>{};
    else if constexpr (!lives_in<Dst, needs.destination> && !waits_for_its_load<Op, Dst>)
      return says_that<destination_is_elsewhere<needs.destination, memory_space_v<Dst>>>{};
    else if constexpr ((needs.lanes > 1 || streaming_atom<Op>)&&bounds != no_bounds)
      return says_that<instruction_has_no_predicate<false>>{};
    else
      return in_bounds();
  }
  static constexpr auto in_bounds() {
    constexpr int rank = rank_of_place<Src, Dst>;
    if constexpr (bounds >= 0 && place_weight<Src>::value < 0 && place_weight<Dst>::value < 0)
      return says_that<neither_tensor_knows_its_place<false>>{};
    else if constexpr (bounds >= 0 && rank != bounds)
      return says_that<bounds_have_another_rank<rank, bounds>>{};
    else if constexpr (n >= 0 && m >= 0)
      return in_sizes();
    else
      return in_tiles();
  }
  static constexpr auto in_sizes() {
    if constexpr (!warp_wide_atom<atom>) {
      if constexpr (n != m) {
        constexpr extents_that_differ by = find_extents_that_differ<Src, Dst>();
        return says_that<
            source_and_destination_sizes_differ<n, m, by.mode, narrowest<by.source>, narrowest<by.destination>>>{};
      } else {
        return in_tiles();
      }
    } else {
      constexpr auto given = n / atom_vectors<atom>::source, taken = m / atom_vectors<atom>::destination;
      if constexpr (given != taken)
        return says_that<source_and_destination_instructions_differ<given, taken>>{};
      else
        return in_tiles();
    }
  }
  static constexpr auto in_tiles() {
    if constexpr (bounds != no_bounds || std::is_void_v<tiler>) {
      return in_vectors();
    } else {
      constexpr misfit src = misfit_of_tensor<Src, tiler>;
      constexpr misfit found = src.mode >= 0 ? src : misfit_of_tensor<Dst, tiler>;
      if constexpr (found.mode >= 0)
        return says_that<
            partition_reaches_beyond_the_tensor<found.mode, narrowest<found.extent>, narrowest<found.tile>>>{};
      else
        return in_vectors();
    }
  }
  static constexpr auto in_vectors() {
    if constexpr (std::is_void_v<atom>) {
      return says_that<nothing_wrong>{};
    } else {
      using V = atom_vectors<atom>;
      if constexpr (V::source == 1 && V::destination == 1)
        return in_bytes();
      else if constexpr (n > 0 && n % V::source != 0)
        return says_that<values_are_no_whole_vectors<n, V::source>>{};
      else if constexpr (m > 0 && m % V::destination != 0)
        return says_that<values_are_no_whole_vectors<m, V::destination>>{};
      else if constexpr (run_of<Src> % V::source_run != 0)
        return in_run<Src, source_vector_is_not_contiguous, V::source_run, V::source_in_registers>();
      else if constexpr (run_of<Dst> % V::destination_run != 0)
        return in_run<Dst, destination_vector_is_not_contiguous, V::destination_run, V::destination_in_registers>();
      else
        return in_alignment();
    }
  }
  /// Checks that the values of a vector are not known to be apart.
  template <class T, template <int, int, int, int> class Mistake, int needed, bool in_registers_>
  static constexpr auto in_run() {
    if constexpr (in_registers_) {
      return says_that<register_values_are_not_adjacent<run_of<T>, needed>>{};
    } else {
      constexpr run_end end = end_of_run<T, typename values_in_tile<How, is_memory<Src>>::type, tiler>();
      if constexpr (warp_wide_atom<atom>)
        return says_that<matrix_rows_are_not_contiguous<end.mode, end.stride, run_of<T>, needed>>{};
      else
        return says_that<Mistake<end.mode, end.stride, run_of<T>, needed>>{};
    }
  }
  /// The distance between the starts of vectors, in elements, as far as it is known.
  template <class T, int run>
  static constexpr int multiple = static_cast<int>(algebra::gcd(vectors_start_at_multiples_of<T, run>,
                                                                step_of_threads<T>));
  static constexpr auto in_alignment() {
    using V = atom_vectors<atom>;
    constexpr int s = multiple<Src, V::source_run>, d = multiple<Dst, V::destination_run>;
    if constexpr (is_memory<Src> && s % V::source_run != 0)
      return says_that<source_vectors_are_not_aligned<s, V::source_run>>{};
    else if constexpr (is_memory<Dst> && d % V::destination_run != 0)
      return says_that<destination_vectors_are_not_aligned<d, V::destination_run>>{};
    else
      return in_bytes();
  }
  static constexpr auto in_bytes() {
    constexpr int bits = atom_vectors<atom>::source * atom::value_bits;
    if constexpr (is_memory<Dst> && auto_vector_bits<typename atom::CopyOp> == 0 && bits % 8 != 0)
      return says_that<threads_would_share_a_byte<bits>>{};
    else
      return says_that<nothing_wrong>{};
  }

  using says = typename decltype(find())::type;
  static constexpr bool ok = std::is_same_v<says, nothing_wrong>;
};

/// The destination type for `copy_check`. It is const only if the call may not write to it, because a const view can be
/// written through.
template <class Dst>
using destination_of_call = std::conditional_t<std::is_const_v<std::remove_reference_t<Dst>> &&
                                                   is_owning_v<typename std::remove_cvref_t<Dst>::engine_type>,
                                               std::remove_cvref_t<Dst> const, std::remove_cvref_t<Dst>>;
template <class How, class Src, class Dst, int bounds = no_bounds>
concept copyable = copy_check<How, Src, destination_of_call<Dst>, bounds>::ok;
/// The class that names the mistake.
template <class How, class Src, class Dst, int bounds = no_bounds>
using mistake_in_copy = typename copy_check<How, Src, destination_of_call<Dst>, bounds>::says;

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
