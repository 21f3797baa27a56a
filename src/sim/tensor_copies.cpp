// SPDX-License-Identifier: Apache-2.0
// Tensor copies: the rows and chunks of a box, where they go in shared memory, and what comes from outside the tensor.
// In the mode im2col the rows are the channels of pixels.

#include <algorithm>
#include <bit>

#include "bulk.hpp"
#include "cluster.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "tensor_map.hpp"

using namespace cosmati_sim;

namespace {

constexpr unsigned chunk_bytes = 16;  // what an exchange moves as a whole

char const load_name[] = "cp.async.bulk.tensor.shared.global";
char const store_name[] = "cp.async.bulk.tensor.global.shared";
char const reduce_name[] = "cp.reduce.async.bulk.tensor";
char const prefetch_name[] = "cp.async.bulk.prefetch.tensor";

using cosmati::tma_direction;

/// Elements of a box along a mode, where every step-th element of the tensor is taken.
int box_extent(tensor_map const& t, int mode) { return (t.box[mode] + t.step[mode] - 1) / t.step[mode]; }

/// The address that the exchange gives to a byte: the chunk's number within its row is xored with the row's.
std::uintptr_t exchanged(std::uintptr_t address, int swizzle) {
  std::uintptr_t const mask = ((std::uintptr_t{1} << swizzle) - 1) << 4;
  return address ^ ((address >> 3) & mask);
}

/// A part of a chunk: `bytes` of shared memory at `shared`, and of the tensor; null: outside of it.
struct piece {
  char* shared;
  unsigned char* global;
  unsigned bytes;
};

/// The pieces of one chunk of a row. @param x coordinate of its first element along mode 0
/// @param row the row's element 0, or null where the row is outside
template <class Each>
void each_piece_of_chunk(tensor_map const& t, std::uintptr_t shared, unsigned char* row, std::int64_t x,
                         Each const& each) {
  std::int64_t const elements = chunk_bytes / t.element_bytes;
  std::int64_t const begin = row == nullptr ? elements : std::clamp<std::int64_t>(-x, 0, elements);
  std::int64_t const end = std::max(begin, std::clamp<std::int64_t>(t.extent[0] - x, 0, elements));
  auto* const at = reinterpret_cast<char*>(exchanged(shared, t.swizzle));
  auto const bytes = [&](std::int64_t n) { return static_cast<unsigned>(n * t.element_bytes); };
  if (begin > 0) each(piece{at, nullptr, bytes(begin)});
  if (end > begin) each(piece{at + bytes(begin), row + (x + begin) * t.element_bytes, bytes(end - begin)});
  if (end < elements) each(piece{at + bytes(end), nullptr, bytes(elements - end)});
}

/// The pieces of a box, row after row of mode 0, the last mode slowest. With a swizzle, each row begins at a multiple
/// of the bytes within which chunks are exchanged, even where the rows are narrower (measured, see
/// bench/notes/tensor-copies-at-edges.md).
template <class Each>
void each_piece(tensor_map const& t, void const* shared, int const* first, Each const& each) {
  int at[5] = {};  // the row's place in the box
  auto to = reinterpret_cast<std::uintptr_t>(shared);
  auto const row_bytes = static_cast<unsigned>(box_extent(t, 0) * t.element_bytes);
  unsigned const gap = t.swizzle == 0 ? 0 : (16u << t.swizzle) - row_bytes;  // to the next row
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

/// The pixels of a tensor that one instruction of the mode im2col moves, in order: along mode 1 first, then 2 and 3
/// within the box of pixels, then from image to image.
class pixel_walk {
 public:
  pixel_walk(tensor_map const& t, int const* first, int const* offsets) : t_(t), last_(t.rank - 1) {
    for (int mode = 1; mode < t.rank; ++mode) at_[mode] = first[mode];
    for (int i = 0; offsets != nullptr && i < t.rank - 2; ++i) offset_[i + 1] = offsets[i];
  }
  /// The limits of the box of pixels along mode 1, 2 or 3.
  static std::int64_t lowest(tensor_map const& t, int mode) { return t.lower[mode - 1]; }
  static std::int64_t highest(tensor_map const& t, int mode) { return t.extent[mode] - 1 + t.upper[mode - 1]; }
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
    for (int mode = 1; mode < last_; ++mode) {
      at_[mode] += t_.step[mode];
      if (at_[mode] <= highest(t_, mode)) return;
      at_[mode] = lowest(t_, mode);
    }
    ++at_[last_];
  }

 private:
  tensor_map const& t_;
  int const last_;
  std::int64_t at_[5] = {}, offset_[5] = {};
};

/// The pieces of an instruction of the mode im2col. @param offsets null: none
template <class Each>
void each_piece_of_pixels(tensor_map const& t, void const* shared, int const* first, int const* offsets,
                          Each const& each) {
  auto to = reinterpret_cast<std::uintptr_t>(shared);
  auto const row_bytes = static_cast<unsigned>(t.box[0] * t.element_bytes);
  unsigned const gap = t.swizzle == 0 ? 0 : (16u << t.swizzle) - row_bytes;  // to the next row
  pixel_walk at(t, first, offsets);
  for (int pixel = 0; pixel < t.pixels; ++pixel, at.step(), to += gap) {
    for (unsigned done = 0; done < row_bytes; done += chunk_bytes, to += chunk_bytes)
      each_piece_of_chunk(t, to, at.row(), std::int64_t{first[0]} + done / static_cast<unsigned>(t.element_bytes),
                          each);
  }
}

/// Checks that the descriptor was made for the instruction's mode.
void check_mode(char const* name, tensor_map const& t, bool im2col, site where) {
  if (t.interleave != 0) {
    fail_lane(
        formatted("{} ({}): the descriptor's channels are interleaved in slices of {} bytes; the simulated device "
                  "does not move these, as no document says where the slices lie; run this on a GPU",
                  name, to_text(where), 16 * t.interleave),
        hazard_kind::invalid_argument, where);
  }
  if ((t.pixels != 0) == im2col) return;
  fail_lane(
      formatted("{} ({}): the descriptor is one of the mode {}; {}", name, to_text(where), im2col ? "tile" : "im2col",
                im2col ? "make it by make_im2col_descriptor" : "copy with tensor_copy_im2col_g2s and its like"),
      hazard_kind::invalid_argument, where);
}

/// Checks that an instruction of the mode im2col begins in the box of pixels, with offsets that have a place.
void check_pixels(char const* name, tensor_map const& t, int const* first, int const* offsets, site where) {
  int const most = t.rank == 3 ? 65535 : t.rank == 4 ? 255 : 31;
  for (int i = 0; i < t.rank - 2; ++i) {
    std::int64_t const low = pixel_walk::lowest(t, i + 1), high = pixel_walk::highest(t, i + 1);
    if (first[i + 1] < low || first[i + 1] > high)
      fail_lane(
          formatted("{} ({}): the pixels begin at {} of mode {}, outside of the descriptor's box of pixels, {} to "
                    "{}; begin inside, the offsets are added later",
                    name, to_text(where), first[i + 1], i + 1, low, high),
          hazard_kind::invalid_argument, where);
    if (offsets != nullptr && (offsets[i] < 0 || offsets[i] > most))
      fail_lane(formatted("{} ({}): offset {} along mode {}; 0 to {} are possible for a tensor of {} modes", name,
                          to_text(where), offsets[i], i + 1, most, t.rank),
                hazard_kind::invalid_argument, where);
  }
}

void check_rank(char const* name, tensor_map const& t, int rank, site where) {
  if (rank == t.rank) return;
  fail_lane(formatted("{} ({}): {} coordinates for a tensor of {} modes; give as many as the descriptor's `rank`", name,
                      to_text(where), rank, t.rank),
            hazard_kind::invalid_argument, where);
}

void check_alignment(char const* name, tensor_map const& t, void const* shared, site where) {
  unsigned const alignment = t.swizzle == 0 ? 128 : 128u << t.swizzle;
  auto const address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(shared));
  if (address % alignment == 0) return;
  fail_lane(
      formatted(
          "{} ({}): the box is at shared address {}, which is no multiple of {}{}; declare it alignas({}), or take an "
          "offset of dynamic shared memory that is a multiple",
          name, to_text(where), address, alignment,
          t.swizzle == 0 ? "" : formatted(", the bytes after which a swizzle of {} bytes repeats", 16 << t.swizzle),
          alignment),
      hazard_kind::misaligned, where);
}

