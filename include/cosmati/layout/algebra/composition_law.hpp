// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a composition that was computed mode by mode equals the left layout after the right one:
/// `composition_verdict`.
///
/// A composition is computed separately for each mode of the right layout b, and the results are added up. The sum is
/// a(b(c)) for all coordinates c only if the modes of b do not interact in the left layout a. This is the proof of the
/// rule.
///
/// Let a have the extents s_j and the strides d_j, with modes merged where d_(j+1) == s_j * d_j. Then a(x) is the sum
/// of digit_j(x) * d_j. The digits are those of x in the mixed radix s_0, s_1, ...; the last digit has no bound. The
/// composition splits a mode n:t of b into parts. Each part moves one digit of x by equal steps.
///
/// 1. The split is exact if each part fills its digit: s_j / step steps fit. If the step does not divide s_j and the
///    mode continues beyond that digit, the next part begins `excess` too far. It is right only if d_j is 0 and the
///    excess of all parts stays within the digit.
/// 2. Each part has a coordinate of its own, so every sum of the parts occurs. Let `sum_j` be the largest sum that the
///    parts add to digit j. If each sum_j < s_j, no digit carries, and the law holds. Otherwise take the lowest digit
///    that carries, and parts of that digit alone whose sum just reaches s_j. They carry 1, and the result differs from
///    a(b(c)) by d_(j+1) - s_j * d_j. The difference is not 0 after merging, so the law is broken. The rule is
///    therefore exact.
/// 3. With negative strides of b the digits are those of truncating division: a(-x) == -a(x). Parts of both signs are
///    right if they move one digit only, and their sums stay within s_j in either direction. In several digits they
///    borrow, and the differences of several borrows may cancel out. In this case, and for the excess of item 1 in a
///    digit with d_j == 0, the law is tried at each coordinate. A domain that is too large to be tried is refused.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/overflow.hpp>

namespace COSMATI_NAMESPACE::algebra {

/// The reasons why strides cannot express a composition. The comments name the two numbers of a verdict.
enum class law_break : std::uint8_t {
  none,
  stride_and_extent,    ///< a step and an extent; neither divides the other
  elements_and_extent,  ///< the remaining elements, and the elements that a mode offers
  carry,                ///< the largest sum in a mode, and the mode's extent
  directions,           ///< a positive and a negative stride that borrow from each other
  rounding              ///< the elements of modes that continue each other, and the elements that the tiles cover
};
/// The reason with its two numbers, and the mode of the left layout where it was found.
struct law_verdict {
  law_break why = law_break::none;
  std::int64_t first = 0, second = 0;
  int place = 0;
};
/// Extents and strides without nesting.
struct mode_arrays {
  std::int64_t const* shape;
  std::int64_t const* stride;
  int count;
};

namespace detail {
/// The number of values that may be tried if no rule decides. Constant evaluation has a lower limit of steps.
COSMATI_HD constexpr std::int64_t tries() { return __builtin_is_constant_evaluated() ? 1 << 13 : 1 << 22; }

COSMATI_HD constexpr bool goes_on(std::int64_t shape, std::int64_t stride, std::int64_t next) {
  return COSMATI_NAMESPACE::detail::product_fits(shape, stride) && shape * stride == next;
}

/// The sums that the modes of the right layout add to the digits of the left one.
template <int capacity>
struct digit_sums {
  mode_arrays left;
  law_verdict broken{};
  bool is_to_be_tried = false;
  bool goes_on_somewhere = false;  ///< whether two modes of the left layout would have merged if their integers had
                                   ///< been known
  std::int64_t extent[std::size_t{capacity}];  ///< the left extents, rounded up where tiles round them up
  std::int64_t up[std::size_t{capacity}];      ///< the largest sum of the parts with positive strides
  std::int64_t down[std::size_t{capacity}];    ///< the largest sum of the parts with negative strides
  std::int64_t positive = 0, negative = 0;

