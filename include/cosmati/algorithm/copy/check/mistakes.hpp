// SPDX-License-Identifier: Apache-2.0
/// @file
/// The messages about mistakes in a copy: one class template for each mistake, with the numbers of the case as
/// arguments (core/refused.hpp). `copy_check` chooses among them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>
#include <cosmati/tensor/pointer.hpp>

namespace COSMATI_NAMESPACE::detail {

/// @name Mistakes
/// `ok` is true without a message if the numbers are right. Source and destination have a class each, written out,
/// because compilers print the whole text of a macro.
/// @{
template <class Element>
struct destination_is_read_only : refused {
  static constexpr bool ok = !std::is_const_v<Element>;
  static_assert(ok, "copy: the destination's elements are const; make its tensor from a pointer to non-const");
};
template <class From, class To, int from_bits, int to_bits>
struct element_types_differ_in_size : refused {
  static constexpr bool ok = from_bits == to_bits;
  static_assert(ok,
                "copy: an instruction moves bits and converts nothing, but the elements have different sizes "
                "(element_types_differ_in_size<SOURCE, DESTINATION, BITS, BITS>); copy to a fragment of the SOURCE "
                "type first, convert with copy(fragment, fragment of the DESTINATION type), then copy that");
};
template <class Atom, class Element, int atom_bits, int element_bits>
struct atom_is_of_another_type_size : refused {
  static constexpr bool ok = atom_bits == element_bits;
  static_assert(ok,
                "copy: the Copy_Atom's values have another size than the tensors' elements "
                "(atom_is_of_another_type_size<ATOM, ELEMENT, BITS, BITS>); write Copy_Atom<Op, ELEMENT>");
};
/// @param mode the first mode in which they differ, of the tiles if both are known, otherwise of the tensors
template <auto source, auto destination, int mode = -1, auto source_extent = 0, auto destination_extent = 0>
struct source_and_destination_sizes_differ : refused {
  static constexpr bool ok = source == destination;
  static_assert(
      ok,
      "copy: source and destination have different numbers of elements, source_and_destination_sizes_differ<SOURCE, "
      "DESTINATION, MODE, EXTENT, EXTENT>: along MODE the source has the first EXTENT, the destination the second; "
      "slice or tile one of them, for instance tS(_, _, _, k), so that both have as many");
};
template <auto values, int needed>
struct values_are_no_whole_vectors : refused {
  static constexpr bool ok = values % needed == 0;
  static_assert(
      ok,
      "copy: the tensors' values are no whole number of the atom's vectors (values_are_no_whole_vectors<VALUES, "
      "NEEDED>: VALUES a thread, the atom moves NEEDED at once); use a narrower atom, or pad the tensor's mode");
};
template <int mode, int stride, int adjacent, int needed>
struct source_vector_is_not_contiguous : refused {
  static constexpr bool ok = adjacent % needed == 0;
  static_assert(
      ok,
      "copy: the atom's vector is not contiguous in the source, source_vector_is_not_contiguous<MODE, STRIDE, "
      "ADJACENT, NEEDED>: it runs along MODE, of STRIDE (0: known at run time, 1: a swizzle cuts it), so that ADJACENT "
      "of the NEEDED values lie side by side; let the value layout run along the source's mode of stride 1, as "
      "Layout<Shape<_1, Int<NEEDED>>> does along mode 1, or take an atom of ADJACENT values");
};
template <int mode, int stride, int adjacent, int needed>
struct destination_vector_is_not_contiguous : refused {
  static constexpr bool ok = adjacent % needed == 0;
  static_assert(
      ok,
      "copy: the atom's vector is not contiguous in the destination, destination_vector_is_not_contiguous<MODE, "
      "STRIDE, ADJACENT, NEEDED>: it runs along MODE, of STRIDE (0: known at run time, 1: a swizzle cuts it), so that "
      "ADJACENT of the NEEDED values lie side by side; let the value layout run along the destination's mode of stride "
      "1, as Layout<Shape<_1, Int<NEEDED>>> does along mode 1, or take an atom of ADJACENT values");
};
template <int multiple, int needed>
struct source_vectors_are_not_aligned : refused {
  static constexpr bool ok = multiple % needed == 0;
  static_assert(ok,
                "copy: the atom's vectors are not aligned in the source (source_vectors_are_not_aligned<MULTIPLE, "
                "NEEDED>: its strides put them at multiples of MULTIPLE elements, the atom needs multiples of NEEDED); "
                "pad the strides to multiples of NEEDED, or take a narrower atom");
};
template <int multiple, int needed>
struct destination_vectors_are_not_aligned : refused {
  static constexpr bool ok = multiple % needed == 0;
  static_assert(
      ok,
      "copy: the atom's vectors are not aligned in the destination (destination_vectors_are_not_aligned<MULTIPLE, "
      "NEEDED>: its strides put them at multiples of MULTIPLE elements, the atom needs multiples of NEEDED); pad the "
      "strides to multiples of NEEDED, or take a narrower atom");
};
template <int bits>
struct threads_would_share_a_byte : refused {
  static constexpr bool ok = bits % 8 == 0;
  static_assert(
      ok,
      "copy: the atom moves threads_would_share_a_byte<BITS> BITS, no whole bytes, so that threads would write parts "
      "of one byte and lose each other's values; take an atom of 8 bits or more, and values for it");
};
template <int mode, auto extent, auto tile>
struct partition_reaches_beyond_the_tensor : refused {
  static constexpr bool ok = extent % tile == 0;
  static_assert(ok,
                "copy: the tile does not fit, partition_reaches_beyond_the_tensor<MODE, EXTENT, TILE>: along MODE "
                "there are EXTENT elements, which TILE does not divide, so that threads would access elements that do "
                "not exist; pass the tensor's shape as bounds, copy(tiled_copy, source, destination, shape(tensor)), "
                "or choose thread and value layouts whose tile divides EXTENT");
};
template <bool ok_>
struct neither_tensor_knows_its_place : refused {
  static constexpr bool ok = ok_;
  static_assert(
      ok,
      "copy with bounds: neither tensor knows its coordinates; partition a tensor, or a tile made by local_tile with "
      "integers as tiler, with get_slice(thread).partition_S / partition_D, and slice no more than the modes behind "
      "the "
      "tile's; what changes modes or elements (group_modes, recast, local_partition) comes before local_tile");
};
template <int rank, int bounds>
struct bounds_have_another_rank : refused {
  static constexpr bool ok = rank == bounds;
  static_assert(ok,
                "copy with bounds: the bounds have another number of modes than the tensor that was tiled "
                "(bounds_have_another_rank<TENSOR, BOUNDS>); pass the tensor's shape");
};
template <bool ok_>
struct copy_needs_the_tiled_copy : refused {
  static constexpr bool ok = ok_;
  static_assert(
      ok, "copy(ThrCopy, ...): pass the tiled copy itself, copy(tiled_copy, source partition, destination partition)");
};
/// @}

/// @name Mistakes with an instruction that has its own requirements
/// @{
#define COSMATI_WRONG_MEMORY_(side, does, memory, maker)                                                       \
  template <memory_space found>                                                                                \
  struct side##_is_not_in_##memory : refused {                                                                 \
    static constexpr bool ok = found == memory_space::maker;                                                   \
    static_assert(ok, "copy: this atom's instruction " does " " #memory ", the " #side " is elsewhere (" #side \
                      "_is_not_in_" #memory "<FOUND>); make the " #side "'s tensor with make_" #maker          \
                      "_ptr(pointer) if it is there, or take UniversalCopy");                                  \
  };
