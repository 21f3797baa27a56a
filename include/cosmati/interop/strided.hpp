// SPDX-License-Identifier: Apache-2.0
/// @file
/// Conversions from a pointer, extents and strides, as other libraries store them, to the arguments of `make_tensor`.
///
/// Any type with the members of `std::mdspan` is accepted (`data_handle`, `extent`, `stride`, `rank`); no header of it
/// is included. Mode r of the layout is dimension r of the source. Strides count elements.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/layout.hpp>
#include <cosmati/tensor/pointer.hpp>

// Members and operators [] of other libraries' types are usually host functions, which nvcc warns about.
#if defined(__CUDACC__)
#define COSMATI_CALLS_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define COSMATI_CALLS_EITHER_SIDE
#endif

namespace COSMATI_NAMESPACE {

namespace detail {
[[noreturn]] COSMATI_HD inline void extent_is_negative_or_exceeds_int(int dimension, long long extent) {
  fail("dimension %d has extent %lld: an extent must be at least 0 and fit an int; split the dimension in two",
       dimension, extent);
}
template <class T>
COSMATI_HD constexpr int checked_extent(int dimension, T extent) {
  bool negative = false;
  if constexpr (std::is_signed_v<T>) negative = extent < 0;
  if (negative || static_cast<std::uint64_t>(extent) > 0x7fffffffu) {
    extent_is_negative_or_exceeds_int(dimension, static_cast<long long>(extent));
  }
  return static_cast<int>(extent);
}

/// An extent that the type of the source knows (`static_extent`), or -1.
template <class View, std::size_t dimension>
inline constexpr std::int64_t known_extent = -1;
template <class View, std::size_t dimension>
requires requires { View::static_extent(dimension); }
inline constexpr std::int64_t known_extent<View, dimension> =
    static_cast<std::uint64_t>(View::static_extent(dimension)) <= 0x7fffffffu
        ? static_cast<std::int64_t>(View::static_extent(dimension))
        : -1;
COSMATI_CALLS_EITHER_SIDE
template <class View, std::size_t dimension>
COSMATI_HD constexpr auto extent_of(View const& view) {
  if constexpr (known_extent<View, dimension> >= 0) {
    return Int<static_cast<int>(known_extent<View, dimension>)>{};
  } else {
    return checked_extent(static_cast<int>(dimension), view.extent(dimension));
  }
}

template <class View>
inline constexpr int promised_bytes = 0;
template <class View>
requires requires { View::accessor_type::byte_alignment; }
inline constexpr int promised_bytes<View> = static_cast<int>(View::accessor_type::byte_alignment);

/// The number of dimensions in an array of extents, which is a C array or a type that std::tuple_size knows.
template <class A>
inline constexpr int length_of = static_cast<int>(std::tuple_size<A>::value);
template <class T, std::size_t R>
inline constexpr int length_of<T[R]> = static_cast<int>(R);
template <class A>
concept has_length = std::is_bounded_array_v<A> || requires {
  std::tuple_size<A>::value;
};

template <class View>
inline constexpr std::size_t rank_of = static_cast<std::size_t>(View::rank());

template <class S, class D>
COSMATI_HD constexpr Layout<S, D> as_layout(S const& shape, D const& stride) {
  return {shape, stride};
}
COSMATI_CALLS_EITHER_SIDE
template <class Extents, class Strides, std::size_t... dimension>
COSMATI_HD constexpr auto strided_layout_from(Extents const& extents, Strides const& strides,
                                              std::index_sequence<dimension...>) {
  return as_layout(make_tuple(checked_extent(static_cast<int>(dimension), extents[dimension])...),
                   make_tuple(static_cast<std::int64_t>(strides[dimension])...));
}
}  // namespace detail

/// @name make_layout_from: a layout of `int` extents and 64-bit strides from run-time numbers
/// @{

/// From arrays (pointers, `std::vector`, ...) of R extents and R strides. @tparam R the rank
template <int R, class Extents, class Strides>
COSMATI_HD constexpr auto make_layout_from(Extents const& extents, Strides const& strides) {
  return detail::strided_layout_from(extents, strides, std::make_index_sequence<static_cast<std::size_t>(R)>{});
}
/// From a C array or `std::array` of extents, whose length is the rank, and another of strides.
template <detail::has_length Extents, class Strides>
COSMATI_HD constexpr auto make_layout_from(Extents const& extents, Strides const& strides) {
  return make_layout_from<detail::length_of<Extents>>(extents, strides);
}
/// The compact row-major layout ("C order", the last dimension fastest), which numpy and DLPack mean if strides are
/// missing.
COSMATI_CALLS_EITHER_SIDE
template <int R, class Extents>
COSMATI_HD constexpr auto make_layout_from(Extents const& extents) {
  std::int64_t strides[std::size_t{R == 0 ? 1 : R}] = {1};
  std::int64_t stride = 1;
  for (int i = R - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= static_cast<std::int64_t>(extents[i]);
  }
  return make_layout_from<R>(extents, strides);
}
template <detail::has_length Extents>
COSMATI_HD constexpr auto make_layout_from(Extents const& extents) {
  return make_layout_from<detail::length_of<Extents>>(extents);
}
/// @}

/// The arguments of `make_tensor`: `make_tensor(v.data, v.layout())`.
template <class P, class Shape, class Stride>
struct strided_view {
  P data;
  Shape shape;
  Stride stride;

  /// The layout of the extents and strides, in elements.
  COSMATI_HD constexpr Layout<Shape, Stride> layout() const { return {shape, stride}; }
};

namespace detail {
template <class P, class S, class D>
COSMATI_HD constexpr strided_view<P, S, D> make_strided_view(P const& data, S const& shape, D const& stride) {
  return {data, shape, stride};
}
COSMATI_CALLS_EITHER_SIDE
template <class View, std::size_t... dimension>
COSMATI_HD constexpr auto strided_from(View const& view, std::index_sequence<dimension...>) {
  auto const shape = make_tuple(extent_of<View, dimension>(view)...);
  auto const stride = make_tuple(static_cast<std::int64_t>(view.stride(dimension))...);
  if constexpr (promised_bytes < View >> 0) {
    return make_strided_view(assume_aligned<promised_bytes<View>>(view.data_handle()), shape, stride);
  } else {
    return make_strided_view(make_iterator(view.data_handle()), shape, stride);
  }
}
}  // namespace detail

/// Whether a type has the members of `std::mdspan`.
template <class V>
concept mdspan_like = requires(V const& v) {
  V::rank();
  v.data_handle();
  v.extent(0);
  v.stride(0);
};

/// From an object like `std::mdspan` with a strided mapping. An extent that its type knows becomes static. The
/// alignment that an `aligned_accessor` promises stays.
template <mdspan_like View>
COSMATI_HD constexpr auto make_strided(View const& view) {
  return detail::strided_from(view, std::make_index_sequence<detail::rank_of<View>>{});
}
/// From a pointer and arrays of R extents and strides.
template <int R, class T, class Extents, class Strides>
COSMATI_HD constexpr auto make_strided(T* data, Extents const& extents, Strides const& strides) {
  auto const layout = make_layout_from<R>(extents, strides);
  return detail::make_strided_view(make_iterator(data), layout.shape(), layout.stride());
}
template <class T, detail::has_length Extents, class Strides>
COSMATI_HD constexpr auto make_strided(T* data, Extents const& extents, Strides const& strides) {
  return make_strided<detail::length_of<Extents>>(data, extents, strides);
}

}  // namespace COSMATI_NAMESPACE

#undef COSMATI_CALLS_EITHER_SIDE

#include <cosmati/core/macros_end.hpp>
