// SPDX-License-Identifier: Apache-2.0
/// @file
/// The operations of tensor copies (TMA, sm_90). tma/tma_atom.hpp and tma/im2col.hpp have their traits.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// @name Operations
/// `copy` is the instruction itself, with CuTe's arguments: the address of the descriptor first, the coordinates last,
/// one a mode (and the offsets of the mode im2col behind them). arch/tensor_operations.hpp defines it. `PREFETCH`
/// brings the box to L2.
/// @{

/// A box of a tensor in global memory to shared memory, where an mbarrier counts its bytes.
struct SM90_TMA_LOAD {
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, std::uint64_t* barrier, std::uint64_t hint, void* shared, X... x);
  /// The same box to L2.
  struct PREFETCH {
    template <class... X>
    COSMATI_HD static void copy(void const* descriptor, X... x);
  };
};
/// A box of a tensor in global memory to the shared memory of several blocks of a cluster, each of which asks for one
/// part of it.
struct SM90_TMA_LOAD_MULTICAST {
  using PREFETCH = SM90_TMA_LOAD::PREFETCH;
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, std::uint64_t* barrier, std::uint16_t mask, std::uint64_t hint,
                              void* shared, X... x);
};
/// A box in shared memory to global memory, in the thread's bulk group (`tma_store_arrive`, `tma_store_wait`).
struct SM90_TMA_STORE {
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, void const* shared, X... x);
};
/// Pixels of a batch of images to shared memory, where an mbarrier counts their bytes.
struct SM90_TMA_LOAD_IM2COL {
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, std::uint64_t* barrier, void* shared, X... x);
  /// The same box to L2.
  struct PREFETCH {
    template <class... X>
    COSMATI_HD static void copy(void const* descriptor, X... x);
  };
};
/// The same to several blocks of a cluster, each of which asks for one part of the pixels.
struct SM90_TMA_LOAD_IM2COL_MULTICAST {
  using PREFETCH = SM90_TMA_LOAD_IM2COL::PREFETCH;
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, std::uint64_t* barrier, std::uint16_t mask, void* shared, X... x);
};
/// Pixels in shared memory to a batch of images, in the thread's bulk group. A store has no offsets.
struct SM90_TMA_STORE_IM2COL {
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, void const* shared, X... x);
};

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
struct SM90_TMA_REDUCE {
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, void const* shared, X... x);
};
/// The same for pixels of a batch of images.
template <tma_reduction operation>
struct SM90_TMA_REDUCE_IM2COL {
  template <class... X>
  COSMATI_HD static void copy(void const* descriptor, void const* shared, X... x);
};
using SM90_TMA_REDUCE_ADD = SM90_TMA_REDUCE<tma_reduction::add>;
using SM90_TMA_REDUCE_MIN = SM90_TMA_REDUCE<tma_reduction::min>;
using SM90_TMA_REDUCE_MAX = SM90_TMA_REDUCE<tma_reduction::max>;
using SM90_TMA_REDUCE_INC = SM90_TMA_REDUCE<tma_reduction::inc>;
using SM90_TMA_REDUCE_DEC = SM90_TMA_REDUCE<tma_reduction::dec>;
using SM90_TMA_REDUCE_AND = SM90_TMA_REDUCE<tma_reduction::bit_and>;
using SM90_TMA_REDUCE_OR = SM90_TMA_REDUCE<tma_reduction::bit_or>;
using SM90_TMA_REDUCE_XOR = SM90_TMA_REDUCE<tma_reduction::bit_xor>;
/// @}

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

template <class Op>
inline constexpr bool is_im2col_multicast = std::is_same_v<Op, SM90_TMA_LOAD_IM2COL_MULTICAST>;
template <class Op>
inline constexpr bool is_im2col_load = std::is_same_v<Op, SM90_TMA_LOAD_IM2COL> || is_im2col_multicast<Op>;
template <class Op>
inline constexpr bool is_im2col_reduction = false;
template <tma_reduction operation>
inline constexpr bool is_im2col_reduction<SM90_TMA_REDUCE_IM2COL<operation>> = true;
template <class Op>
inline constexpr bool is_im2col_copy =
    is_im2col_load<Op> || std::is_same_v<Op, SM90_TMA_STORE_IM2COL> || is_im2col_reduction<Op>;

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
