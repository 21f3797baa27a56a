// SPDX-License-Identifier: Apache-2.0
/// @file
/// `assume_aligned<N>(ptr)`: the promise that an address is a multiple of N bytes, kept in the pointer's type.
///
/// The width of vectorised copies follows from the alignments that layout and pointer prove. A pointer proves only the
/// alignment of its element; this promise adds to it. The promise is checked on the host, on the simulated device and
/// in debug builds for the GPU.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/tensor/subbyte.hpp>

/// Pointers are checked in builds where a broken promise would not stop the program, or would give a poorer message.
#if defined(COSMATI_SIMULATED) || defined(COSMATI_DEBUG) || defined(__CUDACC_DEBUG__) || \
    (!defined(__CUDA_ARCH__) && !defined(NDEBUG))
#define COSMATI_CHECKS_POINTERS 1
#else
#define COSMATI_CHECKS_POINTERS 0
#endif

namespace COSMATI_NAMESPACE {

namespace detail {
COSMATI_HD inline void check_multiple_of(void const* address, int bytes, char const* what) {
  if (reinterpret_cast<std::uintptr_t>(address) % static_cast<unsigned>(bytes) != 0) {
    fail_as("misaligned", "%s: the address %p is not a multiple of %d bytes", what, address, bytes);
  }
}
/// Fails if the address is not a multiple of `bytes`, in builds that check. The null pointer is a multiple of every
/// number.
COSMATI_HD constexpr void check_alignment([[maybe_unused]] void const* address, [[maybe_unused]] int bytes,
                                          [[maybe_unused]] char const* what) {
#if COSMATI_CHECKS_POINTERS
  if (!__builtin_is_constant_evaluated()) check_multiple_of(address, bytes, what);
#endif
}
COSMATI_HD constexpr void check_byte_start([[maybe_unused]] int shift, [[maybe_unused]] char const* what) {
#if COSMATI_CHECKS_POINTERS
  if (shift != 0) fail_as("misaligned", "%s: the element begins at bit %d of its byte, not with the byte", what, shift);
#endif
}
}  // namespace detail

/// An iterator P whose address is known to be a multiple of N bytes. `assume_aligned` makes it.
///
/// A step by a static integer keeps as much of the promise as it can; a step by a run-time integer drops it. Both
/// return another type. `advance_by<D>(p, n)` keeps the promise if n is known to be a multiple of D elements.
template <int N, class P>
struct aligned_ptr {
  static_assert(N > 0 && (N & (N - 1)) == 0, "aligned_ptr<N, P>: N is a power of two, in bytes");
  using iterator = P;
  using value_type = iter_value_t<P>;
  using element_type = iter_element_t<P>;
  using reference = iter_reference_t<P>;

  P ptr_;

  COSMATI_HD constexpr P get() const { return ptr_; }
  COSMATI_HD constexpr operator P() const { return ptr_; }  // NOLINT(google-explicit-constructor): forgets the promise
  COSMATI_HD constexpr reference operator*() const { return *ptr_; }
  COSMATI_HD constexpr P operator->() const { return ptr_; }
  template <integer Step>
  COSMATI_HD constexpr reference operator[](Step i) const {
    return ptr_[detail::plain_integer(i)];
  }
  template <integer Step>
  COSMATI_HD constexpr auto operator+(Step i) const;

  template <int M, class Q>
  COSMATI_HD constexpr auto operator-(aligned_ptr<M, Q> const& other) const {
    return ptr_ - other.ptr_;
  }
  template <int M, class Q>
  COSMATI_HD constexpr bool operator==(aligned_ptr<M, Q> const& other) const {
    return ptr_ == other.ptr_;
  }
  template <int M, class Q>
  COSMATI_HD constexpr bool operator<(aligned_ptr<M, Q> const& other) const {
    return ptr_ < other.ptr_;
  }
};

template <int N, class P>
inline constexpr int pointer_alignment_bits_v<aligned_ptr<N, P>> = 8 * N;

namespace detail {
template <class P>
inline constexpr bool is_aligned_ptr = false;
template <int N, class P>
inline constexpr bool is_aligned_ptr<aligned_ptr<N, P>> = true;

/// `p` with a promise of alignment to `bits` bits, if that exceeds the alignment in its type.
template <int bits, class P>
COSMATI_HD constexpr auto promise(P const& p) {
  if constexpr (bits % 8 != 0 || bits <= pointer_alignment_bits_v<P>)
    return p;
  else
    return aligned_ptr<bits / 8, P>{p};
}

/// The largest number of bits, up to `limit`, that divides the size of n elements of T for every multiple n of D.
template <class T, std::int64_t D, int limit>
inline constexpr int step_bits = static_cast<int>(greatest_common_divisor(
    greatest_common_divisor(D, limit) * greatest_common_divisor(sizeof_bits_v<T>, limit), limit));
}  // namespace detail

template <int N, class P>
template <integer Step>
COSMATI_HD constexpr auto aligned_ptr<N, P>::operator+(Step i) const {
  if constexpr (static_integer<Step>) {
    return detail::promise<detail::step_bits<value_type, Step::value, 8 * N>>(ptr_ + detail::plain_integer(i));
  } else {
    return ptr_ + i;
  }
}

/// @name A pointer's address in bytes, which promises and recasts check
/// @{
template <class T>
COSMATI_HD constexpr T* raw_pointer_cast(T* p) {
  return p;
}
/// The address of the byte in which the element begins. It points to packed memory even if it is a `T*`, so do not step
/// it.
template <class T>
COSMATI_HD constexpr T* raw_pointer_cast(subbyte_iterator<T> const& p) {
  return reinterpret_cast<T*>(p.byte_);
}
template <int N, class P>
COSMATI_HD constexpr auto raw_pointer_cast(aligned_ptr<N, P> const& p) {
  return raw_pointer_cast(p.get());
}
/// @}

/// @name assume_aligned<N>(p): p with the promise that its address is a multiple of N bytes, N a power of two
/// The tag of a tagged pointer stays. A false promise is an error in builds that check. If the type already says as
/// much, p stays as it is.
/// @{
template <int N, class T>
COSMATI_HD constexpr auto assume_aligned(T* p) {
  detail::check_alignment(p, N, "assume_aligned");
  return detail::promise<8 * N>(make_iterator(p));
}
template <int N, class T>
COSMATI_HD constexpr auto assume_aligned(subbyte_iterator<T> const& p) {
  detail::check_alignment(p.byte_, N, "assume_aligned");
  detail::check_byte_start(p.shift_, "assume_aligned");
  return detail::promise<8 * N>(p);
}
template <int N, int M, class P>
COSMATI_HD constexpr auto assume_aligned(aligned_ptr<M, P> const& p) {
  if constexpr (N <= M)
    return p;
  else
    return assume_aligned<N>(p.get());
}
template <int N, class P>
COSMATI_HD constexpr auto assumed_aligned(P const& p) {
  return assume_aligned<N>(p);
}
/// @}

/// p + n, where n is known to be a multiple of D. The promise of alignment stays as far as D elements allow.
template <std::int64_t D, class P, integer Step>
COSMATI_HD constexpr auto advance_by(P const& p, Step n) {
  if constexpr (static_integer<Step> || !detail::is_aligned_ptr<P>) {
    return p + n;
  } else {
    return detail::promise<detail::step_bits<iter_value_t<P>, D, pointer_alignment_bits_v<P>>>(p.get() + n);
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
