// SPDX-License-Identifier: Apache-2.0
/// @file
/// What may be wrong with a tensor copy: each mistake is a class whose static_assert says what and how to mend it
/// (core/refused.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE::detail {

/// @name Mistakes in the layouts that make_tma_atom and make_tma_copy take
/// @{
template <bool op>
struct no_tensor_copy_operation : refused {
  static constexpr bool ok = op;
  static_assert(ok,
                "make_tma_copy: the operation is no tensor copy (no_tensor_copy_operation); take SM90_TMA_LOAD{}, "
                "SM90_TMA_STORE{}, SM90_TMA_LOAD_MULTICAST{} or a reduction");
};
template <bool shared, bool tiler, bool cluster>
struct tensor_copy_needs_static_tiles : refused {
  static constexpr bool ok = shared && tiler && cluster;
  static_assert(ok,
                "make_tma_copy: the shared layout, the tile and the number of blocks are static "
                "(tensor_copy_needs_static_tiles<SHARED IS, TILE IS, BLOCKS ARE>); take Layout<Shape<_8, _32>, "
                "Stride<_32, _1>>{}, Shape<_8, _32>{} and _2{} in place of run-time integers");
};
template <bool plain>
struct tensor_in_global_memory_is_swizzled : refused {
  static constexpr bool ok = plain;
  static_assert(ok,
                "make_tma_copy: the tensor in global memory has a swizzled layout "
                "(tensor_in_global_memory_is_swizzled); a tensor copy exchanges chunks in shared memory only: give "
                "the tensor its plain layout");
};
template <int bits, int base, int shift, int element_bytes>
struct no_tensor_copy_swizzles_like_this : refused {
  static constexpr bool ok = bits < 0;
  static_assert(ok,
                "make_tma_copy: no tensor copy does the shared layout's swizzle "
                "(no_tensor_copy_swizzles_like_this<B, M, S, BYTES OF AN ELEMENT>); take B of 1, 2 or 3, S of 3, and "
                "M of 4 - log2(BYTES OF AN ELEMENT)");
};
template <int reached, int elements>
struct shared_tile_is_not_dense : refused {
  static constexpr bool ok = reached == elements;
  static_assert(
      ok,
      "make_tma_copy: a tensor copy fills its tile in shared memory without gaps "
      "(shared_tile_is_not_dense<ELEMENTS BEFORE THE FIRST GAP, ELEMENTS>); take strides without padding, and "
      "a swizzle against bank conflicts");
};
template <int reached, int elements>
struct tile_spans_modes_of_run_time_extents : refused {
  static constexpr bool ok = reached == elements;
  static_assert(ok,
                "make_tma_copy: the tile goes over several parts of a nested mode whose extents are run-time integers "
                "(tile_spans_modes_of_run_time_extents<ELEMENTS UP TO THERE, ELEMENTS>); give the inner extents as "
                "static integers, such as make_shape(_4{}, n)");
};
template <int shared_elements, int tile_elements>
struct shared_tile_has_another_size : refused {
  static constexpr bool ok = shared_elements == tile_elements;
  static_assert(ok,
                "make_tma_copy: the shared layout and the tile of the tensor have different sizes "
                "(shared_tile_has_another_size<SHARED ELEMENTS, ELEMENTS OF THE TILE>); give both the same shape");
};
template <int row_bytes>
struct rows_of_the_box_are_too_short : refused {
  static constexpr bool ok = row_bytes % 16 == 0 && row_bytes > 0;
  static_assert(
      ok,
      "make_tma_copy: a row of the box is no multiple of 16 bytes (rows_of_the_box_are_too_short<BYTES>); let the "
      "shared layout's mode of stride 1 go along a contiguous mode of the tensor by a multiple of 16 bytes");
};
template <int row_bytes, int swizzle_bytes>
struct rows_are_narrower_than_their_swizzle : refused {
  static constexpr bool ok = row_bytes == swizzle_bytes;
  static_assert(ok,
                "make_tma_copy: rows of the shared tile are narrower than their swizzle, and a tensor copy leaves gaps "
                "between such rows (rows_are_narrower_than_their_swizzle<BYTES OF A ROW, BYTES OF THE SWIZZLE>); take "
                "a swizzle of fewer bits, or wider rows");
};
template <int leaf, int apart>
struct tensor_is_not_contiguous_there : refused {
  static constexpr bool ok = apart == 1;
  static_assert(ok,
                "make_tma_copy: the shared layout's mode of stride 1 goes along a mode of the tensor whose stride is "
                "not 1 (tensor_is_not_contiguous_there<MODE, STRIDE>): a tensor copy does not transpose; give the "
                "shared tile the tensor's order of modes");
};
template <int modes>
struct too_many_modes : refused {
  static constexpr bool ok = modes <= 5;
  static_assert(ok,
                "make_tma_copy: the descriptor would need more than five modes (too_many_modes<MODES>); "
                "merge modes of the tensor that follow each other without a gap");
};
template <int box_bytes, int alignment>
struct boxes_are_not_aligned : refused {
  static constexpr bool ok = box_bytes % alignment == 0;
  static_assert(ok,
                "make_tma_copy: the tile needs several boxes or parts, and the second would not be aligned "
                "(boxes_are_not_aligned<BYTES OF A BOX, ALIGNMENT>); give the shared tile more rows");
};
template <int blocks>
struct cluster_of_several_blocks : refused {
  static constexpr bool ok = blocks == 1;
  static_assert(ok,
                "make_tma_copy: only SM90_TMA_LOAD_MULTICAST copies to several blocks "
                "(cluster_of_several_blocks<BLOCKS>); take that operation, or 1 block");
};
template <int elements, int blocks>
struct box_has_no_equal_parts : refused {
  static constexpr bool ok = elements < 0 || blocks < 0;
  static_assert(ok,
                "make_tma_copy: the box cannot be cut into one part a block along its last modes "
                "(box_has_no_equal_parts<ELEMENTS OF THE BOX, BLOCKS>); take a number of blocks that divides them");
};
/// @}

/// @name Mistakes in a call of `copy`
/// @{
template <bool ok_>
struct tensor_copy_needs_coordinates : refused {
  static constexpr bool ok = ok_;
  static_assert(ok,
                "copy: the global side of a tensor copy is a tensor of coordinates; take a part of "
                "atom.get_tma_tensor(shape) instead of the tensor in global memory");
};
template <bool ok_>
struct tensor_copy_needs_shared_memory : refused {
  static constexpr bool ok = ok_;
  static_assert(ok, "copy: the other side of a tensor copy is in shared memory; make its tensor of make_smem_ptr(p)");
};
template <bool ok_>
struct tensor_copy_needs_its_mbarrier : refused {
  static constexpr bool ok = ok_;
  static_assert(ok,
                "copy: a tensor copy to shared memory reports to an mbarrier; pass atom.with(barrier), a std::uint64_t "
                "in shared memory that expects the bytes");
};
template <int coordinates, int shared, int box>
struct tensor_copy_is_no_whole_boxes : refused {
  static constexpr bool ok = coordinates == shared && shared % box == 0;
  static_assert(ok,
                "copy: both sides of a tensor copy have the same number of elements, whole boxes "
                "(tensor_copy_is_no_whole_boxes<COORDINATES, SHARED ELEMENTS, ELEMENTS OF A BOX>); take the same parts "
                "of tma_partition or of partition_S and partition_D");
};
/// @}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
