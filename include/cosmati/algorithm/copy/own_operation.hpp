// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copy operations of the program: `copy` calls the operation with references to the registers of a vector.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/counting.hpp>
#include <utility>

namespace COSMATI_NAMESPACE::detail {

/// What the library's own `copy_unpack` (compat/) gives: a program's own gives void.
struct unpacked_by_the_library {};
/// The vector that begins at an element, as a tensor: all vectors of a copy lie alike.
template <int count, class T, class Index>
COSMATI_HD constexpr auto vector_at(T& t, Index first) {
  return make_tensor(t.data() + t.layout()(first), composition(t.layout(), Layout<C<count>>{}));
}
/// The traits of the atom have a `copy_unpack` of the program's own.
template <class Atom, class Src, class Dst>
concept unpacked_by_the_program = requires(typename Atom::Traits const& traits, Src const& src, Dst& dst) {
  { copy_unpack(traits, src, dst) } -> std::same_as<void>;
};
template <class Atom, class Src, class Dst>
inline constexpr bool has_own_unpack = false;
template <class Atom, class Src, class Dst>
requires requires { typename Atom::Traits; }
inline constexpr bool has_own_unpack<Atom, Src, Dst> = unpacked_by_the_program<Atom, Src, Dst>;

/// An operation of the program, which has specialised its traits. `copy` calls the operation's `copy` with one
/// reference for each register.
template <class Op>
concept own_copy_operation =
    !names_an_instruction<Op> && !is_universal_copy<Op> && auto_vector_bits<Op> == 0 && !is_bulk_copy<Op> && requires {
  typename Op::SRegisters;
  typename Op::DRegisters;
};

/// An atom whose traits move whole tensors themselves: `move<values of an instruction>(src, dst)`, and
/// `mistake<Src, Dst, values>` says what is wrong with a call.
template <class Atom>
concept moves_tensors = Atom::moves_tensors;

/// Register r of the vector that begins at element i.
template <class Register, class T, class Index>
COSMATI_HD inline Register& register_in_place(T& t, Index i, int r) {
  constexpr int bits = static_cast<int>(8 * sizeof(Register));
  constexpr int values_of_register = bits_of_value<T> < bits ? bits / bits_of_value<T> : 1;
  return *reinterpret_cast<Register*>(address_at(t.data(), t.layout()(i + static_cast<Index>(r * values_of_register))));
}
template <class Op, class Src, class Dst, class Index, std::size_t... s, std::size_t... d>
COSMATI_HD inline void call_own_operation(Src const& src, Index from, Dst& dst, Index to, std::index_sequence<s...>,
                                          std::index_sequence<d...>) {
  using Given = std::remove_extent_t<typename Op::SRegisters>;
  using Taken = std::remove_extent_t<typename Op::DRegisters>;
  Op::copy(register_in_place<Given const>(src, from, static_cast<int>(s))...,
           register_in_place<Taken>(dst, to, static_cast<int>(d))...);
}
/// Calls the operation for the vectors that begin at element `from` of the source and `to` of the destination.
template <class Op, class Src, class Dst, class Index>
COSMATI_HD inline void call_own_operation(Src const& src, Index from, Dst& dst, Index to) {
  call_own_operation<Op>(src, from, dst, to, std::make_index_sequence<std::extent_v<typename Op::SRegisters>>{},
                         std::make_index_sequence<std::extent_v<typename Op::DRegisters>>{});
}
/// Calls the operation for each vector whose predicates are all true. An operation cannot be split, so other vectors do
/// not move.
template <class Atom, class Src, class Dst, class Holds>
COSMATI_HD constexpr void copy_by_own_operation_where(Src const& src, Dst& dst, Holds const& holds) {
  using Vectors = atom_vectors<Atom>;
  for_each_vector<vectors_of<Atom, Src, Dst>>(size(src) / C<Vectors::source>{}, [&](auto k) {
    using Index = decltype(k);
    Index const from = k * static_cast<Index>(Vectors::source), to = k * static_cast<Index>(Vectors::destination);
    bool all = true;
    COSMATI_UNROLL
    for (int v = 0; v < Vectors::source; ++v) all = all && holds(from + static_cast<Index>(v));
    if (all) call_own_operation<typename Atom::CopyOp>(src, from, dst, to);
  });
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
