// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a tiled copy is right, as values: `copy_verdict`, `verify_values`.
///
/// The layouts prove it, not trials. A tile's thread-value layout must be a bijection and its tile must divide the
/// tensor. The destination's layout must be injective. Vectors must be contiguous and start at multiples of their
/// length. If a step of the proof fails, the mode at which it fails gives the counterexample.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/copy_values.hpp>

namespace COSMATI_NAMESPACE {

/// The mistakes of a copy.
enum class copy_fault : std::uint8_t {
  none,
  rank,                   ///< the tile has `number` modes, a tensor has `found`
  shapes_differ,          ///< along `mode` the source has `number` elements, the destination `found`
  tile_not_covered,       ///< the thread-value layout covers `found` of the tile's `number` elements, or one element
                          ///< twice
  beyond,                 ///< tiles of `number` elements along `mode` do not divide its `found` elements
  bounds,                 ///< the bounds are `number` along `mode`, a tensor has `found`
  written_twice,          ///< `place` and `other` have the same offset `found` in the destination
  source_vector,          ///< `number` contiguous values are needed, but value `place` is `found` elements from value 0
  destination_vector,     ///< as source_vector, for the destination
  source_alignment,       ///< vectors have `number` values; the one at `place` starts at offset `found`
  destination_alignment,  ///< as source_alignment, for the destination
};

/// One value of one thread, and its element.
struct copy_place {
  static constexpr int most_modes = detail::mode_extents::most;
  std::int64_t thread = -1;
  std::int64_t value = -1;  ///< index in the thread's partition
  int rank = 0;
  std::int64_t coordinate[most_modes] = {};
};

/// `fault == none` means that every element of the destination is written exactly once. It gets the source's element of
/// the same coordinate, inside both tensors, by aligned accesses.
struct copy_verdict {
  copy_fault fault = copy_fault::none;
  int mode = -1;
  bool at_source = false;  ///< rank, beyond, bounds: which tensor
  std::int64_t number = 0, found = 0;
  copy_place place, other;

  /// Whether there is no mistake.
  COSMATI_HD constexpr bool ok() const { return fault == copy_fault::none; }
  COSMATI_HD constexpr explicit operator bool() const { return ok(); }
};

namespace detail {

/// The coordinates, along the leaves of a bijective layout, of the element with index `index`. Those of the first
/// `leaves` leaves form one number, the others another.
struct split_index {
  std::int64_t first = 0, second = 0;
};
template <class Num>
constexpr split_index index_in(flat_tree<Num> const& layout, std::int64_t index) {
  split_index r;
  int const leaves = algebra::mode_span(layout, 0).leaf_end;
  std::int64_t weight = 1;
  for (int i = 0; i < layout.leaves; ++i) {
    std::int64_t const n = algebra::known(layout.shape[i], "");
    std::int64_t const d = algebra::known(layout.stride[i], "");
    if (i == leaves) weight = 1;
    std::int64_t const c = n == 1 || d == 0 ? 0 : index / d % n;
    (i < leaves ? r.first : r.second) += c * weight;
    weight *= n;
  }
  return r;
}

/// A tile whose modes are contiguous elements, with the tensor's extents.
template <class Num>
struct tiled_place {
  copy_values<Num> const& copy;
  mode_extents tile, whole;

  constexpr copy_place of(mode_extents const& c) const {
    copy_place p;
    p.rank = c.rank;
    std::int64_t local = 0, weight = 1, rest = 0, rest_weight = 1;
    for (int i = 0; i < c.rank; ++i) {
      p.coordinate[i] = c.extent[i];
      std::int64_t const n = tile.at(i);
      local += c.extent[i] % n * weight;
      weight *= n;
      rest += c.extent[i] / n * rest_weight;
      rest_weight *= (whole.at(i) + n - 1) / n;
    }
    split_index const tv = index_in(copy.layout_tv, local);
    p.thread = tv.first;
    p.value = tv.second + copy.values() * rest;
    return p;
  }
};

/// Two elements with the same offset, as coordinates along the leaves.
struct collision {
  int count = 0;
  std::int64_t extent[algebra::max_leaves] = {}, stride[algebra::max_leaves] = {}, reach[algebra::max_leaves] = {};
  int leaf[algebra::max_leaves] = {};
  std::int64_t difference[algebra::max_leaves] = {};

