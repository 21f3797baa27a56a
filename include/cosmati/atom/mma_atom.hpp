// SPDX-License-Identifier: Apache-2.0
/// @file
/// `MMA_Atom<Op>`: a matrix instruction with its layouts. It can be tiled (tiled/tiled_mma.hpp) or called.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_traits.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class Traits>
struct d_layout {
  using type = typename Traits::CLayout;
};
template <class Traits>
requires requires { typename Traits::DLayout; }
struct d_layout<Traits> {
  using type = typename Traits::DLayout;
};

/// The types of elements of A's and B's fragments: the values, unless the traits name others.
template <class Traits>
struct fragment_types {
  using A = typename Traits::ValTypeA;
  using B = typename Traits::ValTypeB;
};
template <class Traits>
requires requires { typename Traits::FrgTypeA; }
struct fragment_types<Traits> {
  using A = typename Traits::FrgTypeA;
  using B = typename Traits::FrgTypeB;
};
}  // namespace detail

template <class... Arguments>
struct MMA_Atom;

template <class Op>
struct MMA_Atom<Op> : MMA_Atom<MMA_Traits<Op>> {};

/// (thread, value) -> column-major index in A (M, K), B (N, K), C and D (M, N); and the types of the elements.
template <class Op, class... Arguments>
struct MMA_Atom<MMA_Traits<Op, Arguments...>> : MMA_Traits<Op, Arguments...> {
  using MMA_Op = Op;
  using Traits = MMA_Traits<Op, Arguments...>;
  using ValTypeD = typename Traits::ValTypeD;
  using ValTypeA = typename Traits::ValTypeA;
  using ValTypeB = typename Traits::ValTypeB;
  using ValTypeC = typename Traits::ValTypeC;
  using Shape_MNK = typename Traits::Shape_MNK;
  using ThrID = typename Traits::ThrID;
  using LayoutA_TV = typename Traits::ALayout;
  using LayoutB_TV = typename Traits::BLayout;
  using LayoutC_TV = typename Traits::CLayout;
  using LayoutD_TV = typename detail::d_layout<Traits>::type;
  using FrgTypeD = ValTypeD;
  using FrgTypeA = typename detail::fragment_types<Traits>::A;
  using FrgTypeB = typename detail::fragment_types<Traits>::B;
  using FrgTypeC = ValTypeC;

  /// The atom with run-time arguments of its instruction.
  template <class... X>
  COSMATI_HD constexpr auto with(X&&... x) const {
    auto const traits = Traits::with(static_cast<X&&>(x)...);
    return MMA_Atom<std::remove_const_t<decltype(traits)>>{traits};
  }

  /// @name One instruction, D = A B + C
  /// Each fragment (V) has one thread's values in the order of its layout. The functions are defined in
  /// tiled/mma_call.hpp.
  /// @{
  template <class TD, class DL, class TA, class AL, class TB, class BL, class TC, class CL>
  COSMATI_HD void call(Tensor<TD, DL>& d, Tensor<TA, AL> const& a, Tensor<TB, BL> const& b,
                       Tensor<TC, CL> const& c) const;
  template <class TA, class AL, class TB, class BL, class TC, class CL>
  COSMATI_HD void call(Tensor<TA, AL> const& a, Tensor<TB, BL> const& b, Tensor<TC, CL>& c) const {
    call(c, a, b, c);
  }
  /// @}

  /// @name Registers for a partition (V, ...)
  /// @{
  template <class E, class L>
  COSMATI_HD static constexpr auto make_fragment_A(Tensor<E, L> const& partition) {
    if constexpr (requires { Traits::operand_A(partition); })
      return Traits::operand_A(partition);  // what stands for A in shared memory
    else
      return make_fragment_like<FrgTypeA>(partition);
  }
  template <class E, class L>
  COSMATI_HD static constexpr auto make_fragment_B(Tensor<E, L> const& partition) {
    if constexpr (requires { Traits::operand_B(partition); })
      return Traits::operand_B(partition);
    else
      return make_fragment_like<FrgTypeB>(partition);
  }
  /// Registers for sums. They are column-major for any order of the partition, and not initialised: call
  /// clear(fragment).
  template <class E, class L>
  COSMATI_HD static constexpr auto make_fragment_C(Tensor<E, L> const& partition) {
    return make_tensor<FrgTypeC>(shape(partition));
  }
  template <class X>
  requires(std::is_base_of_v<refused, X>) COSMATI_HD static constexpr refused make_fragment_A(X const&) { return {}; }
  template <class X>
  requires(std::is_base_of_v<refused, X>) COSMATI_HD static constexpr refused make_fragment_B(X const&) { return {}; }
  template <class X>
  requires(std::is_base_of_v<refused, X>) COSMATI_HD static constexpr refused make_fragment_C(X const&) { return {}; }
  /// @}
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
