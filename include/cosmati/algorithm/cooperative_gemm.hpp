// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cooperative_gemm`: the threads of a tiled MMA multiply tiles in shared memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/core/functional.hpp>
#include <cosmati/tiled/mma_copy.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// Whether a shape consists of whole tiles, as far as it is known at compile time.
template <class TensorShape, class TileX, class TileY>
inline constexpr bool tile_divides = false;
template <class TensorShape, class TileX, class TileY>
requires is_static_v<TensorShape>
inline constexpr bool tile_divides<TensorShape, TileX, TileY> =
    decltype(size<0>(TensorShape{}))::value % TileX::value == 0 &&
    decltype(size<1>(TensorShape{}))::value % TileY::value == 0;

/// Fills a fragment with the elements of `partition`, and with zero where they lie outside the tensor. @param place the
/// coordinates
template <class T, class Place, class Bounds, class Fragment, class Load>
COSMATI_HD void load_where_inside(T const& partition, Place const& place, Bounds const& bounds, Fragment& fragment,
                                  Load const& load) {
  using V = typename Fragment::value_type;
  COSMATI_UNROLL
  for (int i = 0; i < size(fragment); ++i) {
    if (elem_less(place(i), bounds))
      fragment(i) = static_cast<V>(load(partition(i)));
    else
      fragment(i) = static_cast<V>(0);
  }
}
template <class Fragment, class Load>
COSMATI_HD void transform_fragment([[maybe_unused]] Fragment& fragment, [[maybe_unused]] Load const& load) {
  if constexpr (!std::is_same_v<Load, identity>) {
    COSMATI_UNROLL
    for (int i = 0; i < size(fragment); ++i)
      fragment(i) = static_cast<typename Fragment::value_type>(load(fragment(i)));
  }
}

/// Applies a copy operation to one vector after the other. The default uses the widest vectors.
template <class Op, class Src, class Dst>
COSMATI_HD void copy_by(Src const& src, Dst&& dst) {
  if constexpr (std::is_same_v<Op, DefaultCopy>)
    copy(src, dst);
  else
    copy(Copy_Atom<Op, typename Src::value_type>{}, src, dst);
}
/// C = store(alpha sums + beta load(C)) of whole tiles. Loads and stores of C use separate copy operations.
template <class LoadOp, class StoreOp, class Mma, class Alpha, class Sums, class Beta, class T, class Load, class Store>
COSMATI_HD void update_whole_tiles(std::uint32_t thread_idx, Mma const& mma, Alpha const& alpha, Sums const& sums,
                                   Beta const& beta, T&& sC, Load const& load, Store const& store) {
  using V = typename std::remove_cvref_t<T>::value_type;
  auto const loads = make_tiled_copy_C(Copy_Atom<LoadOp, V>{}, mma).get_slice(thread_idx);
  auto const stores = make_tiled_copy_C(Copy_Atom<StoreOp, V>{}, mma).get_slice(thread_idx);
  auto held = make_fragment_like<V>(sums);
  if (beta == static_cast<Beta>(0)) {
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) held(i) = static_cast<V>(store(alpha * sums(i)));
  } else {
    copy_by<LoadOp>(loads.partition_S(sC), loads.retile_D(held));
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) held(i) = static_cast<V>(store(alpha * sums(i) + beta * load(held(i))));
    // A warp-wide instruction distributes the elements differently, so another lane may have read the elements that
    // this lane writes.
    if constexpr (!std::is_same_v<LoadOp, StoreOp>) sync_warp();
  }
  copy_by<StoreOp>(stores.retile_S(held), stores.partition_D(sC));
}
/// D = store(alpha sums + beta load(D)) for the elements inside the tensor, one after the other. @param place the
/// coordinates
template <class Place, class Bounds, class Alpha, class Sums, class Beta, class D, class Load, class Store>
COSMATI_HD void update_where_inside(Place const& place, Bounds const& bounds, Alpha const& alpha, Sums const& sums,
                                    Beta const& beta, D& d, Load const& load, Store const& store) {
  using V = typename D::value_type;
  bool const overwrite = beta == static_cast<Beta>(0);
  COSMATI_UNROLL
  for (int i = 0; i < size(sums); ++i) {
    if (!elem_less(place(i), bounds)) continue;
    if (overwrite)
      d(i) = static_cast<V>(store(alpha * sums(i)));
    else
      d(i) = static_cast<V>(store(alpha * sums(i) + beta * load(static_cast<V>(d(i)))));
  }
}

}  // namespace detail

/// C += A B. @param thread_idx the calling thread's index among size(mma)
/// @param sA (M, K), @param sB (N, K), in shared memory and of static shape; an incomplete tile of the MMA is filled
///   with zeros
/// @param rC this thread's sums, from partition_fragment_C
/// @param load_A, load_B functions of each loaded element
/// @param copy_A, copy_B copy operations from shared memory to registers: SM75_U32x4_LDSM_N{}, ... (whole tiles only)
template <class Mma, class L, class P, class AE, class AL, class BE, class BL, tensor_type C_, class LoadA = identity,
          class LoadB = identity, class CopyA = DefaultCopy, class CopyB = DefaultCopy>
