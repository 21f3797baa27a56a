// SPDX-License-Identifier: Apache-2.0
/// @file
/// `MMA_Traits<Op>`: the operands of one matrix instruction; and `UniversalFMA`, which needs no architecture.
///
/// A trait has these members:
/// - `ValTypeD`, `ValTypeA`, `ValTypeB`, `ValTypeC`: the types of the elements
/// - `Shape_MNK`: the extents
/// - `ThrID`: the threads that act together
/// - `ALayout`, `BLayout`, `CLayout`: (thread, value) -> column-major index in the operand (M, K), (N, K) or (M, N)
/// - `DLayout`, if it differs from CLayout
///
/// Specialise it for your own operation. The operation has `DRegisters`, `ARegisters`, `BRegisters`, `CRegisters` and
/// `fma(d..., a..., b..., c...)`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_layouts.hpp>
#include <cosmati/layout/make_layout.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T>
COSMATI_HD constexpr T fused(T const& a, T const& b, T const& c) {
  return static_cast<T>(a * b + c);
}
/// A multiply-add with one rounding, as the GPU's instruction, so that both devices compute the same bits.
COSMATI_HD constexpr float fused(float a, float b, float c) {
  return __builtin_is_constant_evaluated() ? a * b + c : __builtin_fmaf(a, b, c);
}
COSMATI_HD constexpr double fused(double a, double b, double c) {
  return __builtin_is_constant_evaluated() ? a * b + c : __builtin_fma(a, b, c);
}

template <class F>
COSMATI_HD constexpr minifloat<F> fused(minifloat<F> a, minifloat<F> b, minifloat<F> c) {
  return minifloat<F>(fused(float(a), float(b), float(c)));
}

/// The type in which C++ computes a * b + c.
template <class D, class A, class B, class C_>
struct product_type {
  using type = std::remove_cvref_t<decltype(std::declval<A>() * std::declval<B>() + std::declval<C_>())>;
};
}  // namespace detail

/// d = a * b + c, by each thread for itself, in any types with * and +. For float and double it rounds once. Narrower
/// floating-point types are computed in float and rounded once more.
template <class D, class A = D, class B = A, class C_ = D>
struct UniversalFMA {
  using DRegisters = D[1];
  using ARegisters = A[1];
  using BRegisters = B[1];
  using CRegisters = C_[1];
  /// The instruction: d = a b + c.
  COSMATI_HD static constexpr void fma(D& d, A const& a, B const& b, C_ const& c) {
    using T = typename detail::product_type<D, A, B, C_>::type;
    d = as_written_as(static_cast<D>(detail::fused(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c))), a, b, c);
  }
};

namespace detail {
template <class Op>
struct no_such_mma_operation {
  static_assert(never<sizeof(Op) == 0>,
                "MMA_Traits<Op>: this operation is not known; include the header of its architecture "
                "(cosmati/mma.hpp has all), or specialise MMA_Traits for it with ValTypeD/A/B/C, Shape_MNK, ThrID, "
                "ALayout, BLayout and CLayout");
};
}  // namespace detail

/// The operands of an operation: the types ValTypeD/A/B/C, the extents Shape_MNK, the threads ThrID, and the layouts
/// A/B/CLayout, (thread, value) -> index.
template <class Op, class... Arguments>
struct MMA_Traits {
  static constexpr auto unknown = detail::no_such_mma_operation<Op>{};
  // these members avoid further errors
  using ValTypeD = float;
  using ValTypeA = float;
  using ValTypeB = float;
  using ValTypeC = float;
  using Shape_MNK = Shape<C<1>, C<1>, C<1>>;
  using ThrID = Layout<C<1>, C<0>>;
  using ALayout = Layout<Shape<C<1>, C<1>>, Stride<C<0>, C<0>>>;
  using BLayout = ALayout;
  using CLayout = ALayout;
};

template <class D, class A, class B, class C_>
struct MMA_Traits<UniversalFMA<D, A, B, C_>> {
  using ValTypeD = D;
  using ValTypeA = A;
  using ValTypeB = B;
  using ValTypeC = C_;
  using Shape_MNK = Shape<C<1>, C<1>, C<1>>;
  using ThrID = Layout<C<1>, C<0>>;
  using ALayout = Layout<Shape<C<1>, C<1>>, Stride<C<0>, C<0>>>;
  using BLayout = ALayout;
  using CLayout = ALayout;
};

template <detail::mma_sync_operation Op>
struct MMA_Traits<Op> {
  using ValTypeD = typename Op::ValTypeD;
  using ValTypeA = typename Op::ValTypeA;
  using ValTypeB = typename Op::ValTypeB;
  using ValTypeC = typename Op::ValTypeC;
  using Shape_MNK = Shape<C<Op::M>, C<Op::N>, C<Op::K>>;
  using ThrID = typename detail::mma_layouts<Op>::thread;
  using ALayout = typename detail::mma_layouts<Op>::A;
  using BLayout = typename detail::mma_layouts<Op>::B;
  using CLayout = typename detail::mma_layouts<Op>::sum;
  using DLayout = typename detail::mma_layouts<Op>::D;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
