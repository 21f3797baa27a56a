// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Copy_Atom<Op, T>`: a copy instruction that moves values of type T.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_traits.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <int value_bits, int atom_bits>
struct values_do_not_fill_the_atom {
  static_assert(atom_bits % value_bits == 0,
                "Copy_Atom<Op, T>: the instruction moves no whole number of values (values_do_not_fill_the_atom<BITS "
                "OF T, BITS OF Op>); take an instruction of a multiple of T's bits, such as UniversalCopy<T>");
};
template <int value_bits, bool ok>
struct atom_splits_values {
  static_assert(ok,
                "Copy_Atom<Op, T>: the instruction would give parts of one T to several threads "
                "(atom_splits_values<BITS OF T, ...>): it exchanges elements of 16 bits; take a T of 16 bits or fewer, "
                "or an instruction that does not transpose");
};
/// A warp-wide instruction from registers to registers.
template <class Op>
concept exchanges_registers = requires {
  requires Op::instruction.lanes == 32 && Op::instruction.source == Op::instruction.destination;
};
template <class L, int value_bits, bool between_registers>
struct value_layout {
  static constexpr int atom_bits = static_cast<int>(decltype(size<1>(L{}))::value);
  /// True if a value is everything that a thread has, and the instruction distributes its parts over several threads.
  /// Then values count registers, and a tensor of values has one element for each thread.
  static constexpr bool one_register_a_value = [] {
    if constexpr (atom_bits != value_bits || !between_registers)
      return false;
    else
      return decltype(size<0>(upcast<value_bits>(L{})))::value != decltype(size<0>(L{}))::value;
  }();
  static constexpr auto compute() {
    if constexpr (atom_bits == 1)
      return L{};
    else if constexpr (one_register_a_value)
      return Layout<Shape<decltype(size<0>(L{})), _1>>{};
    else if constexpr (atom_bits % value_bits != 0)
      return Layout<Shape<_1, _1>, Stride<_0, _0>>{};
    else
      return upcast<value_bits>(L{});
  }
  using type = decltype(compute());
};
}  // namespace detail

template <class... Arguments>
struct Copy_Atom;

template <class Op, class T>
struct Copy_Atom<Op, T> : Copy_Atom<Copy_Traits<Op>, T> {
  using CopyOp = Op;
};

/// (thread, value) -> value, for the source, destination and reference side of an instruction on values of type T.
template <class... TraitsArguments, class T>
struct Copy_Atom<Copy_Traits<TraitsArguments...>, T> : Copy_Traits<TraitsArguments...> {
  using Traits = Copy_Traits<TraitsArguments...>;
  using CopyOp = typename detail::element<0, TraitsArguments...>::type;
  using ThrID = typename Traits::ThrID;
  using BitLayoutSrc = typename Traits::SrcLayout;
  using BitLayoutDst = typename Traits::DstLayout;
  using BitLayoutRef = typename Traits::RefLayout;
  using ValType = T;
  static constexpr int value_bits = static_cast<int>(sizeof_bits_v<T>);
  static constexpr int atom_bits = static_cast<int>(decltype(size<1>(BitLayoutRef{}))::value);
  static_assert(sizeof(detail::values_do_not_fill_the_atom<(atom_bits > 1 ? value_bits : 1), atom_bits>) != 0);
  using ValLayoutSrc =
      typename detail::value_layout<BitLayoutSrc, value_bits, detail::exchanges_registers<CopyOp>>::type;
  using ValLayoutDst =
      typename detail::value_layout<BitLayoutDst, value_bits, detail::exchanges_registers<CopyOp>>::type;
  using ValLayoutRef =
      typename detail::value_layout<BitLayoutRef, value_bits, detail::exchanges_registers<CopyOp>>::type;
  static_assert(sizeof(detail::atom_splits_values < value_bits,
                       size<0>(ValLayoutSrc{}) == size<0>(BitLayoutSrc{}) &&
                           size<0>(ValLayoutDst{}) == size<0>(BitLayoutDst{}) >) != 0);
  using NumThr = decltype(size(ThrID{}));
  using NumValSrc = decltype(size<1>(ValLayoutSrc{}));
  using NumValDst = decltype(size<1>(ValLayoutDst{}));

  /// The atom with run-time arguments of its instruction, such as a predicate or a barrier.
  template <class... X>
  COSMATI_HD constexpr auto with(X&&... x) const {
    auto const traits = Traits::with(static_cast<X&&>(x)...);
    return Copy_Atom<std::remove_const_t<decltype(traits)>, T>{traits};
  }

  /// @name One vector: source and destination have as many values as the instruction moves
  /// With a predicate, a tensor whose first element says whether it moves. Defined in algorithm/copy.hpp and
  /// copy_if.hpp.
  /// @{
  template <class Src, class Dst>
  COSMATI_HD constexpr void call(Src const& src, Dst&& dst) const;
  template <class Predicate, class Src, class Dst>
  COSMATI_HD constexpr void call(Predicate const& predicate, Src const& src, Dst&& dst) const;
  /// @}
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
