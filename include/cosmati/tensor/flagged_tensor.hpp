// SPDX-License-Identifier: Apache-2.0
/// @file
/// `make_tensor(make_smem_ptr(p), layout)` of a layout that waits for its pointer (layout/smem_ptr_flag.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/smem_ptr_flag.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

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

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
