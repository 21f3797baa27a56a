// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ComposedLayout<A, Offset, B>`: coord -> A(Offset + B(coord)). It is the form of a swizzle after a layout.
///
/// Functions that rearrange the domain (divides, slices, groups, ...) act on B alone. A and Offset stay.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/operations.hpp>
#include <cosmati/layout/swizzle.hpp>
#include <cosmati/layout/swizzled_offset.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A base class of its own, so that nvcc accepts an empty ComposedLayout as a kernel's parameter.
template <class A, class Offset, class B>
struct composed_state {
  [[no_unique_address]] stored<composed_state, 0, A> a_;
  [[no_unique_address]] stored<composed_state, 1, Offset> offset_;
  [[no_unique_address]] stored<composed_state, 2, B> b_;
  char : 0;  // see detail::stored_elements
  composed_state() = default;
  COSMATI_HD constexpr composed_state(A const& a, Offset const& offset, B const& b) : a_(a), offset_(offset), b_(b) {}
};
}  // namespace detail

namespace detail {
template <class B>
inline constexpr int rank_of_inner = 1;
template <class B>
requires(is_layout_of<B>) inline constexpr int rank_of_inner<B> = B::rank;
/// Whether no offset of the layout has a bit that the added offset may have.
template <class Offset, class B>
inline constexpr bool offset_is_apart = false;
template <class Sw, std::uint64_t bits, std::uint64_t image_bits, class T, class B>
inline constexpr bool offset_is_apart<swizzled_offset<Sw, bits, image_bits, T>, B> = (bits & layout_bits<B>) == 0;
}  // namespace detail

/// @tparam A a swizzle, or any function of an offset
/// @tparam Offset an integer
/// @tparam B a layout (or, in inverses, a swizzle)
template <class A, class Offset, class B>
struct ComposedLayout : detail::composed_state<A, Offset, B> {
  static constexpr int rank = detail::rank_of_inner<B>;

  ComposedLayout() = default;
  COSMATI_HD constexpr ComposedLayout(A const& a, Offset const& offset, B const& b)
      : detail::composed_state<A, Offset, B>(a, offset, b) {}

  /// The parts: the function that is applied last, the added offset, and the layout of the coordinate.
  COSMATI_HD constexpr decltype(auto) layout_a() const { return detail::unstore<A>(this->a_); }
  COSMATI_HD constexpr auto offset() const { return detail::offset_before_swizzle(kept_offset()); }
  COSMATI_HD constexpr decltype(auto) layout_b() const { return detail::unstore<B>(this->b_); }
  /// The offset together with its known bits (layout/swizzled_offset.hpp).
  COSMATI_HD constexpr decltype(auto) kept_offset() const { return detail::unstore<Offset>(this->offset_); }
  COSMATI_HD constexpr ComposedLayout const& layout() const { return *this; }
  /// The shape of the inner layout B, or of one of its modes.
  template <int... k>
  COSMATI_HD constexpr decltype(auto) shape() const {
    return layout_b().template shape<k...>();
  }

  template <class C0>
  COSMATI_HD constexpr auto operator()(C0 const& coord) const {
    if constexpr (detail::any_underscore<C0>)
      return slice(coord, *this);
    else if constexpr (detail::offset_is_apart<Offset, B>)
      return kept_offset().image_with(layout_b()(coord));
    else
      return layout_a()(offset() + layout_b()(coord));
  }
  template <class C0, class C1, class... Cs>
  COSMATI_HD constexpr auto operator()(C0 const& c0, C1 const& c1, Cs const&... cs) const {
    return operator()(make_tuple(c0, c1, cs...));
  }

  template <class... Other>
  COSMATI_HD constexpr auto compose(Other const&... other) const;
  template <class... NewShape>
  COSMATI_HD constexpr auto with_shape(NewShape const&... s) const;
  template <class... Other>
  COSMATI_HD constexpr auto tile(Other const&... other) const;
  /// The coordinate of this index: nested as the shape, flat, or as one integer.
  template <class N>
  COSMATI_HD constexpr auto get_hier_coord(N const& n) const {
    return layout_b().get_hier_coord(n);
  }
  template <class N>
  COSMATI_HD constexpr auto get_flat_coord(N const& n) const {
    return layout_b().get_flat_coord(n);
  }
  template <class N>
  COSMATI_HD constexpr auto get_1d_coord(N const& n) const {
    return layout_b().get_1d_coord(n);
  }
};

