// SPDX-License-Identifier: Apache-2.0
/// @file
/// A layout after a swizzled layout: `composition(a, Swizzle o 0 o b)`.
///
/// A layout of powers of two moves each bit of an index to a bit of the offset. It also moves the bits that a swizzle
/// reads and changes. Therefore the composition is another swizzle after the layout: a o Sw is Sw' o a.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/composed_layout.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The destination of each bit of an index in a static layout.
struct moved_bits {
  bool one_to_one = true;     ///< each bit goes to one bit or to none, and no two to the same
  std::uint64_t reads = 0;    ///< the images of the bits that a swizzle reads
  std::uint64_t changes = 0;  ///< the images of the bits that a swizzle changes
  bool parallel = true;       ///< all pairs of a read and a changed bit have the same distance
};
template <class S>
inline constexpr std::int64_t product_of_extents = [] {
  std::int64_t n = 1;
  for (int i = 0; i < tree_of<S>.leaves; ++i) n *= tree_of<S>.shape[i];
  return n;
}();
/// The offset of bit `bit` of an index. The last mode continues beyond its extent.
template <class S, class D>
constexpr std::int64_t offset_of_bit(int bit) {
  constexpr auto const& extents = tree_of<S>;
  std::int64_t index = std::int64_t{1} << bit;
  for (int i = 0; i + 1 < extents.leaves; ++i) {
    std::int64_t const extent = extents.shape[i];
    if (index < extent) return index * tree_of<D>.shape[i];
    index /= extent;
  }
  return index * tree_of<D>.shape[extents.leaves - 1];
}
template <class S, class D>
constexpr moved_bits move_swizzle_bits(int bits, int lowest_read, int lowest_changed) {
  moved_bits r;
  constexpr auto const& extents = tree_of<S>;
  for (int i = 0; i + 1 < extents.leaves; ++i) {
    std::int64_t const extent = extents.shape[i];
    r.one_to_one = r.one_to_one && extent > 0 && (extent & (extent - 1)) == 0;
  }
  int bits_of_index = 0;
  for (std::int64_t size = product_of_extents<S>; size > 1; size /= 2) ++bits_of_index;
  int const last_read = lowest_read + bits, last_changed = lowest_changed + bits;
  bits_of_index = bits_of_index < last_read ? last_read : bits_of_index;
  bits_of_index = bits_of_index < last_changed ? last_changed : bits_of_index;
  std::uint64_t seen = 0;
  for (int bit = 0; r.one_to_one && bit < bits_of_index; ++bit) {
    std::int64_t const offset = offset_of_bit<S, D>(bit);
    auto const image = static_cast<std::uint64_t>(offset);
    r.one_to_one = offset >= 0 && (image & (image - 1)) == 0 && (seen & image) == 0;
    seen |= image;
  }
  std::int64_t ratio_of_first[2] = {0, 0};
  for (int k = 0; r.one_to_one && k < bits; ++k) {
    auto const read = static_cast<std::uint64_t>(offset_of_bit<S, D>(lowest_read + k));
    auto const changed = static_cast<std::uint64_t>(offset_of_bit<S, D>(lowest_changed + k));
    if (changed == 0) continue;  // the layout drops the changed bit
    r.parallel = r.parallel && read != 0;
    if (r.reads == 0 && r.parallel) {
      ratio_of_first[0] = static_cast<std::int64_t>(read);
      ratio_of_first[1] = static_cast<std::int64_t>(changed);
    }
    r.parallel = r.parallel && static_cast<std::int64_t>(read) * ratio_of_first[1] ==
                                   static_cast<std::int64_t>(changed) * ratio_of_first[0];
    r.reads |= read;
    r.changes |= changed;
  }
  return r;
}
template <class L, class Sw>
struct swizzle_does_not_pass_the_layout {
  static constexpr bool is_static = is_static_v<L>;
  static_assert(
      is_static,
      "composition of a layout with a swizzled one: swizzle_does_not_pass_the_layout<LAYOUT, SWIZZLE>: LAYOUT "
      "has run-time integers; make it static, or compose it with the layout inside first");
  static constexpr moved_bits moved = [] {
    if constexpr (is_static)
      return move_swizzle_bits<std::remove_cvref_t<decltype(L{}.shape())>, std::remove_cvref_t<decltype(L{}.stride())>>(
          Sw::num_bits, Sw::num_base + (Sw::num_shft > 0 ? Sw::num_shft : 0),
          Sw::num_base - (Sw::num_shft < 0 ? Sw::num_shft : 0));
    else
      return moved_bits{};
  }();
  static_assert(
      moved.one_to_one && moved.parallel,
      "composition of a layout with a swizzled one: swizzle_does_not_pass_the_layout<LAYOUT, SWIZZLE>: LAYOUT "
      "does not take the bits of SWIZZLE to bits that another swizzle could mix; use extents and strides "
      "that are powers of two, and keep the swizzle's bits together");
};
}  // namespace detail

/// `a` after a swizzle, as another swizzle after `a`. @pre `a` is static, and its integers are powers of two
template <class S, class D, int Bits, int M, int Shift>
COSMATI_HD constexpr auto composition(Layout<S, D> const& a, Swizzle<Bits, M, Shift> const&) {
  using Moved = detail::swizzle_does_not_pass_the_layout<Layout<S, D>, Swizzle<Bits, M, Shift>>;
  constexpr detail::moved_bits moved = Moved::moved;
  if constexpr (moved.one_to_one && moved.parallel && moved.changes != 0)
    return composition(make_swizzle<moved.reads, moved.changes>(), a);
  else
    return a;
}
/// `a` after a swizzled layout. @pre the swizzled layout has no offset
template <class S, class D, int Bits, int M, int Shift, class O, class B>
COSMATI_HD constexpr auto composition(Layout<S, D> const& a, ComposedLayout<Swizzle<Bits, M, Shift>, O, B> const& b) {
  static_assert(is_constant_v<0, O>,
                "composition of a layout with a swizzled one: the swizzled layout begins at an offset; compose before "
                "you slice");
  return composition(composition(a, b.layout_a()), b.layout_b());
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
