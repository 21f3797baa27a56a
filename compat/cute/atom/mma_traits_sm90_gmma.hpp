// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warpgroup matrix instructions as atoms, with descriptors made from layouts.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/wgmma_traits.hpp>
#include <cosmati/tiled/tiled_mma.hpp>
#include <cute/arch/mma_sm90_desc.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <cute/tensor_impl.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cute/atom/mma_traits.hpp>
#include <cute/pointer_flagged.hpp>

namespace COSMATI_NAMESPACE::detail {
/// The bits of a chunk's number that a swizzle of bytes exchanges; -1: it does something else.
template <class S>
inline constexpr int exchanged_bits = chunk_swizzle_bits<1>(static_cast<S const*>(nullptr));
}  // namespace COSMATI_NAMESPACE::detail

namespace COSMATI_NAMESPACE::GMMA {

/// @name The layouts (thread, value) -> element of an instruction's operands
/// @{
/// C (64, N).
template <int N>
using CLayout_64xN = detail::wgmma_sum_layout<N>;
using CLayout_64x8 = CLayout_64xN<8>;
using CLayout_64x16 = CLayout_64xN<16>;
using CLayout_64x32 = CLayout_64xN<32>;
using CLayout_64x64 = CLayout_64xN<64>;
using CLayout_64x96 = CLayout_64xN<96>;
using CLayout_64x128 = CLayout_64xN<128>;
using CLayout_64x192 = CLayout_64xN<192>;
using CLayout_64x256 = CLayout_64xN<256>;
/// A (64, K) in registers, of elements of 32, 16 and 8 bits.
using ALayout_64x8 = detail::wgmma_register_layout<8, 1>;
using ALayout_64x16 = detail::wgmma_register_layout<16, 2>;
using ALayout_64x32 = detail::wgmma_register_layout<32, 4>;
/// The same of a sparse A of 8 bits.
using ALayout_64x64 = detail::wgmma_register_layout<64, 8>;
/// An operand (M, K) in shared memory.
template <int M, int K>
using ABLayout = detail::wgmma_shared_layout<M, K>;
/// @}

/// How the chunks of a tensor of 16-byte elements are exchanged.
template <class Engine, class Layout_>
COSMATI_HD constexpr LayoutType layout_type(Tensor<Engine, Layout_> const&) {
  static_assert(sizeof(typename Engine::value_type) == 16, "layout_type: recast the tensor to uint128_t");
  constexpr int bits = detail::exchanged_bits<get_swizzle_t<Engine>>;
  static_assert(bits >= 0, "layout_type: no warpgroup matrix instruction reads operands of this swizzle");
  return bits == 0 ? LayoutType::INTERLEAVE : static_cast<LayoutType>(4 - bits);
}

/// An iterator over descriptors, by steps of 16 bytes.
struct DescriptorIterator {
  using reference = GmmaDescriptor;
  using element_type = GmmaDescriptor;
  using value_type = GmmaDescriptor;
  GmmaDescriptor desc_;

  COSMATI_HD constexpr reference operator*() const { return desc_; }
  template <class Step>
  COSMATI_HD constexpr reference operator[](Step const& chunks) const {
    return *(*this + chunks);
  }
  template <class Step>
  COSMATI_HD constexpr DescriptorIterator operator+(Step const& chunks) const {
    return {GmmaDescriptor{desc_.desc_ + static_cast<std::uint64_t>(chunks)}};
  }
};
COSMATI_HD inline void print(DescriptorIterator const&) { printf("GMMA::DescriptorIterator"); }
template <class Sink>
COSMATI_HD void put_text(Sink& out, DescriptorIterator const&) {
  out.text("GMMA::DescriptorIterator");
}

/// The descriptor of one instruction's operand in shared memory. @param operand (MN, K), a canonical layout
template <Major major, class Engine, class Layout_>
COSMATI_HD constexpr GmmaDescriptor make_gmma_desc(Tensor<Engine, Layout_> const& operand) {
  static_assert(is_smem_v<Tensor<Engine, Layout_>> && Layout_::rank == 2,
                "make_gmma_desc: an operand is a tensor (MN, K) in shared memory; make it of make_smem_ptr(p)");
  using Extents = std::remove_cvref_t<decltype(product_each(shape(operand)))>;
  using T = std::remove_cv_t<typename Tensor<Engine, Layout_>::value_type>;
  using Values = std::remove_cvref_t<decltype(group_modes<0, 2>(operand))>;
  using Known = detail::operand_of_partition<T, major, static_cast<int>(size_v<decltype(get<0>(Extents{}))>),
                                             static_cast<int>(size_v<decltype(get<1>(Extents{}))>),
                                             decltype(operand.data()), typename Values::layout_type>;
  auto const* const first = raw_pointer_cast(operand.data()) + operand.layout()(0);
  return Known::fields | static_cast<std::uint64_t>((cast_smem_ptr_to_uint(first) & 0x3ffffu) >> 4);
}

}  // namespace COSMATI_NAMESPACE::GMMA

#include <cosmati/core/macros_end.hpp>

// CuTe's macro for the programs that use every N.
#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
#include <cute/atom/mma_traits_sm90_gmma_ext.hpp>
#endif
