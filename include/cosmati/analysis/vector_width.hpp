// SPDX-License-Identifier: Apache-2.0
/// @file
/// The number of values that one instruction of a copy moves, and what limits it: `vector_width`, `choose_vector`.
///
/// `copy` decides by the same rules; tests/sim/copy_cost.cpp compares the two.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/layout/algebra/algebra.hpp>
#include <cosmati/layout/algebra/contiguous.hpp>
#include <cosmati/layout/any_swizzle.hpp>

namespace COSMATI_NAMESPACE {

/// The reason why a vector is not wider; or, if `vector_width::possible` is false, why the atom's vector is not
/// allowed.
enum class width_limit : std::uint8_t {
  hardware,      ///< 16 bytes are the widest access
  operation,     ///< the operation moves no more values; `number` is the count that the layouts allow
  values,        ///< a thread has no more values; `number`: the contiguous ones
  stride,        ///< value `number` of a thread is `found` elements from value 0, instead of `number`
  alignment,     ///< vectors of `number` values start only at multiples of `found` elements
  swizzle,       ///< the swizzle keeps `number` elements together
  pointer,       ///< the pointer's type proves an alignment of `number` bytes
  value_pieces,  ///< no instruction moves so many bits as vectors of such values have
};

/// The vector of a copy.
struct vector_width {
  int values = 1;        ///< the values that one instruction moves for a thread
  int bits = 0;          ///< the size of these values in bits
  bool possible = true;  ///< false: the atom moves a fixed number of values, which this layout does not allow
  width_limit limit = width_limit::hardware;
  bool at_source = true;    ///< whether the source's layout is the limit, instead of the destination's
  std::int64_t number = 0;  ///< see width_limit
  std::int64_t found = 0;
};

/// One side of a copy as `choose_vector` needs it: one thread's partition ((vector, others), rests...) -> offset.
template <class Num>
struct vector_side {
  bool in_memory = true;           ///< false for registers
  flat_tree<Num> partition;        ///< empty for a fragment with the shape of the other side's partition
  flat_tree<Num> threads;          ///< thread -> offset of its first value
  std::int64_t offset = 0;         ///< the offset before the swizzle
  AnySwizzle swizzle;              ///< swizzles offsets in elements
  AnySwizzle address_swizzle;      ///< swizzles addresses in bytes
  bool composed = false;           ///< whether the layout has a swizzle, even one that changes nothing
  std::int64_t aligned_bits = -1;  ///< the alignment that the pointer's type proves; -1: all that is needed
};

namespace detail {

constexpr std::int64_t power_of_two_in(std::int64_t x) { return x & -x; }
constexpr std::int64_t kept_together(AnySwizzle const& s) {
  return s.is_identity() ? std::int64_t{1} << 16 : std::int64_t{1} << (s.base < 16 ? s.base : 16);
}
constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

/// The number of elements that a swizzle keeps together; a large number without a swizzle.
template <class Num>
constexpr std::int64_t swizzle_run_of(vector_side<Num> const& side, int bits) {
  std::int64_t const by_address = kept_together(side.address_swizzle) * 8 / bits;
  std::int64_t const by_offset = side.composed ? kept_together(side.swizzle) : std::int64_t{1} << 16;
  return smaller(by_address > 0 ? by_address : 1, by_offset);
}

/// The properties of a layout from its first value on.
struct run_facts {
  std::int64_t run = 1;     ///< the number of contiguous values
  std::int64_t at = -1;     ///< the first value that is not contiguous; -1 if there is none
  std::int64_t offset = 0;  ///< the offset of that value
};
/// @param values the number of a thread's values in one tile; further values belong to another tile
template <class Num>
constexpr run_facts run_facts_of(flat_tree<Num> const& part, std::int64_t values) {
  run_facts r;
  r.run = algebra::contiguous_run(part);
  std::int64_t before = 1;
  for (int i = 0; i < part.leaves; ++i) {
    if (algebra::is(part.shape[i], 1)) continue;
    std::int64_t const d = algebra::known(part.stride[i], "the width of a vector");
    if (d != before) {
      if (before == values) return r;
      r.at = before;
      r.offset = d;
      return r;
    }
    before *= algebra::known(part.shape[i], "the width of a vector");
  }
  return r;
}

template <class Num>
constexpr std::int64_t values_of(vector_side<Num> const& side) {
  return algebra::known(algebra::size(side.partition, 0), "the width of a vector");
}

/// A divisor of the offsets of all vectors of `n` values, for all threads.
template <class Num>
constexpr std::int64_t alignment_of(vector_side<Num> const& side, flat_tree<Num> const& part, std::int64_t n,
                                    bool all_threads) {
  std::int64_t divisor = algebra::gcd(algebra::vector_alignment(part, n, 0), side.offset);
  for (int i = 0; i < side.threads.leaves && all_threads; ++i) {
    if (algebra::is(side.threads.shape[i], 1)) continue;
    divisor = algebra::gcd(divisor, algebra::known(side.threads.stride[i], "the alignment of a vector"));
  }
  return divisor;
}

}  // namespace detail

/// Whether the side has the `n` values of an instruction contiguous and aligned, if the memory begins aligned. `out`
/// gets the reason otherwise.
template <class Num>
constexpr bool has_vectors(vector_side<Num> const& side, bool is_source, int bits, std::int64_t n, vector_width& out) {
  if (!side.in_memory || n == 1) return true;
  out.at_source = is_source;
  detail::run_facts const run = detail::run_facts_of(side.partition, detail::values_of(side));
  std::int64_t const kept_elements = detail::swizzle_run_of(side, bits);
  std::int64_t const aligned = detail::alignment_of(side, side.partition, n, true);
  if (run.run % n != 0) {
    bool const ends = run.at < 0;
    out.limit = ends ? width_limit::values : width_limit::stride;
    out.number = run.run;
    out.found = run.offset;
  } else if (kept_elements % n != 0) {
    out.limit = width_limit::swizzle;
    out.number = kept_elements;
  } else if (aligned % n != 0) {
    out.limit = width_limit::alignment;
    out.number = n;
    out.found = aligned;
  } else {
    return true;
  }
  out.possible = false;
  return false;
}

/// Both partitions in the order in which `copy` visits them, and the widest vector that it proves.
template <class Num>
struct proved_vector_of_both {
  vector_width width;
  flat_tree<Num> src, dst;  ///< the partitions; empty for registers
};

namespace detail {

/// What the two sides of a copy allow of a vector. @tparam Num of the layouts
template <class Num>
struct vector_limits {
  vector_side<Num> const& src;
  vector_side<Num> const& dst;
  flat_tree<Num> const& src_part;  ///< in the order in which `copy` walks them
  flat_tree<Num> const& dst_part;
  std::int64_t src_kept, dst_kept;  ///< elements that a swizzle leaves side by side
  run_facts src_run, dst_run;

