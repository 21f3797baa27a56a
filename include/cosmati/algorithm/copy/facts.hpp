// SPDX-License-Identifier: Apache-2.0
/// @file
/// Facts about a copy's tensors and atoms that their types give: sizes, contiguous runs, the values of an instruction.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/copy/layout_facts.hpp>
#include <cosmati/algorithm/counting.hpp>
#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/cp_async.hpp>

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
/// The number of elements of a copy if the type of either side tells it, otherwise 0.
template <class Src, class Dst>
inline constexpr int static_elements = [] {
  constexpr int n = static_size<decltype(size(std::declval<Src const&>()))>::value;
  return n != 0 ? n : static_size<decltype(size(std::declval<Dst const&>()))>::value;
}();
template <class T>
inline constexpr int bits_of_value = static_cast<int>(sizeof_bits_v<typename T::value_type>);
/// The destination as an object that can be written. A const view is copied, because its elements are not const.
template <class Dst>
COSMATI_HD constexpr Dst& writable(Dst& dst) {
  return dst;
}
template <class Dst>
COSMATI_HD constexpr Dst writable(Dst const& dst) {
  return dst;
}
/// Whether the memory is unknown to constant evaluation. Copies of such memory need no code for constant evaluation.
template <class T>
inline constexpr bool in_device_memory = is_gmem_v<T> || is_smem_v<T>;
/// Whether the elements are stored in memory and have addresses.
template <class Src, class Dst>
concept both_have_addresses = requires(Src const& src, Dst& dst) {
  static_cast<void const*>(raw_pointer_cast(src.data()));
  static_cast<void*>(raw_pointer_cast(dst.data()));
};
/// The bytes of an access that moves one element unchanged; 0 if there is none, and C++ must assign the element.
template <class Src, class Dst>
inline constexpr int bytes_of_element = [] {
  constexpr int bits = bits_of_value<Src>;
  if constexpr (is_bits_of_one_access(bits) && std::is_same_v<typename Src::value_type, typename Dst::value_type>)
    return both_have_addresses<Src, Dst> ? bits / 8 : 0;
  else
    return 0;
}();
/// The number of elements, or `otherwise` if it is known at run time. It is an int unless it is too large for one.
template <class T, int otherwise>
inline constexpr auto size_or = [] {
  using N = decltype(size(std::declval<T const&>()));
  if constexpr (static_integer<N>)
    return narrowest<static_cast<std::int64_t>(N::value)>;
  else
    return otherwise;
}();
/// The number of contiguous values from the first. It is at most what a swizzled pointer keeps together.
template <class T>
inline constexpr int run_of = [] {
  constexpr int run = static_cast<int>(layout_facts<typename T::layout_type>::run % (1 << 30));
  constexpr int kept_values = bytes_kept_together<typename T::iterator> * 8 / bits_of_value<T>;
  return run < kept_values ? run : kept_values > 1 ? kept_values : 1;
}();
/// The number of bytes from the first that are contiguous in both tensors. Run-time parts of the layouts count as far
/// as they are known.
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
/// The indices of the longest run that lies side by side in both tensors, of whatever mode: a static layout, or `void`.
template <class Src, class Dst>
constexpr auto run_in_common() {
  if constexpr (requires(Src const& s, Dst const& d) { max_common_layout(s.layout(), d.layout()); }) {
    using Run = std::remove_cvref_t<decltype(max_common_layout(std::declval<Src const&>().layout(),
                                                               std::declval<Dst const&>().layout()))>;
    if constexpr (is_static_v<Run>)
      return std::type_identity<Run>{};
    else
      return std::type_identity<void>{};
  } else {
    return std::type_identity<void>{};
  }
}
/// The run that one bulk copy moves. It is `bytes_in_common` if that is a multiple of 16 bytes. Otherwise it is the
/// longest run that both layouts have in any mode, if that is longer and no swizzle breaks it: for example the rows of
/// a matrix whose first mode counts rows.
template <class Src, class Dst>
struct run_of_bulk_copy {
  using run = typename decltype(run_in_common<Src, Dst>())::type;
  static constexpr int in_order = bytes_in_common<Src, Dst>;
  static constexpr int bytes = [] {
    if constexpr (in_order % 16 == 0 || std::is_void_v<run>) {
      return in_order;
    } else {
      constexpr int common = static_cast<int>(decltype(size(run{}))::value) * bits_of_value<Src> / 8;
      constexpr bool kept = bytes_kept_together<typename Src::iterator> >= common &&
                            bytes_kept_together<typename Dst::iterator> >= common;
      return kept && common > in_order ? common : in_order;
    }
  }();
  static constexpr bool is_in_order = bytes == in_order;
};
/// What divides the offsets of vectors of n elements, as far as known; 0: they all start at 0.
template <class T, int n>
inline constexpr int vectors_start_at_multiples_of =
    static_cast<int>(layout_facts<typename T::layout_type>::template alignment<n, 0> % (std::int64_t{1} << 30));

/// The values that one call of a single-thread instruction moves.
template <class Atom>
inline constexpr int atom_vector = static_cast<int>(Atom::NumValSrc::value);
/// The number of values that one instruction needs contiguous; 1 if `copy` chooses the width itself.
template <class Atom>
inline constexpr int vector_of_atom = auto_vector_bits<typename Atom::CopyOp> > 0 ? 1 : atom_vector<Atom>;

/// For either side of an atom: the number of values of one call, and how many of them must be contiguous. For an
/// instruction on registers these are the values of one 32-bit register.
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

/// The number of an atom's calls in a copy; -1 if it is known at run time.
template <class Atom, class Src, class Dst>
inline constexpr auto vectors_of = size_or<Src, -1> >= 0   ? size_or<Src, -1> / atom_vectors<Atom>::source
                                   : size_or<Dst, -1> >= 0 ? size_or<Dst, -1> / atom_vectors<Atom>::destination
                                                           : -1;

/// A cp.async into registers. There is no such instruction: a load that is waited for gives the same. Programs for CuTe
/// name one in branches that they never take; compat/ says so for them.
template <class Op, class Dst>
inline constexpr bool waits_for_its_load =
#if defined(COSMATI_CUTE_PROGRAM)
    cp_async_atom<Op>&& is_rmem_v<Dst>;
#else
    false;
#endif

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
