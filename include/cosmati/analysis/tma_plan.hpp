// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tensor copy (TMA) of whole tiles as values: the boxes that `make_tma_copy` cuts a tile into, and whether the copy
/// is right: `tma_copy_values`, `tma_plan_of`, `verify_tma`.
///
/// The layouts prove it. The shared layout must be a bijection of the tile, whose inverse goes along one mode of the
/// tensor after another. Boxes of equal size then fill shared memory without gaps, so that each element of each tile is
/// moved once. What the descriptor asks of addresses, strides and rows is checked by numbers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/copy_values.hpp>
#include <cosmati/layout/algebra/algebra.hpp>

namespace COSMATI_NAMESPACE {

/// A tensor copy between a tensor in global memory and tiles of it in shared memory.
/// The tile's extents are those of the shared layout's modes. Tiles begin at multiples of them.
template <class Num>
struct tma_copy_values {
  bool loads = true;      ///< to shared memory; false: stores and reductions
  int element_bytes = 2;  ///< 1, 2, 4 or 8
  tensor_values<Num> global, shared;
};

/// One mode of the descriptor.
struct tma_mode {
  int leaf = 0;                   ///< the leaf of the tensor's layout that it is
  std::int64_t extent = 1;        ///< of the tensor, in elements
  std::int64_t stride_bytes = 0;  ///< in global memory
  int box = 1;                    ///< of the box, in elements
};
/// Where the boxes of a tile begin: `extent` of them, `step` elements apart along a mode.
struct tma_box_steps {
  int mode = 0;
  std::int64_t extent = 1, step = 0;
};
/// The descriptor of a tensor copy, and the boxes of one tile in the order of shared memory.
struct tma_plan {
  static constexpr int most_modes = 16;  // in question; a descriptor has up to five
  int rank = 0;                          ///< the number of the descriptor's modes
  int boxed = 0;                         ///< the number of modes along which the box has a part of the tile
  tma_mode mode[most_modes];
  int box_elements = 1;
  int boxes = 1;  ///< the number of boxes of a tile
  int step_count = 0;
  tma_box_steps steps[2 * most_modes];  ///< the first fastest
  int swizzle = 0;                      ///< bits of the exchange: 0 none, 1, 2, 3: in rows of 32, 64, 128 bytes
  int tensor_modes = 0;                 ///< the rank of the tensor's layout
  std::int64_t tile[most_modes] = {};   ///< the tile's extent along each leaf of the tensor
  std::int64_t tiles[most_modes] = {};  ///< the number of tiles along each leaf
};

/// The mistakes of a tensor copy.
enum class tma_fault : std::uint8_t {
  none,
  element,           ///< elements have `number` bytes
  rank,              ///< the tile has `number` modes, the tensor `found`
  tile_shape,        ///< the tile's `number` elements along `mode` do not fit its nested extents; `found` is one
  swizzle,           ///< no descriptor has the shared layout's swizzle
  shared_not_dense,  ///< the shared layout fills `found` of `number` elements without a gap
  modes,             ///< the descriptor would need `number` modes
  short_rows,        ///< rows of the box have `number` bytes
  narrow_rows,       ///< rows of the box have `number` bytes, those of the swizzle `found`
  not_contiguous,    ///< the box's first mode goes along leaf `mode`, whose stride is `found`
  stride_bytes,      ///< leaf `mode` has a stride of `found` bytes
  begin,             ///< the tensor begins at byte `found`
  shared_alignment,  ///< a box begins at byte `found` of shared memory, and must at multiples of `number`
  box_begin,         ///< a box begins at byte `found` of a row
  stored_rows,       ///< a row of the tensor has `found` bytes, and stores write whole chunks of `number`
  written_twice,     ///< two elements of the stored tensor lie at one address
};
/// `fault == none` means that every element of the tensor is moved exactly once, between its own place in global memory
/// and that of the same coordinate in its tile. Loads bring fill values to the elements of tiles outside the tensor;
/// stores leave them out.
struct tma_verdict {
  tma_fault fault = tma_fault::none;
  int mode = -1;
  std::int64_t number = 0, found = 0;
  std::int64_t outside = 0;  ///< elements of tiles that lie outside the tensor

