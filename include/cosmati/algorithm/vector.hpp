// SPDX-License-Identifier: Apache-2.0
/// @file
/// How wide a copy may go: what layouts and pointers prove, and the one instruction that moves a vector.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/layout/algebra/contiguous.hpp>
#include <cosmati/number/number_types.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class L>
struct layout_facts {
  static constexpr auto value = [] {
    if constexpr (is_simple<L>) {
      return lifted<std::int64_t, L>();
    } else {
      expression_list list;
      return without_list(lifted<symbolic_integer, L>(read_as::layout, &list));
    }
  }();
  static constexpr std::int64_t run = algebra::contiguous_run(value);
  template <std::int64_t vector, std::int64_t run_time_stride>
  static constexpr std::int64_t alignment = algebra::vector_alignment(value, vector, run_time_stride);
};
/// A swizzle keeps runs of 2^M elements whose first offset is a multiple of that.
template <class A, class O, class B>
struct layout_facts<ComposedLayout<A, O, B>> {
  static constexpr std::int64_t limit = [] {
    if constexpr (is_swizzle_of<A>)
      return std::int64_t{1} << A::num_base;
    else
      return std::int64_t{1};
  }();
  static constexpr std::int64_t run = layout_facts<B>::run < limit ? layout_facts<B>::run : limit;
  template <std::int64_t vector, std::int64_t run_time_stride>
  static constexpr std::int64_t alignment = algebra::gcd(layout_facts<B>::template alignment<vector, run_time_stride>,
                                                         limit);
};

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
  // nvcc takes a struct apart, uint4 too, and does not always put the parts of a store together again.
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

/// One instruction: `bytes` from address to value and back.
template <int bytes>
COSMATI_HD inline auto load_vector(void const* p) {
  using V = typename vector_type<bytes>::type;
#if defined(__CUDA_ARCH__)
  return *static_cast<V const*>(p);
#else
  V v;
  __builtin_memcpy(&v, p, bytes);  // host compilers assume that objects of different type do not overlap
  return v;
#endif
}
template <int bytes, class V>
COSMATI_HD inline void store_vector(void* p, V v) {
#if defined(__CUDA_ARCH__)
  *static_cast<V*>(p) = v;
#else
  __builtin_memcpy(p, &v, bytes);
#endif
}

/// @name The same without a report of their own to the simulated device; src/cli/sim/assembly.cpp knows their names
/// @{
#if defined(COSMATI_SIMULATED)
#define COSMATI_UNSEEN_ __attribute__((no_sanitize("thread", "undefined")))
#else
#define COSMATI_UNSEEN_
#endif
template <int bytes>
COSMATI_UNSEEN_ COSMATI_HD inline auto load_unseen(void const* p) {
#if defined(COSMATI_SIMULATED)
  typename vector_type<bytes>::type v;
  __builtin_memcpy(&v, p, bytes);
  return v;
#else
  return load_vector<bytes>(p);
#endif
}
template <int bytes, class V>
COSMATI_UNSEEN_ COSMATI_HD inline void store_unseen(void* p, V v) {
#if defined(COSMATI_SIMULATED)
  __builtin_memcpy(p, &v, bytes);
#else
  store_vector<bytes>(p, v);
#endif
}
#undef COSMATI_UNSEEN_
/// @}

/// Where a pointer leads: behind its swizzle, if it has one.
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
/// Whether an access of `bytes` may begin here; never inside a byte, as packed elements may.
template <int bytes, class P>
COSMATI_HD bool may_begin_at(P const& p) {
  if constexpr (requires { p.shift_; })
    return p.shift_ == 0 && reinterpret_cast<std::uintptr_t>(p.byte_) % bytes == 0;
  else if constexpr (requires { p.get(); })
    return may_begin_at<bytes>(p.get());
  else
    return reinterpret_cast<std::uintptr_t>(raw_pointer_cast(p)) % bytes == 0;
}
/// Bytes that a pointer's swizzle leaves side by side, at multiples of their number; many where there is none.
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
/// Watched by the simulated device: everything but an owning tensor's own elements.
template <class Tensor>
inline constexpr bool is_memory =
    !is_owning_v<typename Tensor::engine_type> && memory_space_v<typename Tensor::iterator> != memory_space::rmem;

/// @name Vectors in registers, word by word
/// A fragment is kept as 32-bit registers. A vector that enters or leaves it as one 128-bit value lets the compiler
/// replace a value that a loop carries by the address that it was loaded from, and so move the load behind the loop's
/// work.
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
    return load_unseen<bytes>(p);
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
    store_unseen<bytes>(p, v);
}
/// A vector of a tensor, in memory or in registers.
template <int bytes, class Tensor>
COSMATI_HD inline auto load_of(void const* p) {
  if constexpr (is_memory<Tensor>)
    return load_unseen<bytes>(p);
  else
    return load_registers<bytes>(p);
}
template <int bytes, class Tensor, class V>
COSMATI_HD inline void store_of(void* p, V v) {
  if constexpr (is_memory<Tensor>)
    store_unseen<bytes>(p, v);
  else
    store_registers<bytes>(p, v);
}
/// @}

/// Tells the simulated device that `bytes` at element index `i` of t are accessed by one instruction.
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

/// Moves vectors number [0, count) of `vector` elements, `bytes` each, between memory and registers, or memory and
/// memory. The loads of up to eight vectors are issued before the first store.
template <int bytes, int vector, int count, class Src, class Dst>
COSMATI_HD inline void move_static(Src const& src, Dst& dst) {
  using V = typename vector_type<bytes>::type;
  constexpr bool through = is_memory<Src> && is_memory<Dst>;
  constexpr int batch = through ? (count < 8 ? count : 8) : 1;
  auto const from = src.data();
  auto const to = dst.data();
#if defined(COSMATI_SIMULATED)
  if (!access_is_watched()) {
    for (int first = 0; first < count; first += batch) {
      int const end = first + batch < count ? first + batch : count;
      V held[std::size_t{batch}];
      for (int j = first; j < end; ++j)
        held[j - first] = load_unseen<bytes>(address_at(from, src.layout()(j * vector)));
      for (int j = first; j < end; ++j) store_unseen<bytes>(address_at(to, dst.layout()(j * vector)), held[j - first]);
    }
    return;
  }
#endif
  COSMATI_UNROLL
  for (int first = 0; first < count; first += batch) {
    V held[std::size_t{batch}];
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      if (count % batch == 0 || first + j < count) {
        note_vector<bytes, access_kind::load>(src, (first + j) * vector);
        held[j] = load_of<bytes, Src>(address_at(from, src.layout()((first + j) * vector)));
      }
    }
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      if (count % batch == 0 || first + j < count) {
        note_vector<bytes, access_kind::store>(dst, (first + j) * vector);
        store_of<bytes, Dst>(address_at(to, dst.layout()((first + j) * vector)), held[j]);
      }
    }
  }
}
/// One vector, by index of its first element.
template <int bytes, class Src, class Dst, class Index>
COSMATI_HD inline void move_one(Src const& src, Dst& dst, Index i) {
  note_vector<bytes, access_kind::load>(src, i);
  note_vector<bytes, access_kind::store>(dst, i);
  store_of<bytes, Dst>(address_at(dst.data(), dst.layout()(i)),
                       load_of<bytes, Src>(address_at(src.data(), src.layout()(i))));
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
