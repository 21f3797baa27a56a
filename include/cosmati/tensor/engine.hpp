// SPDX-License-Identifier: Apache-2.0
/// @file
/// Engines, which hold or point to a tensor's elements: one that owns them in an array, and two that view elements
/// elsewhere.
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

/// Owns N elements of T: a fragment in registers, or a member of a shared-memory structure. The memory is not
/// initialised; `{}` sets it to zeros.
///
/// The engine is aligned to 16 bytes and its size is a multiple of 16, as in CuTe, so that the widest instructions can
/// move it. Elements of fewer than 8 bits are packed into as few bytes as possible; the alignment follows from that
/// size.
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
/// A tensor in registers. On the simulated device the registers start with the pattern of unwritten memory.
template <class T>
COSMATI_HD constexpr T unwritten_tensor() {
#if defined(COSMATI_SIMULATED)
  if (!__builtin_is_constant_evaluated() && access_is_watched()) {
    T held{};
    auto* const bytes = reinterpret_cast<unsigned char*>(&held.engine().storage_);
    unsigned const bits = cosmati_sim_unwritten_bits(sizeof(typename T::value_type));
    for (std::size_t i = 0; i < sizeof(held.engine().storage_); ++i)
      bytes[i] = static_cast<unsigned char>(bits >> (i % 2 * 8));
    return held;
  }
#endif
  return T{};
}
}  // namespace detail

/// Views elements through an iterator. It may write them if the iterator may.
template <class Iterator>
struct ViewEngine {
  using iterator = Iterator;
  using value_type = iter_value_t<Iterator>;
  using element_type = iter_element_t<Iterator>;
  using reference = iter_reference_t<Iterator>;

  iterator storage_;

  COSMATI_HD constexpr iterator begin() const { return storage_; }
};

/// Views the elements of a const owning engine, for reading only.
template <class Iterator>
struct ConstViewEngine {
  using iterator = Iterator;
  using value_type = iter_value_t<Iterator>;
  using element_type = value_type const;
  using reference = typename detail::reading<iter_reference_t<Iterator>>::type;

  iterator storage_;

  COSMATI_HD constexpr iterator begin() const { return storage_; }
};

/// A type that stores its elements in an engine, which is a tensor.
template <class T>
concept has_engine = has_iterator<T> && requires {
  typename T::engine_type;
};

/// @name Traits of engines, and of tensors, whose engine is `engine_type`
/// @{
template <class E>
inline constexpr bool is_owning_v = false;
template <class T, int N>
inline constexpr bool is_owning_v<ArrayEngine<T, N>> = true;
template <has_engine E>
inline constexpr bool is_owning_v<E> = is_owning_v<typename E::engine_type>;
template <class E>
inline constexpr bool is_owning_v<E const> = is_owning_v<E>;
/// Whether a tensor or engine holds its elements, instead of pointing to them.
template <class E>
struct is_owning : bool_constant<is_owning_v<std::remove_cvref_t<E>>> {};

/// The alignment of an owning engine, or of its tensor, exceeds what its iterator tells.
template <class T, int N>
inline constexpr int pointer_alignment_bits_v<ArrayEngine<T, N>> = 8 * static_cast<int>(alignof(ArrayEngine<T, N>));
template <has_engine T>
inline constexpr int pointer_alignment_bits_v<T> = pointer_alignment_bits_v<typename T::engine_type>;
/// @}

namespace detail {
/// A view of a tensor's elements by another layout. A view of a tile does not keep the tile's place in the tensor.
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
