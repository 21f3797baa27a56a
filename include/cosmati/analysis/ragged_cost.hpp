// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of copies whose tiles reach beyond the tensor, as values: `ragged_cost`, `ragged_cost_of`.
///
/// The blocks of such a kernel take the tiles of a tensor and copy with bounds (`copy(tiled_copy, s, d,
/// shape(tensor))`). Tiles at the edge execute other instructions. A vector inside the bounds moves as one. If a vector
/// crosses the edge, its elements inside move one by one. Lanes without elements take no part. All tiles are copied in
/// this way if the tiled copy does not divide them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/call_cost.hpp>
#include <cosmati/analysis/verify_values.hpp>

namespace COSMATI_NAMESPACE {

/// The cost of all tiles. `inside` sums the tiles within the bounds that the tiled copy divides; `edge` sums the
/// others.
///
/// For cp.async at the edge, single elements that move by plain accesses count among the instructions of both sides.
struct ragged_cost {
  copy_cost inside, edge;
  std::int64_t inside_tiles = 0, edge_tiles = 0;

  /// The cost of both kinds of tiles at the source.
  constexpr side_cost source() const { return together(inside.source, edge.source); }
  /// The cost of both kinds of tiles at the destination.
  constexpr side_cost destination() const { return together(inside.destination, edge.destination); }

 private:
  static constexpr side_cost together(side_cost a, side_cost const& b) {
    a.add(b);
    return a;
  }
};

namespace detail {

/// @name Refusals, whose names are the diagnoses
/// @{
[[noreturn]] inline void a_matrix_instruction_copies_whole_tiles(int matrices) {
  throw error("cost of a ragged copy: ldmatrix and stmatrix (x%d) take no bounds: copy whole tiles of shared memory",
              matrices);
}
[[noreturn]] inline void values_of_less_than_a_byte_have_no_ragged_cost(int bits) {
  throw error("cost of a ragged copy: values of %d bits are not counted at the edge, where bytes are shared", bits);
}
[[noreturn]] inline void a_tile_lacks_modes_of_the_tiler(int tile, int tiler) {
  throw error("cost of a ragged copy: the tile has %d modes, the tiled copy's tile %d; give it an extent for each",
              tile, tiler);
}
[[noreturn]] inline void a_tiler_of_strides_has_no_ragged_cost() {
  throw error(
      "cost of a ragged copy: the tiled copy's tile must be one of integers, a run of elements along each mode");
}
[[noreturn]] inline void shapes_are_neither_the_tile_nor_the_tensor(int mode, std::int64_t extent, std::int64_t tile,
                                                                    std::int64_t whole) {
  throw error(
      "cost of a ragged copy: along mode %d a tensor has %lld elements; it must be the tile, %lld, or the whole "
      "tensor, %lld",
      mode, static_cast<long long>(extent), static_cast<long long>(tile), static_cast<long long>(whole));
}
/// @}

/// The coordinate along each mode, from indices along a layout.
struct coordinate_modes {
  plain_modes along[copy_place::most_modes];
};

/// One tensor of a ragged copy.
template <class Num>
struct ragged_side {
  bool in_memory = false, is_source = true;
  memory_space space = memory_space::rmem;
  vector_side<Num> side;  ///< the side's partition of one tile
  /// The offset of a tile from its index along a mode. It is empty for a stage, which every block uses as a whole.
  plain_modes origins[copy_place::most_modes];
  plain_modes elements;  ///< the elements of a thread's partition
  side_access at;        ///< the addresses of single elements, by `bytes_at`

