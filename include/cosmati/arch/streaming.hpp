// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue streaming loads and stores, and the plain accesses that accompany them. All move whole
/// registers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/l2_hint.hpp>
#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/atom/streaming.hpp>
#include <cosmati/core/access.hpp>

#pragma push_macro("__builtin_memcpy")  // accesses that were reported; see runtime/seen_builtins.hpp
#undef __builtin_memcpy

namespace COSMATI_NAMESPACE {

/// The 32-bit registers that one instruction moves. 1 and 2 bytes are the low bits of one register.
/// @tparam bytes 1, 2, 4, 8 or 16
template <int bytes>
struct register_words {
  static_assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16,
                "register_words<BYTES>: one instruction moves 1, 2, 4, 8 or 16 bytes");
  static constexpr int count = bytes < 4 ? 1 : bytes / 4;
  std::uint32_t word[static_cast<unsigned>(count)];
};

namespace detail {
template <int bytes>
COSMATI_HD inline register_words<bytes> words_in_memory(void const* p) {
  register_words<bytes> v = {};
#if defined(__CUDA_ARCH__)
  if constexpr (bytes == 1)
    v.word[0] = *static_cast<std::uint8_t const*>(p);
  else if constexpr (bytes == 2)
    v.word[0] = *static_cast<std::uint16_t const*>(p);
  else if constexpr (bytes == 4)
    v.word[0] = *static_cast<std::uint32_t const*>(p);
  else if constexpr (bytes == 8) {
    uint2 const q = *static_cast<uint2 const*>(p);
    v.word[0] = q.x, v.word[1] = q.y;
  } else {
    uint4 const q = *static_cast<uint4 const*>(p);
    v.word[0] = q.x, v.word[1] = q.y, v.word[2] = q.z, v.word[3] = q.w;
  }
#else
  [[maybe_unused]] unseen_scope unseen;
  __builtin_memcpy(v.word, p, bytes);
#endif
  return v;
}
template <int bytes>
COSMATI_HD inline void words_to_memory(void* p, register_words<bytes> const& v) {
#if defined(__CUDA_ARCH__)
  if constexpr (bytes == 1)
    *static_cast<std::uint8_t*>(p) = static_cast<std::uint8_t>(v.word[0]);
  else if constexpr (bytes == 2)
    *static_cast<std::uint16_t*>(p) = static_cast<std::uint16_t>(v.word[0]);
  else if constexpr (bytes == 4)
    *static_cast<std::uint32_t*>(p) = v.word[0];
  else if constexpr (bytes == 8)
    *static_cast<uint2*>(p) = make_uint2(v.word[0], v.word[1]);
  else
    *static_cast<uint4*>(p) = make_uint4(v.word[0], v.word[1], v.word[2], v.word[3]);
#else
  [[maybe_unused]] unseen_scope unseen;
  __builtin_memcpy(p, v.word, bytes);
#endif
}
}  // namespace detail

