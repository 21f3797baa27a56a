// SPDX-License-Identifier: Apache-2.0
/// @file
/// Layouts of shared memory that warpgroup matrix instructions read without bank conflicts, for `tile_to_shape`: eight
/// rows of 16 (INTER), 32, 64 or 128 bytes, whose chunks of 16 bytes are exchanged.
///
/// The swizzle is of elements and belongs to the layout. Programs for CuTe get CuTe's types: the swizzle is of bytes
/// and waits for the pointer (layout/smem_ptr_flag.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/chunk_swizzle.hpp>
#include <cosmati/atom/wgmma_instruction.hpp>
#if defined(COSMATI_CUTE_PROGRAM)
#include <cosmati/tensor/flagged_tensor.hpp>
#endif

namespace COSMATI_NAMESPACE {

namespace GMMA {

/// @name The tile of eight rows, `16 << bits` bytes each
/// @{
template <int bits, class T>
using Layout_K_Atom = ComposedLayout<detail::chunk_swizzle<bits, static_cast<int>(sizeof(T))>, C<0>,
                                     Layout<Shape<_8, C<(16 << bits) / static_cast<int>(sizeof(T))>>,
                                            Stride<C<(16 << bits) / static_cast<int>(sizeof(T))>, _1>>>;
template <int bits, class T>
using Layout_MN_Atom = ComposedLayout<detail::chunk_swizzle<bits, static_cast<int>(sizeof(T))>, C<0>,
                                      Layout<Shape<C<(16 << bits) / static_cast<int>(sizeof(T))>, _8>,
                                             Stride<_1, C<(16 << bits) / static_cast<int>(sizeof(T))>>>>;
/// @}

}  // namespace GMMA

namespace detail {
#if defined(COSMATI_CUTE_PROGRAM)
/// The tile in elements of a bit. @tparam exchanged bits of a chunk's number
template <int exchanged, GMMA::Major major>
using wgmma_tile_of_bits =
    ComposedLayout<Swizzle<exchanged, 4, 3>, smem_ptr_flag,
                   std::conditional_t<major == GMMA::Major::K,
                                      Layout<Shape<_8, C<(128 << exchanged)>>, Stride<C<(128 << exchanged)>, _1>>,
                                      Layout<Shape<C<(128 << exchanged)>, _8>, Stride<_1, C<(128 << exchanged)>>>>>;
template <int exchanged, GMMA::Major major, class T>
using wgmma_tile =
    decltype(upcast<static_cast<int>(sizeof_bits_v<T>)>(std::declval<wgmma_tile_of_bits<exchanged, major>>()));
#else
template <int exchanged, GMMA::Major major, class T>
using wgmma_tile =
    std::conditional_t<major == GMMA::Major::K, GMMA::Layout_K_Atom<exchanged, T>, GMMA::Layout_MN_Atom<exchanged, T>>;
#endif
}  // namespace detail

namespace GMMA {

#if defined(COSMATI_CUTE_PROGRAM)
/// @name The tiles in elements of a bit
/// @{
using Layout_MN_INTER_Atom_Bits = detail::wgmma_tile_of_bits<0, Major::MN>;
using Layout_MN_SW32_Atom_Bits = detail::wgmma_tile_of_bits<1, Major::MN>;
using Layout_MN_SW64_Atom_Bits = detail::wgmma_tile_of_bits<2, Major::MN>;
using Layout_MN_SW128_Atom_Bits = detail::wgmma_tile_of_bits<3, Major::MN>;
using Layout_K_INTER_Atom_Bits = detail::wgmma_tile_of_bits<0, Major::K>;
using Layout_K_SW32_Atom_Bits = detail::wgmma_tile_of_bits<1, Major::K>;
using Layout_K_SW64_Atom_Bits = detail::wgmma_tile_of_bits<2, Major::K>;
using Layout_K_SW128_Atom_Bits = detail::wgmma_tile_of_bits<3, Major::K>;
/// @}
#endif

/// @name The tiles in elements of T
/// @{
template <class T>
using Layout_K_INTER_Atom = detail::wgmma_tile<0, Major::K, T>;
template <class T>
using Layout_K_SW32_Atom = detail::wgmma_tile<1, Major::K, T>;
template <class T>
using Layout_K_SW64_Atom = detail::wgmma_tile<2, Major::K, T>;
template <class T>
using Layout_K_SW128_Atom = detail::wgmma_tile<3, Major::K, T>;
template <class T>
using Layout_MN_INTER_Atom = detail::wgmma_tile<0, Major::MN, T>;
template <class T>
using Layout_MN_SW32_Atom = detail::wgmma_tile<1, Major::MN, T>;
template <class T>
using Layout_MN_SW64_Atom = detail::wgmma_tile<2, Major::MN, T>;
template <class T>
using Layout_MN_SW128_Atom = detail::wgmma_tile<3, Major::MN, T>;
/// Of either major mode.
template <class T, Major major>
using Layout_INTER_Atom = detail::wgmma_tile<0, major, T>;
template <class T, Major major>
using Layout_SW32_Atom = detail::wgmma_tile<1, major, T>;
template <class T, Major major>
using Layout_SW64_Atom = detail::wgmma_tile<2, major, T>;
template <class T, Major major>
using Layout_SW128_Atom = detail::wgmma_tile<3, major, T>;
/// @}

}  // namespace GMMA
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
