// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of sparse warpgroup matrix instructions: types, shapes, and who holds which elements and metadata.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/wgmma_sparse_traits.hpp>
#include <cute/arch/mma_sm90_gmma_sparse.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/pointer_flagged.hpp>

#include <cosmati/core/macros_begin.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A tile of stored elements, of which one stands for `sparsity` of the matrix. @tparam Tile that of a dense operand
template <class Tile, class T, int sparsity, int exchanged>
using wgmma_sparse_tile =
    ComposedLayout<Swizzle<exchanged, 4, 3>, smem_sparse_ptr_flag_bits<sparsity, static_cast<int>(sizeof_bits_v<T>)>,
                   decltype(blocked_product(Layout<Shape<_1, C<sparsity>>>{}, Tile{}.layout_b()))>;
}  // namespace detail

namespace GMMA {

/// @name Layouts of shared memory for a sparse A, in elements of T
/// @{
template <class T, int sparsity>
using Layout_MN_INTER_SpAtom = detail::wgmma_sparse_tile<Layout_MN_INTER_Atom<T>, T, sparsity, 0>;
template <class T, int sparsity>
using Layout_MN_SW32_SpAtom = detail::wgmma_sparse_tile<Layout_MN_SW32_Atom<T>, T, sparsity, 1>;
template <class T, int sparsity>
using Layout_MN_SW64_SpAtom = detail::wgmma_sparse_tile<Layout_MN_SW64_Atom<T>, T, sparsity, 2>;
template <class T, int sparsity>
using Layout_MN_SW128_SpAtom = detail::wgmma_sparse_tile<Layout_MN_SW128_Atom<T>, T, sparsity, 3>;
template <class T, int sparsity>
using Layout_K_INTER_SpAtom = detail::wgmma_sparse_tile<Layout_K_INTER_Atom<T>, T, sparsity, 0>;
template <class T, int sparsity>
using Layout_K_SW32_SpAtom = detail::wgmma_sparse_tile<Layout_K_SW32_Atom<T>, T, sparsity, 1>;
template <class T, int sparsity>
using Layout_K_SW64_SpAtom = detail::wgmma_sparse_tile<Layout_K_SW64_Atom<T>, T, sparsity, 2>;
template <class T, int sparsity>
using Layout_K_SW128_SpAtom = detail::wgmma_sparse_tile<Layout_K_SW128_Atom<T>, T, sparsity, 3>;
/// Of either major mode.
template <class T, int sparsity, Major major>
using Layout_INTER_SpAtom = detail::wgmma_sparse_tile<Layout_INTER_Atom<T, major>, T, sparsity, 0>;
template <class T, int sparsity, Major major>
using Layout_SW32_SpAtom = detail::wgmma_sparse_tile<Layout_SW32_Atom<T, major>, T, sparsity, 1>;
template <class T, int sparsity, Major major>
using Layout_SW64_SpAtom = detail::wgmma_sparse_tile<Layout_SW64_Atom<T, major>, T, sparsity, 2>;
template <class T, int sparsity, Major major>
using Layout_SW128_SpAtom = detail::wgmma_sparse_tile<Layout_SW128_Atom<T, major>, T, sparsity, 3>;
/// @}

/// @name The layouts (thread, value) -> element of metadata, for elements of 8, 16 and 32 bits
/// @{
using ELayout_64x64 = typename detail::metadata_layout<8>::type;
using ELayout_64x32 = typename detail::metadata_layout<16>::type;
using ELayout_64x16 = typename detail::metadata_layout<32>::type;
/// @}

}  // namespace GMMA
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
