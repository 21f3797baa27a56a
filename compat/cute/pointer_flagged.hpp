// SPDX-License-Identifier: Apache-2.0
/// @file
/// Swizzled layouts that wait for their pointer, `smem_ptr_flag`; a swizzle of the pointer as one of the layout.
///
/// The swizzle of such a layout is of bytes, and becomes the pointer's in `make_tensor(pointer, layout)`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/swizzle_tensor.hpp>
#include <cute/layout_composed.hpp>
#include <cute/pointer_swizzle.hpp>
#include <cute/tensor_impl.hpp>

namespace COSMATI_NAMESPACE {

/// Stands for a pointer to elements of so many bits in shared memory, in the place of a layout's offset.
template <int bits>
struct smem_ptr_flag_bits : C<0> {};
/// The same, of elements of a bit.
using smem_ptr_flag = smem_ptr_flag_bits<1>;

namespace detail {
template <int flag, int element>
struct element_is_of_another_size_than_the_layout_says {
  static_assert(
      flag == element,
      "make_tensor(pointer, layout): element_is_of_another_size_than_the_layout_says<BITS OF THE LAYOUT, BITS "
      "OF AN ELEMENT>: the layout is for elements of BITS OF THE LAYOUT; recast the pointer, or upcast the "
      "layout");
  static constexpr bool ok = flag == element;
};
}  // namespace detail

/// A tensor whose pointer swizzles addresses.
template <class Iterator, class SwizzleFn, int bits, class L>
requires(dereferenceable<Iterator>) COSMATI_HD
    constexpr auto make_tensor(Iterator const& p,
                               ComposedLayout<SwizzleFn, smem_ptr_flag_bits<bits>, L> const& layout) {
  static_assert(is_smem<Iterator>::value,
                "make_tensor(pointer, layout): the layout is for shared memory; write "
                "make_smem_ptr(pointer)");
  constexpr int element = static_cast<int>(sizeof_bits_v<iter_value_t<Iterator>>);
  static_assert(detail::element_is_of_another_size_than_the_layout_says<bits, element>::ok);
  return make_tensor(make_smem_ptr(p.get(), layout.layout_a()), layout.layout_b());
}

/// @name Elements n times as wide, or as narrow: the swizzle is of bytes and stays
/// @{
template <int n, class SwizzleFn, int bits, class L>
COSMATI_HD constexpr auto upcast(ComposedLayout<SwizzleFn, smem_ptr_flag_bits<bits>, L> const& layout) {
  return composition(layout.layout_a(), smem_ptr_flag_bits<bits * n>{}, upcast<n>(layout.layout_b()));
}
template <int n, class SwizzleFn, int bits, class L>
COSMATI_HD constexpr auto downcast(ComposedLayout<SwizzleFn, smem_ptr_flag_bits<bits>, L> const& layout) {
  return composition(layout.layout_a(), smem_ptr_flag_bits<bits / n>{}, downcast<n>(layout.layout_b()));
}
/// @}

/// The same layout, its swizzle of elements: it needs no pointer that swizzles.
template <class SwizzleFn, int bits, class L>
COSMATI_HD constexpr auto as_position_independent_swizzle_layout(
    ComposedLayout<SwizzleFn, smem_ptr_flag_bits<bits>, L> const& layout) {
  return composition(detail::swizzle_of_elements<bits>(layout.layout_a()), C<0>{}, layout.layout_b());
}

template <int bits>
COSMATI_HD void print(smem_ptr_flag_bits<bits> const&) {
  printf("smem_ptr[%db](unset)", bits);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
