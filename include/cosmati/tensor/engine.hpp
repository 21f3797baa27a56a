// SPDX-License-Identifier: Apache-2.0
/// @file
/// Engines: where a tensor's elements are. One that owns them (an array), and two that look at others'.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/pointer.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T, int N>
struct aligned_array {
  alignas(alignof(T) > 16 ? alignof(T) : 16) T elements[std::size_t{N}];
};
template <class T>
struct aligned_array<T, 0> {};

template <class R>
struct reading {
  using type = R;
};
template <class T>
struct reading<T&> {
  using type = T const&;
};
template <class T>
struct reading<subbyte_reference<T>> {
  using type = T;
};

template <class T, int N, bool subbyte>
struct array_storage {
  using type = aligned_array<T, N>;
};
template <class T, int N>
struct array_storage<T, N, true> {
  using type = array_subbyte<T, N>;
};
}  // namespace detail

/// Owns N elements of T: a fragment in registers, or a member of a shared-memory structure. Its memory is not
/// initialised; `{}` is all zeros.
///
/// Aligned to 16 bytes, as in CuTe, so that it is moved by the widest instructions (its size is a multiple of 16).
/// Elements of fewer than 8 bits are packed, in as many bytes as they need, aligned as those allow.
template <class T, int N>
struct ArrayEngine {
  static_assert(N >= 0 && !std::is_const_v<T>, "ArrayEngine<T, N>: N must not be negative, T not const");
  static constexpr bool packed = is_subbyte_v<T>;
  using Storage = typename detail::array_storage<T, N, packed>::type;
  using iterator = std::conditional_t<packed, subbyte_iterator<T>, T*>;
  using const_iterator = std::conditional_t<packed, subbyte_iterator<T const>, T const*>;
  using value_type = T;
  using element_type = T;
  using reference = iter_reference_t<iterator>;
  static constexpr int size_v = N;

  Storage storage_;

  COSMATI_HD constexpr iterator begin() {
    if constexpr (packed)
      return storage_.begin();
    else if constexpr (N == 0)
      return nullptr;
    else
      return storage_.elements;
  }
  COSMATI_HD constexpr const_iterator begin() const {
    if constexpr (packed)
      return storage_.begin();
    else if constexpr (N == 0)
      return nullptr;
    else
      return storage_.elements;
  }
  COSMATI_HD static constexpr int size() { return N; }
};

namespace detail {
/// A tensor in registers. On the simulated device they hold what tells that nobody has written them, as new memory
/// does.
template <class T>
COSMATI_HD constexpr T unwritten_tensor() {
#if defined(COSMATI_SIMULATED)
  if (!__builtin_is_constant_evaluated() && access_is_watched()) {
    T held{};
    auto* const bytes = reinterpret_cast<unsigned char*>(&held.engine().storage_);
    for (std::size_t i = 0; i < sizeof(held.engine().storage_); ++i) bytes[i] = i % 2 == 0 ? 0xFD : 0x7F;
    return held;
  }
#endif
  return T{};
}
}  // namespace detail

/// Looks at elements through an iterator, and may write them where the iterator may.
template <class Iterator>
struct ViewEngine {
  using iterator = Iterator;
  using value_type = iter_value_t<Iterator>;
  using element_type = iter_element_t<Iterator>;
  using reference = iter_reference_t<Iterator>;

  iterator storage_;

  COSMATI_HD constexpr iterator begin() const { return storage_; }
};

/// Looks at elements of an owning engine that is const: reads only.
template <class Iterator>
struct ConstViewEngine {
  using iterator = Iterator;
  using value_type = iter_value_t<Iterator>;
  using element_type = value_type const;
  using reference = typename detail::reading<iter_reference_t<Iterator>>::type;

  iterator storage_;

  COSMATI_HD constexpr iterator begin() const { return storage_; }
};

/// Stores its elements in an engine: a tensor.
template <class T>
concept has_engine = has_iterator<T> && requires {
  typename T::engine_type;
};

/// @name Questions about engines, and about tensors (which name their engine `engine_type`)
/// @{
template <class E>
inline constexpr bool is_owning_v = false;
template <class T, int N>
inline constexpr bool is_owning_v<ArrayEngine<T, N>> = true;
template <has_engine E>
inline constexpr bool is_owning_v<E> = is_owning_v<typename E::engine_type>;
template <class E>
inline constexpr bool is_owning_v<E const> = is_owning_v<E>;
/// Whether a tensor or engine holds its elements, rather than pointing to them.
template <class E>
struct is_owning : bool_constant<is_owning_v<std::remove_cvref_t<E>>> {};

/// An owning engine knows more of its address than its iterator tells; so does a tensor of one.
template <class T, int N>
inline constexpr int pointer_alignment_bits_v<ArrayEngine<T, N>> = 8 * static_cast<int>(alignof(ArrayEngine<T, N>));
template <has_engine T>
inline constexpr int pointer_alignment_bits_v<T> = pointer_alignment_bits_v<typename T::engine_type>;
/// @}

namespace detail {
/// A view of a tensor's elements by another layout. One of a tile does not know its place in the tensor any more.
template <class T, class Iterator, class L>
COSMATI_HD constexpr auto relaid(T const&, Iterator const& it, L const& l) {
  if constexpr (requires { T::engine_type::place_type::of_tile; })
    return T::engine_type::without_place(it, l);
  else
    return make_tensor(it, l);
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
