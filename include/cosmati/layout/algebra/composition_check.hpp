// SPDX-License-Identifier: Apache-2.0
/// @file
/// The law of compositions (composition_law.hpp) on the numbers of the algebra. A composition that breaks the law is
/// refused. A condition on run-time integers is recorded, and checked when the integers are known.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/flat_tree.hpp>
#include <cosmati/layout/algebra/composition_law.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void stride_and_extent_do_not_divide(std::int64_t stride, std::int64_t extent) {
  throw error(
      "composition: the right layout's stride leaves %lld to step over a mode of extent %lld of the left layout, and "
      "neither is a multiple of the other; choose a tile whose strides divide that extent",
      static_cast<long long>(stride), static_cast<long long>(extent));
}
[[noreturn]] inline void extent_does_not_divide_what_is_left(std::int64_t left, std::int64_t extent) {
  throw error(
      "composition: %lld elements of a right mode remain, and a left mode that offers %lld of them does not divide "
      "that number; choose a tile of a multiple of %lld elements",
      static_cast<long long>(left), static_cast<long long>(extent), static_cast<long long>(extent));
}
[[noreturn]] inline void modes_carry_into_the_next(std::int64_t sum, std::int64_t extent) {
  throw error(
      "composition: the right layout's modes add up to %lld in a mode of extent %lld of the left layout and carry into "
      "its next mode, so that no strides give left(right(i)); choose right modes that add up to less than %lld there",
      static_cast<long long>(sum), static_cast<long long>(extent), static_cast<long long>(extent));
}
[[noreturn]] inline void strides_borrow_from_each_other(std::int64_t positive, std::int64_t negative) {
  throw error(
      "composition: strides of the right layout run both ways (%lld and %lld) through several modes of the left "
      "layout, "
      "so that no strides give left(right(i)); let them have one sign",
      static_cast<long long>(positive), static_cast<long long>(negative));
}

[[noreturn]] inline void tiles_do_not_divide_modes_that_go_on(std::int64_t extent, std::int64_t rounded) {
  throw error(
      "divide: of modes of %lld elements, each of which continues the one before, tiles cover %lld; make their "
      "integers "
      "static or coalesce the layout, or choose a tile that divides %lld",
      static_cast<long long>(extent), static_cast<long long>(rounded), static_cast<long long>(extent));
}

