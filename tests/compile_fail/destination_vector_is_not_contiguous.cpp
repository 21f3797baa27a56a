// SPDX-License-Identifier: Apache-2.0
// The destination is transposed: a vector of the source is no vector there.
// expect: the atom's vector is not contiguous in the destination
// expect: let the value layout run along the destination's mode of stride 1
// expect 1: destination_vector_is_not_contiguous<1, 32, 1, 4>|mode=1, stride=32, adjacent=1, needed=4
// expect 2: destination_vector_is_not_contiguous<1, 64, 1, 2>|mode=1, stride=64, adjacent=1, needed=2
// reject: not contiguous in the source
// expect-lines < 20
// expect-bytes < 2200
#include <cosmati/cosmati.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 2
using Vector = std::uint64_t;
using Transposed = Layout<Shape<_64, _32>>;
using Block = Shape<_64, _32>;
using Values = Layout<Shape<_1, _2>>;
#else
using Vector = uint128_t;
using Block = Shape<_32, _32>;
using Values = Layout<Shape<_1, _4>>;
#if COSMATI_FAIL == 1
using Transposed = Layout<Shape<_32, _32>>;
#else
using Transposed = Layout<Shape<_32, _32>, Stride<_32, _1>>;
#endif
#endif

__global__ void stage(float const* in, int rows, int columns) {
  __shared__ float memory[64 * 32];
  auto tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<Vector>, float>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Values{});
  auto source = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto staged = make_tensor(make_smem_ptr(memory), Transposed{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(local_tile(source, Block{}, make_coord(blockIdx.x, blockIdx.y)));
  auto to = thread.partition_D(staged);
  copy(tiled_copy, from, to);
}
