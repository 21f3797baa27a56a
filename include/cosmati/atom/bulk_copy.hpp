// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cp.async.bulk`: one thread copies a multiple of 16 bytes between global and shared memory without waiting (sm_90
/// and newer).
///
/// In a copy to shared memory, an mbarrier counts the bytes that have arrived. Copies to global memory form bulk
/// groups, for which the thread can wait.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>

namespace COSMATI_NAMESPACE {

/// Copies from global to shared memory. arch/bulk_copy.hpp defines the functions of the operations.
struct SM90_BULK_COPY_G2S {
  static constexpr copy_instruction instruction = {
      "cp.async.bulk.g2s", memory_space::gmem, memory_space::smem, 1, 90, true};
  /// @param barrier an mbarrier that expects `bytes` bytes
  /// @param bytes a multiple of 16, as are the addresses
  template <class = void>
  COSMATI_HD static void copy(void const* global, std::uint64_t* barrier, void* shared, std::int32_t bytes);
};
/// Copies from shared to global memory.
struct SM90_BULK_COPY_S2G {
  static constexpr copy_instruction instruction = {
      "cp.async.bulk.s2g", memory_space::smem, memory_space::gmem, 1, 90, true};
  /// The instruction; defined in arch/bulk_copy.hpp.
  template <class = void>
  COSMATI_HD static void copy(void const* shared, void* global, std::int32_t bytes);
};
/// Selects one of the two by the tensors' memory. `copy` moves as many bytes at once as are contiguous in both tensors.
struct SM90_BULK_COPY_AUTO {};

namespace detail {
/// One value. The tensors determine how many values an instruction moves.
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

/// The traits with the mbarrier that a copy to shared memory reports to.
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
