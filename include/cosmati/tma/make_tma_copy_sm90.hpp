// SPDX-License-Identifier: Apache-2.0
/// @file
/// `make_tma_copy_A_sm90`, `make_tma_copy_B_sm90`, `make_tma_copy_C_sm90`: tensor copies of a product's operands, from
/// the tile (M, N, K) and the cluster's shape.
///
/// Blocks along N of a cluster share tiles of A, those along M tiles of B.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/elements.hpp>
#include <cosmati/tma/make_tma_copy.hpp>

namespace COSMATI_NAMESPACE {

/// A tiled copy of tiles (M, K) of A. Errors are those of `make_tma_copy`.
/// @tparam TmaInternalType the type that the descriptor names; void: that of the elements
/// @param tensor A in global memory: (M, K), further modes may follow, @param shared the layout of one tile
/// @param cta_tiler (M, N, K) of a block's tile
/// @param cluster_shape (M, N, ...) in blocks, static; with several along N the operation is SM90_TMA_LOAD_MULTICAST
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout, class Tiler,
          class Cluster>
auto make_tma_copy_A_sm90(Op const& op, Tensor<Engine, GlobalLayout> const& tensor, SharedLayout const& shared,
                          Tiler const& cta_tiler, Cluster const&) {
  return make_tma_copy<TmaInternalType>(op, tensor, shared, remove<1>(cta_tiler),
                                        C<static_cast<int>(size_v<decltype(get<1>(Cluster{}))>)>{});
}
/// A tiled copy of tiles (N, K) of B; with several blocks along M the operation is SM90_TMA_LOAD_MULTICAST.
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout, class Tiler,
          class Cluster>
auto make_tma_copy_B_sm90(Op const& op, Tensor<Engine, GlobalLayout> const& tensor, SharedLayout const& shared,
                          Tiler const& cta_tiler, Cluster const&) {
  return make_tma_copy<TmaInternalType>(op, tensor, shared, remove<0>(cta_tiler),
                                        C<static_cast<int>(size_v<decltype(get<0>(Cluster{}))>)>{});
}
/// A tiled copy of tiles (M, N) of C or D, which no blocks share.
template <class TmaInternalType = void, class Op, class Engine, class GlobalLayout, class SharedLayout, class Tiler>
auto make_tma_copy_C_sm90(Op const& op, Tensor<Engine, GlobalLayout> const& tensor, SharedLayout const& shared,
                          Tiler const& cta_tiler) {
  return make_tma_copy<TmaInternalType>(op, tensor, shared, remove<2>(cta_tiler), _1{});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
