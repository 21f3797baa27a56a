// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sparse warpgroup matrix instructions as MMA atoms: types, shapes, and who holds which elements and metadata.
///
/// `gemm(mma, make_zip_tensor(tCrA, tCrE), tCrB, sums)` issues the instructions whose A is in shared memory. `tCrA` are
/// descriptors of the stored A: fragments of a tiled MMA of `Op::packed_row`, whose K is half as large. `tCrE` has
/// their shape; its elements are the thread's metadata, registers of 32 bits. `wgmma_sparse` (arch/wgmma.hpp) issues
/// the instructions with A in registers.
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
  /// A descriptor and the thread's metadata.
  using FrgTypeA = std::conditional_t<from_shared, tuple<GMMA::smem_desc<Op::major_A>, std::uint32_t>, ValTypeA>;
  using FrgTypeB = GMMA::smem_desc<Op::major_B>;
  using Shape_MNK = Shape<C<64>, C<Op::N>, C<Op::K>>;
  using ThrID = Layout<_128>;
  using ALayout =
      std::conditional_t<from_shared, detail::wgmma_shared_layout<64, Op::K>, detail::wgmma_sparse_register_layout<Op>>;
  using ELayout = typename detail::metadata_layout<bits>::type;
  using BLayout = detail::wgmma_shared_layout<Op::N, Op::K>;
  using CLayout = detail::wgmma_sum_layout<Op::N>;

  /// Whether the next products are added to the sums or overwrite them: set it before `gemm`.
  GMMA::ScaleOut accumulate_ = GMMA::ScaleOut::One;

  /// The descriptors for a partition (V, N, K, ...) of B in shared memory: what `make_fragment_B` gives.
  template <class E, class L>
  COSMATI_HD static constexpr auto operand_B(Tensor<E, L> const& partition) {
    return detail::describe_operand<ValTypeB, Op::major_B, Op::N, Op::K>(partition);
  }
  /// One instruction. @param a a zipped tensor (descriptor, metadata) @pre d and c are the same registers, in order
  template <class D, class A, class B, class C_>
  COSMATI_HD void multiply(D& d, A const& a, B const& b, C_ const&) const {
    static_assert(from_shared, "gemm: it takes no sparse A in registers; issue the instruction by wgmma_sparse");
    auto const both = a(0);
    typename Op::ARegisters const held_a = {get<0>(both).bits};
    typename Op::BRegisters const held_b = {b(0).bits};
    auto& sums = *reinterpret_cast<typename Op::DRegisters*>(raw_pointer_cast(d.data()));
#if defined(COSMATI_SIMULATED)
    wgmma_sparse<Op>(sums, held_a, held_b, get<1>(both), accumulate_, nullptr, 0);
#else
    wgmma_sparse<Op>(sums, held_a, held_b, get<1>(both), accumulate_);
#endif
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
