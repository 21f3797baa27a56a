// SPDX-License-Identifier: Apache-2.0
/// @file
/// The elements that each thread holds of a matrix instruction's operands: (thread, value) -> column-major index in the
/// operand. The index is m + M k in A (M, K), n + N k in B (N, K), and m + M n in C and D (M, N).
///
/// These are PTX's formulas for lane 4 g + t and registers of E elements. A holds rows g and g + 8, from column E t on,
/// and every 4 E columns from there. B holds column g, with its rows like A's columns. C and D hold rows g and g + 8,
/// columns 2 t and 2 t + 1. The instructions of sm_70 have their own formulas.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_instruction.hpp>
#include <cosmati/layout/make_layout.hpp>  // nvcc spells out Layout's default strides if they are the same type

namespace COSMATI_NAMESPACE::detail {

/// An extent and a stride of a thread's values. A mode of extent 1 is left out.
template <int extent, int stride>
struct value_mode {};

/// The shape and stride of a layout with these modes of values: an integer for one mode, `_1:_0` for none.
template <class Shapes, class Strides, class... Modes>
struct value_modes;
template <class... S, class... D, int extent, int stride, class... Rest>
struct value_modes<tuple<S...>, tuple<D...>, value_mode<extent, stride>, Rest...>
    : value_modes<tuple<S..., C<extent>>, tuple<D..., C<stride>>, Rest...> {};
template <class... S, class... D, int stride, class... Rest>
struct value_modes<tuple<S...>, tuple<D...>, value_mode<1, stride>, Rest...>
    : value_modes<tuple<S...>, tuple<D...>, Rest...> {};
template <class... S, class... D>
struct value_modes<tuple<S...>, tuple<D...>> {
  using shape = tuple<S...>;
  using stride = tuple<D...>;
};
template <class S, class D>
struct value_modes<tuple<S>, tuple<D>> {
  using shape = S;
  using stride = D;
};
template <>
struct value_modes<tuple<>, tuple<>> {
  using shape = C<1>;
  using stride = C<0>;
};

/// A warp's layout of an operand: lanes (4, 8), then the values.
template <int stride_of_t, class... Modes>
struct warp_layout {
  using values = value_modes<tuple<>, tuple<>, Modes...>;
  using type = Layout<Shape<Shape<C<4>, C<8>>, typename values::shape>,
                      Stride<Stride<C<stride_of_t>, C<1>>, typename values::stride>>;
};

/// The layout of A (8 or 16 rows) or B (8 columns, which count as rows), with K elements in a row and E in a register.
template <int rows, int K, int E>
using mma_operand_layout = typename warp_layout<E * rows, value_mode<E, rows>, value_mode<rows / 8, 8>,
                                                value_mode<K / (4 * E), 4 * E * rows>>::type;
/// The layout of C and D (rows, 8).
template <int rows>
using mma_sum_layout = typename warp_layout<2 * rows, value_mode<2, rows>, value_mode<rows / 8, 8>>::type;

/// @name sm_70: a quad pair is the threads 0 to 3 and 16 to 19 of the warp, or those 4, 8 or 12 further
/// @{
using quad_pair = Layout<Shape<C<4>, C<2>>, Stride<C<1>, C<16>>>;
/// A by rows, B by columns: a thread holds four elements that are adjacent along k.
using quad_pair_k_major = Layout<Shape<C<8>, C<4>>, Stride<C<1>, C<8>>>;
/// A by columns, B by rows.
using quad_pair_mn_major = Layout<Shape<Shape<C<4>, C<2>>, C<4>>, Stride<Stride<C<8>, C<4>>, C<1>>>;
using quad_pair_sum_16b = Layout<Shape<C<8>, C<8>>, Stride<C<1>, C<8>>>;
using quad_pair_sum_32b = Layout<Shape<Shape<C<2>, C<2>, C<2>>, Shape<C<2>, C<2>, C<2>>>,
                                 Stride<Stride<C<1>, C<16>, C<4>>, Stride<C<8>, C<2>, C<32>>>>;
template <class T>
using quad_pair_sum = std::conditional_t<std::is_same_v<T, float>, quad_pair_sum_32b, quad_pair_sum_16b>;
/// @}

template <class Op, bool quad_pairs = Op::threads == 8>
struct mma_layouts {
  using thread = Layout<C<32>, C<1>>;
  using A = mma_operand_layout<Op::M, Op::K, values_per_register<typename Op::ValTypeA>>;
  using B = mma_operand_layout<Op::N, Op::K, values_per_register<typename Op::ValTypeB>>;
  using sum = mma_sum_layout<Op::M>;
  using D = sum;
};
template <class Op>
struct mma_layouts<Op, true> {
  static constexpr bool a_by_rows = Op::major == mma_major::tn || Op::major == mma_major::tt;
  static constexpr bool b_by_columns = Op::major == mma_major::tn || Op::major == mma_major::nn;
  using thread = quad_pair;
  using A = std::conditional_t<a_by_rows, quad_pair_k_major, quad_pair_mn_major>;
  using B = std::conditional_t<b_by_columns, quad_pair_k_major, quad_pair_mn_major>;
  using sum = quad_pair_sum<typename Op::ValTypeC>;
  using D = quad_pair_sum<typename Op::ValTypeD>;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
