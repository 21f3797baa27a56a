// SPDX-License-Identifier: Apache-2.0
/// @file
/// `swizzled_offset`: an offset before a swizzle that also holds its swizzled image, so that each element costs one
/// addition.
///
/// A swizzle is linear over exclusive or. If the offsets a and b have no bit in common, the image of a + b is the
/// exclusive or of their images. A thread's offset and the offsets of its values usually have no bit in common, and the
/// types show it. The image of the thread's offset is then computed once, and a static value adds a constant.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/layout/opaque.hpp>
#include <cosmati/layout/swizzle.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The bits that x + y may have, if x has only bits of a and y only bits of b. Nothing carries if a and b are disjoint.
constexpr std::uint64_t bits_of_sum(std::uint64_t a, std::uint64_t b) {
  if ((a & b) == 0) return a | b;
  std::uint64_t const lowest = (a | b) & (0 - (a | b));
  std::uint64_t const sum = a + b;
  if (sum < a || sum >> 63 != 0) return 0 - lowest;
  std::uint64_t above = 1;
  while (above <= sum) above *= 2;
  return (above - 1) & (0 - lowest);
}
/// The bits that the multiples 0, step, ..., (extent - 1) step may have.
constexpr std::uint64_t bits_of_multiples(std::int64_t extent, std::int64_t step) {
  if (extent <= 1 || step == 0) return 0;
  if (step < 0) return ~std::uint64_t{0};
  std::uint64_t bits = 0;
  for (std::int64_t n = extent - 1, times = 1; n > 0; n /= 2, times *= 2)
    bits = bits_of_sum(bits, static_cast<std::uint64_t>(step * times));
  return bits;
}
/// The bits that an offset of a layout may have; all bits if run-time integers decide.
template <class L>
inline constexpr std::uint64_t layout_bits = [] {
  if constexpr (is_static_v<L> && is_simple<L>) {
    auto const flat = lifted<std::int64_t, L>();
    std::uint64_t bits = 0;
    for (int i = 0; i < flat.leaves; ++i) bits = bits_of_sum(bits, bits_of_multiples(flat.shape[i], flat.stride[i]));
    return bits;
  } else {
    return ~std::uint64_t{0};
  }
}();

[[noreturn]] inline void coordinate_beyond_swizzled_mode(long long offset, long long added) {
  fail(
      "a swizzled layout was asked for a coordinate beyond its modes: offsets %lld and %lld meet in one bit; index "
      "within "
      "the layout's extents, or slice the layout with a static coordinate",
      offset, added);
}

/// The bits that the image may have, if the offset has only these bits.
template <class Sw, std::uint64_t bits>
inline constexpr std::uint64_t image_bits_of = bits | [] {
  constexpr auto y = static_cast<std::uint64_t>(static_cast<unsigned>(Sw::yyy_msk::value));
  constexpr int shift = Sw::num_shft;
  return shift >= 0 ? (bits & y) >> (shift >= 0 ? shift : 0) : (bits & y) << (shift < 0 ? -shift : 0);
}();
/// The image of an offset, made opaque to nvcc. Otherwise nvcc sees that the image shares no bit with the constants
/// that follow, and merges each of them by an exclusive or of its own.
template <class Other, class T>
COSMATI_HD constexpr T apart_from_constants(T image) {
  if constexpr (static_integer<Other>)
    return image;
  else
    return opaque(image);
}
/// The bits that the swizzle reads or changes.
template <class Sw>
inline constexpr std::uint64_t mixed_bits = static_cast<std::uint64_t>(Sw::swizzle_code);

/// @tparam Sw the swizzle that follows
/// @tparam bits the bits that the offset may have
/// @tparam image_bits the bits that `image` may have
/// @tparam T an integer
template <class Sw, std::uint64_t bits, std::uint64_t image_bits, class T>
struct swizzled_offset {
  T offset;  ///< the offset before the swizzle
  T image;   ///< the swizzled offset, without `beyond`
  T beyond;  ///< later addends that are not mixed; shares no bit with the image or with the bits that the swizzle mixes

