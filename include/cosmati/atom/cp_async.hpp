// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cp.async`: a thread copies 4, 8 or 16 bytes from global to shared memory without waiting (sm_80 and newer).
///
/// The instruction has two properties. The first is the caches that it uses: `.ca` uses L1 and L2; `.cg` uses L2 only,
/// and moves 16 bytes. The second is whether it fills bytes that it does not read with zeros.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>

namespace COSMATI_NAMESPACE {

/// The caches that an asynchronous copy goes through.
enum class cache_level : int { ca = 0, cg = 1 };

namespace detail {

template <class S, class D, cache_level level_, bool fills_>
struct cp_async_operation {
  static constexpr int bytes = static_cast<int>(sizeof(S));
  static constexpr cache_level level = level_;
  static constexpr bool fills_with_zeros = fills_;
  static_assert(sizeof(S) == sizeof(D), "cp.async copies as many bytes as it reads: S and D must have the same size");
  using SRegisters = S[1];
  using DRegisters = D[1];
  static constexpr copy_instruction instruction = {level_ == cache_level::cg ? "cp.async.cg.16"
                                                   : sizeof(S) == 4          ? "cp.async.ca.4"
                                                   : sizeof(S) == 8          ? "cp.async.ca.8"
                                                                             : "cp.async.ca.16",
                                                   memory_space::gmem,
                                                   memory_space::smem,
                                                   1,
                                                   80,
                                                   true};

  /// The instruction; defined in arch/cp_async.hpp. @param predicate if it is false, a filling operation writes zeros,
  /// another one writes nothing
  template <class To>
  COSMATI_HD static void copy(S const& source, To& destination, bool predicate = true);
};
template <class Op>
concept cp_async_atom = requires {
  Op::fills_with_zeros, Op::level;
};

}  // namespace detail

/// @name cp.async, by CuTe's names. @tparam S the type of 4, 8 or 16 bytes that one instruction moves
/// @{
/// cp.async.ca of 4, 8 or 16 bytes, through L1 and L2.
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEALWAYS : detail::cp_async_operation<S, D, cache_level::ca, false> {};
/// cp.async.cg of 16 bytes, which bypasses the L1 cache.
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEGLOBAL : detail::cp_async_operation<S, D, cache_level::cg, false> {};
/// cp.async.ca that writes zeros where the predicate is false. The next struct is cp.async.cg.
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEALWAYS_ZFILL : detail::cp_async_operation<S, D, cache_level::ca, true> {};
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEGLOBAL_ZFILL : detail::cp_async_operation<S, D, cache_level::cg, true> {};
/// @}

namespace detail {
/// The operation `Op` with zero filling.
template <class Op>
struct zero_filling;
template <class S, class D>
struct zero_filling<SM80_CP_ASYNC_CACHEALWAYS<S, D>> {
  using type = SM80_CP_ASYNC_CACHEALWAYS_ZFILL<S, D>;
};
template <class S, class D>
struct zero_filling<SM80_CP_ASYNC_CACHEGLOBAL<S, D>> {
  using type = SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<S, D>;
};
template <int bytes, cache_level level>
struct cp_async_atom_width {
  static_assert(
      level != cache_level::cg || bytes == 16,
      "SM80_CP_ASYNC_CACHEGLOBAL<S>: cp.async.cg moves 16 bytes (cp_async_atom_width<BYTES OF S, ...>); write "
      "uint128_t, or take SM80_CP_ASYNC_CACHEALWAYS<S>");
  static_assert(level == cache_level::cg || bytes == 4 || bytes == 8 || bytes == 16,
                "SM80_CP_ASYNC_CACHEALWAYS<S>: cp.async.ca moves 4, 8 or 16 bytes (cp_async_atom_width<BYTES OF S, "
                "...>); write uint32_t, uint64_t or uint128_t");
};
template <class Op>
struct cp_async_layouts {
  static_assert(sizeof(cp_async_atom_width<Op::bytes, Op::level>) != 0);
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, C<8 * Op::bytes>>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};
}  // namespace detail

template <detail::cp_async_atom Op>
struct Copy_Traits<Op> : detail::cp_async_layouts<Op> {
  /// The filling operation with this predicate. If it is false, the destination becomes zero and nothing is read.
  COSMATI_HD constexpr auto with(bool predicate) const {
    return Copy_Traits<typename detail::zero_filling<Op>::type>{{}, predicate};
  }
};
template <detail::cp_async_atom Op>
requires(Op::fills_with_zeros) struct Copy_Traits<Op> : detail::cp_async_layouts<Op> {
  bool pred = true;

  COSMATI_HD constexpr auto with(bool predicate) const { return Copy_Traits{{}, predicate}; }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
