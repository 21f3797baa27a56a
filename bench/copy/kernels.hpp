// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copies that are measured: tiles of `vectors` rows of 16 x `threads` bytes, each thread moving a vector of every
/// row.
#pragma once

#include <cosmati/cosmati.hpp>

namespace bench {

using namespace cosmati;

template <int threads, int vectors>
struct tiling {
  using copy_type = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                             Layout<Shape<_1, C<threads>>>{}, Layout<Shape<_1, _4>>{}));
  using tile = Shape<C<vectors>, C<4 * threads>>;
  static constexpr int elements = vectors * 4 * threads;

  /// Block b's tile of a row-major matrix whose rows a tile's width fills.
  template <class T>
  __device__ static auto of(T* data, std::int64_t rows) {
    auto const matrix =
        make_tensor(make_gmem_ptr(data), make_shape(rows, C<4 * threads>{}), make_stride(C<4 * threads>{}, _1{}));
    return local_tile(matrix, tile{}, make_coord(static_cast<std::int64_t>(blockIdx.x), _0{}));
  }
};

template <int threads, int vectors>
__global__ void __launch_bounds__(threads) through_registers(float const* in, float* out, std::int64_t rows) {
  using tiles = tiling<threads, vectors>;
  typename tiles::copy_type const tiled_copy;
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(tiles::of(in, rows)), thread.partition_D(tiles::of(out, rows)));
}

template <int threads, int vectors>
__global__ void __launch_bounds__(threads) through_shared(float const* in, float* out, std::int64_t rows) {
  using tiles = tiling<threads, vectors>;
  __shared__ alignas(16) float stage[tiles::elements];
  auto const staged = make_tensor(make_smem_ptr(stage), make_layout(typename tiles::tile{}, LayoutRight{}));
  typename tiles::copy_type const tiled_copy;
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(tiles::of(in, rows)), thread.partition_D(staged));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(staged), thread.partition_D(tiles::of(out, rows)));
}

}  // namespace bench
