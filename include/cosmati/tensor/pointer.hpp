// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pointers whose type names the memory: `gmem_ptr`, `smem_ptr`, `rmem_ptr`; and functions that make and recast them.
///
/// A tag is a promise of the caller that selects instructions. Dereferencing uses the pointer inside. If a maker gets a
/// raw pointer to elements of fewer than 8 bits, the memory holds them packed.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/aligned_pointer.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class P>
inline constexpr bool is_raw_subbyte_pointer = false;
template <class T>
inline constexpr bool is_raw_subbyte_pointer<T*> = is_subbyte_v<T>;

/// The members of the three kinds of tagged pointers.
template <template <class> class Tag, class P>
struct tagged_pointer {
  static_assert(!is_raw_subbyte_pointer<P>,
                "a raw pointer steps over whole bytes, but these elements are packed: write make_gmem_ptr(p) (or smem, "
                "rmem), or subbyte_iterator<T>, instead of gmem_ptr<T*>");
  using iterator = P;
  using value_type = iter_value_t<P>;
  using element_type = iter_element_t<P>;
  using reference = iter_reference_t<P>;
  using difference_type = std::ptrdiff_t;

  P ptr_;

  tagged_pointer() = default;
  COSMATI_HD constexpr explicit tagged_pointer(P const& ptr) : ptr_(ptr) {}

  /// The pointer without its tag.
  COSMATI_HD constexpr P get() const { return ptr_; }
  COSMATI_HD constexpr reference operator*() const { return *ptr_; }
  COSMATI_HD constexpr P operator->() const { return ptr_; }
  template <integer Step>
  COSMATI_HD constexpr reference operator[](Step i) const {
    return ptr_[plain_integer(i)];
  }

  template <integer Step>
  COSMATI_HD constexpr auto operator+(Step i) const {
    using To = std::remove_cvref_t<decltype(ptr_ + i)>;
    return Tag<To>(ptr_ + i);
  }
  template <integer Step>
  COSMATI_HD constexpr auto operator-(Step i) const {
    return *this + -static_cast<std::int64_t>(plain_integer(i));
  }
  template <integer Step>
  COSMATI_HD constexpr Tag<P>& operator+=(Step i) {
    ptr_ = ptr_ + plain_integer(i);
    return static_cast<Tag<P>&>(*this);
  }
  template <integer Step>
  COSMATI_HD constexpr Tag<P>& operator-=(Step i) {
    return *this += -static_cast<std::int64_t>(plain_integer(i));
  }
  COSMATI_HD constexpr Tag<P>& operator++() { return *this += 1; }
  COSMATI_HD constexpr Tag<P>& operator--() { return *this -= 1; }
};

/// Whether a conversion is allowed. It may make the elements read-only and drop an alignment; it may not change the
/// element type.
template <class From, class To>
concept requalifies_to = !std::is_same_v<From, To> && std::is_convertible_v<From, To> &&
                         std::is_same_v<iter_value_t<From>, iter_value_t<To>>;
}  // namespace detail

/// A pointer to global memory. P is a raw pointer or an iterator.
template <class P>
struct gmem_ptr : detail::tagged_pointer<gmem_ptr, P> {
  using detail::tagged_pointer<gmem_ptr, P>::tagged_pointer;
  gmem_ptr() = default;
  template <detail::requalifies_to<P> Q>
  COSMATI_HD constexpr gmem_ptr(gmem_ptr<Q> const& other)  // NOLINT(google-explicit-constructor): as float* to const
      : detail::tagged_pointer<gmem_ptr, P>(other.get()) {}
};
/// A pointer to shared memory.
template <class P>
struct smem_ptr : detail::tagged_pointer<smem_ptr, P> {
  using detail::tagged_pointer<smem_ptr, P>::tagged_pointer;
  smem_ptr() = default;
  template <detail::requalifies_to<P> Q>
  COSMATI_HD constexpr smem_ptr(smem_ptr<Q> const& other)  // NOLINT(google-explicit-constructor): as float* to const
      : detail::tagged_pointer<smem_ptr, P>(other.get()) {}
};
/// A pointer to a thread's registers.
template <class P>
struct rmem_ptr : detail::tagged_pointer<rmem_ptr, P> {
  using detail::tagged_pointer<rmem_ptr, P>::tagged_pointer;
  rmem_ptr() = default;
  template <detail::requalifies_to<P> Q>
  COSMATI_HD constexpr rmem_ptr(rmem_ptr<Q> const& other)  // NOLINT(google-explicit-constructor): as float* to const
      : detail::tagged_pointer<rmem_ptr, P>(other.get()) {}
};
namespace detail {
template <class T>
inline constexpr bool is_tag = false;
template <class P>
inline constexpr bool is_tag<gmem_ptr<P>> = true;
template <class P>
inline constexpr bool is_tag<smem_ptr<P>> = true;
template <class P>
inline constexpr bool is_tag<rmem_ptr<P>> = true;
}  // namespace detail