  /// The image of the sum with an offset that has none of the `bits`. The part that shares no bit with `image` is added
  /// last, so that an address can take it as an immediate.
  template <class Other>
  COSMATI_HD constexpr auto joined_image(Other const& other) const {
    using Sum = decltype(offset + plain_integer(other));
    auto const added = static_cast<Sum>(plain_integer(Sw::apply(other)));
    constexpr auto shared = static_cast<Sum>(image_bits);
    return static_cast<Sum>((static_cast<Sum>(image) ^ (added & shared)) +
                            (static_cast<Sum>(beyond) + (added & ~shared)));
  }
  /// As `joined_image`. The host also checks that the coordinates lie within their modes, as the types assume.
  template <class Other>
  COSMATI_HD constexpr auto image_with(Other const& other) const {
    auto const joined = joined_image(other);
#if !defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated() && joined != Sw::apply(offset + plain_integer(other)))
      coordinate_beyond_swizzled_mode(static_cast<long long>(offset), static_cast<long long>(plain_integer(other)));
#endif
    return joined;
  }
  /// The offset plus another that has only the bits `more`.
  template <std::uint64_t more, class Other>
  COSMATI_HD constexpr auto moved(Other const& other) const {
    using Sum = std::remove_const_t<decltype(offset + plain_integer(other))>;
    Sum const sum = offset + plain_integer(other);
    if constexpr ((bits & more) != 0) {
      return sum;
    } else {
      (void)image_with(other);
      auto const added = static_cast<Sum>(plain_integer(Sw::apply(other)));
      constexpr std::uint64_t more_image = image_bits_of<Sw, more>;
      constexpr auto mixed = static_cast<Sum>(mixed_bits<Sw>);
      if constexpr ((more_image & mixed_bits<Sw>) == 0)
        return swizzled_offset<Sw, (bits | more), image_bits, Sum>{sum, static_cast<Sum>(image),
                                                                   static_cast<Sum>(beyond + added)};
      else if constexpr (image_bits == 0)
        return swizzled_offset<Sw, (bits | more), more_image, Sum>{sum, apart_from_constants<Other>(added),
                                                                   static_cast<Sum>(beyond)};
      else
        return swizzled_offset<Sw, (bits | more), (image_bits | (more_image & mixed_bits<Sw>)), Sum>{
            sum, static_cast<Sum>(image ^ (added & mixed)), static_cast<Sum>(beyond + (added & ~mixed))};
    }
  }
};
template <class T>
inline constexpr bool is_swizzled_offset = false;
template <class Sw, std::uint64_t bits, std::uint64_t image_bits, class T>
inline constexpr bool is_swizzled_offset<swizzled_offset<Sw, bits, image_bits, T>> = true;

/// The offset as an integer, before the swizzle. By value: what holds an empty offset makes it when it is asked.
template <class O>
COSMATI_HD constexpr auto offset_before_swizzle(O const& offset) {
  if constexpr (is_swizzled_offset<O>)
    return offset.offset;
  else
    return offset;
}

/// The offset of a swizzled layout plus `other`, an integer that has only the bits `more`.
template <std::uint64_t more, class Sw, class O, class Other>
COSMATI_HD constexpr auto offset_moved(Sw const&, O const& offset, Other const& other) {
  if constexpr (is_swizzled_offset<O>) {
    return offset.template moved<more>(other);
  } else if constexpr (is_swizzle_of<Sw> && more != ~std::uint64_t{0} && static_integer<O> && dynamic_integer<Other>) {
    constexpr auto known = static_cast<std::uint64_t>(O::value);
    if constexpr (O::value >= 0 && (known & more) == 0) {
      Other const sum = static_cast<Other>(offset + other);
      return swizzled_offset<Sw, 0, 0, Other>{}.template moved<(known | more)>(sum);
    } else {
      return offset + other;
    }
  } else {
    return offset + other;
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