  constexpr accessed_memory memory() const {
    return space == memory_space::gmem ? accessed_memory::global : accessed_memory::shared;
  }
};

/// A shape of integers as layouts, each with stride 1 along one mode and 0 along the others.
template <class Num>
constexpr flat_tree<Num> coordinate_layout(mode_extents const& shape, int mode) {
  flat_tree<Num> t;
  t.add_open(shape.rank);
  for (int k = 0; k < shape.rank; ++k) t.add_leaf(Num(shape.extent[k]), Num(k == mode ? 1 : 0));
  return t;
}
template <class Num>
constexpr flat_tree<Num> tiler_of_extents(mode_extents const& tile) {
  flat_tree<Num> t;
  t.add_node(flat_tree<Num>::tile(tile.rank));
  for (int k = 0; k < tile.rank; ++k) t.add_leaf(Num(tile.extent[k]), Num(1));
  return t;
}

/// The lanes of a warp by what they move of their vectors.
struct lanes_at_the_edge {
  static constexpr int most_values = 16;
  std::uint32_t whole = 0;  ///< lanes that move the vector by one instruction
  std::uint32_t reads = 0;  ///< of these, the lanes that read any part of the vector; zero fill may read nothing
  std::uint32_t single[most_values] = {};  ///< lanes that move only this element
  std::uint32_t zero[most_values] = {};    ///< lanes that write a zero there
};

/// Sums the costs of tiles.
template <class Num>
class ragged_counter {
 public:
  constexpr ragged_counter(copy_values<Num> const& copy, mode_extents const& tile, tensor_values<Num> const& src,
                           tensor_values<Num> const& dst, mode_extents const& bounds)
      : copy_(copy), tile_(tile), bits_(copy.value_bits) {
    check();
    flat_tree<Num> const tiler = algebra::tile_shape(copy.tiler);
    mode_extents const step = extents_of(tiler);
    if (tile.rank < step.rank) a_tile_lacks_modes_of_the_tiler(tile.rank, step.rank);
    whole_ = whole_of(src, dst);
    bounds_ = whole_;
    for (int k = 0; k < bounds.rank; ++k) bounds_.extent[k] = bounds.at(k) < whole_.at(k) ? bounds.at(k) : whole_.at(k);
    while (tile_.rank < whole_.rank) tile_.extent[tile_.rank++] = 1;
    for (int k = 0; k < tile_.rank; ++k) {
      std::int64_t const n = k < step.rank ? step.extent[k] : 1;
      covered_.extent[k] = (tile_.extent[k] + n - 1) / n * n;
    }
    covered_.rank = tile_.rank;
    make_side(source_, src, true);
    make_side(destination_, dst, false);
    choose_vector();
    make_coordinates();
  }

  constexpr ragged_cost all_tiles() const {
    ragged_cost total;
    total.inside.vector = total.edge.vector = vector_;
    if (!vector_.possible) return total;
    // Along each mode: first all tiles inside, counted together, then a tile that is not inside.
    mode_extents choices, chosen;
    std::int64_t ways = 1;
    for (int k = 0; k < bounds_.rank; ++k) {
      choices.extent[k] = (inside_along(k) > 0 ? 1 : 0) + (bounds_.extent[k] % tile_.extent[k] != 0 ? 1 : 0);
      ways *= choices.extent[k];
    }
    for (std::int64_t w = 0; w < ways; ++w) {
      std::int64_t rest = w;
      for (int k = 0; k < bounds_.rank; ++k) {
        chosen.extent[k] = rest % choices.extent[k];
        rest /= choices.extent[k];
      }
      add_tiles(total, chosen);
    }
    return total;
  }

