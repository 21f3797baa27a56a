// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::Array<T, N>`, `AlignedArray`: elements in registers, packed where they are narrower than a byte.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/array.h>)
#include_next <cutlass/array.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cutlass/numeric_types.h>
#include <cosmati/core/array.hpp>
#include <cosmati/tensor/subbyte.hpp>

namespace cutlass {

namespace detail {
template <class T, int N, bool packed>
struct array_of {
  using type = ::COSMATI_NAMESPACE::array<T, N>;
};
template <class T, int N>
struct array_of<T, N, true> {
  using type = ::COSMATI_NAMESPACE::array_subbyte<T, N>;
};
}  // namespace detail

/// N elements.
template <class T, int N, bool RegisterSized = (::COSMATI_NAMESPACE::sizeof_bits_v<T> >= 32)>
struct Array : detail::array_of<T, N, ::COSMATI_NAMESPACE::is_subbyte_v<T>>::type {
  using Element = T;
  using Storage = T;
  static constexpr int kElements = N;
  static constexpr std::size_t kStorageElements = N;
  /// The address of the first.
  CUTLASS_HOST_DEVICE auto raw_data() { return this->data(); }
  CUTLASS_HOST_DEVICE auto raw_data() const { return this->data(); }
};
/// The same at a multiple of so many bytes: its own size, unless another alignment is given.
template <class T, int N, int Alignment = ((::COSMATI_NAMESPACE::sizeof_bits_v<T> * N + 7) / 8)>
struct alignas(Alignment) AlignedArray : Array<T, N> {};

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
