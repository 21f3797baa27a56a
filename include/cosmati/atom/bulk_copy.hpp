// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cp.async.bulk`: one thread copies a multiple of 16 bytes between global and shared memory without waiting (sm_90
/// and newer).
///
/// To shared memory, an mbarrier counts the bytes that arrived; to global memory, bulk groups tell when it is done.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>

namespace COSMATI_NAMESPACE {

/// Global to shared memory. The operations' functions are defined in arch/bulk_copy.hpp.
struct SM90_BULK_COPY_G2S {
  static constexpr copy_instruction instruction = {
      "cp.async.bulk.g2s", memory_space::gmem, memory_space::smem, 1, 90, true};
  /// @param barrier an mbarrier that expects so many bytes; @param bytes a multiple of 16, as are the addresses
  template <class = void>
  COSMATI_HD static void copy(void const* global, std::uint64_t* barrier, void* shared, std::int32_t bytes);
};
/// Shared to global memory.
struct SM90_BULK_COPY_S2G {
  static constexpr copy_instruction instruction = {
      "cp.async.bulk.s2g", memory_space::smem, memory_space::gmem, 1, 90, true};
  /// The instruction; defined in arch/bulk_copy.hpp.
  template <class = void>
  COSMATI_HD static void copy(void const* shared, void* global, std::int32_t bytes);
};
/// One of the two, by the tensors' memory; `copy` takes as many bytes at once as lie side by side in both.
struct SM90_BULK_COPY_AUTO {};

namespace detail {
/// One value: how many an instruction moves, the tensors tell.
struct bulk_layouts {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, _1>, Stride<_0, _0>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};
template <class Op>
inline constexpr bool is_bulk_copy = std::is_same_v<Op, SM90_BULK_COPY_G2S> || std::is_same_v<Op, SM90_BULK_COPY_S2G> ||
                                     std::is_same_v<Op, SM90_BULK_COPY_AUTO>;
}  // namespace detail

/// With the mbarrier that a copy to shared memory reports to.
template <class Op>
requires detail::is_bulk_copy<Op>
struct Copy_Traits<Op, std::uint64_t*> : detail::bulk_layouts {
  std::uint64_t* barrier = nullptr;
};
template <class Op>
requires detail::is_bulk_copy<Op>
struct Copy_Traits<Op> : detail::bulk_layouts {
  COSMATI_HD constexpr auto with(std::uint64_t& barrier) const { return Copy_Traits<Op, std::uint64_t*>{{}, &barrier}; }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