  constexpr bool search(int last, std::int64_t sum, bool trivial) {
    if (last < 0) return sum == 0 && !trivial;
    std::int64_t const below = last > 0 ? reach[last - 1] : 0;
    for (std::int64_t k = 0; k < 2 * extent[last] - 1; ++k) {  // 0, 1, -1, 2, -2, ...
      std::int64_t const x = k % 2 == 0 ? -(k / 2) : k / 2 + 1;
      std::int64_t const rest = sum + x * stride[last];
      if (rest > below || rest < -below) continue;
      difference[last] = x;
      if (search(last - 1, rest, trivial && x == 0)) return true;
    }
    return false;
  }
};
template <class Num>
constexpr bool find_collision(flat_tree<Num> const& layout, mode_extents const& within, collision& c) {
  mode_extents const whole = extents_of(layout);
  for (int i = 0; i < layout.leaves; ++i) {
    std::int64_t n = algebra::known(layout.shape[i], "");
    if (layout.leaves == whole.rank && layout.nodes == layout.leaves + 1 && within.at(i) < n) n = within.at(i);
    if (n <= 1) continue;
    std::int64_t const signed_stride = algebra::known(layout.stride[i], "");
    std::int64_t const d = signed_stride < 0 ? -signed_stride : signed_stride;
    int k = c.count++;
    for (; k > 0 && d < c.stride[k - 1]; --k) {
      c.extent[k] = c.extent[k - 1];
      c.stride[k] = c.stride[k - 1];
      c.leaf[k] = c.leaf[k - 1];
    }
    c.extent[k] = n;
    c.stride[k] = d;
    c.leaf[k] = signed_stride < 0 ? -1 - i : i;
  }
  std::int64_t reached = 0;
  bool apart = true;
  for (int i = 0; i < c.count; ++i) {
    apart = apart && c.stride[i] > reached;
    reached += (c.extent[i] - 1) * c.stride[i];
    c.reach[i] = reached;
  }
  return !apart && c.search(c.count - 1, 0, true);
}

/// The two coordinates of a collision.
template <class Num>
constexpr void coordinates_of(flat_tree<Num> const& layout, collision const& c, mode_extents& a, mode_extents& b) {
  a.rank = b.rank = layout.rank() < copy_place::most_modes ? layout.rank() : copy_place::most_modes;
  for (int m = 0; m < a.rank; ++m) {
    algebra::span_of_mode const s = algebra::mode_span(layout, m);
    std::int64_t weight = 1;
    for (int leaf = s.leaf; leaf < s.leaf_end; ++leaf) {
      for (int i = 0; i < c.count; ++i) {
        bool const negative = c.leaf[i] < 0;
        if ((negative ? -1 - c.leaf[i] : c.leaf[i]) != leaf) continue;
        std::int64_t const x = negative ? -c.difference[i] : c.difference[i];
        (x > 0 ? b : a).extent[m] += (x > 0 ? x : -x) * weight;
      }
      weight *= algebra::known(layout.shape[leaf], "");
    }
  }
}

template <class Num>
constexpr bool is_of_integers(flat_tree<Num> const& tiler) {
  for (int i = 0; i < tiler.leaves; ++i) {
    if (!algebra::is(tiler.stride[i], 1)) return false;
  }
  return true;
}

/// The place of a side's value: its coordinate, from the tile's index. @param value its index in the side's partition
template <class Num>
constexpr copy_place place_of_value(tiled_place<Num> const& at, bool is_source, std::int64_t thread,
                                    std::int64_t value) {
  flat_tree<Num> const tv = algebra::side_layout_tv(
      at.copy.tiler, algebra::thread_values(at.copy.layout_tv, at.copy.ref, at.copy.side(is_source)));
  std::int64_t const values = algebra::known(algebra::size(tv, 1), "");
  std::int64_t local = algebra::known(algebra::crd2idx(Num(thread + at.copy.threads() * (value % values)), tv), "");
  std::int64_t rest = value / values;
  copy_place p;
  p.thread = thread;
  p.value = value;
  p.rank = at.whole.rank;
  for (int i = 0; i < p.rank; ++i) {
    std::int64_t const n = at.tile.at(i), tiles = (at.whole.at(i) + n - 1) / n;
    p.coordinate[i] = local % n + n * (rest % tiles);
    local /= n;
    rest /= tiles;
  }
  return p;
}

/// The first vector that does not start at a multiple of n.
template <class Num>
constexpr bool find_misaligned(vector_side<Num> const& side, std::int64_t n, std::int64_t& thread, std::int64_t& value,
                               std::int64_t& offset) {
  thread = value = 0;
  offset = side.offset;
  if (offset % n != 0) return true;
  std::int64_t weight = 1;
  for (int i = 0; i < side.threads.leaves; ++i) {
    std::int64_t const d = algebra::known(side.threads.stride[i], "");
    thread = weight;
    offset = side.offset + d;
    if (!algebra::is(side.threads.shape[i], 1) && d % n != 0) return true;
    weight *= algebra::known(side.threads.shape[i], "");
  }
  plain_modes steps;
  plain_modes const all = plain_modes_of(side.partition);
  thread = 0;
  if (!cut_modes(all, n, steps)) return false;
  std::int64_t number = n;
  for (int i = 0; i < steps.count; ++i) {
    value = number;
    offset = side.offset + steps.stride[i];
    if (steps.stride[i] % n != 0) return true;
    number *= steps.extent[i];
  }
  return false;
}

/// Whether the threads' values name every element of the tile once; into registers also as often as there are threads
/// that need it, as warps side by side along N all load the same A.
template <class Num>
constexpr bool covers_tile(flat_tree<Num> const& layout_tv, std::int64_t tile_size, bool into_registers) {
  flat_tree<Num> const named = into_registers ? algebra::filter(layout_tv) : layout_tv;
  return algebra::known(algebra::size(named), "") == tile_size && algebra::is_bijective(named);
}

/// One copy in question, and the verdict on it. Each check returns whether it has found a fault, which `v` then holds;
/// a check supposes that those before it have found none.
template <class Num>
struct copy_checks {
  copy_values<Num> const& copy;
  tensor_values<Num> const& src;
  tensor_values<Num> const& dst;
  bool with_bounds;
  mode_extents const& bounds;
  flat_tree<Num> tile_shape;
  tiled_place<Num> at;
  mode_extents src_extents, dst_extents;  ///< of registers empty
  copy_verdict v = {};

