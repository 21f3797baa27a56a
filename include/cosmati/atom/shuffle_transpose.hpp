// SPDX-License-Identifier: Apache-2.0
/// @file
/// Transposes of 2x2 values of 32 bits between two lanes of a warp, by a shuffle. Every architecture has them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/copy_instruction.hpp>
#include <cosmati/atom/copy_traits.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// Lanes l and l ^ `apart` have two registers each. The registers are the rows of a 2x2 matrix and become its columns.
template <int apart>
struct shuffle_transpose {
  static constexpr int lanes_apart = apart;
  using SRegisters = std::uint32_t[2];
  using DRegisters = std::uint32_t[2];
  static constexpr copy_instruction instruction = {"shfl.bfly", memory_space::rmem, memory_space::rmem, 32, 50};

  /// The instruction; defined in arch/shuffle_transpose.hpp.
  template <class Register>
  COSMATI_HD static void copy(std::uint32_t const& source0, std::uint32_t const& source1, Register& destination0,
                              Register& destination1);
};

}  // namespace detail

/// Between lanes 2 i and 2 i + 1.
struct SM50_Shuffle_U32_2x2Trans_XOR1 : detail::shuffle_transpose<1> {};
/// Between lanes l and l + 4, for l % 8 < 4.
struct SM50_Shuffle_U32_2x2Trans_XOR4 : detail::shuffle_transpose<4> {};

template <>
struct Copy_Traits<SM50_Shuffle_U32_2x2Trans_XOR1> {
  using ThrID = Layout<_32>;
  using SrcLayout = Layout<Shape<_32, _64>, Stride<_64, _1>>;
  using DstLayout = Layout<Shape<Shape<_2, _16>, Shape<_32, _2>>, Stride<Stride<_32, _128>, Stride<_1, _64>>>;
  using RefLayout = SrcLayout;
};
template <>
struct Copy_Traits<SM50_Shuffle_U32_2x2Trans_XOR4> {
  using ThrID = Layout<_32>;
  using SrcLayout = Layout<Shape<_32, _64>, Stride<_64, _1>>;
  using DstLayout = Layout<Shape<Shape<_4, _2, _4>, Shape<_32, _2>>, Stride<Stride<_64, _32, _512>, Stride<_1, _256>>>;
  using RefLayout = SrcLayout;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