 private:
  constexpr void check() const {
    copy_operation const& op = copy_.operation;
    if (op.means == copy_means::ldmatrix || op.means == copy_means::stmatrix)
      a_matrix_instruction_copies_whole_tiles(op.matrices);
    if (bits_ % 8 != 0) values_of_less_than_a_byte_have_no_ragged_cost(bits_);
    if (!is_of_integers(copy_.tiler)) a_tiler_of_strides_has_no_ragged_cost();
  }
  constexpr bool is_the_tile(mode_extents const& e) const {
    for (int k = 0; k < e.rank || k < tile_.rank; ++k) {
      if (e.at(k) != tile_.at(k)) return false;
    }
    return true;
  }
  /// The tensor's extents. If the two sides differ, they are those that differ from the tile's.
  constexpr mode_extents whole_of(tensor_values<Num> const& src, tensor_values<Num> const& dst) const {
    mode_extents const s = src.in_memory() ? extents_of(src.layout) : mode_extents{};
    mode_extents const d = dst.in_memory() ? extents_of(dst.layout) : mode_extents{};
    mode_extents const whole = !src.in_memory() || (dst.in_memory() && is_the_tile(s)) ? d : s;
    if (!src.in_memory() || !dst.in_memory()) return whole;
    for (int k = 0; k < s.rank || k < d.rank; ++k) {
      std::int64_t const other = is_the_tile(s) ? s.at(k) : d.at(k);
      bool const fits = is_the_tile(s) || is_the_tile(d) || other == whole.at(k);
      if (!fits) shapes_are_neither_the_tile_nor_the_tensor(k, other, tile_.at(k), whole.at(k));
    }
    return whole;
  }
  constexpr void make_side(ragged_side<Num>& r, tensor_values<Num> const& tensor, bool is_source) const {
    r.is_source = is_source;
    r.in_memory = r.side.in_memory = tensor.in_memory();
    if (!r.in_memory) return;
    r.space = tensor.space;
    mode_extents const tensor_extents = extents_of(tensor.layout);
    bool cut = true;  // whether each block takes a tile of it, unlike of a stage
    for (int k = 0; k < tensor_extents.rank || k < whole_.rank; ++k) cut = cut && tensor_extents.at(k) == whole_.at(k);
    tensor_values<Num> one = tensor;
    mode_extents tile = tile_;
    tile.rank = tensor_extents.rank < tile_.rank ? tensor_extents.rank : tile_.rank;
    if (cut) {
      flat_tree<Num> const divided = algebra::zipped_divide(tensor.layout, tiler_of_extents<Num>(tile));
      one.layout = algebra::mode(divided, 0);
      flat_tree<Num> const rest = algebra::mode(divided, 1);
      for (int k = 0; k < tensor_extents.rank; ++k)
        r.origins[k] = plain_modes_of(rest.is_leaf() ? rest : algebra::mode(rest, k));
    }
    r.side = vector_side_of(copy_, one, is_source);
    r.elements = plain_modes_of(r.side.partition);
    r.at = side_access_of(r.side, r.side.partition, bits_, 1);
  }
  /// Chooses the vector of one instruction, and whether it is aligned in every tile.
  constexpr void choose_vector() {
    copy_operation const& op = copy_.operation;
    if (op.means == copy_means::automatic) {
      auto const p = prove_vector(source_.side, destination_.side, bits_, op.bits, op.trusted_bits);
      vector_ = p.width;
      walked_source_ = p.src;
      walked_destination_ = p.dst;
      at_edge_ = 1;
    } else {
      vector_.values = static_cast<int>(copy_.at_once(true));
      vector_.bits = vector_.values * bits_;
      walked_source_ = source_.side.partition;
      walked_destination_ = destination_.side.partition;
      at_edge_ = vector_.values;
      if (!has_vectors(source_.side, true, bits_, vector_.values, vector_) ||
          !has_vectors(destination_.side, false, bits_, vector_.values, vector_))
        return;
    }
    for (ragged_side<Num> const* s : {&source_, &destination_}) {
      if (!s->in_memory) continue;
      need_aligned(s->at.threads, s->is_source);
      for (plain_modes const& m : s->origins) need_aligned(m, s->is_source);
    }
  }
  constexpr void need_aligned(plain_modes const& begins, bool is_source) {
    for (int i = 0; i < begins.count && vector_.possible; ++i) {
      if (begins.stride[i] % vector_.values == 0) continue;
      vector_.possible = false;
      vector_.at_source = is_source;
      vector_.limit = width_limit::alignment;
      vector_.number = vector_.values;
      vector_.found = begins.stride[i];
    }
  }
  constexpr void make_coordinates() {
    flat_tree<Num> const thr_val = algebra::thread_values(copy_.layout_tv, copy_.ref, copy_.src);
    for (int k = 0; k < tile_.rank; ++k) {
      flat_tree<Num> const l = coordinate_layout<Num>(tile_, k);
      of_threads_.along[k] = plain_modes_of(algebra::thread_offsets(l, copy_.tiler, thr_val));
      flat_tree<Num> const part = algebra::thread_partition(l, copy_.tiler, thr_val);
      of_elements_.along[k] = plain_modes_of(part);
      count_ = algebra::known(algebra::size(part), "what a copy costs");
    }
  }