/// The distance of two pointers, in elements.
template <template <class> class Tag, class P, class Q>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr auto operator-(Tag<P> const& a, Tag<Q> const& b) {
  return a.get() - b.get();
}
template <template <class> class Tag, class P, class Q>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr bool operator==(Tag<P> const& a, Tag<Q> const& b) {
  return a.get() == b.get();
}
template <template <class> class Tag, class P, class Q>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr bool operator<(Tag<P> const& a, Tag<Q> const& b) {
  return a.get() < b.get();
}

template <class P>
gmem_ptr(P) -> gmem_ptr<P>;
template <class P>
smem_ptr(P) -> smem_ptr<P>;
template <class P>
rmem_ptr(P) -> rmem_ptr<P>;

/// @name The memory that something points to
/// @{
enum class memory_space { untagged, gmem, smem, rmem };

/// Whether T names the iterator that it wraps: tagged pointers, engines, tensors.
template <class T>
concept has_iterator = requires {
  typename T::iterator;
};

/// The memory of a tagged pointer's tag, or of the member type `iterator` of an engine or tensor.
template <class T>
inline constexpr memory_space memory_space_v = memory_space::untagged;
template <has_iterator T>
inline constexpr memory_space memory_space_v<T> = memory_space_v<typename T::iterator>;
template <class P>
inline constexpr memory_space memory_space_v<gmem_ptr<P>> = memory_space::gmem;
template <class P>
inline constexpr memory_space memory_space_v<smem_ptr<P>> = memory_space::smem;
template <class P>
inline constexpr memory_space memory_space_v<rmem_ptr<P>> = memory_space::rmem;

template <class T>
inline constexpr bool is_gmem_v = memory_space_v<std::remove_cvref_t<T>> == memory_space::gmem;
template <class T>
inline constexpr bool is_smem_v = memory_space_v<std::remove_cvref_t<T>> == memory_space::smem;
/// Whether T points to registers. Also true without a tag, as in CuTe, because most untagged memory is a thread's
/// array.
template <class T>
inline constexpr bool is_rmem_v = !is_gmem_v<T> && !is_smem_v<T>;
template <class T>
struct is_gmem : bool_constant<is_gmem_v<T>> {};
template <class T>
struct is_smem : bool_constant<is_smem_v<T>> {};
template <class T>
struct is_rmem : bool_constant<is_rmem_v<T>> {};
/// @}

template <has_iterator T>
inline constexpr int pointer_alignment_bits_v<T> = pointer_alignment_bits_v<typename T::iterator>;

/// The address that a tagged pointer points to.
template <template <class> class Tag, class P>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr auto raw_pointer_cast(Tag<P> const& p) {
  return raw_pointer_cast(p.get());
}

/// @name recast_ptr<NewT>(p): the same memory as elements of NewT
/// It keeps the tag, the promised alignment, and `const`: a pointer to const becomes a pointer to `NewT const`. Either
/// type may be packed. In builds that check pointers, an address that is not aligned for NewT is an error.
/// @{
namespace detail {
template <class NewT, class T>
using with_const_of = std::conditional_t<std::is_const_v<T>, NewT const, NewT>;
}  // namespace detail