namespace detail {
/// Refuses a composition that breaks the law: throws, or notes the reason.
constexpr void refuse_composition(refusal_note& note, law_verdict const& v) {
  switch (v.why) {
    case law_break::none:
      return;
    case law_break::stride_and_extent:
      if (!note.is_read) stride_and_extent_do_not_divide(v.first, v.second);
      return note.write(refusal_reason::stride_and_extent, v.first, v.second);
    case law_break::elements_and_extent:
      if (!note.is_read) extent_does_not_divide_what_is_left(v.first, v.second);
      return note.write(refusal_reason::elements_and_extent, v.first, v.second);
    case law_break::carry:
      if (!note.is_read) modes_carry_into_the_next(v.first, v.second);
      return note.write(refusal_reason::modes_carry, v.first, v.second);
    case law_break::directions:
      if (!note.is_read) strides_borrow_from_each_other(v.first, v.second);
      return note.write(refusal_reason::strides_run_both_ways, v.first, v.second);
    case law_break::rounding:
      if (!note.is_read) tiles_do_not_divide_modes_that_go_on(v.first, v.second);
      return note.write(refusal_reason::tiles_round_up, v.first, v.second);
  }
}

/// A range of modes.
template <class Num>
struct mode_range {
  Num const* shape = nullptr;
  Num const* stride = nullptr;
  int count = 0;
};

constexpr void check_composition(refusal_note& note, mode_range<std::int64_t> const& left,
                                 mode_range<std::int64_t> const& right, mode_range<std::int64_t> const& rests = {},
                                 [[maybe_unused]] bool may_round_up = false) {
  if (left.count < 2 || note.why != refusal_reason::none) return;
  law_verdict const v = composition_verdict<capacity_of<std::int64_t>>({left.shape, left.stride, left.count},
                                                                       {right.shape, right.stride, right.count},
                                                                       {rests.shape, rests.stride, rests.count});
  if (v.why != law_break::none) refuse_composition(note, v);
}

/// The known modes, as integers.
struct known_modes {
  std::int64_t shape[max_leaves]{}, stride[max_leaves]{};
  int count = 0;
  bool all = true;
  expression_list* list = nullptr;  ///< the list of the run-time integers among them
  constexpr void look_at(symbolic_integer const& x) {
    if (!is_known(x)) list = x.list;
  }
  constexpr mode_arrays arrays() const { return {shape, stride, count}; }
};
/// The modes of the right layout. Those with a run-time extent or stride are left out.
constexpr known_modes known_right_modes(mode_range<symbolic_integer> const& m) {
  known_modes r;
  for (int i = 0; i < m.count; ++i) {
    if (is(m.shape[i], 1) || is_zero(m.stride[i])) continue;
    if (is_known(m.shape[i]) && is_known(m.stride[i])) {
      r.shape[r.count] = m.shape[i].value;
      r.stride[r.count++] = m.stride[i].value;
      continue;
    }
    r.all = false;
    r.look_at(m.shape[i]);
    r.look_at(m.stride[i]);
  }
  return r;
}
/// A stride that does not follow from the extents and strides before it.
inline constexpr std::int64_t unknown_stride = INT64_MAX;
/// The modes of the left layout. The extent of the last mode does not matter. `all` says whether the other extents are
/// known.
constexpr known_modes known_left_modes(mode_range<symbolic_integer> const& m) {
  known_modes r;
  r.count = m.count;
  for (int i = 0; i < m.count; ++i) {
    bool const last = i + 1 == m.count;
    r.shape[i] = is_known(m.shape[i]) ? m.shape[i].value : 1;
    r.stride[i] = is_known(m.stride[i]) ? m.stride[i].value : unknown_stride;
    if (!last && !is_known(m.shape[i])) r.all = false;
    r.look_at(m.shape[i]);
    r.look_at(m.stride[i]);
  }
  return r;
}
/// The largest distance that the modes reach, in either direction.
constexpr std::int64_t farthest(known_modes const& m) {
  std::int64_t sum = 0;
  for (int i = 0; i < m.count; ++i) sum += (m.shape[i] - 1) * magnitude(m.stride[i]);
  return sum;
}
/// If nothing reaches beyond the known leading extents, the first run-time extent becomes the last one, which has no
/// bound.
constexpr void cut_behind_known_extents(known_modes& a, mode_range<symbolic_integer> const& left, std::int64_t reach) {
  std::int64_t covered = 1;
  for (int i = 0; i < a.count; ++i) {
    if (!is_known(left.shape[i])) {
      a.all = reach < covered;
      if (a.all) a.count = i + 1;
      return;
    }
    if (covered <= reach) covered *= a.shape[i];
  }
}
constexpr void add_operands(expression_list& list, mode_range<symbolic_integer> const& m) {
  for (int i = 0; i < m.count; ++i) {
    add_operand(list, m.shape[i]);
    add_operand(list, m.stride[i]);
  }
}

/// @param may_round_up whether modes that turn out to continue in the next may be padded, as those of a ragged tensor
///   are
constexpr void check_composition(refusal_note& note, mode_range<symbolic_integer> const& left,
                                 mode_range<symbolic_integer> const& right,
                                 mode_range<symbolic_integer> const& rests = {}, bool may_round_up = false) {
  if (left.count < 2 || note.why != refusal_reason::none) return;
  known_modes a = known_left_modes(left);
  known_modes const b = known_right_modes(right), c = known_right_modes(rests);
  if (!a.all) cut_behind_known_extents(a, left, farthest(b) + farthest(c));
  if (a.all) {
    law_verdict const v = composition_verdict<max_leaves>(a.arrays(), b.arrays(), c.arrays());
    bool const strides_known =
        a.stride[v.place] != unknown_stride && (v.place + 1 == a.count || a.stride[v.place + 1] != unknown_stride);
    bool const exact = v.why != law_break::directions || a.list == nullptr;
    // If tiles round modes up, the verdict is final only if all left integers are known, because a mode may continue in
    // the next.
    if (v.why == law_break::none && b.all && c.all && (rests.count == 0 || a.list == nullptr)) return;
    // Further modes cannot mend a law that the known modes break.
    if (v.why != law_break::none && strides_known && exact) return refuse_composition(note, v);
  }
  note.is_open = true;
  expression_list* const list = a.list ? a.list : b.list ? b.list : c.list;
  int const operands = 2 * (left.count + right.count + rests.count);
  if (list == nullptr || note.is_trial || !list->has_room(operands)) return;
  list->check[list->check_count++] = {run_time_check::composition,
                                      static_cast<std::int8_t>(left.count),
                                      static_cast<std::int8_t>(right.count),
                                      static_cast<std::int8_t>(rests.count),
                                      list->operand_count,
                                      may_round_up};
  add_operands(*list, left);
  add_operands(*list, right);
  add_operands(*list, rests);
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
