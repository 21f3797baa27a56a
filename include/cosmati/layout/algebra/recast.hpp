// SPDX-License-Identifier: Apache-2.0
/// @file
/// Layouts in units of another size: `upcast`, `downcast`, `recast_layout`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/division.hpp>
#include <cosmati/core/algebra/modes.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void upcast_needs_strides_that_divide(std::int64_t stride, std::int64_t n) {
  throw error(
      "upcast by %lld: neither is stride %lld a multiple of it nor the reverse; the wider element would not be "
      "contiguous",
      static_cast<long long>(n), static_cast<long long>(stride));
}
[[noreturn]] inline void downcast_needs_a_mode_of_stride_1() {
  throw error(
      "downcast: no stride is 1, so that the parts of an element have no mode to join; make one mode contiguous");
}
[[noreturn]] inline void element_sizes_must_be_positive(std::int64_t old_bits, std::int64_t new_bits) {
  throw error("recast from %lld to %lld bits: both must be positive", static_cast<long long>(old_bits),
              static_cast<long long>(new_bits));
}

namespace detail {
/// Whether a mode with the known stride 1 or -1 has at least n elements. If the layout is injective too, no other
/// stride lies between -n and n, except 0.
template <class Num>
constexpr bool has_contiguous_mode(flat_tree<Num> const& f, std::int64_t n) {
  for (int i = 0; i < f.leaves; ++i) {
    if ((is(f.stride[i], 1) || is(f.stride[i], -1)) && is_known(f.shape[i]) && known(f.shape[i], "") >= n) return true;
  }
  return false;
}
/// Groups of n in a mode whose stride is a run-time integer.
template <class Num>
constexpr void upcast_at_run_time(Num& extent, Num& stride, Num const& n, bool whole_groups) {
  if (whole_groups) {
    check_at_run_time(run_time_check::whole_groups, stride, n, extent);
    stride = stride / n;
    return;
  }
  check_at_run_time(run_time_check::groups, stride, n, extent);
  Num const size = magnitude(stride);
  // If the run-time stride is 0, the quotient counts as 0.
  extent = ceil_div(extent, larger((size + (n - Num(1))) / size, Num(1)));
  stride = ceil_div(size, n) * sign_of(stride);
}
}  // namespace detail

/// Makes one element of n old ones. The mode of stride 1 gets n times fewer elements; other strides are divided by n.
///
/// A run-time stride is divided as a known one, and its extent becomes a run-time integer. There is one exception. If a
/// mode of the known stride 1 holds a whole group, the stride must be a multiple of n, because otherwise the layout
/// would not be injective. Then the extent stays, and debug builds check the stride.
template <class Num>
constexpr flat_tree<Num> upcast(flat_tree<Num> const& layout, std::int64_t n) {
  flat_tree<Num> r = layout;
  for (int i = 0; i < r.leaves; ++i) {
    Num const d = layout.stride[i];
    if (is(d, 0)) continue;
    if (!is_known(d)) {
      detail::upcast_at_run_time(r.shape[i], r.stride[i], Num(n), detail::has_contiguous_mode(layout, n));
      continue;
    }
    if (basis_of(d) != 0) bases_cannot_be_combined("upcast");
    std::int64_t const stride = known(d, "");
    std::int64_t const size = stride < 0 ? -stride : stride;
    if (n <= 0 || (size % n != 0 && n % size != 0 && !is(layout.shape[i], 1))) {
      if (!layout.note.is_read) upcast_needs_strides_that_divide(stride, n);
      r.note.write(refusal_reason::upcast_stride, stride, n);
      return r;
    }
    std::int64_t const together = (n + size - 1) / size;
    if (together != 1) r.shape[i] = ceil_div(layout.shape[i], Num(together));
    std::int64_t const wide = (size + n - 1) / n;
    r.stride[i] = Num(stride < 0 ? -wide : wide);
  }
  return r;
}

/// Makes n elements of each old one. Modes of stride 1 or -1 get n times more elements; other strides are multiplied by
/// n. A stride known only at run time counts as one of the others, which debug builds check.
template <class Num>
constexpr flat_tree<Num> downcast(flat_tree<Num> const& layout, std::int64_t n) {
  flat_tree<Num> r = layout;
  bool contiguous = false;
  for (int i = 0; i < r.leaves; ++i) {
    Num const& d = layout.stride[i];
    contiguous = contiguous || is(d, 1);
    if (is(d, 1) || is(d, -1)) {
      r.shape[i] = layout.shape[i] * Num(n);
    } else {
      if (!is_known(d)) detail::check_at_run_time(run_time_check::parts, d, Num(n), layout.shape[i]);
      r.stride[i] = d * Num(n);
    }
  }
  if (!contiguous) {
    if (!layout.note.is_read) downcast_needs_a_mode_of_stride_1();
    r.note.write(refusal_reason::no_contiguous_mode, n, layout.leaves);
  }
  return r;
}

/// Converts a layout of elements of `old_bits` to a layout of elements of `new_bits`.
template <class Num>
constexpr flat_tree<Num> recast_layout(flat_tree<Num> const& layout, std::int64_t old_bits, std::int64_t new_bits) {
  if (old_bits <= 0 || new_bits <= 0) element_sizes_must_be_positive(old_bits, new_bits);
  std::int64_t const g = gcd(old_bits, new_bits);
  std::int64_t const up = new_bits / g, down = old_bits / g;
  if (up == 1) return down == 1 ? layout : downcast(layout, down);
  if (down == 1) return upcast(layout, up);
  return downcast(upcast(layout, up), down);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
