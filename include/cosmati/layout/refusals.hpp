// SPDX-License-Identifier: Apache-2.0
/// @file
/// Refusals of the algebra for layouts with static integers: one class for each reason, with the numbers and the
/// operands.
///
/// The functions of layout/algebra/ note a refusal in their result (`flat_tree::note`). The type of the result is then
/// such a class, and its `static_assert` fails where the class is completed. At run time the same functions throw these
/// sentences.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/flat_tree.hpp>
#include <cosmati/layout/refused_calls.hpp>

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
template <auto sum, auto extent, class... Operands>
struct modes_carry_in_the_layout : refused {
  static_assert(sizeof...(Operands) == 0,
                "composition, divide, product: modes_carry_in_the_layout<SUM, EXTENT, A, B>: the modes of B add up to "
                "SUM in a mode of A of extent EXTENT and carry into its next mode, so that no strides give A(B(i)); "
                "choose modes of B that add up to less than EXTENT there");
};
template <auto positive, auto negative, class... Operands>
struct strides_run_both_ways : refused {
  static_assert(sizeof...(Operands) == 0,
                "composition, divide, product: strides_run_both_ways<POSITIVE, NEGATIVE, A, B>: strides of B run both "
                "ways through several modes of A, so that no strides give A(B(i)); let them have one sign");
};
template <auto elements, auto covered, class... Operands>
struct tiles_do_not_divide_modes_that_go_on : refused {
  static_assert(sizeof...(Operands) == 0,
                "divide: tiles_do_not_divide_modes_that_go_on<ELEMENTS, COVERED, A, B>: of ELEMENTS in modes of A, "
                "which a mode of "
                "a run-time extent continues, the tiles of B cover COVERED; make one mode of these, or choose a tile "
                "that divides "
                "ELEMENTS");
};
template <auto stride, auto reached, class... Operands>
struct layout_is_not_injective : refused {
  static_assert(sizeof...(Operands) == 0,
                "complement, left_inverse, divide, product: layout_is_not_injective<STRIDE, REACHED, ...>: a mode of "
                "stride STRIDE "
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

/// @name Questions that a run-time integer leaves open, and units that do not fit
/// @{
template <auto mode, auto modes, class... Operands>
struct complement_needs_static_strides : refused {
  static_assert(
      sizeof...(Operands) == 0,
      "complement, divide, product: complement_needs_static_strides<MODE, MODES, ...>: the complement of a "
      "layout of MODES modes (of the tile in a divide, of the block in a product) cannot be decided while the "
      "stride of its mode MODE is known only at run time; make that stride static (Int<N>{}), or use one mode");
};
template <auto mode, auto modes, class... Operands>
struct left_inverse_needs_static_strides : refused {
  static_assert(sizeof...(Operands) == 0,
                "left_inverse: left_inverse_needs_static_strides<MODE, MODES, A>: of the MODES modes of A, the stride "
                "of mode MODE is known only at run time, so that their order cannot be decided; make it static "
                "(Int<N>{})");
};
template <auto mode, auto modes, class... Operands>
struct right_inverse_needs_static_integers : refused {
  static_assert(
      sizeof...(Operands) == 0,
      "right_inverse: right_inverse_needs_static_integers<MODE, MODES, A>: of the MODES modes of A, an integer "
      "of mode MODE is known only at run time, so that where the contiguous offsets end cannot be decided; "
      "make it static (Int<N>{})");
};
template <auto mode, auto modes, class... Operands>
struct order_must_be_static : refused {
  static_assert(sizeof...(Operands) == 0,
                "make_ordered_layout, tile_to_shape: order_must_be_static<MODE, MODES, ...>: the strides cannot be "
                "decided while the order of mode MODE of MODES is known only at run time; make it static (Int<N>{})");
};
template <auto mode, auto modes, class... Operands>
struct tile_to_shape_needs_a_static_block : refused {
  static_assert(sizeof...(Operands) == 0,
                "tile_to_shape: tile_to_shape_needs_a_static_block<MODE, MODES, A, SHAPE>: whether the block A divides "
                "the target SHAPE of MODES modes cannot be decided while A's extent in mode MODE is known only at run "
                "time; make it static (Int<N>{}), or the target's extents known at run time too");
};
template <auto mode, auto modes, class... Operands>
struct domain_distribute_needs_static_extents : refused {
  static_assert(sizeof...(Operands) == 0,
                "domain_distribute: domain_distribute_needs_static_extents<MODE, MODES, SHAPE, COUNT>: what COUNT and "
                "mode MODE of the MODES of SHAPE have in common cannot be decided while one of them is known only at "
                "run time; make both static (Int<N>{})");
};
template <auto stride, auto group, class... Operands>
struct group_does_not_fit_the_stride : refused {
  static_assert(sizeof...(Operands) == 0,
                "upcast, recast: group_does_not_fit_the_stride<STRIDE, GROUP, A>: of a mode of stride STRIDE no groups "
                "of GROUP elements can be made, since neither is a multiple of the other; use a stride that is "
                "a multiple, or a divisor, of GROUP");
};
template <auto parts, auto modes, class... Operands>
struct no_mode_is_contiguous : refused {
  static_assert(
      sizeof...(Operands) == 0,
      "downcast, recast: no_mode_is_contiguous<PARTS, MODES, A>: the PARTS parts of an element need a mode of "
      "stride 1 to join, and none of the MODES modes of A is known to have it; make one static: Int<1>{}");
};
/// @}

/// The type of a result: a layout, or the class that says why there is none.
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
COSMATI_REFUSAL(complement_of_a_run_time_stride, complement_needs_static_strides)
COSMATI_REFUSAL(left_inverse_of_a_run_time_stride, left_inverse_needs_static_strides)
COSMATI_REFUSAL(block_extent_at_run_time, tile_to_shape_needs_a_static_block)
COSMATI_REFUSAL(distribution_at_run_time, domain_distribute_needs_static_extents)
COSMATI_REFUSAL(upcast_stride, group_does_not_fit_the_stride)
COSMATI_REFUSAL(no_contiguous_mode, no_mode_is_contiguous)
COSMATI_REFUSAL(modes_carry, modes_carry_in_the_layout)
COSMATI_REFUSAL(strides_run_both_ways, strides_run_both_ways)
COSMATI_REFUSAL(tiles_round_up, tiles_do_not_divide_modes_that_go_on)
COSMATI_REFUSAL(right_inverse_at_run_time, right_inverse_needs_static_integers)
COSMATI_REFUSAL(order_at_run_time, order_must_be_static)
#undef COSMATI_REFUSAL

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
