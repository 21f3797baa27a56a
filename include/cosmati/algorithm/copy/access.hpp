// SPDX-License-Identifier: Apache-2.0
/// @file
/// One vector of a tensor: its address, the instruction that loads or stores it, and its report to the simulated
/// device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/layout/opaque.hpp>
#include <cosmati/number/number_types.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

template <int bytes>
struct vector_type;
template <>
struct vector_type<1> {
  using type = std::uint8_t;
};
template <>
struct vector_type<2> {
  using type = std::uint16_t;
};
template <>
struct vector_type<4> {
  using type = std::uint32_t;
};
template <>
struct vector_type<8> {
  using type = std::uint64_t;
};
template <>
struct vector_type<16> {
#if defined(__CUDACC__)
  // nvcc splits a struct into its members, uint4 too, and does not always join the parts of a store again.
  __extension__ using type = unsigned __int128;
#else
  using type = uint128_t;
#endif
};
template <int bytes>
inline constexpr char const* universal_copy_name = "UniversalCopy";
template <>
inline constexpr char const* universal_copy_name<1> = "UniversalCopy<uint8_t>";
template <>
inline constexpr char const* universal_copy_name<2> = "UniversalCopy<uint16_t>";
template <>
inline constexpr char const* universal_copy_name<4> = "UniversalCopy<uint32_t>";
template <>
inline constexpr char const* universal_copy_name<8> = "UniversalCopy<uint64_t>";
template <>
inline constexpr char const* universal_copy_name<16> = "UniversalCopy<uint128_t>";

/// @name One instruction that loads or stores `bytes` at an address
/// The simulated device hears of such accesses before, from note_vector or from the instruction's own report. Therefore
/// the code is not instrumented, and its line of assembly tells `cosmati sim` why (src/cli/sim/assembly.cpp).
/// @{
#if defined(COSMATI_SIMULATED)
#define COSMATI_REPORTED_ __attribute__((no_sanitize("thread", "undefined")))
#else
#define COSMATI_REPORTED_
#endif
template <int bytes>
COSMATI_REPORTED_ COSMATI_HD inline auto load_vector(void const* p) {
  using V = typename vector_type<bytes>::type;
#if defined(__CUDA_ARCH__)
  return *static_cast<V const*>(p);
#else
#if defined(COSMATI_SIMULATED) && defined(__x86_64__)
  __asm__ volatile("# cosmati: reported");
#endif
  V v;
  __builtin_memcpy(&v, p, bytes);  // host compilers assume that objects of different type do not overlap
  return v;
#endif
}
template <int bytes, class V>
COSMATI_REPORTED_ COSMATI_HD inline void store_vector(void* p, V v) {
#if defined(__CUDA_ARCH__)
  *static_cast<V*>(p) = v;
#else
#if defined(COSMATI_SIMULATED) && defined(__x86_64__)
  __asm__ volatile("# cosmati: reported");
#endif
  __builtin_memcpy(p, &v, bytes);
#endif
}
#undef COSMATI_REPORTED_
/// @}

/// The address of a pointer, after its swizzle if it has one.
template <class P>
COSMATI_HD constexpr auto address_behind(P const& p) {
  if constexpr (is_tag<P>)
    return address_behind(p.get());
  else if constexpr (requires { p.apply(); })
    return raw_pointer_cast(p.apply());
  else
    return raw_pointer_cast(p);
}
/// The address of element `offset` of a tensor's data.
template <class Iterator, class Offset>
COSMATI_HD constexpr auto address_at(Iterator const& it, Offset const& offset) {
  return address_behind(it + offset);
}
/// Whether an access of `bytes` may begin at p. It may not begin inside a byte, as packed elements can.
template <int bytes, class P>
COSMATI_HD bool may_begin_at(P const& p) {
  if constexpr (requires { p.shift_; })
    return p.shift_ == 0 && reinterpret_cast<std::uintptr_t>(p.byte_) % bytes == 0;
  else if constexpr (requires { p.get(); })
    return may_begin_at<bytes>(p.get());
  else
    return reinterpret_cast<std::uintptr_t>(raw_pointer_cast(p)) % bytes == 0;
}
/// The number of bytes that a pointer's swizzle keeps together, at multiples of that number; a large number if there is
/// no swizzle.
template <class P>
inline constexpr int bytes_kept_together = 1 << 16;
template <class P>
requires requires { typename P::swizzle_type; }
inline constexpr int bytes_kept_together<P> = [] {
  if constexpr (requires { P::swizzle_type::num_base; })
    return P::swizzle_type::num_base < 16 ? 1 << P::swizzle_type::num_base : 1 << 16;
  else
    return 1;
}();
template <template <class> class Tag, class P>
requires is_tag<Tag<P>>
inline constexpr int bytes_kept_together<Tag<P>> = bytes_kept_together<P>;