  COSMATI_HD constexpr explicit digit_sums(mode_arrays const& l) : left(l) {
    for (int i = 0; i < l.count; ++i) {
      extent[i] = l.shape[i];
      up[i] = 0;
      down[i] = 0;
    }
  }
  COSMATI_HD constexpr void refuse(law_break why, std::int64_t first, std::int64_t second, int place) {
    if (broken.why == law_break::none) broken = {why, first, second, place};
  }
  /// Adds the parts of the mode n:t. @param rounds_up whether the mode counts tiles; then a digit that its step does
  /// not divide is padded
  COSMATI_HD constexpr void add(std::int64_t n, std::int64_t t, bool rounds_up) {
    if (n <= 1 || t == 0) return;
    std::int64_t* const sum = t < 0 ? down : up;
    (t < 0 ? negative : positive) = t;
    std::int64_t step = t < 0 ? -t : t;
    for (int i = 0; i + 1 < left.count; ++i) {
      std::int64_t const s = left.shape[i];
      if (s <= 0) return;  // the layout has no coordinates
      if (step >= s) {
        if (step % s != 0) return refuse(law_break::stride_and_extent, step, s, i);
        step /= s;
        continue;
      }
      std::int64_t const fit = (s + step - 1) / step;
      std::int64_t const taken = fit < n ? fit : n;
      if (n % taken != 0) return refuse(law_break::elements_and_extent, n, taken, i);
      sum[i] += (taken - 1) * step;
      n /= taken;
      if (n == 1) return;
      std::int64_t const excess = fit * step - s;
      if (excess != 0 && rounds_up) {
        extent[i] = fit * step;
      } else if (excess != 0) {
        if (left.stride[i] != 0) return refuse(law_break::stride_and_extent, step, s, i);
        sum[i] += (n - 1) * excess;
        is_to_be_tried = true;
      }
      step = 1;
    }
    sum[left.count - 1] += 1;
  }
  /// Compares the sums with the extents. Modes that continue each other count as one.
  COSMATI_HD constexpr void compare() {
    std::int64_t size = 1, above = 0, below = 0;
    int before = -1, moved = 0;
    for (int i = 0; i < left.count; ++i) {
      bool const last = i + 1 == left.count;
      if (!last && left.shape[i] == 1) continue;
      if (before >= 0 && !goes_on(left.shape[before], left.stride[before], left.stride[i])) {
        if (above >= size || below >= size) refuse(law_break::carry, above > below ? above : below, size, before);
        moved += above > 0 || below > 0;
        size = 1;
        above = 0;
        below = 0;
      } else if (before >= 0) {
        goes_on_somewhere = true;
        if (extent[before] != left.shape[before])
          refuse(law_break::rounding, left.shape[before], extent[before], before);
      }
      above += size * up[i];
      below += size * down[i];
      if (!last) size *= extent[i];
      before = i;
    }
    moved += above > 0 || below > 0;
    if (positive == 0 || negative == 0 || moved < 2 || broken.why != law_break::none) return;
    is_to_be_tried = true;
    refuse(law_break::directions, positive, negative, before);
  }
};

/// The number of coordinates.
COSMATI_HD constexpr std::int64_t elements(mode_arrays const& m) {
  std::int64_t product = 1;
  for (int i = 0; i < m.count; ++i) product *= m.shape[i];
  return product;
}
/// The number of distinct offsets, assuming that modes of stride 0 only repeat them.
COSMATI_HD constexpr std::int64_t places(mode_arrays const& m) {
  std::int64_t product = 1;
  for (int i = 0; i < m.count; ++i)
    if (m.stride[i] != 0) product *= m.shape[i];
  return product;
}
/// The left layout at x. Its last mode continues beyond its extent.
COSMATI_HD constexpr std::int64_t value_at(mode_arrays const& a, std::int64_t x) {
  std::int64_t sum = 0;
  for (int i = 0; i + 1 < a.count && a.shape[i] != 0; ++i) {
    sum += x % a.shape[i] * a.stride[i];
    x /= a.shape[i];
  }
  return sum + x * a.stride[a.count - 1];
}
/// The value at c of the composition of `a` and the mode n:t, as the algebra computes it.
COSMATI_HD constexpr std::int64_t value_of_mode(mode_arrays const& a, std::int64_t n, std::int64_t t, std::int64_t c) {
  std::int64_t step = t < 0 ? -t : t, sum = 0;
  std::int64_t const sign = t < 0 ? -1 : 1;
  for (int i = 0; i + 1 < a.count && a.shape[i] != 0; ++i) {
    std::int64_t const s = a.shape[i], fit = step < s ? (s + step - 1) / step : 1;
    std::int64_t const taken = fit < n ? fit : n;
    sum += c % taken * step * a.stride[i];
    c /= taken;
    n /= taken;
    step = (step + s - 1) / s;
  }
  return sign * (sum + c * step * a.stride[a.count - 1]);
}
/// Whether the law holds at each coordinate of b; false if there are too many coordinates.
COSMATI_HD constexpr bool holds_everywhere(mode_arrays const& a, mode_arrays const& b) {
  std::int64_t size = 1;
  std::int64_t const most = tries() / ((a.count + 1) * (b.count + 1));
  for (int k = 0; k < b.count; ++k) {
    if (b.shape[k] > most) return false;
    size *= b.shape[k];
    if (size > most) return false;
  }
  for (std::int64_t i = 0; i < size; ++i) {
    std::int64_t at = i, x = 0, sum = 0;
    for (int k = 0; k < b.count; ++k) {
      std::int64_t const c = at % b.shape[k];
      at /= b.shape[k];
      x += c * b.stride[k];
      if (b.stride[k] != 0) sum += value_of_mode(a, b.shape[k], b.stride[k], c);
    }
    if (value_at(a, x) != sum) return false;
  }
  return true;
}
}  // namespace detail

/// Whether `left` after `right`, computed mode by mode, is left(right(c)) for each coordinate c of `right`.
///
/// `rests` are further modes of the right layout, which count tiles. If their step does not divide a left extent, that
/// extent is rounded up, as divides do. Left modes that would have merged if their integers had been known are not
/// rounded up; the tiles must cover all of them.
/// @tparam capacity at least left.count
template <int capacity>
COSMATI_HD constexpr law_verdict composition_verdict(mode_arrays const& left, mode_arrays const& right,
                                                     mode_arrays const& rests) {
  if (left.count < 2) return {};
  detail::digit_sums<capacity> sums(left);
  for (int i = 0; i < right.count; ++i) sums.add(right.shape[i], right.stride[i], false);
  if (rests.count != 0) sums.compare();  // the right modes alone pad nothing
  for (int i = 0; i < rests.count; ++i) sums.add(rests.shape[i], rests.stride[i], true);
  if (sums.broken.why != law_break::none) return sums.broken;
  sums.compare();
  if (rests.count != 0 && sums.goes_on_somewhere) {
    std::int64_t const all = detail::elements(left), covered = detail::places(right) * detail::places(rests);
    if (covered < all) sums.refuse(law_break::rounding, all, covered, 0);
  }
  if (sums.is_to_be_tried && sums.broken.why != law_break::none && rests.count == 0 &&
      detail::holds_everywhere(left, right)) {
    return {};
  }
  return sums.broken;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