  /// The number of tiles along a mode that lie inside the bounds.
  constexpr std::int64_t inside_along(int k) const { return bounds_.extent[k] / tile_.extent[k]; }
  /// Adds the tiles of one kind: along each mode either all tiles inside, or a certain other tile.
  constexpr void add_tiles(ragged_cost& total, mode_extents const& chosen) const {
    mode_extents begin, count, left;
    left.rank = bounds_.rank;
    bool inside = true;
    std::int64_t tiles = 1;
    for (int k = 0; k < bounds_.rank; ++k) {
      std::int64_t const whole = inside_along(k);
      bool const in = whole > 0 && chosen.extent[k] == 0;
      begin.extent[k] = in ? 0 : whole + chosen.extent[k] - (whole > 0 ? 1 : 0);
      count.extent[k] = in ? whole : 1;
      left.extent[k] = in ? tile_.extent[k] : bounds_.extent[k] - begin.extent[k] * tile_.extent[k];
      inside = inside && in && covered_.extent[k] == tile_.extent[k];
      tiles *= count.extent[k];
    }
    (inside ? total.inside_tiles : total.edge_tiles) += tiles;
    copy_cost& cost = inside ? total.inside : total.edge;
    if (source_.in_memory) add_side(cost.source, source_, source_, left, inside, begin, count);
    if (destination_.in_memory)
      add_side(cost.destination, destination_, reads_banks() ? source_ : destination_, left, inside, begin, count);
  }
  /// Whether the cost depends on the source's offset: a cp.async to a stage begins at the same offset of the stage in
  /// all tiles.
  constexpr bool reads_banks() const {
    bool stage = copy_.operation.means == copy_means::cp_async && source_.in_memory && destination_.in_memory;
    for (plain_modes const& m : destination_.origins) stage = stage && m.count == 0;
    return stage;
  }
  /// Adds one side. Tiles that begin at the same offset of a line, or of a swizzle's period, cost the same and are
  /// counted once.
  /// @param by the side whose offset decides
  constexpr void add_side(side_cost& total, ragged_side<Num> const& s, ragged_side<Num> const& by,
                          mode_extents const& left, bool inside, mode_extents const& begin,
                          mode_extents const& count) const {
    std::int64_t const period = by.at.period();
    auto const add = [&](std::int64_t origin, std::int64_t times) {
      std::int64_t const place = (origin % period + period) % period;
      side_cost one;
      if (inside)
        one = whole_tile(s, by, place);
      else
        count_edge(one, s, by, left, place);
      total.add(one, times);
    };
    std::int64_t first = 0, tiles = 1;
    residue_counts places(period);
    bool few = true;
    for (int k = 0; k < bounds_.rank; ++k) {
      first += by.origins[k](begin.extent[k]);
      tiles *= count.extent[k];
      if (count.extent[k] == 1 || by.origins[k].count == 0) {
        if (count.extent[k] > 1) few = few && places.add_mode(count.extent[k], 0);
      } else {
        few = few && by.origins[k].count == 1 && places.add_mode(count.extent[k], by.origins[k].stride[0]);
      }
    }
    if (few) {
      for (int i = 0; i < places.count; ++i) add(first + places.residue[i], places.times[i]);
      return;
    }
    if (tiles > (std::int64_t{1} << 20)) too_many_different_instructions(tiles, period);
    for (std::int64_t n = 0; n < tiles; ++n) {
      std::int64_t rest = n, origin = 0;
      for (int k = 0; k < bounds_.rank; ++k) {
        origin += by.origins[k](begin.extent[k] + rest % count.extent[k]);
        rest /= count.extent[k];
      }
      add(origin, 1);
    }
  }
  constexpr side_cost whole_tile(ragged_side<Num> const& s, ragged_side<Num> const& by, std::int64_t origin) const {
    vector_side<Num> moved = by.side;
    moved.offset += origin;
    if (&s != &by) {
      return detail::copy_async_cost_of(side_access_of(s.side, walked_destination_, bits_, vector_.values),
                                        side_access_of(moved, walked_source_, bits_, vector_.values),
                                        copy_async(vector_.bits / 8));
    }
    return cost_of_one_side(copy_.operation, moved, s.space, s.is_source ? walked_source_ : walked_destination_,
                            s.is_source, bits_, vector_.values);
  }