/// The first coordinate counts in steps of 16 bytes. On a GPU, another one is an illegal instruction
/// (bench/notes/tensor-copies-at-edges.md).
void check_first_coordinate(char const* name, tensor_map const& t, int const* first, site where) {
  std::int64_t const bytes = std::int64_t{first[0]} * t.element_bytes;
  if (bytes % chunk_bytes == 0) return;
  fail_lane(formatted("{} ({}): the box begins at element {} of mode 0, byte {}; tensor copies begin at multiples of "
                      "{} bytes, and a GPU stops with an illegal instruction elsewhere",
                      name, to_text(where), first[0], bytes, chunk_bytes),
            hazard_kind::misaligned, where);
}

/// A store begins inside the tensor along each mode, and writes whole chunks of 16 bytes.
void check_stored_place(char const* name, tensor_map const& t, int const* first, site where) {
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

/// One element of what a load brings from outside the tensor: zero, or the NaN that GPUs take for all types.
std::uint64_t fill_of(tensor_map const& t) { return t.fill == 0 ? 0 : 0x7ff77ff77ff77ff7u; }

value_change change_of(tensor_map const& t) {
  constexpr int tf32 = 11, tf32_ftz = 12;  // of tensor_map_type
  return t.type == tf32 || t.type == tf32_ftz ? value_change::round_to_tf32 : value_change::none;
}

/// Where an instruction begins in its tensor. @param offsets of the mode im2col; null: the mode is tile
struct beginning {
  int const* first;
  int const* offsets = nullptr;
};
template <class Each>
void each_piece(tensor_map const& t, void const* shared, beginning const& at, Each const& each) {
  if (t.pixels != 0)
    each_piece_of_pixels(t, shared, at.first, at.offsets, each);
  else
    each_piece(t, shared, at.first, each);
}

/// The box is in flight to the shared memory of `owner`, a block of the cluster.
void begin_load(worker& w, worker& owner, void* shared, tensor_map const& tensor, beginning const& at,
                std::uint64_t* barrier, site where, void const* pc) {
  auto const element = static_cast<unsigned>(tensor.element_bytes);
  each_piece(tensor, shared, at, [&](piece const& p) {
    async_copy c = p.global == nullptr ? bulk_fill(w, load_name, p.shared, p.bytes, fill_of(tensor), element, where, pc)
                                       : bulk_copy_between(w, copy_kind::bulk_load, load_name, p.shared, p.global,
                                                           p.bytes, element, where, pc);
    c.change = change_of(tensor);
    begin_bulk_load_to(w, owner, std::move(c), barrier);
  });
}

/// The box that an instruction moves, as its cost is worked out.
cosmati::tma_box box_of(tensor_map const& t, int const* first) {
  cosmati::tma_box b;
  b.rank = t.rank;
  b.element_bytes = t.element_bytes;
  b.swizzle = t.swizzle;
  b.begin_bytes = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(t.data) % 128);
  for (int mode = 0; mode < t.rank; ++mode) {
    b.extent[mode] = t.extent[mode];
    b.stride_bytes[mode] = t.stride[mode];
    b.box[mode] = t.box[mode];
    b.step[mode] = t.step[mode];
    b.first[mode] = first[mode];
  }
  return b;
}