template <class Tensor>
inline constexpr bool in_registers =
    is_rmem_v<Tensor>&& memory_space_v<typename Tensor::iterator> != memory_space::untagged;
/// Whether the simulated device watches the tensor's elements. It watches all but the elements of owning tensors.
template <class Tensor>
inline constexpr bool is_memory =
    !is_owning_v<typename Tensor::engine_type> && memory_space_v<typename Tensor::iterator> != memory_space::rmem;

/// @name Vectors in registers, word by word
/// A fragment is kept as 32-bit registers. If a vector entered or left it as one 128-bit value, the compiler could
/// replace a value that a loop carries by the address that it was loaded from. It would then move the load after the
/// loop's work.
/// @{
template <int bytes>
COSMATI_HD inline auto load_registers(void const* p) {
#if defined(__CUDA_ARCH__)
  if constexpr (bytes > 4) {
    using V = typename vector_type<bytes>::type;
    auto const* const word = static_cast<std::uint32_t const*>(p);
    V v = 0;
    COSMATI_UNROLL
    for (int i = 0; i < bytes / 4; ++i) v |= static_cast<V>(word[i]) << 32 * i;
    return v;
  } else
#endif
    return load_vector<bytes>(p);
}
template <int bytes, class V>
COSMATI_HD inline void store_registers(void* p, V v) {
#if defined(__CUDA_ARCH__)
  if constexpr (bytes > 4) {
    auto* const word = static_cast<std::uint32_t*>(p);
    COSMATI_UNROLL
    for (int i = 0; i < bytes / 4; ++i) word[i] = static_cast<std::uint32_t>(v >> 32 * i);
  } else
#endif
    store_vector<bytes>(p, v);
}
/// @}

/// Tells the simulated device that one instruction accesses `bytes` at element index `i` of t.
template <int bytes, access_kind kind, class Tensor, class Index>
COSMATI_HD inline void note_vector([[maybe_unused]] Tensor const& t, [[maybe_unused]] Index i) {
#if defined(COSMATI_SIMULATED)
  if constexpr (is_memory<Tensor>) {
    if (access_is_watched()) {
      using L = std::remove_cvref_t<decltype(t.layout())>;
      constexpr memory_space space = memory_space_v<typename Tensor::iterator>;
      auto const offset = t.layout()(i);
      auto const it = t.data();
      if constexpr (std::is_empty_v<L>) {
        note_indexed_access<static_element_description<L, space>>(kind, address_at(it, offset), bytes, bytes, i,
                                                                  address_of(it), universal_copy_name<bytes>);
      } else {
        element_description<L, long long> const what{t.layout(), static_cast<long long>(i),
                                                     static_cast<long long>(offset), space};
        note_access(kind, address_at(it, offset), bytes, bytes, what, address_of(it), universal_copy_name<bytes>);
      }
    }
  }
#endif
}

/// @name One instruction on the vector of `bytes` that begins at element i of a tensor
/// In the loops of `copy`, only these functions report to the simulated device.
/// @{
template <int bytes, class Tensor, class Index>
COSMATI_HD inline auto load(Tensor const& t, Index i) {
  note_vector<bytes, access_kind::load>(t, i);
  if constexpr (is_memory<Tensor>)
    return load_vector<bytes>(address_at(t.data(), t.layout()(i)));
  else
    return load_registers<bytes>(address_at(t.data(), t.layout()(i)));
}
template <int bytes, class Tensor, class Index, class V>
COSMATI_HD inline void store(Tensor& t, Index i, V v) {
  note_vector<bytes, access_kind::store>(t, i);
  if constexpr (is_memory<Tensor> && bytes == 8)
    store_vector<bytes>(address_at(t.data(), t.layout()(i)),
                        opaque(v));  // nvcc stores the halves of a pair of registers separately
  else if constexpr (is_memory<Tensor>)
    store_vector<bytes>(address_at(t.data(), t.layout()(i)), v);
  else
    store_registers<bytes>(address_at(t.data(), t.layout()(i)), v);
}
/// @}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
