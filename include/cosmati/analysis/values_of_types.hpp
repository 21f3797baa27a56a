// SPDX-License-Identifier: Apache-2.0
/// @file
/// Conversions from the types of a tiled copy, of layouts and tensors to the values for costs and the verifier;
/// `in_global(layout)`, `in_shared(layout)`, `in_registers`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/copy_values.hpp>
#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/atom/cp_async.hpp>
#include <cosmati/atom/ldmatrix.hpp>
#include <cosmati/atom/stmatrix.hpp>
#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

/// A layout, with or without a swizzle, and the memory that it is in.
template <memory_space space_, class L>
struct placed_layout {
  static constexpr memory_space space = space_;
  using layout_type = L;
  [[no_unique_address]] L layout;
};
/// @name Sides of a copy without pointers; their memory is assumed to be aligned as needed
/// @{
template <class L>
COSMATI_HD constexpr placed_layout<memory_space::gmem, L> in_global(L const& layout) {
  return {layout};
}
template <class L>
COSMATI_HD constexpr placed_layout<memory_space::smem, L> in_shared(L const& layout) {
  return {layout};
}
/// A fragment with the shape of the other side's partition.
struct in_registers_t {};
inline constexpr in_registers_t in_registers{};
/// @}

namespace detail {

/// @name Operations
/// @{
template <class Atom>
constexpr copy_operation operation_of() {
  using Op = typename Atom::CopyOp;
  if constexpr (auto_vector_bits < Op >> 0)
    return {copy_means::automatic, auto_vector_bits<Op>, auto_vector_bits<Op> > 8 ? auto_vector_bits<Op> : 0, 0, 0};
  else if constexpr (cp_async_atom<Op>)
    return {copy_means::cp_async, 8 * Op::bytes, 0, 0, Op::instruction.lowest_sm, Op::fills_with_zeros};
  else if constexpr (ldmatrix_atom<Op>)
    return {copy_means::ldmatrix, 128, 0, Op::count, Op::instruction.lowest_sm};
  else if constexpr (stmatrix_atom<Op>)
    return {copy_means::stmatrix, 128, 0, Op::count, Op::instruction.lowest_sm};
  else if constexpr (names_an_instruction<Op>)
    return {copy_means::registers, Atom::atom_bits, 0, 0, Op::instruction.lowest_sm};
  else
    return {copy_means::at_once, Atom::atom_bits, 0, 0, 0};
}
template <class Num, class TiledCopy>
constexpr copy_values<Num> lifted_copy() {
  copy_values<Num> v;
  v.operation = operation_of<typename TiledCopy::Atom>();
  v.value_bits = TiledCopy::Atom::value_bits;
  v.layout_tv = lifted<Num, typename TiledCopy::TiledLayout_TV>();
  v.tiler = lifted<Num, typename TiledCopy::Tiler_MN>(read_as::tiler);
  v.ref = lifted<Num, typename TiledCopy::AtomLayoutRef>();
  v.src = lifted<Num, typename TiledCopy::AtomLayoutSrc>();
  v.dst = lifted<Num, typename TiledCopy::AtomLayoutDst>();
  return v;
}
template <class TiledCopy>
constexpr copy_values<std::int64_t> copy_values_of() {
  return lifted_copy<std::int64_t, TiledCopy>();
}
template <class TiledCopy>
copy_values<symbolic_integer> copy_values_at_run_time() {
  return lifted_copy<symbolic_integer, TiledCopy>();
}
/// @}

/// @name Tensors
/// @{
template <class P>
inline constexpr AnySwizzle address_swizzle_of = AnySwizzle();
template <class P>
requires requires { P::swizzle_type::num_bits; }
inline constexpr AnySwizzle address_swizzle_of<P> =
    AnySwizzle(P::swizzle_type::num_bits, P::swizzle_type::num_base, P::swizzle_type::num_shft);
template <template <class> class Tag, class P>
requires is_tag<Tag<P>>
inline constexpr AnySwizzle address_swizzle_of<Tag<P>> = address_swizzle_of<P>;

template <class A>
constexpr AnySwizzle outer_swizzle() {
  static_assert(is_swizzle_of<A>, "cost of a copy: the outer function of a composed layout must be a Swizzle<B, M, S>");
  return AnySwizzle(A::num_bits, A::num_base, A::num_shft);
}

template <class Num, class L>
constexpr void lift_layout(tensor_values<Num>& v) {
  if constexpr (composed_layout<L>) {
    using A = std::remove_cvref_t<decltype(std::declval<L>().layout_a())>;
    using B = std::remove_cvref_t<decltype(std::declval<L>().layout_b())>;
    using O = std::remove_cvref_t<decltype(std::declval<L>().offset())>;
    v.composed = true;
    v.swizzle = outer_swizzle<A>();
    v.offset = static_cast<std::int64_t>(O::value);
    v.layout = lifted<Num, B>();
  } else {
    v.layout = lifted<Num, L>();
  }
}
/// The properties of a tensor's type besides its layout.
template <class Num, class T>
constexpr void lift_pointer(tensor_values<Num>& v) {
  v.space = memory_space_v<T>;
  if constexpr (is_owning_v<typename T::engine_type>) v.space = memory_space::rmem;
  v.address_swizzle = address_swizzle_of<typename T::iterator>;
  v.aligned_bits = pointer_alignment_bits_v<T>;
}

template <class T>
inline constexpr bool is_static_layout = [] {
  if constexpr (composed_layout<T>)
    return is_static_v<std::remove_cvref_t<decltype(std::declval<T>().layout_b())>> &&
           static_integer<std::remove_cvref_t<decltype(std::declval<T>().offset())>>;
  else
    return is_static_v<T>;
}();
template <class T>
inline constexpr bool is_static_place = false;
template <>
inline constexpr bool is_static_place<in_registers_t> = true;
template <memory_space s, class L>
inline constexpr bool is_static_place<placed_layout<s, L>> = is_static_layout<L>;
template <class E, class L>
inline constexpr bool is_static_place<Tensor<E, L>> = is_static_layout<L>;

template <class T>
struct place_values {
  static constexpr tensor_values<std::int64_t> of() { return {}; }  // a fragment in registers
};
template <memory_space s, class L>
struct place_values<placed_layout<s, L>> {
  static constexpr tensor_values<std::int64_t> of() {
    tensor_values<std::int64_t> v;
    v.space = s;
    lift_layout<std::int64_t, L>(v);
    return v;
  }
};
template <class E, class L>
struct place_values<Tensor<E, L>> {
  static constexpr tensor_values<std::int64_t> of() {
    tensor_values<std::int64_t> v;
    lift_layout<std::int64_t, L>(v);
    lift_pointer<std::int64_t, Tensor<E, L>>(v);
    return v;
  }
};
template <class T>
constexpr tensor_values<std::int64_t> tensor_values_of() {
  return place_values<T>::of();
}
/// @}

/// @name Layouts with run-time integers, on the host
/// @{
template <class S, class D>
void append_modes(flat_tree<symbolic_integer>& to, S const& shape, D const& stride) {
  if constexpr (tuple_type<S>) {
    to.add_open(tuple_size_v<S>);
    [&]<std::size_t... k>(std::index_sequence<k...>) { (append_modes(to, get<k>(shape), get<k>(stride)), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<S>)>{});
  } else {
    to.add_leaf(symbolic_integer(static_cast<std::int64_t>(shape)),
                symbolic_integer(static_cast<std::int64_t>(stride)));
  }
}
template <class L>
void append_layout(tensor_values<symbolic_integer>& v, L const& layout) {
  if constexpr (composed_layout<L>) {
    v.composed = true;
    v.swizzle = outer_swizzle<std::remove_cvref_t<decltype(layout.layout_a())>>();
    v.offset = static_cast<std::int64_t>(layout.offset());
    append_modes(v.layout, layout.layout_b().shape(), layout.layout_b().stride());
  } else {
    append_modes(v.layout, layout.shape(), layout.stride());
  }
}
inline tensor_values<symbolic_integer> tensor_values_at_run_time(in_registers_t const&) { return {}; }
template <memory_space s, class L>
tensor_values<symbolic_integer> tensor_values_at_run_time(placed_layout<s, L> const& place) {
  tensor_values<symbolic_integer> v;
  v.space = s;
  append_layout(v, place.layout);
  return v;
}
template <class E, class L>
tensor_values<symbolic_integer> tensor_values_at_run_time(Tensor<E, L> const& t) {
  tensor_values<symbolic_integer> v;
  append_layout(v, t.layout());
  lift_pointer<symbolic_integer, Tensor<E, L>>(v);
  return v;
}
/// @}

/// @name Shapes as extents: bounds and tiles
/// @{
struct no_bounds_given {};
template <class Bounds>
constexpr mode_extents static_bounds() {
  if constexpr (std::is_same_v<Bounds, no_bounds_given>)
    return {};
  else
    return extents_of(lifted<std::int64_t, Bounds>());
}
template <class Bounds>
mode_extents bounds_at_run_time([[maybe_unused]] Bounds const& bounds) {
  mode_extents e;
  if constexpr (!std::is_same_v<Bounds, no_bounds_given>) {
    e.rank = tuple_size_v<Bounds>;
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      ((e.extent[k] = static_cast<std::int64_t>(size(get<k>(bounds)))), ...);
    }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<Bounds>)>{});
  }
  return e;
}
/// @}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
