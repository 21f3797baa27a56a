// SPDX-License-Identifier: Apache-2.0
/// @file
/// `is_injective`: whether a layout gives each offset at most once. `is_bijective`: whether it gives each offset of [0,
/// size) exactly once.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/symbolic_integer.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>

namespace COSMATI_NAMESPACE::algebra {

namespace detail {
/// The modes with more than one element, by increasing |stride|.
struct sorted_modes {
  int count = 0;
  bool empty = false;  ///< whether an extent is 0
  std::int64_t shape[max_leaves]{};
  std::int64_t stride[max_leaves]{};
};
template <class Num>
constexpr sorted_modes sort_modes(flat_tree<Num> const& layout, bool magnitudes) {
  sorted_modes m;
  for (int i = 0; i < layout.leaves; ++i) {
    if (basis_of(layout.stride[i]) != 0) bases_cannot_be_combined("is_injective");
    std::int64_t const s = known(layout.shape[i], "whether a layout is injective");
    std::int64_t d = known(layout.stride[i], "whether a layout is injective");
    if (s == 0) m.empty = true;
    if (s <= 1) continue;
    if (magnitudes && d < 0) d = -d;
    int k = m.count++;
    for (; k > 0 && d < m.stride[k - 1]; --k) {
      m.shape[k] = m.shape[k - 1];
      m.stride[k] = m.stride[k - 1];
    }
    m.shape[k] = s;
    m.stride[k] = d;
  }
  return m;
}
/// Whether differences of coordinates in the modes [0, last] can make up `sum`. If `trivial` is true, at least one of
/// them must not be 0.
constexpr bool differences_meet(sorted_modes const& m, std::int64_t const* reach, int last, std::int64_t sum,
                                bool trivial) {
  if (last < 0) return sum == 0 && !trivial;
  std::int64_t const d = m.stride[last], below = last > 0 ? reach[last - 1] : 0;
  // |sum + x * d| must be within the reach of the lower modes.
  for (std::int64_t x = 1 - m.shape[last]; x < m.shape[last]; ++x) {
    std::int64_t const rest = sum + x * d;
    if (rest > below || rest < -below) continue;
    if (differences_meet(m, reach, last - 1, rest, trivial && x == 0)) return true;
  }
  return false;
}
}  // namespace detail

/// Whether no two coordinates have the same value. Extents and strides must be known.
template <class Num>
constexpr bool is_injective(flat_tree<Num> const& layout) {
  detail::sorted_modes const m = detail::sort_modes(layout, true);
  if (m.empty) return true;
  std::int64_t reach[max_leaves]{};
  bool apart = true;
  std::int64_t reached = 0;
  for (int i = 0; i < m.count; ++i) {
    if (m.stride[i] == 0) return false;
    apart = apart && m.stride[i] > reached;
    reached += (m.shape[i] - 1) * m.stride[i];
    reach[i] = reached;
  }
  // If each stride exceeds the reach of all smaller strides, the layout is injective. Otherwise the overlapping modes
  // are searched.
  return apart || !detail::differences_meet(m, reach, m.count - 1, 0, true);
}

/// Whether the values are 0, 1, ..., size - 1 in some order. Then each stride, in increasing order, is the product of
/// the extents before it.
template <class Num>
constexpr bool is_bijective(flat_tree<Num> const& layout) {
  detail::sorted_modes const m = detail::sort_modes(layout, false);
  if (m.empty) return true;
  std::int64_t next = 1;
  for (int i = 0; i < m.count; ++i) {
    if (m.stride[i] != next) return false;
    next *= m.shape[i];
  }
  return true;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