/// The cost of an instruction of the mode im2col: its rows are those of a box, by the same rules.
cosmati::side_cost cost_of_pixels(tma_direction direction, tensor_map const& t, beginning const& at, int blocks) {
  cosmati::detail::tma_rows rows{direction, blocks};
  std::int64_t const bytes = std::int64_t{t.box[0]} * t.element_bytes, extent = t.extent[0] * t.element_bytes;
  std::int64_t const first = std::int64_t{at.first[0]} * t.element_bytes,
                     pitch = t.swizzle == 0 ? bytes : 16 << t.swizzle;
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

/// Counts an instruction. While the object lives, the bulk copies of the running lane are parts of it.
class one_instruction {
 public:
  /// @param blocks the number of blocks that a multicast reaches; 0: no multicast
  one_instruction(worker& w, tma_direction direction, tensor_map const& t, beginning const& at, int blocks = 0)
      : counters_(w.counters) {
    if (counters_ == nullptr) return;
    cosmati::side_cost const cost = t.pixels != 0 ? cost_of_pixels(direction, t, at, blocks)
                                    : blocks == 0 ? cosmati::tma_box_cost(direction, box_of(t, at.first))
                                                  : cosmati::tma_multicast_cost(box_of(t, at.first), blocks);
    counters_->tensor_copy_begins(cost, direction == tma_direction::load);
  }
  ~one_instruction() {
    if (counters_ != nullptr) counters_->tensor_copy_ends();
  }
  one_instruction(one_instruction const&) = delete;
  one_instruction& operator=(one_instruction const&) = delete;

 private:
  worker_counters* counters_;
};

/// The box is in flight to the blocks of the cluster whose bits are in `mask`.
void begin_multicast(worker& w, void* shared, tensor_map const& tensor, beginning const& at, std::uint64_t* barrier,
                     unsigned mask, site where, void const* pc) {
  if (mask == 0) {
    fail_lane(formatted("{} ({}): the mask names no block; set a bit for each block of the cluster that gets the box",
                        load_name, to_text(where)),
              hazard_kind::invalid_argument, where);
  }
  one_instruction const counted(w, tma_direction::load, tensor, at, std::popcount(mask));
  for (unsigned to = 0; mask >> to != 0; ++to) {
    if ((mask >> to & 1) == 0) continue;
    worker& owner = block_of_rank(w, to, load_name, where);
    auto const there = [&](void* own) { return place_in_block(w, reinterpret_cast<std::uintptr_t>(own), to); };
    begin_load(w, owner, reinterpret_cast<void*>(there(shared)), tensor, at,
               reinterpret_cast<std::uint64_t*>(there(barrier)), where, pc);
  }
}

/// The descriptor of a copy in the mode tile, and its checks.
tensor_map tile_descriptor(worker& w, char const* name, cosmati_sim_tensor_map const* t, int rank, int const* first,
                           site where) {
  tensor_map const tensor = descriptor_for(w, name, t, where);
  check_rank(name, tensor, rank, where);
  check_mode(name, tensor, false, where);
  check_first_coordinate(name, tensor, first, where);
  return tensor;
}
/// The same in the mode im2col.
tensor_map pixel_descriptor(worker& w, char const* name, cosmati_sim_tensor_map const* t, int rank, int const* first,
                            int const* offsets, site where) {
  tensor_map const tensor = descriptor_for(w, name, t, where);
  check_rank(name, tensor, rank, where);
  check_mode(name, tensor, true, where);
  check_first_coordinate(name, tensor, first, where);
  check_pixels(name, tensor, first, offsets, where);
  return tensor;
}

/// The box is in flight to global memory.
void begin_store(worker& w, char const* name, tma_direction direction, tensor_map const& tensor, void const* shared,
                 beginning const& at, reduction const& reduces, site where, void const* pc) {
  check_alignment(name, tensor, shared, where);
  if (tensor.pixels == 0) check_stored_place(name, tensor, at.first, where);
  one_instruction const counted(w, direction, tensor, at);
  auto const element = static_cast<unsigned>(tensor.element_bytes);
  each_piece(tensor, shared, at, [&](piece const& p) {
    if (p.global == nullptr) return;
    async_copy c = bulk_copy_between(w, copy_kind::bulk_store, name, p.shared, p.global, p.bytes, element, where, pc);
    c.reduces = reduces;
    begin_bulk_store(w, std::move(c));
  });
}

}  // namespace