  /// Whether element i of a thread is inside.
  constexpr bool is_inside(std::int64_t const (&thread)[copy_place::most_modes],
                           std::int64_t const (&element)[copy_place::most_modes], mode_extents const& left) const {
    for (int k = 0; k < left.rank; ++k) {
      if (thread[k] + element[k] >= left.extent[k]) return false;
    }
    return true;
  }
  constexpr void count_edge(side_cost& total, ragged_side<Num> const& s, ragged_side<Num> const& by,
                            mode_extents const& left, std::int64_t origin) const {
    std::int64_t const threads = copy_.threads();
    for (std::int64_t i = 0; i < count_; i += at_edge_) {
      std::int64_t element[lanes_at_the_edge::most_values][copy_place::most_modes] = {};
      for (int v = 0; v < at_edge_; ++v) {
        for (int k = 0; k < tile_.rank; ++k) element[v][k] = of_elements_.along[k](i + v);
      }
      for (std::int64_t first = 0; first < threads; first += 32) {
        lanes_at_the_edge lanes;
        for (int l = 0; l < 32 && first + l < threads; ++l) {
          std::int64_t thread[copy_place::most_modes] = {};
          for (int k = 0; k < tile_.rank; ++k) thread[k] = of_threads_.along[k](first + l);
          take_lane(lanes, 1u << l, thread, element, left);
        }
        count_warp(total, s, by, lanes, {origin, first, i});
      }
    }
  }
  constexpr void take_lane(lanes_at_the_edge& lanes, std::uint32_t lane,
                           std::int64_t const (&thread)[copy_place::most_modes],
                           std::int64_t const (&element)[lanes_at_the_edge::most_values][copy_place::most_modes],
                           mode_extents const& left) const {
    bool here[lanes_at_the_edge::most_values] = {};
    int count = 0, leading = 0;
    for (int v = 0; v < at_edge_; ++v) {
      here[v] = is_inside(thread, element[v], left);
      if (here[v] && leading == v) ++leading;
      count += here[v] ? 1 : 0;
    }
    bool zero[lanes_at_the_edge::most_values] = {};
    bool all = true;
    for (int v = 0; v < at_edge_; ++v) {
      zero[v] = copy_.operation.fills_with_zeros && !here[v] && is_inside(thread, element[v], tile_);
      all = all && (here[v] || zero[v]);
    }
    if (all && count == leading) {
      lanes.whole |= lane;
      if (count > 0) lanes.reads |= lane;
      return;
    }
    for (int v = 0; v < at_edge_; ++v) {
      if (here[v]) lanes.single[v] |= lane;
      if (zero[v]) lanes.zero[v] |= lane;
    }
  }
  /// The position of a warp: the tile's origin, the first thread, the element.
  struct warp_place {
    std::int64_t origin, thread, element;
  };
  constexpr void count_warp(side_cost& total, ragged_side<Num> const& s, ragged_side<Num> const& by,
                            lanes_at_the_edge const& lanes, warp_place at) const {
    int const bytes = bits_ / 8;
    bool const async = copy_.operation.means == copy_means::cp_async;
    bool const element_async = async && (bytes == 4 || bytes == 8 || bytes == 16);
    count_lanes(total, s, by, s.is_source ? lanes.reads : lanes.whole, lanes.reads, at,
                instruction_at(s, at_edge_ * bytes, async));
    if (s.is_source && lanes.reads == 0 && lanes.whole != 0) {  // an instruction that only writes zeros still is a
                                                                // request
      ++total.instructions;
      ++total.requests;
    }
    for (int v = 0; v < at_edge_; ++v, ++at.element) {
      count_lanes(total, s, by, lanes.single[v], lanes.single[v], at, instruction_at(s, bytes, element_async));
      if (!s.is_source) count_lanes(total, s, by, lanes.zero[v], 0, at, store_shared(bytes));
    }
  }
  static constexpr memory_instruction instruction_at(ragged_side<Num> const& s, int bytes, bool async) {
    if (async) return copy_async(bytes);
    if (s.space == memory_space::gmem) return s.is_source ? load_global(bytes) : store_global(bytes);
    return s.is_source ? load_shared(bytes) : store_shared(bytes);
  }
  /// @param reads cp.async: the lanes that read the source
  constexpr void count_lanes(side_cost& total, ragged_side<Num> const& s, ragged_side<Num> const& by,
                             std::uint32_t active, std::uint32_t reads, warp_place const& at,
                             memory_instruction const& instruction) const {
    if (active == 0) return;
    warp_access const a = lanes_of(s, active, at, &s == &by ? at.origin : 0);
    warp_cost cost = cost_in(s.memory(), instruction, a);
    if (&s != &by) cost.shared = shared_cost_of(instruction, a, lanes_of(by, reads, at, at.origin));
    total.add(cost, 1, static_cast<int>(at.thread / 32));
  }
  static constexpr warp_access lanes_of(ragged_side<Num> const& s, std::uint32_t active, warp_place const& at,
                                        std::int64_t origin) {
    warp_access a;
    a.active = active;
    std::int64_t const of_element = s.elements(at.element) + origin;
    for (int l = 0; l < 32; ++l) {
      if (a.takes_part(l)) a.offset[l] = s.at.bytes_at(s.at.threads(at.thread + l) + of_element);
    }
    return a;
  }

