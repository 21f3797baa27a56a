// SPDX-License-Identifier: Apache-2.0
/// @file
/// `swizzle_ptr<Swizzle, P>`: a pointer whose dereference goes to the swizzled address.
///
/// The swizzle applies to the address in bytes, not to an offset of elements. A tile therefore reads the same wherever
/// it is cut, if the memory begins at a multiple of the swizzle's period. Steps are taken before the swizzle.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/pointer.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A stateless function of addresses, such as `Swizzle<B, M, S>`, whose M and B are its num_base and num_bits.
template <class S>
concept address_function = std::is_empty_v<S> && requires(S const s, std::uintptr_t address) {
  s(address);
};

/// The number of bytes that a swizzle keeps together, at multiples of that number; 0 if it is not known.
template <class S>
inline constexpr int swizzle_run = 0;
template <class S>
requires requires { S::num_base; }
inline constexpr int swizzle_run<S> = S::num_base < 16 ? 1 << S::num_base : 1 << 16;

template <class S>
inline constexpr bool changes_nothing = false;
template <class S>
requires requires { S::num_bits; }
inline constexpr bool changes_nothing<S> = S::num_bits == 0;

template <int element_bytes, int run_bytes>
struct swizzle_splits_elements {
  static_assert(
      element_bytes <= run_bytes || run_bytes == 0,
      "swizzle_splits_elements<bytes of an element, bytes that the swizzle keeps together>: an element of this "
      "pointer does not lie in one piece; use a Swizzle<B, M, S> of larger M, or a narrower element");
};

template <class S, class T>
COSMATI_HD T* swizzled(T* p) {
  // A step from p, not an integer cast to a pointer, so that the compiler still knows the memory that p points to. The
  // bits of a Swizzle<B, M, S> are in the lower half of an address.
  using half = std::conditional_t<swizzle_run<S> != 0, std::uint32_t, std::uintptr_t>;
  using byte = std::conditional_t<std::is_const_v<T>, char const, char>;
  auto const address = static_cast<half>(reinterpret_cast<std::uintptr_t>(p));
  half const step = static_cast<half>(S{}(address)) - address;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(p) + static_cast<std::make_signed_t<half>>(step));
}
template <class S, class T>
COSMATI_HD subbyte_iterator<T> swizzled(subbyte_iterator<T> const& p) {
  return subbyte_iterator<T>(swizzled<S>(p.byte_), p.shift_);
}
template <class S, int N, class P>
COSMATI_HD auto swizzled(aligned_ptr<N, P> const& p) {
  return swizzled<S>(p.get());
}
}  // namespace detail

/// @tparam S a swizzle of byte addresses
/// @tparam P a raw pointer, `subbyte_iterator` or `aligned_ptr`
template <detail::address_function S, class P>
struct swizzle_ptr {
  using swizzle_type = S;
  using value_type = iter_value_t<P>;
  using element_type = iter_element_t<P>;
  using reference = iter_reference_t<P>;
  static_assert(sizeof_bits_v<value_type> % 8 == 0 || 8 % sizeof_bits_v<value_type> == 0,
                "swizzle_ptr<S, P>: packed elements that straddle bytes (6 bits) cannot be swizzled; recast to bytes");

  P ptr_;

  /// The pointer before the swizzle, from which steps count.
  COSMATI_HD constexpr P get() const { return ptr_; }
  /// The pointer after the swizzle, where the element is.
  COSMATI_HD auto apply() const {
    (void)detail::swizzle_splits_elements<static_cast<int>(sizeof(value_type)), detail::swizzle_run<S>>{};
    return detail::swizzled<S>(ptr_);
  }
  COSMATI_HD reference operator*() const { return *apply(); }
  template <integer Step>
  COSMATI_HD reference operator[](Step i) const {
    return *(*this + i);
  }
  template <integer Step>
  COSMATI_HD constexpr auto operator+(Step i) const {
    using To = std::remove_cvref_t<decltype(ptr_ + i)>;
    return swizzle_ptr<S, To>{ptr_ + i};
  }
  template <class Q>
  COSMATI_HD constexpr auto operator-(swizzle_ptr<S, Q> const& other) const {
    return ptr_ - other.ptr_;
  }
  template <class Q>
  COSMATI_HD constexpr bool operator==(swizzle_ptr<S, Q> const& other) const {
    return ptr_ == other.ptr_;
  }
  template <class Q>
  COSMATI_HD constexpr bool operator<(swizzle_ptr<S, Q> const& other) const {
    return ptr_ < other.ptr_;
  }
};