namespace detail {
template <class T>
inline constexpr bool is_composed_of = false;
template <class A, class O, class B>
inline constexpr bool is_composed_of<ComposedLayout<A, O, B>> = true;
COSMATI_ALSO_OF_REFERENCES(bool, is_composed_of)
template <class A, class O, class B>
inline constexpr bool is_layout_of<ComposedLayout<A, O, B>> = true;
}  // namespace detail
/// Whether T is a ComposedLayout.
template <class T>
struct is_composed_layout : bool_constant<detail::is_composed_of<T>> {};
/// A ComposedLayout, possibly const or a reference.
template <class T>
concept composed_layout = detail::is_composed_of<T>;

/// The layout `i -> a(offset + b(i))`.
template <class A, class O, class B>
COSMATI_HD constexpr auto make_composed_layout(A const& a, O const& offset, B const& b) {
  return ComposedLayout<A, O, B>{a, offset, b};
}

/// A swizzle after a layout. For Swizzle<0, M, S> the result is the layout alone.
template <int Bits, int M, int S, class L>
requires(detail::is_layout_of<L>) COSMATI_HD constexpr auto composition(Swizzle<Bits, M, S> const& a, L const& b) {
  if constexpr (Bits == 0)
    return b;
  else
    return make_composed_layout(a, C<0>{}, b);
}
/// A swizzle or a layout `a` after an offset and a layout.
template <class A, class O, class L>
requires(detail::is_layout_of<L>) COSMATI_HD constexpr auto composition(A const& a, O const& offset, L const& b) {
  if constexpr (std::is_same_v<O, C<0>> && requires { requires A::num_bits == 0; })
    return b;
  else
    return make_composed_layout(a, offset, b);
}

template <class A, class O, class B, class A2, class O2, class B2>
COSMATI_HD constexpr auto operator==(ComposedLayout<A, O, B> const& x, ComposedLayout<A2, O2, B2> const& y) {
  return x.layout_a() == y.layout_a() && x.offset() == y.offset() && x.layout_b() == y.layout_b();
}

/// @name Parts and questions, answered by the inner layout
/// @{
template <int... k, class A, class O, class B>
COSMATI_HD constexpr decltype(auto) shape(ComposedLayout<A, O, B> const& l) {
  return l.template shape<k...>();
}
template <int... k, class A, class O, class B>
COSMATI_HD constexpr auto size(ComposedLayout<A, O, B> const& l) {
  return size<k...>(l.layout_b());
}
template <int... k, class A, class O, class B>
COSMATI_HD constexpr auto rank(ComposedLayout<A, O, B> const& l) {
  return rank<k...>(l.layout_b());
}
template <int... k, class A, class O, class B>
COSMATI_HD constexpr auto depth(ComposedLayout<A, O, B> const& l) {
  return depth<k...>(l.layout_b());
}
/// A swizzle permutes the offsets that its layout reaches, up to the next multiple of the bits that it mixes.
template <int... k, class A, class O, class B>
COSMATI_HD constexpr auto cosize(ComposedLayout<A, O, B> const& l) {
  if constexpr (detail::is_swizzle_of<A>) {
    constexpr auto block = C<1 << (A::num_base + A::num_bits + (A::num_shft < 0 ? -A::num_shft : A::num_shft))>{};
    return round_up(cosize<k...>(l.layout_b()) + l.offset(), block);
  } else {
    return cosize<k...>(l.layout_b());
  }
}
template <int... k, class A, class O, class B>
COSMATI_HD constexpr auto layout(ComposedLayout<A, O, B> const& l) {
  return make_composed_layout(l.layout_a(), l.kept_offset(), layout<k...>(l.layout_b()));
}
template <std::size_t k, class A, class O, class B>
COSMATI_HD constexpr auto get(ComposedLayout<A, O, B> const& l) {
  return layout<static_cast<int>(k)>(l);
}
template <class Coord, class A, class O, class B>
COSMATI_HD constexpr auto crd2idx(Coord const& c, ComposedLayout<A, O, B> const& l) {
  return l(c);
}
/// @}

namespace detail {
/// The offset that a slice leaves. The coordinates of the fixed modes must lie within their extents.
template <class Coord, class A, class O, class B>
COSMATI_HD constexpr auto offset_at(Coord const& c, ComposedLayout<A, O, B> const& l) {
  auto const fixed = crd2idx(c, l.layout_b());
  if constexpr (is_swizzle_of<A> && plain_layout<B>)
    return offset_moved<layout_bits<std::remove_cvref_t<decltype(dice(c, l.layout_b()))>>>(l.layout_a(),
                                                                                           l.kept_offset(), fixed);
  else
    return l.offset() + fixed;
}
}  // namespace detail

