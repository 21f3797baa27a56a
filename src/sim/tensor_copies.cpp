// SPDX-License-Identifier: Apache-2.0
// The instructions of tensor copies: their checks, and the pieces that they put in flight.

#include <algorithm>
#include <bit>
#include <numeric>

#include "bulk.hpp"
#include "cluster.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "tensor_pieces.hpp"

using namespace cosmati_sim;

namespace {

char const load_name[] = "cp.async.bulk.tensor.shared.global";
char const store_name[] = "cp.async.bulk.tensor.global.shared";
char const reduce_name[] = "cp.reduce.async.bulk.tensor";
char const prefetch_name[] = "cp.async.bulk.prefetch.tensor";

using cosmati::tma_direction;

/// Checks that the descriptor was made for the instruction's mode.
void check_mode(char const* name, tensor_map const& t, bool im2col, site where) {
  if ((t.pixels != 0) == im2col) return;
  fail_lane(
      formatted("{} ({}): the descriptor is one of the mode {}; {}", name, to_text(where), im2col ? "tile" : "im2col",
                im2col ? "make it by make_im2col_descriptor" : "copy with tensor_copy_im2col_g2s and its like"),
      hazard_kind::invalid_argument, where);
}

void check_rank(char const* name, tensor_map const& t, int rank, site where) {
  if (rank == t.rank) return;
  fail_lane(formatted("{} ({}): {} coordinates for a tensor of {} modes; give as many as the descriptor's `rank`", name,
                      to_text(where), rank, t.rank),
            hazard_kind::invalid_argument, where);
}

/// The alignment of a box, bytes. Chunks are exchanged by the bits of their addresses: boxes that are smaller than the
/// bytes after which the swizzle repeats may follow each other.
unsigned alignment_of_box(tensor_map const& t) {
  auto bytes = static_cast<std::int64_t>(t.element_bytes);
  for (int mode = 0; mode < t.rank; ++mode) bytes *= t.box[mode];
  unsigned const repeats = t.swizzle == 0 ? 128 : 128u << t.swizzle;
  return std::max(128u, static_cast<unsigned>(std::gcd(bytes, std::int64_t{repeats})));
}
void check_alignment(char const* name, tensor_map const& t, void const* shared, site where) {
  unsigned const alignment = alignment_of_box(t);
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
  if (bytes % chunk_bytes == 0 || t.interleave != 0) return;
  fail_lane(formatted("{} ({}): the box begins at element {} of mode 0, byte {}; tensor copies begin at multiples of "
                      "{} bytes, and a GPU stops with an illegal instruction elsewhere",
                      name, to_text(where), first[0], bytes, chunk_bytes),
            hazard_kind::misaligned, where);
}

/// One element of what a load brings from outside the tensor: zero, or the NaN that GPUs take for all types.
std::uint64_t fill_of(tensor_map const& t) { return t.fill == 0 ? 0 : 0x7ff77ff77ff77ff7u; }

value_change change_of(tensor_map const& t) {
  constexpr int tf32 = 11, tf32_ftz = 12;  // of tensor_map_type
  return t.type == tf32 || t.type == tf32_ftz ? value_change::round_to_tf32 : value_change::none;
}

void each_piece(tensor_map const& t, void const* shared, beginning const& at, piece_visitor const& each) {
  if (t.interleave != 0) {
    slice_copy const slices(t, at);
    each_piece(slices.tensor, shared, slices.at, each);
  } else if (t.pixels != 0)
    each_piece_of_pixels(t, shared, at, each);
  else
    each_piece_of_box(t, shared, at.first, each);
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

/// Counts an instruction. While the object lives, the bulk copies of the running lane are parts of it.
class one_instruction {
 public:
  /// @param blocks the number of blocks that a multicast reaches; 0: no multicast
  one_instruction(worker& w, tma_direction direction, tensor_map const& t, beginning const& at, int blocks = 0)
      : counters_(w.counters) {
    if (counters_ == nullptr) return;
    counters_->tensor_copy_begins(
        t.pixels != 0 ? cost_of_pixels(direction, t, at, blocks) : cost_of_box(direction, t, at.first, blocks),
        direction == tma_direction::load);
  }
  ~one_instruction() {
    if (counters_ != nullptr) counters_->tensor_copy_ends();
  }
  one_instruction(one_instruction const&) = delete;
  one_instruction& operator=(one_instruction const&) = delete;

 private:
  static cosmati::side_cost cost(tma_direction direction, tensor_map const& t, beginning const& at, int blocks) {
    if (t.interleave != 0) {
      slice_copy const slices(t, at);
      return cost(direction, slices.tensor, slices.at, blocks);
    }
    return t.pixels != 0 ? cost_of_pixels(direction, t, at, blocks) : cost_of_box(direction, t, at.first, blocks);
  }
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
  check_pixels(name, tensor, {first, offsets}, where);
  return tensor;
}

/// The box is in flight to global memory.
void begin_store(worker& w, char const* name, tma_direction direction, tensor_map const& tensor, void const* shared,
                 beginning const& at, reduction const& reduces, site where, void const* pc) {
  check_alignment(name, tensor, shared, where);
  if (tensor.pixels == 0) check_stored_box(name, tensor, at.first, where);
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

void cosmati_sim_tensor_reduce_im2col(cosmati_sim_tensor_map const* tensor, void const* shared, int rank,
                                      int const* first, int operation, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(reduce_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, reduce_name);
  tensor_map const t = pixel_descriptor(w, reduce_name, tensor, rank, first, nullptr, where);
  begin_store(w, reduce_name, tma_direction::reduce, t, shared, {first},
              {static_cast<unsigned>(t.element_bytes), operation, t.type}, where, pc);
}

void cosmati_sim_tensor_prefetch(cosmati_sim_tensor_map const* tensor, int rank, int const* first, int const* offsets,
                                 char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(prefetch_name);
  site const where = site_here(w, file, line, __builtin_return_address(0), prefetch_name);
  if (offsets == nullptr)
    tile_descriptor(w, prefetch_name, tensor, rank, first, where);
  else
    pixel_descriptor(w, prefetch_name, tensor, rank, first, offsets, where);
}

}  // extern "C"