COSMATI_HD void cooperative_gemm(std::uint32_t thread_idx, TiledMMA<Mma, L, P> const& mma, Tensor<AE, AL> const& sA,
                                 Tensor<BE, BL> const& sB, C_&& rC, LoadA const& load_A = {}, LoadB const& load_B = {},
                                 CopyA const& = {}, CopyB const& = {}) {
  using T = TiledMMA<Mma, L, P>;
  using ShapeA = std::remove_cvref_t<decltype(sA.shape())>;
  using ShapeB = std::remove_cvref_t<decltype(sB.shape())>;
  static_assert(is_static_v<ShapeA> && is_static_v<ShapeB> && Tensor<AE, AL>::rank == 2 && Tensor<BE, BL>::rank == 2,
                "cooperative_gemm: A is (M, K), B (N, K), of static shape; slice the stage, sA(_, _, stage)");
  static_assert(
      sizeof(
          detail::gemm_extents_differ<'K', decltype(size<1>(ShapeA{}))::value, decltype(size<1>(ShapeB{}))::value>) !=
      0);
  using TileM = decltype(T::template tile_size_mnk<0>());
  using TileN = decltype(T::template tile_size_mnk<1>());
  using TileK = decltype(T::template tile_size_mnk<2>());
  auto const thread = mma.get_slice(thread_idx);
  auto rA = thread.partition_fragment_A(sA, ragged);
  auto rB = thread.partition_fragment_B(sB, ragged);
  constexpr int K = detail::static_extent<decltype(rA), 2>;
  if constexpr (detail::tile_divides<ShapeA, TileM, TileK> && detail::tile_divides<ShapeB, TileN, TileK>) {
    auto const tiled_A = make_tiled_copy_A(Copy_Atom<CopyA, typename AE::value_type>{}, mma);
    auto const tiled_B = make_tiled_copy_B(Copy_Atom<CopyB, typename BE::value_type>{}, mma);
    auto const from_A = tiled_A.get_slice(thread_idx).partition_S(sA);
    auto const from_B = tiled_B.get_slice(thread_idx).partition_S(sB);
    // the loaded elements have the tensors' types, which may differ from the instruction's
    auto heldA = make_fragment_like<typename AE::value_type>(rA);
    auto heldB = make_fragment_like<typename BE::value_type>(rB);
    auto toA = tiled_A.get_slice(thread_idx).retile_D(heldA);
    auto toB = tiled_B.get_slice(thread_idx).retile_D(heldB);
    COSMATI_UNROLL
    for (int k = 0; k < K; ++k) {  // the loads of k + 1 overlap with the products of k
      if constexpr (std::is_same_v<CopyA, DefaultCopy>)
        copy(from_A(_, _, k), toA(_, _, k));
      else
        copy(tiled_A, from_A(_, _, k), toA(_, _, k));
      if constexpr (std::is_same_v<CopyB, DefaultCopy>)
        copy(from_B(_, _, k), toB(_, _, k));
      else
        copy(tiled_B, from_B(_, _, k), toB(_, _, k));
    }
    detail::transform_fragment(heldA, load_A);
    detail::transform_fragment(heldB, load_B);
    copy(heldA, rA);
    copy(heldB, rB);
  } else {
    detail::load_where_inside(thread.partition_A(sA, ragged), thread.partition_A(make_identity_tensor(ShapeA{})),
                              ShapeA{}, rA, load_A);
    detail::load_where_inside(thread.partition_B(sB, ragged), thread.partition_B(make_identity_tensor(ShapeB{})),
                              ShapeB{}, rB, load_B);
  }
  gemm(mma, rA, rB, rC);
}

/// C = alpha A B + beta C, all in shared memory. If beta is zero, C is not read.
/// @param sC (M, N)
/// @param load_C, store_C functions of each loaded element of C, and of each stored result
/// @param copy_load_C, copy_store_C copy operations for C: AutoVectorizingCopy{}, SM90_U32x4_STSM_N{}, ...; if the
///   tiled MMA does not divide C, the elements move one by one instead
template <class Mma, class L, class P, class Alpha, class AE, class AL, class BE, class BL, class Beta, tensor_type C_,
          class LoadA = identity, class LoadB = identity, class LoadC = identity, class StoreC = identity,
          class CopyA = DefaultCopy, class CopyB = DefaultCopy, class CopyLoadC = DefaultCopy,
          class CopyStoreC = DefaultCopy>
requires(!tensor_type<Alpha>) COSMATI_HD
    void cooperative_gemm(std::uint32_t thread_idx, TiledMMA<Mma, L, P> const& mma, Alpha const& alpha,
                          Tensor<AE, AL> const& sA, Tensor<BE, BL> const& sB, Beta const& beta, C_&& sC,
                          LoadA const& load_A = {}, LoadB const& load_B = {}, LoadC const& load_C = {},
                          StoreC const& store_C = {}, CopyA const& copy_A = {}, CopyB const& copy_B = {},
                          CopyLoadC const& = {}, CopyStoreC const& = {}) {
  using T = TiledMMA<Mma, L, P>;
  using ShapeC = std::remove_cvref_t<decltype(sC.shape())>;
  auto const thread = mma.get_slice(thread_idx);
  auto to = thread.partition_C(sC, ragged);
  auto rC = thread.make_fragment_C(to);
  clear(rC);
  cooperative_gemm(thread_idx, mma, sA, sB, rC, load_A, load_B, copy_A, copy_B);
  constexpr bool whole =
      detail::tile_divides<ShapeC, decltype(T::template tile_size_mnk<0>()), decltype(T::template tile_size_mnk<1>())>;
  if constexpr (whole)
    detail::update_whole_tiles<CopyLoadC, CopyStoreC>(thread_idx, mma, alpha, rC, beta, sC, load_C, store_C);
  else
    detail::update_where_inside(thread.partition_C(make_identity_tensor(sC.shape())), sC.shape(), alpha, rC, beta, to,
                                load_C, store_C);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