/// The alignment is at most the number of bytes that the swizzle keeps together.
template <class S, class P>
inline constexpr int pointer_alignment_bits_v<swizzle_ptr<S, P>> =
    detail::swizzle_run<S> == 0
        ? (pointer_alignment_bits_v<P> < sizeof_bits_v<iter_value_t<P>> ? pointer_alignment_bits_v<P>
                                                                        : sizeof_bits_v<iter_value_t<P>>)
        : (pointer_alignment_bits_v<P> < 8 * detail::swizzle_run<S> ? pointer_alignment_bits_v<P>
                                                                    : 8 * detail::swizzle_run<S>);

/// The swizzle that a pointer applies; `void` if there is none.
template <class P>
struct pointer_swizzle {
  using type = void;
};
template <class S, class P>
struct pointer_swizzle<swizzle_ptr<S, P>> {
  using type = S;
};
template <template <class> class Tag, class P>
requires detail::is_tag<Tag<P>>
struct pointer_swizzle<Tag<P>> : pointer_swizzle<P> {
};
template <class P>
using pointer_swizzle_t = typename pointer_swizzle<std::remove_cvref_t<P>>::type;

/// @name Makers: a swizzle without bits is left out, and a tag stays outermost
/// @{
template <class P, detail::address_function S>
COSMATI_HD constexpr auto make_swizzle_ptr(P p, S) {
  if constexpr (detail::changes_nothing<S>) {
    return make_iterator(p);
  } else {
    return swizzle_ptr<S, decltype(make_iterator(p))>{make_iterator(p)};
  }
}
template <template <class> class Tag, class P, detail::address_function S>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr auto make_swizzle_ptr(Tag<P> const& p, S s) {
  using To = decltype(make_swizzle_ptr(p.get(), s));
  return Tag<To>(make_swizzle_ptr(p.get(), s));
}
template <class P, detail::address_function S>
COSMATI_HD constexpr auto make_smem_ptr(P p, S s) {
  return make_swizzle_ptr(make_smem_ptr(p), s);
}
template <class T, class P, detail::address_function S>
requires(!std::is_same_v<T, P>) COSMATI_HD constexpr auto make_smem_ptr(P p, S s) {
  return make_swizzle_ptr(make_smem_ptr<T>(p), s);
}
/// @}

/// @name Operations that a swizzle_ptr forwards to the pointer inside
/// @{
/// The address before the swizzle.
template <class S, class P>
COSMATI_HD constexpr auto raw_pointer_cast(swizzle_ptr<S, P> const& p) {
  return raw_pointer_cast(p.get());
}
template <class NewT, class S, class P>
COSMATI_HD constexpr auto recast_ptr(swizzle_ptr<S, P> const& p) {
  using To = decltype(recast_ptr<NewT>(p.get()));
  return swizzle_ptr<S, To>{recast_ptr<NewT>(p.get())};
}
template <int N, class S, class P>
COSMATI_HD constexpr auto assume_aligned(swizzle_ptr<S, P> const& p) {
  using To = decltype(assume_aligned<N>(p.get()));
  return swizzle_ptr<S, To>{assume_aligned<N>(p.get())};
}
template <std::int64_t D, class S, class P, integer Step>
COSMATI_HD constexpr auto advance_by(swizzle_ptr<S, P> const& p, Step n) {
  using To = decltype(advance_by<D>(p.get(), n));
  return swizzle_ptr<S, To>{advance_by<D>(p.get(), n)};
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
