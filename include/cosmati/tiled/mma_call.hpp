// SPDX-License-Identifier: Apache-2.0
/// @file
/// `MMA_Atom::call`: one matrix instruction on fragments.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_atom.hpp>
#include <cosmati/core/access.hpp>
#include <cosmati/core/refused.hpp>
#include <cosmati/tiled/tiled_copy_check.hpp>

#pragma push_macro("__builtin_memcpy")  // copies between registers; see runtime/seen_builtins.hpp
#undef __builtin_memcpy

namespace COSMATI_NAMESPACE {
namespace detail {

template <int values, int needed>
struct fragment_is_not_of_one_instruction : refused {
  static constexpr bool ok = values == needed;
  static_assert(ok,
                "gemm, MMA_Atom::call: fragment_is_not_of_one_instruction<VALUES, NEEDED>: mode 0 of a fragment holds "
                "VALUES values a thread, the instruction takes NEEDED; make fragments with partition_fragment_A, _B, "
                "_C or make_fragment_A, _B, _C of the same tiled MMA");
};
template <class Element, class Needed, int bits, int needed_bits>
struct fragment_is_of_another_type : refused {
  static constexpr bool ok = bits == needed_bits;
  static_assert(ok,
                "gemm, MMA_Atom::call: fragment_is_of_another_type<ELEMENT, NEEDED, BITS, BITS>: the instruction takes "
                "values of NEEDED's size, the fragment holds ELEMENTs; copy(fragment, fragment of NEEDED) converts");
};
template <int adjacent, int needed>
struct values_of_a_register_are_apart : refused {
  static constexpr bool ok = adjacent % needed == 0;
  static_assert(ok,
                "gemm, MMA_Atom::call: values_of_a_register_are_apart<ADJACENT, NEEDED>: NEEDED values share a "
                "register, but only ADJACENT of the fragment's are neighbours; make fragments with "
                "partition_fragment_A, _B, _C or make_fragment_A, _B, _C");
};

/// The number of contiguous elements of a tensor from index 0.
template <class L>
struct adjacent_values {
  static constexpr int find() {
    constexpr int n = static_cast<int>(decltype(size(L{}))::value);
    int run = 1;
    while (run < n && static_cast<int>(at(run)) == run) ++run;
    return run;
  }
  static constexpr int at(int i) { return static_cast<int>(L{}(i)); }
  static constexpr int value = find();
};

/// Finds the mistake in a thread's values for one instruction: nothing_wrong, or the class that names it.
/// @tparam L the layout of the values
/// @tparam V the type of the instruction's values
template <class L, class Element, class V, class Register, int registers>
struct fragment_check {
  static constexpr int bits = sizeof_bits_v<Element>;
  static constexpr int each = 8 * static_cast<int>(sizeof(Register)) / sizeof_bits_v<V>;
  static constexpr auto find() {
    constexpr int n = static_cast<int>(decltype(size(L{}))::value);
    if constexpr (bits != sizeof_bits_v<V>)
      return std::type_identity<fragment_is_of_another_type<Element, V, bits, sizeof_bits_v<V>>>{};
    else if constexpr (n != registers * each)
      return std::type_identity<fragment_is_not_of_one_instruction<n, registers * each>>{};
    else if constexpr (each > 1 && adjacent_values<L>::value % each != 0)
      return std::type_identity<values_of_a_register_are_apart<adjacent_values<L>::value, each>>{};
    else
      return std::type_identity<nothing_wrong>{};
  }
  using says = typename decltype(find())::type;
};
/// Checks an operand of an MMA_Atom: 'D', 'A', 'B' or 'C'.
template <class Atom, char which, class L, class Element>
struct operand_check;
#define COSMATI_OPERAND_CHECK_(name, letter)                                         \
  template <class Atom, class L, class Element>                                      \
  struct operand_check<Atom, letter, L, Element>                                     \
      : fragment_check<L, Element, typename Atom::ValType##name,                     \
                       std::remove_extent_t<typename Atom::MMA_Op::name##Registers>, \
                       static_cast<int>(std::extent_v<typename Atom::MMA_Op::name##Registers>)> {};
COSMATI_OPERAND_CHECK_(D, 'D')
COSMATI_OPERAND_CHECK_(A, 'A')
COSMATI_OPERAND_CHECK_(B, 'B')
COSMATI_OPERAND_CHECK_(C, 'C')
#undef COSMATI_OPERAND_CHECK_
/// An operand that stands in shared memory is described, not held.
template <class Atom, class L, class Element>
requires(std::is_same_v<Element, typename Atom::FrgTypeA> &&
         !std::is_same_v<Element, typename Atom::ValTypeA>) struct operand_check<Atom, 'A', L, Element> {
  using says = nothing_wrong;
};
template <class Atom, class L, class Element>
requires(std::is_same_v<Element, typename Atom::FrgTypeB> &&
         !std::is_same_v<Element, typename Atom::ValTypeB>) struct operand_check<Atom, 'B', L, Element> {
  using says = nothing_wrong;
};

/// @name Copies between fragments and arrays of registers
/// @{
template <class T>
COSMATI_HD constexpr auto register_address(T&& t, int offset) {
  return raw_pointer_cast(t.data() + offset);
}
template <int each, class T, class Register, std::size_t n>
COSMATI_HD void registers_of(T const& t, Register (&held)[n]) {
  [[maybe_unused]] unseen_scope const unseen;
  COSMATI_UNROLL
  for (int r = 0; r < int{n}; ++r) {
    if constexpr (std::is_same_v<typename T::value_type, Register>) {
      held[r] = *register_address(t, t.layout()(r));
    } else {
#if defined(__CUDA_ARCH__)
      held[r] = *reinterpret_cast<Register const*>(register_address(t, t.layout()(r * each)));
#else
      __builtin_memcpy(&held[r], register_address(t, t.layout()(r * each)), sizeof(Register));
#endif
    }
  }
}
template <int each, class T, class Register, std::size_t n>
COSMATI_HD void to_fragment(Register const (&held)[n], T& t) {
  [[maybe_unused]] unseen_scope const unseen;
  COSMATI_UNROLL
  for (int r = 0; r < int{n}; ++r) {
    if constexpr (std::is_same_v<typename T::value_type, Register>) {
      *register_address(t, t.layout()(r)) = held[r];
    } else {
#if defined(__CUDA_ARCH__)
      *reinterpret_cast<Register*>(register_address(t, t.layout()(r * each))) = held[r];
#else
      __builtin_memcpy(register_address(t, t.layout()(r * each)), &held[r], sizeof(Register));
#endif
    }
  }
}
/// @}

/// Calls Op::fma with each register as an argument.
template <class Op, class D, class A, class B, class C_, std::size_t... d_, std::size_t... a_, std::size_t... b_,
          std::size_t... c_>
COSMATI_HD void call_with_registers(D& d, A const& a, B const& b, C_ const& c, std::index_sequence<d_...>,
                                    std::index_sequence<a_...>, std::index_sequence<b_...>,
                                    std::index_sequence<c_...>) {
  Op::fma(d[d_]..., a[a_]..., b[b_]..., c[c_]...);
}

/// One instruction on fragments: their registers are gathered into arrays, and the sums go back.
template <class Atom, class TD, class DL, class TA, class AL, class TB, class BL, class TC, class CL>
COSMATI_HD void multiply_fragments(Tensor<TD, DL>& d, Tensor<TA, AL> const& a, Tensor<TB, BL> const& b,
                                   Tensor<TC, CL> const& c) {
  using Op = typename Atom::MMA_Op;
  constexpr int nd = std::extent_v<typename Op::DRegisters>, na = std::extent_v<typename Op::ARegisters>;
  constexpr int nb = std::extent_v<typename Op::BRegisters>, nc = std::extent_v<typename Op::CRegisters>;
  using check_d = operand_check<Atom, 'D', DL, typename TD::value_type>;
  using check_a = operand_check<Atom, 'A', AL, typename TA::value_type>;
  using check_b = operand_check<Atom, 'B', BL, typename TB::value_type>;
  using check_c = operand_check<Atom, 'C', CL, typename TC::value_type>;
  static_assert(sizeof(typename check_d::says) + sizeof(typename check_a::says) + sizeof(typename check_b::says) +
                    sizeof(typename check_c::says) !=
                0);
  std::remove_extent_t<typename Op::DRegisters> held_d[std::size_t{nd}];
  std::remove_extent_t<typename Op::ARegisters> held_a[std::size_t{na}];
  std::remove_extent_t<typename Op::BRegisters> held_b[std::size_t{nb}];
  std::remove_extent_t<typename Op::CRegisters> held_c[std::size_t{nc}];
  registers_of<check_a::each>(a, held_a);
  registers_of<check_b::each>(b, held_b);
  registers_of<check_c::each>(c, held_c);
  if constexpr (mma_sync_operation<Op> || mma_complex_operation<Op>)
    issue_mma<Op>(held_d, held_a, held_b, held_c);
  else
    call_with_registers<Op>(held_d, held_a, held_b, held_c, std::make_index_sequence<std::size_t{nd}>{},
                            std::make_index_sequence<std::size_t{na}>{}, std::make_index_sequence<std::size_t{nb}>{},
                            std::make_index_sequence<std::size_t{nc}>{});
  to_fragment<check_d::each>(held_d, d);
}

}  // namespace detail

template <class Op, class... Arguments>
template <class TD, class DL, class TA, class AL, class TB, class BL, class TC, class CL>
COSMATI_HD void MMA_Atom<MMA_Traits<Op, Arguments...>>::call(Tensor<TD, DL>& d, Tensor<TA, AL> const& a,
                                                             Tensor<TB, BL> const& b, Tensor<TC, CL> const& c) const {
  if constexpr (requires { this->multiply(d, a, b, c); })
    this->multiply(d, a, b, c);
  else
    detail::multiply_fragments<MMA_Atom>(d, a, b, c);
}

}  // namespace COSMATI_NAMESPACE

#pragma pop_macro("__builtin_memcpy")

#include <cosmati/core/macros_end.hpp>
