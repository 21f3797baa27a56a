// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which box of a tensor one tensor copy moves, found from two layouts: of the tensor in global memory and of its tile
/// in shared memory.
///
/// A box is dense in shared memory, row after row of its first mode. The map from offsets in the shared tile to
/// coordinates of the tensor therefore begins with the box: its modes go along one mode of the tensor each, by steps of
/// one. Where the map goes back to a mode, or steps over elements, another box begins.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/tensor_map.hpp>
#include <cosmati/layout/operations.hpp>

namespace COSMATI_NAMESPACE::detail {

/// One mode of the map from shared offsets to coordinates.
struct tile_mode {
  std::int64_t extent = 1;
  std::uint32_t basis = 0;  ///< code of the tensor's mode (core/basis.hpp)
  std::int64_t step = 0;    ///< along that mode; 0: not known at compile time
};

/// The modes of a descriptor, those of the box first.
struct box_plan {
  int rank = 0;                    ///< the number of the descriptor's modes; more than five are an error
  int boxed = 0;                   ///< the number of the box's modes
  int leaf[16] = {};               ///< for each mode: the leaf of the tensor's shape that it is
  int extent[16] = {};             ///< the box's extent along each mode, in elements
  int elements = 1;                ///< the number of the box's elements
  std::int64_t tile_elements = 1;  ///< the number of elements that the map reaches
};

/// The largest extent of a descriptor's box, in elements.
inline constexpr int largest_box_extent = 256;

/// The largest divisor of `extent` that is at most `most`.
constexpr int largest_part(std::int64_t extent, int most) {
  for (int part = static_cast<int>(extent < most ? extent : most);; --part) {
    if (extent % part == 0) return part;
  }
}

/// The codes of the leaves of a shape, in order.
struct leaf_codes {
  int count = 0;
  std::uint32_t code[16] = {};
  bool is_one[16] = {};  ///< its extent is 1 by its type
};
template <int... path, class T>
constexpr void add_leaves(leaf_codes& list, T const*) {
  list.code[list.count] = basis_code<path...>();
  list.is_one[list.count] = std::is_same_v<T, C<1>>;
  ++list.count;
}
template <int... path, class... T, int... i>
constexpr void add_leaves_of_tuple(leaf_codes& list, tuple<T...> const*, seq<i...>);
template <int... path, class... T>
constexpr void add_leaves(leaf_codes& list, tuple<T...> const* t) {
  add_leaves_of_tuple<path...>(list, t, make_seq<sizeof...(T)>{});
}
template <int... path, class... T, int... i>
constexpr void add_leaves_of_tuple(leaf_codes& list, tuple<T...> const*, seq<i...>) {
  (add_leaves<path..., i>(list, static_cast<T const*>(nullptr)), ...);
}
template <class Shape_>
constexpr leaf_codes codes_of_leaves() {
  leaf_codes list;
  add_leaves(list, static_cast<Shape_ const*>(nullptr));
  return list;
}

/// @name The modes of a coalesced map, as numbers
/// @{
template <class S, class D>
constexpr tile_mode mode_of_map(S const*, D const*) {
  return {1, 0, 0};
}
template <auto extent, auto step, int... path>
constexpr tile_mode mode_of_map(C<extent> const*, ScaledBasis<C<step>, path...> const*) {
  return {static_cast<std::int64_t>(extent), basis_code<path...>(), static_cast<std::int64_t>(step)};
}
template <class Map>
struct modes_of_map;
template <class S, class D>
struct modes_of_map<Layout<S, D>> {
  static constexpr int count = 1;
  static constexpr tile_mode mode[1] = {mode_of_map(static_cast<S const*>(nullptr), static_cast<D const*>(nullptr))};
};
template <class... S, class... D>
struct modes_of_map<Layout<tuple<S...>, tuple<D...>>> {
  static constexpr int count = static_cast<int>(sizeof...(S));
  static constexpr tile_mode mode[sizeof...(S)] = {
      mode_of_map(static_cast<S const*>(nullptr), static_cast<D const*>(nullptr))...};
};
/// @}

constexpr int leaf_of_code(leaf_codes const& leaves, std::uint32_t code) {
  for (int i = 0; i < leaves.count; ++i) {
    if (leaves.code[i] == code) return i;
  }
  return -1;
}
constexpr bool is_boxed(box_plan const& plan, int leaf) {
  for (int i = 0; i < plan.rank; ++i) {
    if (plan.leaf[i] == leaf) return true;
  }
  return false;
}

/// The box of a tile. @tparam Map shared offset -> coordinate of the tensor, coalesced
/// @tparam span elements of the first mode that a box may have
template <class Shape_, class Map, int span>
constexpr box_plan plan_box() {
  constexpr leaf_codes leaves = codes_of_leaves<Shape_>();
  box_plan plan;
  bool open = true;  // the box can still grow
  for (int i = 0; i < modes_of_map<Map>::count; ++i) {
    tile_mode const mode = modes_of_map<Map>::mode[i];
    plan.tile_elements *= mode.extent;
    int const leaf = leaf_of_code(leaves, mode.basis);
    open = open && mode.step == 1 && leaf >= 0 && !is_boxed(plan, leaf) && plan.rank < tensor_map_max_rank;
    if (!open) continue;
    int const part = largest_part(mode.extent, plan.rank == 0 && span < largest_box_extent ? span : largest_box_extent);
    plan.leaf[plan.rank] = leaf;
    plan.extent[plan.rank++] = part;
    plan.elements *= part;
    open = part == mode.extent;
  }
  plan.boxed = plan.rank;
  for (int leaf = 0; leaf < leaves.count; ++leaf) {
    if (is_boxed(plan, leaf) || leaves.is_one[leaf]) continue;
    plan.leaf[plan.rank] = leaf;
    plan.extent[plan.rank++] = 1;
  }
  return plan;
}

/// The box's first part of `parts` equal ones that follow each other in shared memory: its last modes are cut.
/// @return whether there are such parts
constexpr bool cut_box(box_plan& plan, int parts) {
  for (int i = plan.boxed - 1; i >= 0 && parts > 1; --i) {
    int const cut = parts < plan.extent[i] ? parts : plan.extent[i];
    if (plan.extent[i] % cut != 0 || parts % cut != 0) return false;
    plan.extent[i] /= cut;
    plan.elements /= cut;
    parts /= cut;
  }
  return parts == 1;
}

/// The mode of the descriptor that a leaf of the tensor became; -1: none, its extent is 1.
constexpr int descriptor_mode_of(box_plan const& plan, int leaf) {
  for (int i = 0; i < plan.rank; ++i) {
    if (plan.leaf[i] == leaf) return i;
  }
  return -1;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