template <class NewT, class T>
COSMATI_HD constexpr auto recast_ptr(T* p) {
  using To = detail::with_const_of<NewT, T>;
  if constexpr (is_subbyte_v<To>) {
    return subbyte_iterator<To>(p == nullptr ? nullptr
                                             : reinterpret_cast<typename subbyte_iterator<To>::storage_type*>(p));
  } else if constexpr (std::is_same_v<To, T>) {
    return p;
  } else {
    if constexpr (pointer_alignment_bits_v < To* >> pointer_alignment_bits_v<T*>) {
      detail::check_alignment(p, static_cast<int>(alignof(To)), "recast_ptr");
    }
    return reinterpret_cast<To*>(p);
  }
}
template <class NewT, class T>
COSMATI_HD constexpr auto recast_ptr(subbyte_iterator<T> const& p) {
  using To = detail::with_const_of<NewT, T>;
  if constexpr (std::is_same_v<To, T>) {
    return p;
  } else if constexpr (is_subbyte_v<To>) {
    if constexpr (pointer_alignment_bits_v < subbyte_iterator < To >>> pointer_alignment_bits_v<subbyte_iterator<T>>) {
      detail::check_byte_start(p.shift_ % pointer_alignment_bits_v<subbyte_iterator<To>>, "recast_ptr");
    }
    return subbyte_iterator<To>(p.byte_, p.shift_);
  } else {
    detail::check_byte_start(p.shift_, "recast_ptr");
    return recast_ptr<NewT>(p.byte_);
  }
}
template <class NewT, int N, class P>
COSMATI_HD constexpr auto recast_ptr(aligned_ptr<N, P> const& p) {
  return detail::promise<8 * N>(recast_ptr<NewT>(p.get()));
}
template <class NewT, template <class> class Tag, class P>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr auto recast_ptr(Tag<P> const& p) {
  using To = decltype(recast_ptr<NewT>(p.get()));
  return Tag<To>(recast_ptr<NewT>(p.get()));
}
/// @}

/// @name Makers
/// They accept a raw pointer or an iterator; a pointer of the same kind is returned as it is. `make_gmem_ptr<T>(p)`
/// makes a pointer to elements of T from untyped memory, or from memory of another type.
/// @{
namespace detail {
template <class P, memory_space wanted>
struct pointer_has_another_tag {
  static_assert(memory_space_v<P> == memory_space::untagged || memory_space_v<P> == wanted,
                "this pointer is tagged with another memory already: pass p.get() if it really points elsewhere");
};
template <template <class> class Tag, memory_space space, class P>
COSMATI_HD constexpr auto make_tagged(P p) {
  (void)pointer_has_another_tag<P, space>{};
  if constexpr (memory_space_v<P> != memory_space::untagged)
    return p;
  else
    return Tag<decltype(make_iterator(p))>(make_iterator(p));
}
}  // namespace detail

template <class P>
COSMATI_HD constexpr auto make_gmem_ptr(P p) {
  return detail::make_tagged<gmem_ptr, memory_space::gmem>(p);
}
template <class P>
COSMATI_HD constexpr auto make_smem_ptr(P p) {
  return detail::make_tagged<smem_ptr, memory_space::smem>(p);
}
template <class P>
COSMATI_HD constexpr auto make_rmem_ptr(P p) {
  return detail::make_tagged<rmem_ptr, memory_space::rmem>(p);
}
/// A null pointer to elements of T.
template <class T>
COSMATI_HD constexpr auto make_gmem_ptr(std::nullptr_t) {
  return make_gmem_ptr(static_cast<T*>(nullptr));
}
template <class T>
COSMATI_HD constexpr auto make_smem_ptr(std::nullptr_t) {
  return make_smem_ptr(static_cast<T*>(nullptr));
}
template <class T, class P>
requires(!std::is_same_v<T, P>) COSMATI_HD constexpr auto make_gmem_ptr(P p) { return make_gmem_ptr(recast_ptr<T>(p)); }
template <class T, class P>
requires(!std::is_same_v<T, P>) COSMATI_HD constexpr auto make_smem_ptr(P p) { return make_smem_ptr(recast_ptr<T>(p)); }
template <class T, class P>
requires(!std::is_same_v<T, P>) COSMATI_HD constexpr auto make_rmem_ptr(P p) { return make_rmem_ptr(recast_ptr<T>(p)); }
/// @}

template <int N, template <class> class Tag, class P>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr auto assume_aligned(Tag<P> const& p) {
  using To = decltype(assume_aligned<N>(p.get()));
  return Tag<To>(assume_aligned<N>(p.get()));
}
template <std::int64_t D, template <class> class Tag, class P, integer Step>
requires detail::is_tag<Tag<P>> COSMATI_HD constexpr auto advance_by(Tag<P> const& p, Step n) {
  using To = decltype(advance_by<D>(p.get(), n));
  return Tag<To>(advance_by<D>(p.get(), n));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
