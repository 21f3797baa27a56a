// SPDX-License-Identifier: Apache-2.0
// The boxes of tensor copies: their rows and chunks, where these go in shared memory, and what comes from outside the
// tensor.

#include <algorithm>

#include "formatted.hpp"
#include "hazards.hpp"
#include "tensor_pieces.hpp"

namespace cosmati_sim {
namespace {

/// Elements of a box along a mode, where every step-th element of the tensor is taken.
int box_extent(tensor_map const& t, int mode) { return (t.box[mode] + t.step[mode] - 1) / t.step[mode]; }

/// The address that the exchange gives to a byte: the chunk's number within its row is xored with the row's.
std::uintptr_t exchanged(std::uintptr_t address, int swizzle) {
  std::uintptr_t const mask = ((std::uintptr_t{1} << swizzle) - 1) << 4;
  return address ^ ((address >> 3) & mask);
}

/// The box that an instruction moves, as its cost is worked out. A slice of channels counts as one element.
cosmati::tma_box box_of(tensor_map const& t, int const* first) {
  int const from = t.of_slices ? 1 : 0;  // the mode that is the box's mode 0
  cosmati::tma_box b;
  b.rank = t.rank - from;
  b.element_bytes = t.of_slices ? static_cast<int>(t.stride[1]) : t.element_bytes;
  b.swizzle = t.of_slices ? 0 : t.swizzle;
  b.begin_bytes = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(t.data) % 128);
  for (int mode = 0; mode < b.rank; ++mode) {
    b.extent[mode] = t.extent[mode + from];
    b.stride_bytes[mode] = t.stride[mode + from];
    b.box[mode] = t.box[mode + from];
    b.step[mode] = t.step[mode + from];
    b.first[mode] = first[mode + from];
  }
  return b;
}

}  // namespace

void each_piece_of_chunk(tensor_map const& t, std::uintptr_t shared, unsigned char* row, std::int64_t x,
                         piece_visitor const& each) {
  std::int64_t const elements = chunk_bytes / t.element_bytes;
  std::int64_t const begin = row == nullptr ? elements : std::clamp<std::int64_t>(-x, 0, elements);
  std::int64_t const end = std::max(begin, std::clamp<std::int64_t>(t.extent[0] - x, 0, elements));
  auto* const at = reinterpret_cast<char*>(exchanged(shared, t.swizzle));
  auto const bytes = [&](std::int64_t n) { return static_cast<unsigned>(n * t.element_bytes); };
  if (begin > 0) each(piece{at, nullptr, bytes(begin)});
  if (end > begin) each(piece{at + bytes(begin), row + (x + begin) * t.element_bytes, bytes(end - begin)});
  if (end < elements) each(piece{at + bytes(end), nullptr, bytes(elements - end)});
}

// Where the rows begin was measured: bench/notes/tensor-copies-at-edges.md.
void each_piece_of_box(tensor_map const& t, void const* shared, int const* first, piece_visitor const& each) {
  int at[tensor_map::most_modes] = {};  // the row's place in the box
  auto to = reinterpret_cast<std::uintptr_t>(shared);
  auto const row_bytes = static_cast<unsigned>(box_extent(t, 0) * t.element_bytes);
  unsigned const gap = row_pitch(t, row_bytes) - row_bytes;
  for (bool more = true; more;) {
    unsigned char* row = t.data;
    for (int mode = 1; mode < t.rank && row != nullptr; ++mode) {
      std::int64_t const x = std::int64_t{first[mode]} + std::int64_t{at[mode]} * t.step[mode];
      row = x < 0 || x >= t.extent[mode] ? nullptr : row + x * t.stride[mode];
    }
    for (unsigned done = 0; done < row_bytes; done += chunk_bytes, to += chunk_bytes)
      each_piece_of_chunk(t, to, row, std::int64_t{first[0]} + done / static_cast<unsigned>(t.element_bytes), each);
    to += gap;
    more = false;
    for (int mode = 1; mode < t.rank && !more; ++mode) {
      more = ++at[mode] < box_extent(t, mode);
      if (!more) at[mode] = 0;
    }
  }
}

cosmati::side_cost cost_of_box(cosmati::tma_direction direction, tensor_map const& t, int const* first, int blocks) {
  return blocks == 0 ? cosmati::tma_box_cost(direction, box_of(t, first))
                     : cosmati::tma_multicast_cost(box_of(t, first), blocks);
}

void check_stored_box(char const* name, tensor_map const& t, int const* first, site where) {
  bool inside = true;
  for (int mode = 0; mode < t.rank; ++mode) {
    if (first[mode] < 0)
      fail_lane(
          formatted("{} ({}): the box begins at element {} of mode {}; a store takes no negative coordinates, and "
                    "a GPU stops with an illegal instruction",
                    name, to_text(where), first[mode], mode),
          hazard_kind::invalid_argument, where);
    inside = inside && first[mode] < t.extent[mode];
  }
  if (t.interleave != 0) return;  // slices are whole
  std::int64_t const row_bytes = t.extent[0] * t.element_bytes;
  auto const over = static_cast<unsigned>(row_bytes % chunk_bytes);
  if (over == 0 || !inside || first[0] + box_extent(t, 0) <= t.extent[0]) return;
  fail_lane(
      formatted("{} ({}): rows of the tensor have {} bytes, and a store writes whole chunks of {}: it would write "
                "{} bytes behind each row; let mode 0 have a multiple of {} bytes, or store this edge with "
                "`copy`",
                name, to_text(where), row_bytes, chunk_bytes, chunk_bytes - over, chunk_bytes),
      hazard_kind::out_of_bounds, where);
}

}  // namespace cosmati_sim
