// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the algebra refuses of layouts with static integers: one class a reason, with the numbers and the operands.
///
/// The functions of layout/algebra/ note a refusal in their result (`flat::note`); the result's type is then such a
/// class, whose `static_assert` fails where it is made. At run time the same functions throw these sentences.
#pragma once

#include <cosmati/core/flat.hpp>
#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE::detail {

template <auto left, auto extent, class... Operands>
struct stride_does_not_fit_the_layout : refused {
  static_assert(sizeof...(Operands) == 0,
                "composition, divide, product: stride_does_not_fit_the_layout<LEFT, EXTENT, A, B>: a stride of B (in a "
                "divide: or of its complement) leaves LEFT to step over a mode of A of extent EXTENT, and neither is a "
                "multiple of the other; choose strides and extents of B that divide A's extents, or are multiples");
};
template <auto left, auto offered, class... Operands>
struct extent_does_not_fit_the_layout : refused {
  static_assert(sizeof...(Operands) == 0,
                "composition, divide, product: extent_does_not_fit_the_layout<LEFT, OFFERED, A, B>: LEFT elements of a "
                "mode of B (in a divide: or of its complement) remain where a mode of A offers OFFERED, which does not "
                "divide them; make that extent of B "
                "a multiple, or a divisor, of OFFERED");
};
template <auto stride, auto reached, class... Operands>
struct layout_is_not_injective : refused {
  static_assert(sizeof...(Operands) == 0,
                "complement, divide, product: layout_is_not_injective<STRIDE, REACHED, ...>: a mode of stride STRIDE "
                "begins below REACHED, where the modes of smaller strides end, so that values repeat; give it a "
                "stride of REACHED or more, or 0 for a mode that repeats on purpose");
};
template <auto stride, auto covered, class... Operands>
struct strides_have_no_left_inverse : refused {
  static_assert(sizeof...(Operands) == 0,
                "left_inverse: strides_have_no_left_inverse<STRIDE, COVERED, A>: stride STRIDE of A is no multiple of "
                "COVERED, the next smaller stride; use strides of which each is a multiple of the one before");
};
template <auto block, auto target, class... Operands>
struct block_does_not_divide_the_target : refused {
  static_assert(sizeof...(Operands) == 0,
                "tile_to_shape: block_does_not_divide_the_target<BLOCK, TARGET, A, SHAPE>: a mode of the block A has "
                "BLOCK elements, that of the target SHAPE has TARGET; make TARGET a multiple of BLOCK");
};
template <auto stride, auto extent, class... Operands>
struct stride_exceeds_64_bits : refused {
  static_assert(sizeof...(Operands) == 0,
                "make_layout: stride_exceeds_64_bits<STRIDE, EXTENT, SHAPE>: behind a mode of stride STRIDE and extent "
                "EXTENT the next stride of SHAPE is 2^63 or more; check its extents");
};

/// The type for a result: a layout, or what says why there is none.
template <refusal_reason why>
struct type_of_result;
#define COSMATI_REFUSAL(reason, name)                                   \
  template <>                                                           \
  struct type_of_result<refusal_reason::reason> {                       \
    template <class Op, class... A>                                     \
    using type = name<Op::tree.note.first, Op::tree.note.second, A...>; \
  };
COSMATI_REFUSAL(stride_and_extent, stride_does_not_fit_the_layout)
COSMATI_REFUSAL(elements_and_extent, extent_does_not_fit_the_layout)
COSMATI_REFUSAL(modes_overlap, layout_is_not_injective)
COSMATI_REFUSAL(strides_do_not_divide, strides_have_no_left_inverse)
COSMATI_REFUSAL(block_and_target, block_does_not_divide_the_target)
COSMATI_REFUSAL(stride_exceeds_64_bits, stride_exceeds_64_bits)
#undef COSMATI_REFUSAL

}  // namespace COSMATI_NAMESPACE::detail
