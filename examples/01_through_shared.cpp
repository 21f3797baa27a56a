// SPDX-License-Identifier: Apache-2.0
// Copies a matrix through shared memory. One TiledCopy moves a tile in, and moves it out again.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class TiledCopy>
__global__ void through_shared(float const* in, float* out, int rows, TiledCopy tiled_copy) {
  float* stage = dynamic_shared<float>();
  auto sT = make_tensor(make_smem_ptr(stage), Layout<Shape<_32, _64>, Stride<_64, _1>>{});
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto gIn = local_tile(mIn, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));
  auto gOut = local_tile(mOut, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(sT));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(sT), thread.partition_D(gOut));
}

int main() {
  std::vector<float> host(96 * 64, 1.f);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  device_buffer<float> in(host), out(host.size());
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(through_shared<decltype(tiled_copy)>, {.grid = 3, .block = 256, .shared_bytes = 32 * 64 * sizeof(float)},
         in.data(), out.data(), 96, tiled_copy);
  return out.download() == host ? 0 : 1;
}
