// SPDX-License-Identifier: Apache-2.0
/// @file
/// Checks of the assumptions that an operation made about run-time integers. They run when the integers are known, in
/// debug builds (without `NDEBUG`) and on the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/evaluate.hpp>
#include <cosmati/layout/algebra/composition_law.hpp>

namespace COSMATI_NAMESPACE::detail {

#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
inline constexpr bool run_time_integers_are_checked = true;
#else
inline constexpr bool run_time_integers_are_checked = false;
#endif

COSMATI_HD inline void fail_composition(algebra::law_verdict const& v) {
  long long const a = v.first, b = v.second;
  switch (v.why) {
    case algebra::law_break::none:
      return;
    case algebra::law_break::stride_and_extent:
      return fail(
          "composition, divide, product: at run time a right stride leaves %lld to step over a left mode of extent "
          "%lld, and neither is a multiple of the other; choose a tile whose strides divide that extent",
          a, b);
    case algebra::law_break::elements_and_extent:
      return fail(
          "composition, divide, product: at run time %lld elements of a right mode remain where a left mode offers "
          "%lld, which does not divide them; choose a tile of a multiple of %lld elements",
          a, b, b);
    case algebra::law_break::carry:
      return fail(
          "composition, divide, product: at run time the right modes add up to %lld in a left mode of extent %lld and "
          "carry into the next, so that no strides give left(right(i)); choose right modes that add up to less",
          a, b);
    case algebra::law_break::directions:
      return fail(
          "composition, divide, product: at run time right strides run both ways (%lld and %lld) through several left "
          "modes, so that no strides give left(right(i)); let them have one sign",
          a, b);
    case algebra::law_break::rounding:
      return fail(
          "logical_divide: at run time, of modes of %lld elements, each of which continues the one before, tiles cover "
          "%lld; divide a layout of one mode, choose a tile that divides %lld, or take zipped_divide, which rounds up",
          a, b, a);
  }
}
/// @param v the operands: shape and stride of each mode, the left modes first
/// @tparam modes at least the number of modes
template <int modes>
COSMATI_HD constexpr void check_composition(run_time_check const& check, std::int64_t const* v) {
  std::int64_t shape[std::size_t{modes}]{}, stride[std::size_t{modes}]{};
  for (int i = 0; i < check.left + check.right + check.rests; ++i) {
    shape[i] = v[2 * i];
    stride[i] = v[2 * i + 1];
  }
  int const right = check.left, rests = right + check.right;  // NOLINT(bugprone-signed-char-misuse)
  algebra::law_verdict const verdict =
      algebra::composition_verdict<modes>({shape, stride, check.left}, {shape + right, stride + right, check.right},
                                          {shape + rests, stride + rests, check.rests});
  if (verdict.why == algebra::law_break::rounding && check.may_round_up) return;
  if (verdict.why != algebra::law_break::none) fail_composition(verdict);
}
COSMATI_HD constexpr void check_integers(run_time_check const& check, long long a, long long b, long long extent) {
  long long const size = a < 0 ? -a : a;
  if (extent <= 1) return;
  switch (check.what) {
    case run_time_check::groups:
      if (size != 0 && size % b != 0 && b % size != 0)
        fail(
            "upcast, recast: at run time no groups of %lld elements can be made of a mode of stride %lld, since "
            "neither "
            "is a multiple of the other",
            b, a);
      return;
    case run_time_check::whole_groups:
      if (size % b != 0)
        fail(
            "upcast, recast: at run time groups of %lld elements meet a stride of %lld beside a mode of stride 1 that "
            "holds whole groups; the stride must be a multiple of %lld",
            b, a, b);
      return;
    case run_time_check::parts:
      if (size == 1)
        fail(
            "downcast, recast: at run time a mode of %lld elements has stride %lld beside a mode of stride 1, so that "
            "the %lld parts of an element would lie in both; make that stride static (Int<N>{})",
            extent, a, b);
      return;
    case run_time_check::tiles:
      if (b == 0 || a % b != 0)
        fail(
            "tile_to_shape: at run time a mode of the block has %lld elements, which does not divide the target's %lld",
            b, a);
      return;
    case run_time_check::reach:
      if (a < b)
        fail(
            "complement, left_inverse, divide, product: at run time a mode of stride %lld begins below %lld, where the "
            "modes before "
            "it end; the layout must be injective",
            a, b);
      return;
    case run_time_check::composition:
      return;
  }
}

template <class Op, int operand, class... A>
COSMATI_HD constexpr std::int64_t value_of_operand(A const&... a) {
  constexpr auto x = Op::value.list.operand[operand];
  if constexpr (x.node < 0)
    return x.value;
  else
    return static_cast<std::int64_t>(compute<Op, x.node>(a...));
}
template <class Op, int i, class... A>
COSMATI_HD constexpr void look_at_check(A const&... a) {
  constexpr run_time_check check = Op::value.list.check[i];
  if constexpr (check.what == run_time_check::composition) {
    constexpr int modes = check.left + check.right + check.rests;
    [&]<int... k>(std::integer_sequence<int, k...>) {
      std::int64_t const values[] = {value_of_operand<Op, check.first + k>(a...)...};
      check_composition<modes>(check, values);
    }
    (std::make_integer_sequence<int, 2 * modes>{});
  } else {
    check_integers(check, value_of_operand<Op, check.first>(a...), value_of_operand<Op, check.first + 1>(a...),
                   value_of_operand<Op, check.first + 2>(a...));
  }
}
/// Checks all assumptions of Op.
template <class Op, class... A>
COSMATI_HD constexpr void look_at_checks(A const&... a) {
  if constexpr (run_time_integers_are_checked && Op::is_recorded) {
    if constexpr (Op::value.list.check_count != 0) {
      [&]<int... i>(std::integer_sequence<int, i...>) { (look_at_check<Op, i>(a...), ...); }
      (std::make_integer_sequence<int, Op::value.list.check_count>{});
    }
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
