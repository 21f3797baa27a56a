// SPDX-License-Identifier: Apache-2.0
// A tile is staged in shared memory that is too small for it; a mode that counts tiles was not sliced; a fragment is too small.
// expect: source and destination have different numbers of elements
// expect: slice or tile one of them
// expect 1: source_and_destination_sizes_differ<16, 8, 1, 64, 32>|source=16, destination=8, mode=1, source_extent=64, destination_extent=32
// expect 2: source_and_destination_sizes_differ<48, 16, 3, 3, 1>|source=48, destination=16, mode=3, source_extent=3, destination_extent=1
// expect 3: source_and_destination_sizes_differ<32, 16, 0, 8, 4>|source=32, destination=16, mode=0, source_extent=8, destination_extent=4
// expect 4: source_and_destination_sizes_differ<32, 24, 1, 4, 3>|source=32, destination=24, mode=1, source_extent=4, destination_extent=3
// expect-lines < 20
// expect-bytes < 2200
#include <cosmati/cosmati.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 1
constexpr int width = 32;
#else
constexpr int width = 64;
#endif

template <class TiledCopy>
__global__ void stage(float const* in, TiledCopy tiled_copy) {
  __shared__ float memory[64 * 64];
  auto source = make_tensor(make_gmem_ptr(in), Layout<Shape<_64, Int<192>>, Stride<Int<192>, _1>>{});
  auto tiles = local_tile(source, Shape<_64, _64>{}, make_coord(0, _));
  auto staged = make_tensor(make_smem_ptr(memory), Layout<Shape<_64, Int<width>>, Stride<Int<width>, _1>>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(tiles);
#if COSMATI_FAIL == 2
  copy(tiled_copy, from, thread.partition_D(staged));
#else
  for (int k = 0; k < 3; ++k) {
    copy(tiled_copy, from(_, _, _, k), thread.partition_D(staged));
  }
#endif
}

void start(float* p) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(stage<decltype(tiled_copy)>, {.grid = 1, .block = 256}, p, tiled_copy);
  auto source = make_tensor(p, Shape<_8, _4>{});
#if COSMATI_FAIL == 3
  auto held = make_tensor<float>(Shape<_4, _4>{});
#else
  auto held = make_tensor_like(source);
#endif
  copy(source, held);
#if COSMATI_FAIL == 4
  copy(AutoVectorizingCopy{}, source, make_tensor(p, Shape<_8, _3>{}));
#endif
}
