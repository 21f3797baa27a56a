// SPDX-License-Identifier: Apache-2.0
/// @file
/// A swizzle whose three numbers are known only at run time, and the functions of swizzles.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/flat_tree.hpp>

namespace COSMATI_NAMESPACE {

[[noreturn]] inline void masks_make_no_swizzle(std::int64_t source, std::int64_t target) {
  throw error(
      "masks %lld and %lld make no swizzle: each must be adjacent bits, equally many, and they must not overlap",
      static_cast<long long>(source), static_cast<long long>(target));
}
[[noreturn]] inline void swizzles_cannot_be_combined(int shift, int other) {
  throw error("swizzles that shift by %d and %d places cannot be combined into one", shift, other);
}
[[noreturn]] inline void swizzle_recast_needs_a_power_of_two(std::int64_t n) {
  throw error("a swizzle can be recast by a power of two only, not by %lld", static_cast<long long>(n));
}
[[noreturn]] inline void not_a_swizzle(int bits, int base, int shift) {
  throw error("Swizzle<%d,%d,%d>: bits and base must not be negative, |shift| >= bits, and all must fit 30 bits", bits,
              base, shift);
}

/// `Swizzle<bits, base, shift>`: exclusive-ors `bits` bits of an offset with the bits `shift` places above them.
///
///     xxYYYxxxZZZbbb   base = number of b, bits = number of Y and of Z, shift = distance from Z to Y; ZZZ ^= YYY
struct AnySwizzle {
  int bits = 0;
  int base = 0;
  int shift = 0;

  constexpr AnySwizzle() = default;
  constexpr AnySwizzle(int bits_, int base_, int shift_) : bits(bits_), base(base_), shift(shift_) {
    int const distance = shift < 0 ? -shift : shift;
    if (bits < 0 || base < 0 || distance < bits || bits > 30 || base > 30 || distance > 30 ||
        bits + base + distance > 62) {
      not_a_swizzle(bits, base, shift);
    }
  }

  /// The mask of the bits that are read.
  constexpr std::int64_t source_mask() const { return mask() << (base + (shift > 0 ? shift : 0)); }
  /// The mask of the bits that change.
  constexpr std::int64_t target_mask() const { return mask() << (base - (shift < 0 ? shift : 0)); }
  constexpr std::int64_t operator()(std::int64_t offset) const {
    std::int64_t const source = offset & source_mask();
    return offset ^ (shift >= 0 ? source >> shift : source << -shift);
  }
  /// Whether the swizzle changes nothing.
  constexpr bool is_identity() const { return bits == 0; }
  friend constexpr bool operator==(AnySwizzle const&, AnySwizzle const&) = default;

 private:
  constexpr std::int64_t mask() const { return (std::int64_t{1} << bits) - 1; }
};

/// The swizzle that exclusive-ors the bits `source` into the bits `target`.
constexpr AnySwizzle make_swizzle(std::int64_t source, std::int64_t target) {
  if (source == 0 && target == 0) return {};
  auto const low_bit = [](std::int64_t mask) {
    int n = 0;
    while (((mask >> n) & 1) == 0) ++n;
    return n;
  };
  if (source <= 0 || target <= 0 || (source & target) != 0) masks_make_no_swizzle(source, target);
  int const s = low_bit(source);
  int const t = low_bit(target);
  std::int64_t const bits = source >> s;
  if ((bits & (bits + 1)) != 0 || target >> t != bits) masks_make_no_swizzle(source, target);
  return {low_bit(bits + 1), s < t ? s : t, s - t};
}

/// One swizzle after another that has the same shift. @throws if the remaining bits do not form a swizzle
constexpr AnySwizzle composition(AnySwizzle const& a, AnySwizzle const& b) {
  if (a.shift != b.shift) swizzles_cannot_be_combined(a.shift, b.shift);
  return make_swizzle(a.source_mask() ^ b.source_mask(), a.target_mask() ^ b.target_mask());
}

/// The swizzle for offsets in units of n old units. Bits below n are dropped. @pre n is a power of two
constexpr AnySwizzle upcast(AnySwizzle const& swizzle, std::int64_t n) {
  if (n <= 0 || (n & (n - 1)) != 0) swizzle_recast_needs_a_power_of_two(n);
  int log = 0;
  while ((std::int64_t{1} << log) < n) ++log;
  if (log <= swizzle.base) return {swizzle.bits, swizzle.base - log, swizzle.shift};
  int const left = swizzle.bits - (log - swizzle.base);
  return {left > 0 ? left : 0, 0, swizzle.shift};
}

/// The swizzle for offsets in units of 1/n old unit. @pre n is a power of two
constexpr AnySwizzle downcast(AnySwizzle const& swizzle, std::int64_t n) {
  if (n <= 0 || (n & (n - 1)) != 0) swizzle_recast_needs_a_power_of_two(n);
  int log = 0;
  while ((std::int64_t{1} << log) < n) ++log;
  return {swizzle.bits, swizzle.base + log, swizzle.shift};
}

/// The layout x -> swizzle(offset + x) - swizzle(offset), for each x that has no bit in common with `offset`, nor both
/// a bit that is read and the bit that changes by it: It has one stride for each bit of x, which is the effect of that
/// bit if `offset` lacks the bit. With it a slice of a swizzled layout is a plain layout.
constexpr flat_tree<symbolic_integer> linear_part(AnySwizzle const& swizzle, std::int64_t offset) {
  int const bits = swizzle.base + (swizzle.shift < 0 ? -swizzle.shift : swizzle.shift) + swizzle.bits;
  flat_tree<symbolic_integer> r;
  r.add_open(bits + 1);
  for (int i = 0; i < bits; ++i) {
    std::int64_t const bit = std::int64_t{1} << i;
    std::int64_t const below = offset & ~bit;
    r.add_leaf(2, swizzle(below | bit) - swizzle(below));
  }
  r.add_leaf(1, std::int64_t{1} << bits);
  return r;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