COSMATI_WRONG_MEMORY_(source, "reads", global_memory, gmem)
COSMATI_WRONG_MEMORY_(source, "reads", shared_memory, smem)
COSMATI_WRONG_MEMORY_(source, "reads", registers, rmem)
COSMATI_WRONG_MEMORY_(destination, "writes", global_memory, gmem)
COSMATI_WRONG_MEMORY_(destination, "writes", shared_memory, smem)
COSMATI_WRONG_MEMORY_(destination, "writes", registers, rmem)
#undef COSMATI_WRONG_MEMORY_
template <memory_space needed, memory_space found>
using source_is_elsewhere =
    std::conditional_t<needed == memory_space::gmem, source_is_not_in_global_memory<found>,
                       std::conditional_t<needed == memory_space::smem, source_is_not_in_shared_memory<found>,
                                          source_is_not_in_registers<found>>>;
template <memory_space needed, memory_space found>
using destination_is_elsewhere =
    std::conditional_t<needed == memory_space::gmem, destination_is_not_in_global_memory<found>,
                       std::conditional_t<needed == memory_space::smem, destination_is_not_in_shared_memory<found>,
                                          destination_is_not_in_registers<found>>>;
template <auto source, auto destination>
struct source_and_destination_instructions_differ : refused {
  static constexpr bool ok = source == destination;
  static_assert(ok,
                "copy: source and destination are not of the same number of the atom's instructions "
                "(source_and_destination_instructions_differ<SOURCE, DESTINATION>); partition the one with "
                "partition_S, the other with partition_D or retile_D, of the same tiled copy");
};
template <int adjacent, int needed>
struct register_values_are_not_adjacent : refused {
  static constexpr bool ok = adjacent % needed == 0;
  static_assert(ok,
                "copy: the values of one 32-bit register are not adjacent in the fragment "
                "(register_values_are_not_adjacent<ADJACENT, NEEDED>); make it with make_fragment_like, or retile one "
                "with retile_S or retile_D");
};
template <int mode, int stride, int adjacent, int needed>
struct matrix_rows_are_not_contiguous : refused {
  static constexpr bool ok = adjacent % needed == 0;
  static_assert(
      ok,
      "copy: ldmatrix and stmatrix take rows of 16 bytes of shared memory, which here are not contiguous, "
      "matrix_rows_are_not_contiguous<MODE, STRIDE, ADJACENT, NEEDED>: they run along MODE, of STRIDE (0: known at run "
      "time, 1: a swizzle cuts it), so that ADJACENT of NEEDED values lie side by side; if the tensor is contiguous "
      "along the other mode take the other kind of atom, _T (SM75_U16x8_LDSM_T) instead of _N (SM75_U32x4_LDSM_N) or "
      "the reverse");
};
template <bool ok_>
struct instruction_has_no_predicate : refused {
  static constexpr bool ok = ok_;
  static_assert(ok,
                "copy: this atom's instruction has no predicate, so that it takes neither predicates nor bounds; copy "
                "whole tiles of shared memory (cp.async with zero fill makes them whole), or take UniversalCopy");
};
template <int bytes>
struct bulk_copy_is_not_of_16_bytes : refused {
  static constexpr bool ok = bytes > 0 && bytes % 16 == 0;
  static_assert(
      ok,
      "copy: a bulk copy moves multiples of 16 bytes (bulk_copy_is_not_of_16_bytes<BYTES>: so many lie side by side in "
      "both tensors); give both the same order of modes and pad to 16 bytes, or take SM80_CP_ASYNC_CACHEALWAYS");
};
template <bool ok_>
struct bulk_copy_needs_its_mbarrier : refused {
  static constexpr bool ok = ok_;
  static_assert(ok,
                "copy: a bulk copy to shared memory reports to an mbarrier; pass atom.with(barrier), a std::uint64_t "
                "in shared memory that expects the bytes");
};
/// @}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