  /// The most values, a power of two of at most `limit`, that one access moves.
  constexpr int values(std::int64_t limit) const {
    std::int64_t const runs =
        algebra::gcd(algebra::gcd(smaller(src_run.run, src_kept), smaller(dst_run.run, dst_kept)), limit);
    std::int64_t const run = power_of_two_in(runs);
    std::int64_t const src_aligned = algebra::gcd(alignment_of(src, src_part, run, false), src_kept);
    std::int64_t const dst_aligned = algebra::gcd(alignment_of(dst, dst_part, run, false), dst_kept);
    std::int64_t const aligned = algebra::gcd(algebra::gcd(src_aligned, dst_aligned), run);
    return static_cast<int>(power_of_two_in(aligned == 0 ? run : aligned));
  }
  /// Why an access does not move `wider` values, twice as many as `w` says.
  constexpr void blame(vector_width& w, std::int64_t wider, int bits) const {
    auto const of = [&](bool source, width_limit what, std::int64_t number, std::int64_t found) {
      w.at_source = source;
      w.limit = what;
      w.number = number;
      w.found = found;
    };
    auto const of_run = [&](bool source, run_facts const& f) {
      of(source, f.at < 0 ? width_limit::values : width_limit::stride, f.run, f.offset);
    };
    if (wider * bits > 128) {
      w.limit = width_limit::hardware;
    } else if (src.in_memory && src_run.run % wider != 0) {
      of_run(true, src_run);
    } else if (dst.in_memory && dst_run.run % wider != 0) {
      of_run(false, dst_run);
    } else if (src_kept % wider != 0) {
      of(true, width_limit::swizzle, src_kept, 0);
    } else if (dst_kept % wider != 0) {
      of(false, width_limit::swizzle, dst_kept, 0);
    } else if (src.in_memory && alignment_of(src, src_part, wider, false) % wider != 0) {
      of(true, width_limit::alignment, wider, alignment_of(src, src_part, wider, false));
    } else if (dst.in_memory && alignment_of(dst, dst_part, wider, false) % wider != 0) {
      of(false, width_limit::alignment, wider, alignment_of(dst, dst_part, wider, false));
    } else if (src_run.run % wider != 0 || dst_run.run % wider != 0) {
      of_run(src_run.run % wider != 0, src_run.run % wider != 0 ? src_run : dst_run);
    } else {
      of(true, width_limit::operation, wider, 0);
    }
  }
};

/// One value at a time where the pointers' types are asked and one of them does not say that vectors are aligned.
template <class Num>
constexpr void limit_by_pointers(vector_side<Num> const& src, vector_side<Num> const& dst, int bits,
                                 std::int64_t trusted_bits, vector_width& w) {
  if (w.values == 1 || !is_bits_of_one_access(w.bits)) {
    if (w.values > 1 || w.bits % 8 != 0) w.limit = width_limit::value_pieces;
    w.values = 1;
    return;
  }
  for (int i = 0; i < 2; ++i) {
    bool const source = i == 0;
    vector_side<Num> const& side = source ? src : dst;
    std::int64_t const proved = side.aligned_bits < trusted_bits ? trusted_bits : side.aligned_bits;
    if (!side.in_memory || side.aligned_bits < 0 || proved >= w.values * bits) continue;
    if (src.in_memory && dst.in_memory) continue;  // the addresses decide, when it runs
    w.at_source = source;
    w.limit = width_limit::pointer;
    w.number = proved / 8;
    w.found = 0;
    w.values = 1;
    break;
  }
}

}  // namespace detail

/// The widest access, up to `widest_bits`, that both sides prove.
/// @param trusted_bits the alignment that addresses are assumed to have
template <class Num>
constexpr proved_vector_of_both<Num> prove_vector(vector_side<Num> const& src, vector_side<Num> const& dst, int bits,
                                                  int widest_bits, std::int64_t trusted_bits) {
  proved_vector_of_both<Num> r;
  r.src = src.partition.nodes != 0 ? src.partition : algebra::make_fragment_like(dst.partition);
  r.dst = dst.partition.nodes != 0 ? dst.partition : algebra::make_fragment_like(src.partition);
  if (!src.composed && !dst.composed) {
    std::int64_t const all = algebra::known(algebra::size(r.src), "the width of a vector");
    bool const same_run = algebra::contiguous_run(r.src) == all && algebra::contiguous_run(r.dst) == all;
    flat_tree<Num> const common = algebra::max_common_layout(r.src, r.dst);
    if (!same_run && algebra::known(algebra::size(common), "") > 1) {
      r.src = algebra::logical_divide(r.src, common);
      r.dst = algebra::logical_divide(r.dst, common);
    }
  }
  std::int64_t const values = src.in_memory ? detail::values_of(src) : detail::values_of(dst);
  detail::vector_limits<Num> const limits = {src,
                                             dst,
                                             r.src,
                                             r.dst,
                                             detail::swizzle_run_of(src, bits),
                                             detail::swizzle_run_of(dst, bits),
                                             detail::run_facts_of(r.src, values),
                                             detail::run_facts_of(r.dst, values)};
  vector_width& w = r.width;
  w.values = limits.values(widest_bits / bits > 0 ? widest_bits / bits : 1);
  w.bits = w.values * bits;
  limits.blame(w, 2 * std::int64_t{w.values}, bits);
  detail::limit_by_pointers(src, dst, bits, trusted_bits, w);
  w.bits = w.values * bits;
  return r;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
