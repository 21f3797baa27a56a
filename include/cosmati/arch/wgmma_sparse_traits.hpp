// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of sparse warpgroup matrix instructions: types, shapes, and who holds which elements and metadata.
///
/// `wgmma_sparse` (arch/wgmma.hpp) issues the instructions. `gemm` does not take their operands.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/wgmma_traits.hpp>
#include <cosmati/atom/wgmma_sparse_instruction.hpp>
#include <cosmati/core/sparse_element.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// The layout from (thread, element that its metadata concern) to element (m, k) of A, m + 64 k.
template <int bits>
struct metadata_layout {  // of 16
  using type =
      Layout<Shape<Shape<_2, _2, _8, _4>, Shape<_16, _2>>, Stride<Stride<C<64 * 16>, _0, _1, _16>, Stride<_64, _8>>>;
};
template <>
struct metadata_layout<32> {
  using type =
      Layout<Shape<Shape<_2, _2, _8, _4>, Shape<_8, _2>>, Stride<Stride<C<64 * 8>, _0, _1, _16>, Stride<_64, _8>>>;
};
template <>
struct metadata_layout<8> {
  using type = Layout<Shape<Shape<_2, _2, _8, _4>, Shape<_32>>, Stride<Stride<_8, C<64 * 32>, _1, _16>, Stride<_64>>>;
};

/// A (64, K) in registers, whose stored elements stand for two each.
template <class Op, int each = 4 / static_cast<int>(sizeof(typename Op::ValTypeA))>
using wgmma_sparse_register_layout = wgmma_register_layout<Op::K, 2 * each>;

}  // namespace detail

template <detail::wgmma_sparse_operation Op>
struct MMA_Traits<Op> {
  static constexpr bool from_shared = Op::source_of_A == detail::wgmma_source::shared;
  static constexpr int bits = static_cast<int>(sizeof_bits_v<typename Op::ValTypeA>);
  using ValTypeD = typename Op::ValTypeD;
  using ValTypeA = sparse_elem<2, typename Op::ValTypeA>;
  /// A byte of metadata, which concerns eight elements, of tf32 four.
  using ValTypeE = sparse_elem<bits == 32 ? 4 : 8, std::uint8_t>;
  using ValTypeB = typename Op::ValTypeB;
  using ValTypeC = typename Op::ValTypeC;
  using FrgTypeA = std::conditional_t<from_shared, GMMA::smem_desc<Op::major_A>, ValTypeA>;
  using FrgTypeB = GMMA::smem_desc<Op::major_B>;
  using Shape_MNK = Shape<C<64>, C<Op::N>, C<Op::K>>;
  using ThrID = Layout<_128>;
  using ALayout =
      std::conditional_t<from_shared, detail::wgmma_shared_layout<64, Op::K>, detail::wgmma_sparse_register_layout<Op>>;
  using ELayout = typename detail::metadata_layout<bits>::type;
  using BLayout = detail::wgmma_shared_layout<Op::N, Op::K>;
  using CLayout = detail::wgmma_sum_layout<Op::N>;

  /// Whether the next products are added to the sums or overwrite them.
  GMMA::ScaleOut accumulate_ = GMMA::ScaleOut::One;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
