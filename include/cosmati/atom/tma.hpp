// SPDX-License-Identifier: Apache-2.0
/// @file
/// The operations of tensor copies (TMA, sm_90). tma/tma_atom.hpp has their traits.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <type_traits>

namespace COSMATI_NAMESPACE {

/// A box of a tensor in global memory to shared memory, where an mbarrier counts its bytes.
struct SM90_TMA_LOAD {};
/// A box of a tensor in global memory to the shared memory of several blocks of a cluster, each of which asks for one
/// part of it.
struct SM90_TMA_LOAD_MULTICAST {};
/// A box in shared memory to global memory, in the thread's bulk group (`tma_store_arrive`, `tma_store_wait`).
struct SM90_TMA_STORE {};

namespace detail {

template <class Op>
inline constexpr bool is_multicast = std::is_same_v<Op, SM90_TMA_LOAD_MULTICAST>;
template <class Op>
inline constexpr bool is_tensor_load = std::is_same_v<Op, SM90_TMA_LOAD> || is_multicast<Op>;
template <class Op>
inline constexpr bool is_tensor_copy = is_tensor_load<Op> || std::is_same_v<Op, SM90_TMA_STORE>;

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