/// @name Slicing: the fixed modes move into the offset
/// @{
template <class Coord, class A, class O, class B>
COSMATI_HD constexpr auto slice(Coord const& c, ComposedLayout<A, O, B> const& l) {
  return make_composed_layout(l.layout_a(), detail::offset_at(c, l), slice(c, l.layout_b()));
}
template <class Coord, class A, class O, class B>
COSMATI_HD constexpr auto slice_and_offset(Coord const& c, ComposedLayout<A, O, B> const& l) {
  return make_tuple(slice(c, l), C<0>{});
}
template <class Coord, class A, class O, class B>
COSMATI_HD constexpr auto domain_offset(Coord const& c, ComposedLayout<A, O, B> const& l) {
  return make_tuple(make_composed_layout(l.layout_a(), l.offset() + crd2idx(c, l.layout_b()), l.layout_b()), C<0>{});
}
/// @}

/// @name Rearranging the domain
/// @{
#define COSMATI_INSIDE(name)                                                              \
  template <class A, class O, class B, class... X>                                        \
  COSMATI_HD constexpr auto name(ComposedLayout<A, O, B> const& l, X const&... x) {       \
    return make_composed_layout(l.layout_a(), l.kept_offset(), name(l.layout_b(), x...)); \
  }
#define COSMATI_INSIDE_AT(name)                                                                 \
  template <int... k, class A, class O, class B, class... X>                                    \
  COSMATI_HD constexpr auto name(ComposedLayout<A, O, B> const& l, X const&... x) {             \
    return make_composed_layout(l.layout_a(), l.kept_offset(), name<k...>(l.layout_b(), x...)); \
  }
COSMATI_INSIDE(coalesce)
COSMATI_INSIDE(filter)
COSMATI_INSIDE(filter_zeros)
COSMATI_INSIDE(composition)
COSMATI_INSIDE(with_shape)
COSMATI_INSIDE(logical_divide)
COSMATI_INSIDE(zipped_divide)
COSMATI_INSIDE(tiled_divide)
COSMATI_INSIDE(flat_divide)
COSMATI_INSIDE(tile_unzip)
COSMATI_INSIDE(logical_product)
COSMATI_INSIDE(zipped_product)
COSMATI_INSIDE(tiled_product)
COSMATI_INSIDE(flat_product)
COSMATI_INSIDE(blocked_product)
COSMATI_INSIDE(raked_product)
COSMATI_INSIDE(tile_to_shape)
COSMATI_INSIDE(flatten)
COSMATI_INSIDE(unflatten)
COSMATI_INSIDE(zip)
COSMATI_INSIDE_AT(take)
COSMATI_INSIDE_AT(select)
COSMATI_INSIDE_AT(group)
#undef COSMATI_INSIDE
#undef COSMATI_INSIDE_AT
// More special than the functions of tuples: the other mode is a layout.
#define COSMATI_INSIDE_WITH(name, index)                                                      \
  template <int index, class A, class O, class B, class S, class D>                           \
  COSMATI_HD constexpr auto name(ComposedLayout<A, O, B> const& l, Layout<S, D> const& x) {   \
    return make_composed_layout(l.layout_a(), l.kept_offset(), name<index>(l.layout_b(), x)); \
  }
COSMATI_INSIDE_WITH(append, rank)
COSMATI_INSIDE_WITH(prepend, rank)
COSMATI_INSIDE_WITH(replace, mode)
#undef COSMATI_INSIDE_WITH
template <class A, class O, class B, class S, class D>
COSMATI_HD constexpr auto append(ComposedLayout<A, O, B> const& l, Layout<S, D> const& x) {
  return make_composed_layout(l.layout_a(), l.kept_offset(), append(l.layout_b(), x));
}
template <class A, class O, class B, class S, class D>
COSMATI_HD constexpr auto prepend(ComposedLayout<A, O, B> const& l, Layout<S, D> const& x) {
  return make_composed_layout(l.layout_a(), l.kept_offset(), prepend(l.layout_b(), x));
}

