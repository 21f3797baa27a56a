// SPDX-License-Identifier: Apache-2.0
/// @file
/// From a coordinate to an offset at run time. Every access of a kernel uses it.
///
/// The leaves of shape and stride are gathered in local arrays, and one loop of constant length visits them. After
/// unrolling, only the arithmetic is left. A coordinate of unsigned type is divided unsigned; one of signed type is
/// divided as in C++, towards zero.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/evaluate.hpp>
#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Converts an integer that is never negative, such as a thread's index, to an unsigned one. Unsigned division takes
/// fewer instructions.
template <class T>
COSMATI_HD constexpr auto counted(T const& i) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return static_cast<std::make_unsigned_t<T>>(i);
  else
    return i;
}

template <class Coord>
inline constexpr bool static_coordinate = std::is_empty_v<Coord>;

/// The offset of coordinate c in shape:stride, computed in Index (int or int64).
template <class Index, class Coord, class Shape, class Stride>
COSMATI_HD constexpr Index offset_of(Coord const& c, Shape const& s, Stride const& d);

template <class Index, class Coord, class Shape, class Stride, int... Is>
COSMATI_HD constexpr Index offset_of_modes(Coord const& c, Shape const& s, Stride const& d,
                                           std::integer_sequence<int, Is...>) {
  return (Index(0) + ... + offset_of<Index>(get<Is>(c), get<Is>(s), get<Is>(d)));
}

template <std::size_t n, class Index>
struct steps {
  Index stride[n];
};
/// Divides an index by the extents in turn and adds up the digits times the strides. The last digit is the whole rest.
/// On the host an extent of 0, which has no coordinates, gives 0.
template <std::size_t n, class U, class Index>
COSMATI_HD constexpr Index sum_of_steps(U rest, U const (&extent)[n], steps<n, Index> const& s) {
  Index r = 0;
  COSMATI_UNROLL
  for (int i = 0; i < int{n} - 1; ++i) {
#if !defined(__CUDA_ARCH__)
    if (extent[i] == 0) return 0;
#endif
    r += static_cast<Index>(rest % extent[i]) * s.stride[i];
    rest /= extent[i];
  }
  return r + static_cast<Index>(rest) * s.stride[n - 1];
}
/// Whether an extent of the static shape exceeds 31 bits. The last extent does not count, because no coordinate is
/// divided by it.
template <class Shape>
inline constexpr bool divisors_are_long = [] {
  for (int i = 0; i + 1 < tree_of<Shape>.leaves; ++i) {
    if (tree_of<Shape>.shape[i] > 0x7fffffff) return true;
  }
  return false;
}();
/// The type in which a coordinate is divided. It has the signedness of the coordinate and at least its width.
/// @tparam long_extents whether some extent does not fit in a signed integer of 32 bits
template <class Coord, bool long_extents>
using dividend_type =
    std::conditional_t<!std::is_signed_v<Coord>, std::conditional_t<(sizeof(Coord) > 4), std::uint64_t, unsigned>,
                       std::conditional_t<(sizeof(Coord) > 4 || long_extents), std::int64_t, int>>;

template <class Index, class Coord, class Shape, class Stride, int... Is>
COSMATI_HD constexpr Index offset_of_linear(Coord c, Shape const& s, Stride const& d,
                                            std::integer_sequence<int, Is...>) {
  using U =
      dividend_type<Coord, (divisors_are_long<Shape> || ... || (sizeof(decltype(plain_integer(leaf_at<Is>(s)))) > 4))>;
  constexpr std::size_t n = sizeof...(Is);
  if constexpr (holds_nothing<Shape>) {
    U const extent[n] = {C<static_cast<U>(tree_of<Shape>.shape[Is])>::value...};
    if constexpr (holds_nothing<Stride>)
      return sum_of_steps<n, U, Index>(static_cast<U>(c), extent,
                                       {{C<static_cast<Index>(tree_of<Stride>.shape[Is])>::value...}});
    else
      return sum_of_steps<n, U, Index>(static_cast<U>(c), extent, {{static_cast<Index>(leaf_at<Is>(d))...}});
  } else {
    U const extent[n] = {static_cast<U>(leaf_at<Is>(s))...};
    return sum_of_steps<n, U, Index>(static_cast<U>(c), extent, {{static_cast<Index>(leaf_at<Is>(d))...}});
  }
}

template <int coordinate_rank, int layout_rank>
struct coordinate_rank_differs : refused {
  static_assert(coordinate_rank == layout_rank,
                "the coordinate has another number of modes than the layout or tensor: "
                "coordinate_rank_differs<COORDINATE, LAYOUT>; "
                "give LAYOUT integers (or _), one a mode, or a single integer for all of it");
  using refused::operator=;
};

template <class Index, class Coord, class Shape, class Stride>
COSMATI_HD constexpr Index offset_of(Coord const& c, Shape const& s, Stride const& d) {
  if constexpr (is_underscore_v<Coord>) {
    return 0;
  } else if constexpr (tuple_type<Coord>) {
    constexpr int n = tuple_size_v<Coord>;
    if constexpr (n != tuple_size_v<Shape> || !tuple_type<Shape>) {
      (void)coordinate_rank_differs<n, tuple_size_v<Shape>>{};
      return 0;
    } else {
      return offset_of_modes<Index>(c, s, d, std::make_integer_sequence<int, n>{});
    }
  } else if constexpr (tuple_type<Shape>) {
    if constexpr (leaves_of<Shape> == 0)
      return 0;
    else if constexpr (static_integer<Coord>)
      return offset_of_linear<Index>(Coord::value, s, d, std::make_integer_sequence<int, leaves_of<Shape>>{});
    else
      return offset_of_linear<Index>(c, s, d, std::make_integer_sequence<int, leaves_of<Shape>>{});
  } else {
    return static_cast<Index>(c) * static_cast<Index>(d);
  }
}

/// The offset of a static coordinate in a static layout.
template <class Coord, class Shape, class Stride>
inline constexpr std::int64_t offset_of_static = offset_of<std::int64_t>(Coord{}, Shape{}, Stride{});

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