  constexpr copy_checks(copy_values<Num> const& copy_, tensor_values<Num> const& src_, tensor_values<Num> const& dst_,
                        bool with_bounds_, mode_extents const& bounds_)
      : copy(copy_),
        src(src_),
        dst(dst_),
        with_bounds(with_bounds_),
        bounds(bounds_),
        tile_shape(algebra::tile_shape(copy_.tiler)),
        at{copy_, extents_of(tile_shape), {}},
        src_extents(src_.in_memory() ? extents_of(src_.layout) : mode_extents{}),
        dst_extents(dst_.in_memory() ? extents_of(dst_.layout) : mode_extents{}) {
    at.whole = src.in_memory() ? src_extents : dst_extents;
  }

  constexpr bool fault(copy_fault what, int mode, bool source, std::int64_t number, std::int64_t found) {
    v.fault = what;
    v.mode = mode;
    v.at_source = source;
    v.number = number;
    v.found = found;
    return true;
  }
  /// A tensor has fewer modes than the tile, or the two have different extents.
  constexpr bool shapes_differ() {
    if (src.in_memory() && src_extents.rank < at.tile.rank)
      return fault(copy_fault::rank, -1, true, at.tile.rank, src_extents.rank);
    if (dst.in_memory() && dst_extents.rank < at.tile.rank)
      return fault(copy_fault::rank, -1, false, at.tile.rank, dst_extents.rank);
    int const modes = src_extents.rank > dst_extents.rank ? src_extents.rank : dst_extents.rank;
    for (int i = 0; i < modes && src.in_memory() && dst.in_memory(); ++i) {
      if (src_extents.at(i) != dst_extents.at(i))
        return fault(copy_fault::shapes_differ, i, true, src_extents.at(i), dst_extents.at(i));
    }
    return false;
  }
  /// Some element of the tile is not copied, or one is copied twice.
  constexpr bool tile_not_covered() {
    std::int64_t const tile_size = algebra::known(algebra::size(tile_shape), "whether a copy is right");
    if (covers_tile(copy.layout_tv, tile_size, !dst.in_memory())) return false;
    return fault(copy_fault::tile_not_covered, -1, true, tile_size, copy.threads() * copy.values());
  }
  /// Some element of a tile lies outside of the tensor, or of the bounds of the call.
  constexpr bool beyond() {
    if (with_bounds) {
      for (int i = 0; i < bounds.rank; ++i) {
        if (bounds.extent[i] > at.whole.at(i))
          return fault(copy_fault::bounds, i, src.in_memory(), bounds.extent[i], at.whole.at(i));
      }
    } else if (is_of_integers(copy.tiler)) {
      for (int i = 0; i < at.tile.rank; ++i) {
        if (at.whole.at(i) % at.tile.at(i) == 0) continue;
        mode_extents c;
        c.rank = at.whole.rank;
        c.extent[i] = at.whole.at(i);
        v.place = at.of(c);
        return fault(copy_fault::beyond, i, src.in_memory(), at.tile.at(i), at.whole.at(i));
      }
    } else {
      flat_tree<Num> const compact =
          algebra::make_layout(algebra::shape((src.in_memory() ? src : dst).layout), algebra::major::left);
      flat_tree<Num> const cover = algebra::thread_fragments(compact, copy.tiler, copy.layout_tv);
      std::int64_t const covered = algebra::known(algebra::size(cover), "");
      std::int64_t const size = algebra::known(algebra::size(compact), "");
      if (covered != size || !algebra::is_bijective(cover))
        return fault(copy_fault::beyond, -1, src.in_memory(), covered, size);
    }
    return false;
  }
  /// What a thread moves at once does not lie side by side in a tensor, or not at a multiple of its length.
  constexpr bool vector_amiss(bool source) {
    tensor_values<Num> const& tensor = source ? src : dst;
    if (!tensor.in_memory()) return false;
    vector_side<Num> const side = vector_side_of(copy, tensor, source);
    std::int64_t n = copy.at_once(source);
    if (copy.operation.means == copy_means::automatic) {
      n = prove_vector(vector_side_of(copy, src, true), vector_side_of(copy, dst, false), copy.value_bits,
                       copy.operation.bits, copy.operation.trusted_bits)
              .width.values;
      // Its vectors are proved contiguous; only the threads' places can be amiss.
      std::int64_t divisor = side.offset;
      for (int i = 0; i < side.threads.leaves; ++i) {
        if (!algebra::is(side.threads.shape[i], 1))
          divisor = algebra::gcd(divisor, algebra::known(side.threads.stride[i], ""));
      }
      if (divisor % n == 0) return false;
    } else {
      vector_width width;
      if (has_vectors(side, source, copy.value_bits, n, width)) return false;
      if (width.limit != width_limit::alignment) {
        v.place = place_of_value(at, source, 0, width.number);
        return fault(source ? copy_fault::source_vector : copy_fault::destination_vector, -1, source, n, width.found);
      }
    }
    std::int64_t thread = 0, value = 0, offset = 0;
    (void)find_misaligned(side, n, thread, value, offset);
    v.place = place_of_value(at, source, thread, value);
    return fault(source ? copy_fault::source_alignment : copy_fault::destination_alignment, -1, source, n, offset);
  }
  /// Two elements of the destination have one place. A swizzle is a bijection and changes nothing about that.
  constexpr bool written_twice() {
    if (!dst.in_memory()) return false;
    collision c;
    if (!find_collision(dst.layout, with_bounds ? bounds : dst_extents, c)) return false;
    mode_extents a, b;
    coordinates_of(dst.layout, c, a, b);
    v.place = at.of(a);
    v.other = at.of(b);
    std::int64_t offset = dst.offset;
    for (int i = 0; i < c.count; ++i) {
      bool const negative = c.leaf[i] < 0;
      std::int64_t const x = negative ? -c.difference[i] : c.difference[i];
      if (x > 0) offset += x * (negative ? -c.stride[i] : c.stride[i]);
    }
    return fault(copy_fault::written_twice, -1, false, 0, dst.composed ? dst.swizzle(offset) : offset);
  }
};

}  // namespace detail

/// Whether `copy(tiled_copy, partition_S(src), partition_D(dst))` of all threads is right.
///
/// @param with_bounds whether the copy gets extents as its last argument
/// @param bounds these extents; only elements within them are copied
template <class Num>
constexpr copy_verdict verify_values(copy_values<Num> const& copy, tensor_values<Num> const& src,
                                     tensor_values<Num> const& dst, bool with_bounds = false,
                                     detail::mode_extents const& bounds = {}) {
  detail::copy_checks<Num> check(copy, src, dst, with_bounds, bounds);
  if (check.shapes_differ() || (!src.in_memory() && !dst.in_memory())) return check.v;
  (void)(check.tile_not_covered() || check.beyond() || check.vector_amiss(true) || check.vector_amiss(false) ||
         check.written_twice());
  return check.v;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
