// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Swizzle<B, M, S>`: an exclusive-or of offset bits that spreads rows over banks.
///
///     0bxxYYYxxxZZZbbb   M = number of b, B = number of Y and of Z, S = distance from Z to Y; ZZZ ^= YYY
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integral_constant.hpp>

namespace COSMATI_NAMESPACE {

/// @tparam BBits the number of bits that are mixed
/// @tparam MBase the number of lowest bits that stay
/// @tparam SShift the distance, with |SShift| >= BBits; if it is negative, the lower bits are read and the upper ones
///   change
template <int BBits, int MBase, int SShift = BBits>
struct Swizzle {
  static constexpr int num_bits = BBits;
  static constexpr int num_base = MBase;
  static constexpr int num_shft = SShift;
  static_assert(BBits >= 0, "Swizzle<B, M, S>: B, the number of bits mixed, must not be negative");
  static_assert(MBase >= 0, "Swizzle<B, M, S>: M, the number of low bits kept, must not be negative");
  static_assert((SShift < 0 ? -SShift : SShift) >= BBits,
                "Swizzle<B, M, S>: |S| must be at least B, else the bits overlap");

  using bit_msk = C<(1 << BBits) - 1>;
  using yyy_msk = C<((1 << BBits) - 1) << (MBase + (SShift > 0 ? SShift : 0))>;
  using zzz_msk = C<((1 << BBits) - 1) << (MBase - (SShift < 0 ? SShift : 0))>;
  using msk_sft = C<SShift>;
  static constexpr std::uint32_t swizzle_code = static_cast<std::uint32_t>(yyy_msk::value | zzz_msk::value);

  /// The swizzled offset. Its unit is an element, or any unit that the layout uses.
  template <class Offset>
  COSMATI_HD static constexpr auto apply(Offset const& offset) {
    if constexpr (static_integer<Offset>) {
      constexpr auto y = Offset::value & yyy_msk::value;
      return C<Offset::value ^ (SShift >= 0 ? y >> (SShift >= 0 ? SShift : 0) : y << (SShift < 0 ? -SShift : 0))>{};
    } else if constexpr (!dynamic_integer<Offset>) {  // MixedBits
      return offset ^ shiftr(offset & yyy_msk{}, msk_sft{});
    } else if constexpr (SShift >= 0) {
      return static_cast<Offset>(offset ^ ((offset & yyy_msk::value) >> SShift));
    } else {
      return static_cast<Offset>(offset ^ ((offset & yyy_msk::value) << -SShift));
    }
  }
  template <class Offset>
  COSMATI_HD constexpr auto operator()(Offset const& offset) const {
    return apply(offset);
  }
};

template <int B, int M, int S, int B2, int M2, int S2>
COSMATI_HD constexpr C<(B == B2 && M == M2 && S == S2)> operator==(Swizzle<B, M, S>, Swizzle<B2, M2, S2>) {
  return {};
}

/// The largest power of two of elements that the swizzle keeps together.
template <int B, int M, int S>
COSMATI_HD constexpr C<(1 << M)> max_alignment(Swizzle<B, M, S>) {
  return {};
}

namespace detail {
template <class T>
inline constexpr bool is_swizzle_of = false;
template <int B, int M, int S>
inline constexpr bool is_swizzle_of<Swizzle<B, M, S>> = true;
constexpr int bit_count(std::uint64_t x) {
  int n = 0;
  for (; x != 0; x &= x - 1) ++n;
  return n;
}
constexpr int lowest_bit(std::uint64_t x) {
  int n = 0;
  while ((x & 1) == 0) {
    x >>= 1;
    ++n;
  }
  return n;
}
template <std::uint64_t Y, std::uint64_t Z>
struct swizzle_from_masks {
  static_assert(bit_count(Y) == bit_count(Z), "make_swizzle<Y, Z>: both masks must have as many bits set");
  static constexpr int bits = bit_count(Y);
  static constexpr int low_y = bits == 0 ? 0 : lowest_bit(Y | (std::uint64_t{1} << 63));
  static constexpr int low_z = bits == 0 ? 0 : lowest_bit(Z | (std::uint64_t{1} << 63));
  static_assert(bits == 0 || (Y >> low_y) + 1 == std::uint64_t{1} << bits,
                "make_swizzle<Y, Z>: the bits of Y must be adjacent");
  static_assert(bits == 0 || (Z >> low_z) + 1 == std::uint64_t{1} << bits,
                "make_swizzle<Y, Z>: the bits of Z must be adjacent");
  using type = Swizzle<bits, (low_y < low_z ? low_y : low_z), low_y - low_z>;
};
}  // namespace detail

/// The swizzle that exclusive-ors the bits Y into the bits Z.
template <auto Y, auto Z>
COSMATI_HD constexpr auto make_swizzle() {
  return typename detail::swizzle_from_masks<static_cast<std::uint64_t>(Y), static_cast<std::uint64_t>(Z)>::type{};
}

/// Swizzle after swizzle, if the two mix disjoint bits by the same distance.
template <int BA, int MA, int SA, int BB, int MB, int SB>
COSMATI_HD constexpr auto composition(Swizzle<BA, MA, SA>, Swizzle<BB, MB, SB>) {
  static_assert(SA == SB, "composition of swizzles: they must shift by the same distance");
  return make_swizzle<(Swizzle<BA, MA, SA>::yyy_msk::value ^ Swizzle<BB, MB, SB>::yyy_msk::value),
                      (Swizzle<BA, MA, SA>::zzz_msk::value ^ Swizzle<BB, MB, SB>::zzz_msk::value)>();
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