  /// Whether there is no mistake.
  constexpr bool ok() const { return fault == tma_fault::none; }
  constexpr explicit operator bool() const { return ok(); }
};

namespace detail {

/// Part of the map from offsets in the shared tile to coordinates: `extent` elements along a leaf, by `step`.
struct tma_map_mode {
  std::int64_t extent = 1;
  int leaf = 0;
  std::int64_t step = 1;
};
struct tma_map {
  static constexpr int most = 2 * tma_plan::most_modes;
  int count = 0;
  tma_map_mode mode[most];
  constexpr void add(std::int64_t extent, int leaf, std::int64_t step) {
    if (count > 0 && mode[count - 1].leaf == leaf && mode[count - 1].step * mode[count - 1].extent == step) {
      mode[count - 1].extent *= extent;
      return;
    }
    if (count == most) throw error("a tensor copy: the tile has more than %d modes", most);
    mode[count++] = {extent, leaf, step};
  }
};

/// The bits of the exchange that a swizzle of elements is, or -1: 16-byte chunks within rows of 32, 64 or 128 bytes.
constexpr int descriptor_swizzle(AnySwizzle const& swizzle, bool composed, int element_bytes) {
  if (!composed || swizzle.bits == 0) return 0;
  int base = swizzle.base;
  for (int b = element_bytes; b > 1; b /= 2) ++base;
  return base == 4 && swizzle.shift == 3 && swizzle.bits <= 3 ? swizzle.bits : -1;
}

/// Works out the plan of one copy, step by step. Each step returns whether it found a fault, which `v` then holds.
template <class Num>
struct tma_planner {
  tma_copy_values<Num> const& copy;
  tma_plan& plan;
  tma_verdict& v;
  tma_map map = {};

  constexpr bool fails(tma_fault fault, int mode, std::int64_t number, std::int64_t found) {
    v.fault = fault;
    v.mode = mode;
    v.number = number;
    v.found = found;
    return true;
  }
  static constexpr std::int64_t number(Num const& n) { return algebra::known(n, "what a tensor copy moves"); }

