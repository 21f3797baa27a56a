// SPDX-License-Identifier: Apache-2.0
/// @file
/// Verdicts on tensor copies in words, for the host: `words_of(verdict)`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/tma_plan.hpp>
#include <cosmati/analysis/words.hpp>

namespace COSMATI_NAMESPACE {

/// Describes a verdict, and the fix.
/// @param loads whether the copy is a load, which brings fill values from outside the tensor
inline std::string words_of(tma_verdict const& v, bool loads) {
  using detail::elements;
  auto const n = std::to_string(v.number);
  auto const found = std::to_string(v.found);
  auto const mode = "mode " + std::to_string(v.mode);
  auto const bytes = [](std::int64_t count) { return detail::count_of(count, "byte", "bytes"); };
  switch (v.fault) {
    case tma_fault::none:
      return "every element of the tensor is moved once, to and from the place of its coordinate, aligned" +
             (v.outside == 0 ? std::string()
                             : "; tiles have " + elements(v.outside) + " outside, " +
                                   (loads ? "which get fill values" : "which are not stored"));
    case tma_fault::element:
      return "elements have " + n + " bytes, and tensor copies move elements of 1, 2, 4 or 8";
    case tma_fault::rank:
      return "the tile has " + detail::count_of(v.number, "mode", "modes") + ", the tensor " + found +
             ": give both one mode for another";
    case tma_fault::tile_shape:
      return "along " + mode + " the " + elements(v.number) + " of the tile do not fit extents of " + found +
             ": choose a tile that divides them, or is a multiple of the inner ones";
    case tma_fault::swizzle:
      return "no tensor copy does the swizzle of the tile in shared memory: take one that exchanges chunks of 16 bytes "
             "within rows of 32, 64 or 128 bytes, Sw<1,M,3>, Sw<2,M,3> or Sw<3,M,3>";
    case tma_fault::shared_not_dense:
      return "the tile in shared memory has " + elements(v.number) + ", and a gap behind " + found +
             ": take strides without padding, and a swizzle against bank conflicts";
    case tma_fault::modes:
      return "the descriptor would need " + n + " modes, and has up to 5: merge modes that follow each other";
    case tma_fault::short_rows:
      return "rows of the box have " + bytes(v.number) +
             ", and tensor copies move multiples of 16: let the mode of stride 1 in shared memory have more elements";
    case tma_fault::narrow_rows:
      return "rows of the box have " + bytes(v.number) + ", those of the swizzle " + found +
             ", and a tensor copy leaves gaps between such rows: take a swizzle of fewer bits, or wider rows";
    case tma_fault::not_contiguous:
      return "the mode of stride 1 in shared memory has stride " + found + " in global memory (" + mode +
             "), and a tensor copy does not transpose: give the tile the tensor's order of modes";
    case tma_fault::stride_bytes:
      return mode + " of the tensor has a stride of " + bytes(v.found) +
             "; multiples of 16 below 2^40 are possible: pad the rows";
    case tma_fault::begin:
      return "the tensor begins at byte " + found + ", and must at a multiple of 16";
    case tma_fault::shared_alignment:
      return "a box begins at byte " + found + " of shared memory, and must at a multiple of " + n +
             ": give the tile more rows, or a swizzle of fewer bits";
    case tma_fault::box_begin:
      return "the second tile begins at byte " + found +
             " of a row, and boxes must at multiples of 16: take a wider tile";
    case tma_fault::stored_rows:
      return "rows of the tensor have " + bytes(v.found) + ", and a store writes whole chunks of 16: it would write " +
             bytes(16 - v.found % 16) + " behind each; pad the rows' extent, or store with another copy";
    case tma_fault::written_twice:
      return "two elements of the stored tensor lie at one address: give it strides that keep its elements apart";
  }
  return {};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
