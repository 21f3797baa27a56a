// SPDX-License-Identifier: Apache-2.0
/// @file
/// Swizzled layouts that wait for their pointer: `smem_ptr_flag_bits<N>` stands in the place of the offset.
///
/// The swizzle of such a layout is of bytes, whatever the elements are. It becomes the pointer's in
/// `make_tensor(make_smem_ptr(p), layout)` (tensor/flagged_tensor.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/composed_common.hpp>

namespace COSMATI_NAMESPACE {

/// Stands for a pointer to elements of so many bits in shared memory, in the place of a layout's offset.
template <int bits>
struct smem_ptr_flag_bits : C<0> {};
/// The same, of elements of a bit.
using smem_ptr_flag = smem_ptr_flag_bits<1>;
/// Stands for a pointer to elements of which one is stored for `sparsity` of the matrix.
template <int sparsity, int bits>
struct smem_sparse_ptr_flag_bits : C<0> {};
/// The same, of elements of a bit.
template <int sparsity>
using smem_sparse_ptr_flag = smem_sparse_ptr_flag_bits<sparsity, 1>;

namespace detail {
/// The bits of an element of a flag; 0: the type is no flag.
template <class T>
inline constexpr int flagged_bits = 0;
template <int bits>
inline constexpr int flagged_bits<smem_ptr_flag_bits<bits>> = bits;
template <int sparsity, int bits>
inline constexpr int flagged_bits<smem_sparse_ptr_flag_bits<sparsity, bits>> = bits;
template <class T>
concept pointer_flag = flagged_bits<T>
!= 0;

/// Whether a layout's swizzle is of bytes.
template <class L>
inline constexpr bool is_flagged = false;
template <class A, pointer_flag O, class B>
inline constexpr bool is_flagged<ComposedLayout<A, O, B>> = true;

/// Converts a swizzle of bytes to one of elements of `bits` bits.
template <int bits, class S>
COSMATI_HD constexpr auto swizzle_of_elements(S const& of_bytes) {
  if constexpr (bits >= 8)
    return upcast<bits / 8>(of_bytes);
  else
    return downcast<8 / bits>(of_bytes);
}

template <class Sink, int bits>
COSMATI_HD void put_text(Sink& out, smem_ptr_flag_bits<bits>) {
  out.text("smem_ptr[");
  out.integer(bits);
  out.text("b](unset)");
}
template <class Sink, int sparsity, int bits>
COSMATI_HD void put_text(Sink& out, smem_sparse_ptr_flag_bits<sparsity, bits>) {
  out.text("smem_sparse<");
  out.integer(sparsity);
  out.text(">_ptr[");
  out.integer(bits);
  out.text("b](unset)");
}
}  // namespace detail

/// @name Elements n times as wide, or as narrow: the swizzle is of bytes and stays
/// @{
template <int n, class SwizzleFn, int bits, class L>
COSMATI_HD constexpr auto upcast(ComposedLayout<SwizzleFn, smem_ptr_flag_bits<bits>, L> const& layout) {
  return make_composed_layout(layout.layout_a(), smem_ptr_flag_bits<bits * n>{}, upcast<n>(layout.layout_b()));
}
template <int n, class SwizzleFn, int bits, class L>
COSMATI_HD constexpr auto downcast(ComposedLayout<SwizzleFn, smem_ptr_flag_bits<bits>, L> const& layout) {
  return make_composed_layout(layout.layout_a(), smem_ptr_flag_bits<bits / n>{}, downcast<n>(layout.layout_b()));
}
/// @}

/// The elements that the inner layout reaches.
template <int... k, class A, detail::pointer_flag O, class B>
COSMATI_HD constexpr auto cosize(ComposedLayout<A, O, B> const& l) {
  return cosize<k...>(l.layout_b());
}

/// A slice that begins at the first element waits for the pointer too. Another one is swizzled by elements, behind its
/// offset.
template <class Coord, class A, detail::pointer_flag O, class B>
COSMATI_HD constexpr auto slice(Coord const& c, ComposedLayout<A, O, B> const& l) {
  using First = std::remove_cvref_t<decltype(crd2idx(c, l.layout_b()))>;
  if constexpr (std::is_same_v<First, C<0>>)
    return make_composed_layout(l.layout_a(), O{}, slice(c, l.layout_b()));
  else
    return slice(c, make_composed_layout(detail::swizzle_of_elements<detail::flagged_bits<O>>(l.layout_a()), C<0>{},
                                         l.layout_b()));
}

/// The same layout, its swizzle of elements: it needs no pointer that swizzles.
template <class SwizzleFn, int bits, class L>
COSMATI_HD constexpr auto as_position_independent_swizzle_layout(
    ComposedLayout<SwizzleFn, smem_ptr_flag_bits<bits>, L> const& layout) {
  return composition(detail::swizzle_of_elements<bits>(layout.layout_a()), C<0>{}, layout.layout_b());
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