/// Loads `bytes` of global memory, which nothing may write while the kernel runs, and bypasses L1. The address is a
/// multiple of `bytes`.
template <int bytes>
COSMATI_HD inline register_words<bytes> load_streaming(void const* global COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
  register_words<bytes> v;
  auto const from = __cvta_generic_to_global(global);
  // Not volatile, so that the compiler may move the load ahead of independent work.
  if constexpr (bytes == 1)
    asm("ld.global.nc.L1::no_allocate.u8 %0, [%1];" : "=r"(v.word[0]) : "l"(from));
  else if constexpr (bytes == 2)
    asm("{ .reg .b16 h; ld.global.nc.L1::no_allocate.b16 h, [%1]; cvt.u32.u16 %0, h; }" : "=r"(v.word[0]) : "l"(from));
  else if constexpr (bytes == 4)
    asm("ld.global.nc.L1::no_allocate.b32 %0, [%1];" : "=r"(v.word[0]) : "l"(from));
  else if constexpr (bytes == 8)
    asm("ld.global.nc.L1::no_allocate.v2.b32 {%0, %1}, [%2];" : "=r"(v.word[0]), "=r"(v.word[1]) : "l"(from));
  else
    asm("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
        : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
        : "l"(from));
  return v;
#else
#if defined(COSMATI_SIMULATED)
  if (access_is_watched()) cosmati_sim_read_only(global, bytes, detail::streaming_load_name<bytes>, file, line);
  note_access(access_kind::load, global, bytes, bytes, no_description{}, nullptr, detail::streaming_load_name<bytes>,
              file, line);
#endif
  return detail::words_in_memory<bytes>(global);
#endif
}
/// Loads `bytes` of global memory, which nothing may write while the kernel runs. L1 keeps the sector for neighbours
/// that read the rest of it. The address is a multiple of `bytes`.
template <int bytes>
COSMATI_HD inline register_words<bytes> load_read_only(void const* global COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
  if constexpr (bytes == 1) {
    return {{__ldg(static_cast<unsigned char const*>(global))}};
  } else if constexpr (bytes == 2) {
    return {{__ldg(static_cast<unsigned short const*>(global))}};
  } else if constexpr (bytes == 4) {
    return {{__ldg(static_cast<unsigned const*>(global))}};
  } else if constexpr (bytes == 8) {
    uint2 const q = __ldg(static_cast<uint2 const*>(global));
    return {{q.x, q.y}};
  } else {
    uint4 const q = __ldg(static_cast<uint4 const*>(global));
    return {{q.x, q.y, q.z, q.w}};
  }
#else
#if defined(COSMATI_SIMULATED)
  if (access_is_watched()) cosmati_sim_read_only(global, bytes, "ld.global.nc", file, line);
  note_access(access_kind::load, global, bytes, bytes, no_description{}, nullptr, "ld.global.nc", file, line);
#endif
  return detail::words_in_memory<bytes>(global);
#endif
}
/// Stores `bytes` to global memory, as the first to be evicted from the caches. The address is a multiple of `bytes`.
template <int bytes>
COSMATI_HD inline void store_streaming(void* global, register_words<bytes> const& v COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
  auto const to = __cvta_generic_to_global(global);
  if constexpr (bytes == 1)
    asm volatile("st.global.cs.u8 [%0], %1;" ::"l"(to), "r"(v.word[0]) : "memory");
  else if constexpr (bytes == 2)
    asm volatile("st.global.cs.u16 [%0], %1;" ::"l"(to), "h"(static_cast<unsigned short>(v.word[0])) : "memory");
  else if constexpr (bytes == 4)
    asm volatile("st.global.cs.b32 [%0], %1;" ::"l"(to), "r"(v.word[0]) : "memory");
  else if constexpr (bytes == 8)
    asm volatile("st.global.cs.v2.b32 [%0], {%1, %2};" ::"l"(to), "r"(v.word[0]), "r"(v.word[1]) : "memory");
  else
    asm volatile("st.global.cs.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v.word[0]), "r"(v.word[1]),
                 "r"(v.word[2]), "r"(v.word[3])
                 : "memory");
#else
#if defined(COSMATI_SIMULATED)
  note_access(access_kind::store, global, bytes, bytes, no_description{}, nullptr, detail::streaming_store_name<bytes>,
              file, line);
#endif
  detail::words_to_memory<bytes>(global, v);
#endif
}

/// Loads `bytes` of any memory by a plain load. The address is a multiple of `bytes`.
template <int bytes>
COSMATI_HD inline register_words<bytes> load_words(void const* p COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(COSMATI_SIMULATED)
  note_access(access_kind::load, p, bytes, bytes, no_description{}, nullptr, nullptr, file, line);
#endif
  return detail::words_in_memory<bytes>(p);
}
/// Loads `bytes` of global memory, cached as by a plain load, with a hint to L2 about the lines.
template <int bytes>
COSMATI_HD inline register_words<bytes> load_words(void const* global,
                                                   [[maybe_unused]] l2_hint hint COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if (hint == l2_hint::evict_last) {
    register_words<bytes> v;
    auto const from = __cvta_generic_to_global(global);
    std::uint64_t const policy = detail::evict_last_policy();
    if constexpr (bytes == 1)
      asm volatile("ld.global.L2::cache_hint.u8 %0, [%1], %2;" : "=r"(v.word[0]) : "l"(from), "l"(policy) : "memory");
    else if constexpr (bytes == 2)
      asm volatile("{ .reg .b16 h; ld.global.L2::cache_hint.b16 h, [%1], %2; cvt.u32.u16 %0, h; }"
                   : "=r"(v.word[0])
                   : "l"(from), "l"(policy)
                   : "memory");
    else if constexpr (bytes == 4)
      asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;" : "=r"(v.word[0]) : "l"(from), "l"(policy) : "memory");
    else if constexpr (bytes == 8)
      asm volatile("ld.global.L2::cache_hint.v2.b32 {%0, %1}, [%2], %3;"
                   : "=r"(v.word[0]), "=r"(v.word[1])
                   : "l"(from), "l"(policy)
                   : "memory");
    else
      asm volatile("ld.global.L2::cache_hint.v4.b32 {%0, %1, %2, %3}, [%4], %5;"
                   : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                   : "l"(from), "l"(policy)
                   : "memory");
    return v;
  }
#endif
  return load_words<bytes>(global COSMATI_AND_CALLER_);
}
/// Stores `bytes` to any memory by a plain store. The address is a multiple of `bytes`.
template <int bytes>
COSMATI_HD inline void store_words(void* p, register_words<bytes> const& v COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(COSMATI_SIMULATED)
  note_access(access_kind::store, p, bytes, bytes, no_description{}, nullptr, nullptr, file, line);
#endif
  detail::words_to_memory<bytes>(p, v);
}

}  // namespace COSMATI_NAMESPACE

#pragma pop_macro("__builtin_memcpy")

#include <cosmati/core/macros_end.hpp>
