// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Copy_Traits<Op>`: the threads and bits of one copy instruction; and the instructions that need no architecture.
///
/// A trait has `ThrID` (the threads that act together), and `SrcLayout`, `DstLayout` and `RefLayout`: (thread, bit) ->
/// bit among those that the instruction moves. Specialise it for your own operation.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/operations.hpp>
#include <cosmati/number/number_types.hpp>

namespace COSMATI_NAMESPACE {

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// One load and one store of sizeof(S) bytes by each thread. The widest S is uint128_t.
template <class S, class D = S>
struct UniversalCopy {
  using SRegisters = S[1];
  using DRegisters = D[1];
  /// The instruction: an assignment.
  COSMATI_HD static constexpr void copy(S const& src, D& dst) { dst = src; }
};
}  // namespace as_cutlass

/// The widest access that the layouts prove, up to MaxVecBits. It assumes that both addresses are aligned as the access
/// needs.
template <int MaxVecBits>
struct AutoVectorizingCopyWithAssumedAlignment : UniversalCopy<uint_bit_t<MaxVecBits>> {
  static_assert(MaxVecBits == 8 || MaxVecBits == 16 || MaxVecBits == 32 || MaxVecBits == 64 || MaxVecBits == 128,
                "AutoVectorizingCopyWithAssumedAlignment<N>: N is 8, 16, 32, 64 or 128 bits");
};
/// Assumes 16-byte alignment.
using AutoVectorizingCopy = AutoVectorizingCopyWithAssumedAlignment<128>;
/// Assumes no alignment.
using DefaultCopy = AutoVectorizingCopyWithAssumedAlignment<8>;
/// Lets `copy` choose an asynchronous instruction if there is one.
struct AutoCopyAsync {};

namespace detail {
template <class Op>
struct no_such_copy_operation {
  static_assert(never<sizeof(Op) == 0>,
                "Copy_Traits<Op>: this operation is not known; include the header of its architecture, or specialise "
                "Copy_Traits for it with ThrID, SrcLayout, DstLayout and RefLayout");
};
}  // namespace detail

template <class Op, class... Arguments>
struct Copy_Traits {
  static constexpr auto unknown = detail::no_such_copy_operation<Op>{};
};

template <class S, class D>
struct Copy_Traits<UniversalCopy<S, D>> {
  static_assert(sizeof_bits_v<S> == sizeof_bits_v<D>, "UniversalCopy<S, D>: S and D must have the same size");
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, C<static_cast<int>(sizeof_bits_v<S>)>>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};
/// One value at a time, which `copy` joins to wider accesses.
template <int MaxVecBits>
struct Copy_Traits<AutoVectorizingCopyWithAssumedAlignment<MaxVecBits>> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, _1>, Stride<_0, _0>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

namespace detail {
template <class Op>
inline constexpr int auto_vector_bits = 0;  ///< > 0: the operation vectorises up to that width
template <int N>
inline constexpr int auto_vector_bits<AutoVectorizingCopyWithAssumedAlignment<N>> = N;
template <class Op>
inline constexpr bool is_universal_copy = false;
template <class S, class D>
inline constexpr bool is_universal_copy<UniversalCopy<S, D>> = true;
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