extern "C" {

void cosmati_sim_tensor_load(void* shared, cosmati_sim_tensor_map const* tensor, int rank, int const* first,
                             std::uint64_t* barrier, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(load_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, load_name);
  tensor_map const t = tile_descriptor(w, load_name, tensor, rank, first, where);
  check_alignment(load_name, t, shared, where);
  one_instruction const counted(w, tma_direction::load, t, {first});
  begin_load(w, w, shared, t, {first}, barrier, where, pc);
}

void cosmati_sim_tensor_load_multicast(void* shared, cosmati_sim_tensor_map const* tensor, int rank, int const* first,
                                       std::uint64_t* barrier, unsigned mask, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(load_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, load_name);
  tensor_map const t = tile_descriptor(w, load_name, tensor, rank, first, where);
  check_alignment(load_name, t, shared, where);
  begin_multicast(w, shared, t, {first}, barrier, mask, where, pc);
}

void cosmati_sim_tensor_load_im2col(void* shared, cosmati_sim_tensor_map const* tensor, int rank, int const* first,
                                    int const* offsets, std::uint64_t* barrier, int mask, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(load_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, load_name);
  tensor_map const t = pixel_descriptor(w, load_name, tensor, rank, first, offsets, where);
  check_alignment(load_name, t, shared, where);
  if (mask >= 0)
    return begin_multicast(w, shared, t, {first, offsets}, barrier, static_cast<unsigned>(mask), where, pc);
  one_instruction const counted(w, tma_direction::load, t, {first, offsets});
  begin_load(w, w, shared, t, {first, offsets}, barrier, where, pc);
}

void cosmati_sim_tensor_store(cosmati_sim_tensor_map const* tensor, void const* shared, int rank, int const* first,
                              char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(store_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, store_name);
  begin_store(w, store_name, tma_direction::store, tile_descriptor(w, store_name, tensor, rank, first, where), shared,
              {first}, {}, where, pc);
}

void cosmati_sim_tensor_store_im2col(cosmati_sim_tensor_map const* tensor, void const* shared, int rank,
                                     int const* first, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(store_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, store_name);
  begin_store(w, store_name, tma_direction::store, pixel_descriptor(w, store_name, tensor, rank, first, nullptr, where),
              shared, {first}, {}, where, pc);
}

void cosmati_sim_tensor_reduce(cosmati_sim_tensor_map const* tensor, void const* shared, int rank, int const* first,
                               int operation, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(reduce_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, reduce_name);
  tensor_map const t = tile_descriptor(w, reduce_name, tensor, rank, first, where);
  begin_store(w, reduce_name, tma_direction::reduce, t, shared, {first},
              {static_cast<unsigned>(t.element_bytes), operation, t.type}, where, pc);
}

void cosmati_sim_tensor_prefetch(cosmati_sim_tensor_map const* tensor, int rank, int const* first, char const* file,
                                 int line) {
  quiet const hush;
  worker& w = running_lane(prefetch_name);
  site const where = site_here(w, file, line, __builtin_return_address(0), prefetch_name);
  tile_descriptor(w, prefetch_name, tensor, rank, first, where);
}

}  // extern "C"
