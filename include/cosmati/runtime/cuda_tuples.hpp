// SPDX-License-Identifier: Apache-2.0
/// @file
/// `dim3` and `uint3` as tuples of three: `get<0>(blockIdx)`, `size(gridDim)`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>
#include <cosmati/runtime/cuda_words.hpp>

namespace COSMATI_NAMESPACE {

using ::dim3;
using ::uint3;

namespace detail {
template <class T>
concept three_extents = std::is_same_v<T, ::dim3> || std::is_same_v<T, ::uint3>;
}

/// @name Element i of an index or extent
/// @{
template <std::size_t i, detail::three_extents T>
COSMATI_HD constexpr unsigned const& get(T const& x) {
  static_assert(i < 3, "get<i>: dim3 and uint3 have three elements");
  if constexpr (i == 0)
    return x.x;
  else if constexpr (i == 1)
    return x.y;
  else
    return x.z;
}
template <std::size_t i, detail::three_extents T>
COSMATI_HD constexpr unsigned& get(T& x) {
  return const_cast<unsigned&>(get<i>(static_cast<T const&>(x)));
}
/// @}

/// @name Their extents
/// @{
template <>
inline constexpr int tuple_size_v<::dim3> = 3;
template <>
inline constexpr int tuple_size_v<::uint3> = 3;
template <std::size_t i>
struct tuple_element<i, ::dim3> {
  using type = unsigned;
};
template <std::size_t i>
struct tuple_element<i, ::uint3> {
  using type = unsigned;
};
/// @}

/// @name The number of elements of the three extents
/// @{
template <detail::three_extents T>
COSMATI_HD constexpr unsigned product(T const& x) {
  return x.x * x.y * x.z;
}
template <detail::three_extents T>
COSMATI_HD constexpr unsigned size(T const& x) {
  return x.x * x.y * x.z;
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