  /// The tile's extent along each leaf of the tensor.
  constexpr bool find_tile() {
    flat_tree<Num> const& tensor = copy.global.layout;
    flat_tree<Num> const& shared = copy.shared.layout;
    plan.tensor_modes = tensor.rank();
    if (tensor.rank() != shared.rank()) return fails(tma_fault::rank, -1, shared.rank(), tensor.rank());
    if (tensor.leaves > tma_plan::most_modes) return fails(tma_fault::modes, -1, tensor.leaves, 0);
    for (int m = 0; m < tensor.rank(); ++m) {
      std::int64_t left = number(algebra::size(shared, m));
      algebra::span_of_mode const s = algebra::mode_span(tensor, m);
      for (int leaf = s.leaf; leaf < s.leaf_end; ++leaf) {
        std::int64_t const n = number(tensor.shape[leaf]);
        bool const last = leaf + 1 == s.leaf_end;
        if (!last && left > n && left % n != 0) return fails(tma_fault::tile_shape, m, left, n);
        if (!last && left <= n && n % left != 0) return fails(tma_fault::tile_shape, m, left, n);
        plan.tile[leaf] = last || left <= n ? left : n;
        plan.tiles[leaf] = (n + plan.tile[leaf] - 1) / plan.tile[leaf];
        left /= plan.tile[leaf];
      }
    }
    return false;
  }
  /// The map from offsets in the shared tile to coordinates of the tensor.
  constexpr bool find_map() {
    flat_tree<Num> const inverse = algebra::coalesce(algebra::right_inverse(copy.shared.layout));
    std::int64_t const elements = number(algebra::size(copy.shared.layout));
    std::int64_t const reached = number(algebra::size(inverse));
    if (reached != elements) return fails(tma_fault::shared_not_dense, -1, elements, reached);
    for (int i = 0; i < inverse.leaves; ++i) {
      std::int64_t extent = number(inverse.shape[i]), at = number(inverse.stride[i]), before = 1;
      for (int leaf = 0; leaf < copy.global.layout.leaves && extent > 1; ++leaf) {
        std::int64_t const n = plan.tile[leaf], end = before * n;
        if (n > 1 && at < end) {
          std::int64_t const step = at / before, offered = step == 0 ? 1 : n / step;
          if (at % before != 0 || n % step != 0 || (extent > offered && extent % offered != 0))
            return fails(tma_fault::tile_shape, leaf, extent, n);
          std::int64_t const taken = extent < offered ? extent : offered;
          map.add(taken, leaf, step);
          extent /= taken;
          at = end;
        }
        before = end;
      }
    }
    return false;
  }
  constexpr bool has_mode(int leaf) const {
    for (int i = 0; i < plan.rank; ++i) {
      if (plan.mode[i].leaf == leaf) return true;
    }
    return false;
  }
  constexpr void add_mode(int leaf, int box) {
    flat_tree<Num> const& tensor = copy.global.layout;
    plan.mode[plan.rank++] = {leaf, number(tensor.shape[leaf]), number(tensor.stride[leaf]) * copy.element_bytes, box};
  }
  constexpr void add_steps(int leaf, std::int64_t extent, std::int64_t step) {
    if (extent > 1) plan.steps[plan.step_count++] = {leaf, extent, step};
  }
  /// The box: the map's first modes, as long as each goes along another mode of the tensor, element by element.
  constexpr bool find_box() {
    plan.swizzle = descriptor_swizzle(copy.shared.swizzle, copy.shared.composed, copy.element_bytes);
    if (plan.swizzle < 0) return fails(tma_fault::swizzle, -1, 0, 0);
    constexpr int most_of_box = 256, most_rank = 5;
    int const span = plan.swizzle == 0 ? most_of_box : (16 << plan.swizzle) / copy.element_bytes;
    bool open = true;
    for (int i = 0; i < map.count; ++i) {
      tma_map_mode const m = map.mode[i];
      open = open && m.step == 1 && !has_mode(m.leaf) && plan.rank < most_rank;
      if (!open) {
        add_steps(m.leaf, m.extent, m.step);
        continue;
      }
      std::int64_t part = plan.rank == 0 && span < most_of_box ? span : most_of_box;
      if (m.extent < part) part = m.extent;
      while (m.extent % part != 0) --part;
      add_mode(m.leaf, static_cast<int>(part));
      plan.box_elements *= static_cast<int>(part);
      add_steps(m.leaf, m.extent / part, part);
      open = part == m.extent;
    }
    plan.boxed = plan.rank;
    for (int leaf = 0; leaf < copy.global.layout.leaves; ++leaf) {
      if (!has_mode(leaf) && number(copy.global.layout.shape[leaf]) != 1) add_mode(leaf, 1);
    }
    for (int i = 0; i < plan.step_count; ++i) {
      plan.boxes *= static_cast<int>(plan.steps[i].extent);
      for (int k = 0; k < plan.rank; ++k) {
        if (plan.mode[k].leaf == plan.steps[i].mode) {
          plan.steps[i].mode = k;
          break;
        }
      }
    }
    return plan.rank > most_rank ? fails(tma_fault::modes, -1, plan.rank, 0) : false;
  }
  /// What a descriptor asks of rows, strides and places.
  constexpr bool check_descriptor() {
    int const bytes = copy.element_bytes;
    std::int64_t const row = plan.boxed == 0 ? 0 : std::int64_t{plan.mode[0].box} * bytes;
    if (row == 0 || row % 16 != 0) return fails(tma_fault::short_rows, -1, row, 0);
    if (plan.swizzle > 0 && row != 16 << plan.swizzle)
      return fails(tma_fault::narrow_rows, -1, row, 16 << plan.swizzle);
    if (plan.mode[0].stride_bytes != bytes)
      return fails(tma_fault::not_contiguous, plan.mode[0].leaf, 1, plan.mode[0].stride_bytes / bytes);
    for (int i = 1; i < plan.rank; ++i) {
      if (plan.mode[i].extent == 1) continue;  // the descriptor gets another stride
      std::int64_t const d = plan.mode[i].stride_bytes;
      if (d < 16 || d % 16 != 0 || d >= std::int64_t{1} << 40)
        return fails(tma_fault::stride_bytes, plan.mode[i].leaf, 16, d);
    }
    if (copy.global.offset * bytes % 16 != 0) return fails(tma_fault::begin, -1, 16, copy.global.offset * bytes);
    std::int64_t const alignment = plan.swizzle == 0 ? 128 : 128 << plan.swizzle;
    if (copy.shared.offset * bytes % alignment != 0)
      return fails(tma_fault::shared_alignment, -1, alignment, copy.shared.offset * bytes);
    std::int64_t const box_bytes = std::int64_t{plan.box_elements} * bytes;
    if (plan.boxes > 1 && box_bytes % alignment != 0)
      return fails(tma_fault::shared_alignment, -1, alignment, box_bytes);
    std::int64_t const first = plan.tile[plan.mode[0].leaf] * bytes;
    if (plan.tiles[plan.mode[0].leaf] > 1 && first % 16 != 0) return fails(tma_fault::box_begin, -1, 16, first);
    std::int64_t const tensor_row = plan.mode[0].extent * bytes;
    if (!copy.loads && tensor_row % 16 != 0) return fails(tma_fault::stored_rows, plan.mode[0].leaf, 16, tensor_row);
    if (!copy.loads && !algebra::is_injective(copy.global.layout)) return fails(tma_fault::written_twice, -1, 0, 0);
    return false;
  }
  constexpr void count_outside() {
    std::int64_t moved = 1, inside = 1;
    for (int leaf = 0; leaf < copy.global.layout.leaves; ++leaf) {
      moved *= plan.tile[leaf] * plan.tiles[leaf];
      inside *= number(copy.global.layout.shape[leaf]);
    }
    v.outside = moved - inside;
  }
  constexpr void work_out() {
    int const bytes = copy.element_bytes;
    bool const known_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!known_size && fails(tma_fault::element, -1, bytes, 0)) return;
    if (!find_tile() && !find_map() && !find_box() && !check_descriptor()) count_outside();
  }
};

}  // namespace detail

/// The descriptor and the boxes of a tensor copy, as `make_tma_copy` chooses them. They are complete if `verdict` has
/// no fault.
template <class Num>
constexpr tma_plan tma_plan_of(tma_copy_values<Num> const& copy, tma_verdict& verdict) {
  tma_plan plan;
  verdict = {};
  detail::tma_planner<Num>{copy, plan, verdict}.work_out();
  return plan;
}
/// Whether a tensor copy is right, for every tile of the tensor.
template <class Num>
constexpr tma_verdict verify_tma(tma_copy_values<Num> const& copy) {
  tma_verdict verdict;
  (void)tma_plan_of(copy, verdict);
  return verdict;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