template <class A, class O, class B>
template <class... Other>
COSMATI_HD constexpr auto ComposedLayout<A, O, B>::compose(Other const&... other) const {
  return make_composed_layout(layout_a(), kept_offset(), layout_b().compose(other...));
}
template <class A, class O, class B>
template <class... NewShape>
COSMATI_HD constexpr auto ComposedLayout<A, O, B>::with_shape(NewShape const&... s) const {
  return make_composed_layout(layout_a(), kept_offset(), layout_b().with_shape(s...));
}
template <class A, class O, class B>
template <class... Other>
COSMATI_HD constexpr auto ComposedLayout<A, O, B>::tile(Other const&... other) const {
  return make_composed_layout(layout_a(), kept_offset(), layout_b().tile(other...));
}
/// The complement of the inner layout.
template <class A, class O, class B, class... Target>
COSMATI_HD constexpr auto complement(ComposedLayout<A, O, B> const& l, Target const&... target) {
  return complement(l.layout_b(), target...);
}
/// @}

/// @name Other units
/// The swizzle of single elements becomes one of groups, or of parts, of them. Groups of more than 2^M elements are
/// refused, because the swizzle would tear them.
/// @{
namespace detail {
template <int N>
struct log2_of {
  static_assert(N > 0 && (N & (N - 1)) == 0,
                "recasting a swizzled layout: the ratio of the element sizes must be a power of two");
  static constexpr int value = lowest_bit(N);
};
template <int M, int log2n>
struct swizzle_moves_smaller_groups {
  static_assert(
      M >= log2n,
      "upcast of a swizzled layout: the swizzle mixes bits below the new element's size, so that its parts are not "
      "adjacent (swizzle_moves_smaller_groups<M, log2 of the group>); use a swizzle with a larger M");
};
template <auto offset, int group>
struct offset_begins_inside_a_group {
  static_assert(offset % group == 0,
                "upcast of a swizzled layout: offset_begins_inside_a_group<OFFSET, GROUP>: it begins OFFSET elements "
                "behind the swizzle's origin, inside of a group of GROUP; make OFFSET a multiple of GROUP");
};
/// An offset in groups of N elements. Debug builds and the simulated device check a run-time offset.
template <int N, class O>
COSMATI_HD constexpr auto offset_in_groups(O const& offset) {
  if constexpr (static_integer<O>) {
    [[maybe_unused]] offset_begins_inside_a_group<O::value, N> const check{};
  } else if constexpr (run_time_integers_are_checked) {
    if (offset % N != 0)
      fail(
          "upcast of a swizzled layout: at run time it begins %lld elements behind the swizzle's origin, inside of a "
          "group of %d; slice it at a multiple of %d elements",
          static_cast<long long>(offset), N, N);
  }
  return offset / C<N>{};
}
template <int old_bits, int new_bits>
struct element_sizes_do_not_divide {
  static_assert(old_bits % new_bits == 0 || new_bits % old_bits == 0,
                "recasting a swizzled layout: element_sizes_do_not_divide<OLD, NEW>: of the element sizes OLD and NEW "
                "in bits one must be a multiple of the other");
};
}  // namespace detail
template <int N, int Bits, int M, int S>
COSMATI_HD constexpr auto upcast(Swizzle<Bits, M, S>) {
  constexpr int n = detail::log2_of<N>::value;
  if constexpr (Bits == 0)
    return Swizzle<0, M, S>{};
  else if constexpr (M >= n)
    return Swizzle<Bits, M - n, S>{};
  else
    return detail::swizzle_moves_smaller_groups<M, n>{};
}
template <int N, int Bits, int M, int S>
COSMATI_HD constexpr auto downcast(Swizzle<Bits, M, S>) {
  return Swizzle<Bits, M + detail::log2_of<N>::value, S>{};
}

template <int N, class A, class O, class B>
COSMATI_HD constexpr auto upcast(ComposedLayout<A, O, B> const& l) {
  if constexpr (N == 1)
    return l;
  else
    return make_composed_layout(upcast<N>(l.layout_a()), detail::offset_in_groups<N>(l.offset()),
                                upcast<N>(l.layout_b()));
}
template <int N, class A, class O, class B>
COSMATI_HD constexpr auto downcast(ComposedLayout<A, O, B> const& l) {
  if constexpr (N == 1)
    return l;
  else
    return make_composed_layout(downcast<N>(l.layout_a()), l.offset() * C<N>{}, downcast<N>(l.layout_b()));
}
template <int OldBits, int NewBits, class A, class O, class B>
COSMATI_HD constexpr auto recast_layout_bits(ComposedLayout<A, O, B> const& l) {
  if constexpr (OldBits == NewBits)
    return l;
  else if constexpr (NewBits % OldBits != 0 && OldBits % NewBits != 0)
    return detail::element_sizes_do_not_divide<OldBits, NewBits>{};
  else if constexpr (NewBits > OldBits)
    return upcast<NewBits / OldBits>(l);
  else
    return downcast<OldBits / NewBits>(l);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
