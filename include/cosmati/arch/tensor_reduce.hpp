// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reductions by bulk copies (`cp.reduce.async.bulk`, sm_90): one thread adds what lies in shared memory to global
/// memory, or to the shared memory of another block of the cluster. Other operations replace the sum.
///
/// Each element changes by one atomic step, so that blocks may reduce to one place at the same time. As for stores, the
/// order is: stores to shared memory, `fence_proxy_async_shared()`, barrier, reduction.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/arch/tensor_map.hpp>
#include <cosmati/atom/tma.hpp>
#include <cosmati/core/integer_sequence.hpp>
#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/half.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

constexpr char const* const reduction_names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

/// A type of elements: its name in PTX, and which operations there are.
template <class T>
struct reduced_type {
  static constexpr bool ok = false;
};
#define COSMATI_REDUCED_TYPE_(T, ptx_, map_, operations) \
  template <>                                            \
  struct reduced_type<T> {                               \
    static constexpr bool ok = true;                     \
    static constexpr char ptx[] = ptx_;                  \
    static constexpr auto map = tensor_map_type::map_;   \
    static constexpr bool has(tma_reduction o) {         \
      auto const bit = 1 << static_cast<int>(o);         \
      return (bit & (operations)) != 0;                  \
    }                                                    \
  };
// Bits of tma_reduction: 1 add, 6 min and max, 24 inc and dec, 224 the operations on bits.
COSMATI_REDUCED_TYPE_(std::uint32_t, "u32", u32, 255)
COSMATI_REDUCED_TYPE_(std::int32_t, "s32", s32, 1 + 6 + 224)
COSMATI_REDUCED_TYPE_(std::uint64_t, "u64", u64, 1 + 6 + 224)
COSMATI_REDUCED_TYPE_(std::int64_t, "s64", s64, 6 + 224)
COSMATI_REDUCED_TYPE_(half_t, "f16", f16, 1 + 6)
COSMATI_REDUCED_TYPE_(bfloat16_t, "bf16", bf16, 1 + 6)
COSMATI_REDUCED_TYPE_(float, "f32", f32, 1)
COSMATI_REDUCED_TYPE_(double, "f64", f64, 1)
#undef COSMATI_REDUCED_TYPE_

/// The end of the instruction's name, such as ".add.noftz.f16".
template <tma_reduction operation, class T>
struct reduction_suffix {
  struct text {
    char value[20] = {};
  };
  static constexpr text make() {
    text t;
    int n = 0;
    auto const append = [&](char const* s) {
      while (*s != 0) t.value[n++] = *s++;
    };
    append(".");
    append(reduction_names[static_cast<int>(operation)]);
    if (operation >= tma_reduction::bit_and) {
      append(sizeof(T) == 4 ? ".b32" : ".b64");
      return t;
    }
    append(sizeof(T) == 2 && operation == tma_reduction::add ? ".noftz." : ".");
    append(reduced_type<T>::ptx);
    return t;
  }
  static constexpr text made = make();
  template <int... i>
  struct as_array {
    static constexpr char value[] = {made.value[i]..., 0};
  };
  template <int... i>
  static as_array<i...> array_of(seq<i...>);
  static constexpr int length() {
    int n = 0;
    while (made.value[n] != 0) ++n;
    return n;
  }
  using array = decltype(array_of(make_seq<static_cast<std::size_t>(length())>{}));
};

/// The check of an operation on elements of a type.
template <tma_reduction operation, class T>
struct no_such_reduction {
  static constexpr bool ok = [] {
    if constexpr (reduced_type<T>::ok)
      return reduced_type<T>::has(operation);
    else
      return false;
  }();
  static_assert(ok,
                "bulk reductions: no_such_reduction<OPERATION, TYPE>; sums are of half_t, bfloat16_t, float, double, "
                "(u)int32_t and uint64_t, extremes of 16-bit floats and integers, inc and dec of uint32_t, and, or and "
                "xor of integers");
};

}  // namespace detail

#define COSMATI_REDUCTION_NEEDS_ \
  static_assert(                 \
      detail::target_lacks_the_instruction<instruction::cp_async_bulk, 90 + 0 * dependent, COSMATI_TARGET_SM>::ok)

/// Changes elements in global memory by those in shared memory, in the thread's open bulk group (`tma_store_arrive`,
/// `tma_store_wait`). Addresses and `bytes` are multiples of 16.
template <tma_reduction operation, int dependent = 0, class T>
COSMATI_HD inline void bulk_reduce_s2g([[maybe_unused]] T* global, [[maybe_unused]] T const* shared,
                                       [[maybe_unused]] std::uint32_t bytes COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_REDUCTION_NEEDS_;
  static_assert(detail::no_such_reduction<operation, T>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group%3 [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(global)),
      "r"(cast_smem_ptr_to_uint(shared)), "r"(bytes), "C"(detail::reduction_suffix<operation, T>::array::value)
      : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_reduce(global, shared, bytes, static_cast<int>(operation),
                          static_cast<int>(detail::reduced_type<T>::map), file, line);
#endif
}

/// Changes elements in the shared memory of the block `rank` of the cluster, whose mbarrier counts the bytes. Elements
/// are 32-bit integers, or `uint64_t` for sums.
/// @param there, barrier the places of the target and of the mbarrier, in the running block's shared memory
template <tma_reduction operation, int dependent = 0, class T>
COSMATI_HD inline void bulk_reduce_s2s([[maybe_unused]] T* there, [[maybe_unused]] T const* shared,
                                       [[maybe_unused]] std::uint32_t bytes, [[maybe_unused]] std::uint64_t& barrier,
                                       [[maybe_unused]] unsigned rank COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_REDUCTION_NEEDS_;
  static_assert(detail::no_such_reduction<operation, T>::ok);
  static_assert((std::is_integral_v<T> && sizeof(T) == 4) ||
                    (std::is_same_v<T, std::uint64_t> && operation == tma_reduction::add),
                "bulk_reduce_s2s: to shared memory there are reductions of 32-bit integers, and sums of uint64_t");
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes%4 [%0], [%1], %2, [%3];" ::"r"(
          set_block_rank(cast_smem_ptr_to_uint(there), rank)),
      "r"(cast_smem_ptr_to_uint(shared)), "r"(bytes), "r"(set_block_rank(cast_smem_ptr_to_uint(&barrier), rank)),
      "C"(detail::reduction_suffix<operation, T>::array::value)
      : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_reduce_send(there, rank, shared, bytes, &barrier, static_cast<int>(operation),
                               static_cast<int>(detail::reduced_type<T>::map), file, line);
#endif
}

#undef COSMATI_REDUCTION_NEEDS_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