  copy_values<Num> const& copy_;
  mode_extents tile_;
  int bits_;
  mode_extents whole_, bounds_, covered_;
  ragged_side<Num> source_, destination_;
  vector_width vector_;
  flat_tree<Num> walked_source_, walked_destination_;
  int at_edge_ = 1;  // the number of values that one instruction moves in a tile at the edge
  coordinate_modes of_threads_, of_elements_;
  std::int64_t count_ = 0;  // the number of elements of a thread
};

}  // namespace detail

/// The cost of `copy(tiled_copy, partition_S(tile of src), partition_D(tile of dst), bounds)` for every tile of the
/// tensor together. A kernel whose blocks take a tile each executes these copies. If some tile does not allow the
/// atom's vector, the cost is all zero and `inside.vector.possible` is false.
///
/// @param tile the extents of a block's tile
/// @param src, dst the whole tensor, a stage of the tile's shape that every block has, or registers
/// @param bounds the extents within which elements are copied; rank 0 means the tensor's
/// @throws error for ldmatrix and stmatrix, which take no bounds, and for values of less than a byte
template <class Num>
constexpr ragged_cost ragged_cost_of(copy_values<Num> const& copy, detail::mode_extents const& tile,
                                     tensor_values<Num> const& src, tensor_values<Num> const& dst,
                                     detail::mode_extents const& bounds = {}) {
  if (copy.operation.means == copy_means::registers || (!src.in_memory() && !dst.in_memory())) return {};
  return detail::ragged_counter<Num>(copy, tile, src, dst, bounds).all_tiles();
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
