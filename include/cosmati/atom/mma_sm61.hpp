// SPDX-License-Identifier: Apache-2.0
/// @file
/// Products of short vectors in one thread (sm_61 and newer): `dp4a` of four 8-bit integers, `dp2a` of two 16-bit
/// integers with two 8-bit ones.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_traits.hpp>

namespace COSMATI_NAMESPACE {

/// d = c + a0 b0 + a1 b1 + a2 b2 + a3 b3, signed. The sum wraps at 32 bits.
struct SM61_DP4A {
  using DRegisters = std::int32_t[1];
  using ARegisters = std::uint32_t[1];
  using BRegisters = std::uint32_t[1];
  using CRegisters = std::int32_t[1];
  /// Defined in arch/mma.hpp.
  COSMATI_HD static void fma(std::int32_t& d, std::uint32_t a, std::uint32_t b, std::int32_t c);
};
/// d = c + a0 b0 + a1 b1, signed. The elements of a have 16 bits. b has four elements of 8 bits, of which the lower two
/// are used.
struct SM61_DP2A {
  using DRegisters = std::int32_t[1];
  using ARegisters = std::uint32_t[1];
  using BRegisters = std::uint16_t[1];
  using CRegisters = std::int32_t[1];
  /// Defined in arch/mma.hpp.
  COSMATI_HD static void fma(std::int32_t& d, std::uint32_t a, std::uint32_t b, std::int32_t c);
};

template <>
struct MMA_Traits<SM61_DP4A> {
  using ValTypeD = std::int32_t;
  using ValTypeA = std::int8_t;
  using ValTypeB = std::int8_t;
  using ValTypeC = std::int32_t;
  using Shape_MNK = Shape<C<1>, C<1>, C<4>>;
  using ThrID = Layout<C<1>, C<0>>;
  using ALayout = Layout<Shape<C<1>, C<4>>, Stride<C<0>, C<1>>>;
  using BLayout = ALayout;
  using CLayout = Layout<Shape<C<1>, C<1>>, Stride<C<0>, C<0>>>;
};
template <>
struct MMA_Traits<SM61_DP2A> {
  using ValTypeD = std::int32_t;
  using ValTypeA = std::int16_t;
  using ValTypeB = std::int8_t;
  using ValTypeC = std::int32_t;
  using Shape_MNK = Shape<C<1>, C<1>, C<2>>;
  using ThrID = Layout<C<1>, C<0>>;
  using ALayout = Layout<Shape<C<1>, C<2>>, Stride<C<0>, C<1>>>;
  using BLayout = ALayout;
  using CLayout = Layout<Shape<C<1>, C<1>>, Stride<C<0>, C<0>>>;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
