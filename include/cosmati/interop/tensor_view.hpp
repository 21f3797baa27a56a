// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensors over memory that other libraries describe: a `std::mdspan`-like object, or a pointer with extents and
/// strides.
///
///     auto t = make_tensor_view(span);                        // data_handle(), extent(r), stride(r), rank()
///     auto u = make_tensor_view<2>(pointer, extents, strides);
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/interop/strided.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

/// A tensor over the memory of an object like std::mdspan. Extents that its type knows stay static; strides count
/// elements.
template <class Span>
requires requires(Span const& s) { s.data_handle(); }
constexpr auto make_tensor_view(Span const& span) {
  auto const view = make_strided(span);
  return make_tensor(view.data, view.layout());
}
/// @tparam rank the number of modes, for which extents[r] and strides[r] (in elements) are given
template <int rank, class Pointer, class Extents, class Strides>
constexpr auto make_tensor_view(Pointer pointer, Extents const& extents, Strides const& strides) {
  auto const view = make_strided<rank>(pointer, extents, strides);
  return make_tensor(view.data, view.layout());
}
/// A row-major tensor, without strides: the last mode is contiguous.
template <int rank, class Pointer, class Extents>
constexpr auto make_tensor_view(Pointer pointer, Extents const& extents) {
  return make_tensor(pointer, make_layout_from<rank>(extents));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
