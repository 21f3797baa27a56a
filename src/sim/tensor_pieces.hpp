// SPDX-License-Identifier: Apache-2.0
/// @file
/// What one tensor copy moves, piece by piece: the rows of a box (tensor_boxes.cpp), or the pixels of the mode im2col
/// (tensor_pixels.cpp). Both give the instruction's cost too. Interleaved channels become a mode of their own
/// (tensor_slices.cpp), so that one slice of a pixel is a row.
#pragma once

#include <cosmati/analysis/tma_cost.hpp>
#include <functional>

#include "tensor_map.hpp"

namespace cosmati_sim {

/// A part of a chunk: `bytes` of shared memory at `shared`, and of the tensor; null: outside of it.
struct piece {
  char* shared;
  unsigned char* global;
  unsigned bytes;
};

using piece_visitor = std::function<void(piece const&)>;

/// Where an instruction begins in its tensor. @param offsets of the mode im2col; null: the mode is tile
struct beginning {
  int const* first;
  int const* offsets = nullptr;
};
constexpr unsigned chunk_bytes = 16;  // what an exchange moves as a whole

/// The pieces of one chunk of a row. @param shared where the chunk would be without an exchange
/// @param x coordinate of its first element along mode 0 @param row the row's element 0, or null where the row is
/// outside
void each_piece_of_chunk(tensor_map const& t, std::uintptr_t shared, unsigned char* row, std::int64_t x,
                         piece_visitor const& each);

/// From one row to the next in shared memory: with a swizzle, the bytes within which it exchanges chunks, even where
/// rows are narrower. Slices follow each other without gaps.
inline unsigned row_pitch(tensor_map const& t, unsigned row_bytes) {
  return t.swizzle == 0 || t.of_slices ? row_bytes : 16u << t.swizzle;
}

/// An instruction whose descriptor interleaves channels, with the channels of a slice as mode 0.
struct slice_copy {
  slice_copy(tensor_map const& t, beginning const& at);
  tensor_map tensor;
  int first[tensor_map::most_modes] = {};
  beginning at;
};

/// The pieces of a box, row after row of mode 0, the last mode slowest.
void each_piece_of_box(tensor_map const& t, void const* shared, int const* first, piece_visitor const& each);
/// The cost of moving the box. @param blocks the number of blocks that a multicast reaches; 0: no multicast
cosmati::side_cost cost_of_box(cosmati::tma_direction direction, tensor_map const& t, int const* first, int blocks);
/// Checks that a store begins inside the tensor along each mode, and writes whole chunks of 16 bytes.
void check_stored_box(char const* name, tensor_map const& t, int const* first, site where);

/// The pieces of an instruction of the mode im2col, pixel after pixel.
void each_piece_of_pixels(tensor_map const& t, void const* shared, beginning const& at, piece_visitor const& each);
/// The cost of moving the pixels: their rows are those of a box, by the same rules.
cosmati::side_cost cost_of_pixels(cosmati::tma_direction direction, tensor_map const& t, beginning const& at,
                                  int blocks);
/// Checks that an instruction begins in the box of pixels, with offsets that have a place.
void check_pixels(char const* name, tensor_map const& t, beginning const& at, site where);

}  // namespace cosmati_sim
