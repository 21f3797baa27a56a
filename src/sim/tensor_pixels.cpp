// SPDX-License-Identifier: Apache-2.0
// The pixels of the mode im2col: tensor copies whose rows are the channels of pixels.

#include <algorithm>

#include "formatted.hpp"
#include "hazards.hpp"
#include "tensor_pieces.hpp"

namespace cosmati_sim {
namespace {

/// The pixels of a tensor that one instruction of the mode im2col moves, in order: along mode 1 first, then 2 and 3
/// within the box of pixels, then from image to image.
class pixel_walk {
 public:
  pixel_walk(tensor_map const& t, int const* first, int const* offsets)
      : t_(t), last_(t.rank - 1), spatial_(t.rank - (t.of_slices ? 3 : 2)) {
    for (int mode = 1; mode < t.rank; ++mode) at_[mode] = first[mode];
    for (int i = 0; offsets != nullptr && i < spatial_; ++i) offset_[i + 1] = offsets[i];
  }
  /// Element 0 of the pixel's channels, or null where the pixel is outside of the tensor.
  unsigned char* row() const {
    unsigned char* row = t_.data;
    for (int mode = 1; mode <= last_; ++mode) {
      std::int64_t const x = at_[mode] + offset_[mode];
      if (x < 0 || x >= t_.extent[mode]) return nullptr;
      row += x * t_.stride[mode];
    }
    return row;
  }
  void step() {
    for (int mode = 1; mode <= spatial_; ++mode) {
      at_[mode] += t_.step[mode];
      if (at_[mode] <= t_.extent[mode] - 1 + t_.upper[mode - 1]) return;
      at_[mode] = t_.lower[mode - 1];
    }
    ++at_[last_];
  }

 private:
  tensor_map const& t_;
  int const last_, spatial_;
  std::int64_t at_[tensor_map::most_modes] = {}, offset_[tensor_map::most_modes] = {};
};

}  // namespace

void each_piece_of_pixels(tensor_map const& t, void const* shared, beginning const& at, piece_visitor const& each) {
  auto to = reinterpret_cast<std::uintptr_t>(shared);
  auto const row_bytes = static_cast<unsigned>(t.box[0] * t.element_bytes);
  unsigned const gap = row_pitch(t, row_bytes) - row_bytes;
  pixel_walk walk(t, at.first, at.offsets);
  for (int pixel = 0; pixel < t.pixels; ++pixel, walk.step(), to += gap) {
    for (unsigned done = 0; done < row_bytes; done += chunk_bytes, to += chunk_bytes)
      each_piece_of_chunk(t, to, walk.row(), std::int64_t{at.first[0]} + done / static_cast<unsigned>(t.element_bytes),
                          each);
  }
}

cosmati::side_cost cost_of_pixels(cosmati::tma_direction direction, tensor_map const& t, beginning const& at,
                                  int blocks) {
  cosmati::detail::tma_rows rows{direction, blocks};
  std::int64_t const bytes = std::int64_t{t.box[0]} * t.element_bytes, extent = t.extent[0] * t.element_bytes;
  std::int64_t const first = std::int64_t{at.first[0]} * t.element_bytes,
                     pitch = row_pitch(t, static_cast<unsigned>(bytes));
  std::int64_t const begin = std::clamp<std::int64_t>(-first, 0, bytes), end = std::clamp(extent - first, begin, bytes);
  pixel_walk pixel(t, at.first, at.offsets);
  for (int i = 0; i < t.pixels; ++i, pixel.step()) {
    unsigned char* const row = pixel.row();
    auto const place = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(row) % 128);
    rows.add_row(((place + first) % 128 + 128) % 128, i * pitch, bytes, row == nullptr ? 0 : begin,
                 row == nullptr ? 0 : end);
  }
  return cosmati::detail::finished_tma_cost(rows.total, blocks);
}

void check_pixels(char const* name, tensor_map const& t, beginning const& at, site where) {
  int const most = t.rank == 3 ? 65535 : t.rank == 4 ? 255 : 31;
  for (int i = 0; i < t.rank - 2; ++i) {
    int const mode = t.interleave == 0 ? i + 1 : i;
    std::int64_t const low = t.lower[i], high = t.extent[mode] - 1 + t.upper[i];
    if (at.first[mode] < low || at.first[mode] > high)
      fail_lane(
          formatted("{} ({}): the pixels begin at {} of mode {}, outside of the descriptor's box of pixels, {} to "
                    "{}; begin inside, the offsets are added later",
                    name, to_text(where), at.first[mode], mode, low, high),
          hazard_kind::invalid_argument, where);
    if (at.offsets != nullptr && (at.offsets[i] < 0 || at.offsets[i] > most))
      fail_lane(formatted("{} ({}): offset {} along mode {}; 0 to {} are possible for a tensor of {} modes", name,
                          to_text(where), at.offsets[i], mode, most, t.rank),
                hazard_kind::invalid_argument, where);
  }
}

}  // namespace cosmati_sim
