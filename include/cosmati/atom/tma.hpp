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

/// What a reduction does to each element of its destination, given one of its source.
enum class tma_reduction {
  add,
  min,
  max,
  inc,  ///< one more, or 0 from the source's value on (unsigned)
  dec,  ///< one less; the source's value where it would be 0 or above (unsigned)
  bit_and,
  bit_or,
  bit_xor
};
/// A box in shared memory to global memory, where each element is changed by the operation, as by atomics. In the
/// thread's bulk group.
template <tma_reduction operation>
struct SM90_TMA_REDUCE {};
using SM90_TMA_REDUCE_ADD = SM90_TMA_REDUCE<tma_reduction::add>;
using SM90_TMA_REDUCE_MIN = SM90_TMA_REDUCE<tma_reduction::min>;
using SM90_TMA_REDUCE_MAX = SM90_TMA_REDUCE<tma_reduction::max>;
using SM90_TMA_REDUCE_INC = SM90_TMA_REDUCE<tma_reduction::inc>;
using SM90_TMA_REDUCE_DEC = SM90_TMA_REDUCE<tma_reduction::dec>;
using SM90_TMA_REDUCE_AND = SM90_TMA_REDUCE<tma_reduction::bit_and>;
using SM90_TMA_REDUCE_OR = SM90_TMA_REDUCE<tma_reduction::bit_or>;
using SM90_TMA_REDUCE_XOR = SM90_TMA_REDUCE<tma_reduction::bit_xor>;

namespace detail {

template <class Op>
inline constexpr bool is_multicast = std::is_same_v<Op, SM90_TMA_LOAD_MULTICAST>;
template <class Op>
inline constexpr bool is_tensor_load = std::is_same_v<Op, SM90_TMA_LOAD> || is_multicast<Op>;
template <class Op>
inline constexpr bool is_tensor_reduction = false;
template <tma_reduction operation>
inline constexpr bool is_tensor_reduction<SM90_TMA_REDUCE<operation>> = true;
template <class Op>
inline constexpr bool is_tensor_copy =
    is_tensor_load<Op> || std::is_same_v<Op, SM90_TMA_STORE> || is_tensor_reduction<Op>;

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
