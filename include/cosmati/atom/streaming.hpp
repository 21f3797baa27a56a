// SPDX-License-Identifier: Apache-2.0
/// @file
/// Loads and stores of data that are touched once. They leave the caches to other data. Every architecture has them.
///
/// A load bypasses L1 on the read-only path (`ld.global.nc.L1::no_allocate`), so nothing may write these bytes while
/// the kernel runs. A store marks its lines as the first to be evicted (`st.global.cs`).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// The PTX suffix of a width: ".b8" to ".b64", ".v4.b32" for 16 bytes.
template <int bytes>
inline constexpr char const* streaming_load_name = "ld.global.nc.L1::no_allocate.v4.b32";
template <>
inline constexpr char const* streaming_load_name<1> = "ld.global.nc.L1::no_allocate.b8";
template <>
inline constexpr char const* streaming_load_name<2> = "ld.global.nc.L1::no_allocate.b16";
template <>
inline constexpr char const* streaming_load_name<4> = "ld.global.nc.L1::no_allocate.b32";
template <>
inline constexpr char const* streaming_load_name<8> = "ld.global.nc.L1::no_allocate.v2.b32";
template <int bytes>
inline constexpr char const* streaming_store_name = "st.global.cs.v4.b32";
template <>
inline constexpr char const* streaming_store_name<1> = "st.global.cs.b8";
template <>
inline constexpr char const* streaming_store_name<2> = "st.global.cs.b16";
template <>
inline constexpr char const* streaming_store_name<4> = "st.global.cs.b32";
template <>
inline constexpr char const* streaming_store_name<8> = "st.global.cs.v2.b32";

template <int bytes>
struct streaming_atom_width {
  static_assert(bytes == 4 || bytes == 8 || bytes == 16,
                "StreamingLoad<S>, StreamingStore<S>: the instruction fills whole registers "
                "(streaming_atom_width<BYTES OF S>); write uint32_t, uint64_t or uint128_t");
};

}  // namespace detail

/// Copies from global memory to registers. @tparam S the type of 4, 8 or 16 bytes that a thread moves at once
template <class S>
struct StreamingLoad {
  static constexpr int streamed_bytes = static_cast<int>(sizeof(S));
  static_assert(sizeof(detail::streaming_atom_width<streamed_bytes>) != 0);
  using SRegisters = S[1];
  using DRegisters = S[1];
  static constexpr copy_instruction instruction = {detail::streaming_load_name<streamed_bytes>, memory_space::gmem,
                                                   memory_space::rmem, 1, 70};
};
/// Copies from registers to global memory. @tparam S the type of 4, 8 or 16 bytes that a thread moves at once
template <class S>
struct StreamingStore {
  static constexpr int streamed_bytes = static_cast<int>(sizeof(S));
  static_assert(sizeof(detail::streaming_atom_width<streamed_bytes>) != 0);
  using SRegisters = S[1];
  using DRegisters = S[1];
  static constexpr copy_instruction instruction = {detail::streaming_store_name<streamed_bytes>, memory_space::rmem,
                                                   memory_space::gmem, 1, 70};
};

namespace detail {
template <class Op>
concept streaming_atom = requires {
  Op::streamed_bytes;
};
}  // namespace detail

template <detail::streaming_atom Op>
struct Copy_Traits<Op> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, C<8 * Op::streamed_bytes>>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
