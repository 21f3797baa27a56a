// SPDX-License-Identifier: Apache-2.0
/// @file
/// Verdicts and widths in words, for the host: `words_of(verdict)`, `words_of(width, value_bits)`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/call_cost.hpp>
#include <cosmati/analysis/verify_values.hpp>
#include <string>

namespace COSMATI_NAMESPACE {

namespace detail {
inline std::string count_of(std::int64_t n, char const* one, char const* many) {
  return std::to_string(n) + ' ' + (n == 1 ? one : many);
}
inline std::string elements(std::int64_t n) { return count_of(n, "element", "elements"); }
inline std::string values(std::int64_t n) { return count_of(n, "value", "values"); }
inline std::string width_in_words(std::int64_t bits) {
  return bits % 8 == 0 ? count_of(bits / 8, "byte", "bytes") : count_of(bits, "bit", "bits");
}
/// "the source" or "the destination".
inline char const* side_name(bool is_source) { return is_source ? "the source" : "the destination"; }
}  // namespace detail

/// Gives "thread 3, value 1, element (0,5)".
inline std::string words_of(copy_place const& p) {
  std::string out = "thread " + std::to_string(p.thread) + ", value " + std::to_string(p.value);
  if (p.rank == 0) return out;
  out += ", element (";
  for (int i = 0; i < p.rank; ++i) out += (i == 0 ? "" : ",") + std::to_string(p.coordinate[i]);
  return out + ')';
}

/// Describes a verdict, and the fix.
inline std::string words_of(copy_verdict const& v) {
  using detail::elements;
  auto const n = std::to_string(v.number);
  auto const found = std::to_string(v.found);
  auto const side = std::string(detail::side_name(v.at_source));
  auto const along = "along mode " + std::to_string(v.mode);
  switch (v.fault) {
    case copy_fault::none:
      return "every element of the destination is written once, from the source's of the same coordinate, in bounds "
             "and "
             "aligned";
    case copy_fault::rank:
      return side + " has " + detail::count_of(v.found, "mode", "modes") + ", the tile " + n +
             ": give it a mode for each of the tile's";
    case copy_fault::shapes_differ:
      return along + " the source has " + elements(v.number) + ", the destination " + found +
             ": copy between tensors of one shape";
    case copy_fault::tile_not_covered:
      return "the " + found + " values of all threads do not name each of the tile's " + elements(v.number) + " once";
    case copy_fault::beyond:
      if (v.mode < 0)
        return "tiles cover " + elements(v.number) + ", not each of the " + found +
               " once: choose a tiler that divides";
      return along + " tiles of " + n + " do not end where the " + elements(v.found) + " do: " + words_of(v.place) +
             " is outside; copy with bounds, or choose a tile that divides " + found;
    case copy_fault::bounds:
      return along + " the bounds are " + n + " and " + side + " has " + elements(v.found) +
             ": give bounds that lie inside both tensors";
    case copy_fault::written_twice:
      return "offset " + found + " of the destination is written twice: by " + words_of(v.place) + ", and by " +
             words_of(v.other) + "; give the destination strides that keep its elements apart";
    case copy_fault::source_vector:
    case copy_fault::destination_vector:
      return "not vectorizable: the atom moves " + n + " values of " + side + " that lie side by side, but " +
             words_of(v.place) +
             (v.found == 0 ? std::string(" is beyond the run")
                           : ", lies " + elements(v.found) + " from value 0, not " + std::to_string(v.place.value)) +
             "; let the value layout run along the mode of stride 1, or take a narrower atom";
    case copy_fault::source_alignment:
    case copy_fault::destination_alignment:
      return "misaligned: vectors of " + n + " values must start at a multiple of " + n + ", but in " + side +
             " that of " + words_of(v.place) + " starts at offset " + found + "; pad the strides to multiples of " + n +
             ", or take a narrower atom";
  }
  return {};
}

/// Explains why a vector is not wider, or not allowed: "the value layout gives 2 values side by side in the source".
inline std::string words_of(vector_width const& w, int value_bits) {
  auto const side = std::string(detail::side_name(w.at_source));
  auto const n = std::to_string(w.number);
  switch (w.limit) {
    case width_limit::hardware:
      return "16 bytes are the widest access";
    case width_limit::operation:
      return "the operation moves no more, the layouts would allow " + detail::width_in_words(w.number * value_bits);
    case width_limit::values:
      return "the value layout gives " + detail::values(w.number) + " side by side in " + side;
    case width_limit::stride:
      return "in " + side + " value " + n + " of a thread lies " + detail::elements(w.found) + " from value 0, not " +
             n;
    case width_limit::alignment:
      return "in " + side + " vectors of " + n + " values would start at multiples of " + detail::elements(w.found);
    case width_limit::swizzle:
      return "the swizzle of " + side + " keeps " + detail::elements(w.number) + " together";
    case width_limit::pointer:
      return "the alignment of " + detail::count_of(w.number, "byte", "bytes") + " that the pointer of " + side +
             " proves allows no wider access; write assume_aligned<16>(pointer) if it is aligned";
    case width_limit::value_pieces:
      return "no instruction moves vectors of such values: their bits are not 8, 16, 32, 64 or 128";
  }
  return {};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
