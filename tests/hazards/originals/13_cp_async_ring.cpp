// SPDX-License-Identifier: Apache-2.0
// Four stages of tiles by tiled copies; one barrier a tile says both that it is there and that the last is free.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class Load>
__global__ void column_sums(float const* in, float* out, int rows, Load load) {
  auto stages =
      make_tensor(make_smem_ptr(dynamic_shared<float>()), Layout<Shape<_8, _64, _4>, Stride<_64, _1, _512>>{});
  auto all = make_tensor(make_gmem_ptr(in), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto tiles = local_tile(all, Shape<_8, _64>{}, make_coord(_, _0{}));
  auto mine = load.get_slice(threadIdx.x);
  auto from = mine.partition_S(tiles);
  auto to = mine.partition_D(stages);
  int const count = rows / 8, t = static_cast<int>(threadIdx.x);
  for (int s = 0; s < 3; ++s) {
    copy(load, from(_, _, _, s), to(_, _, _, s));  // [first]
    cp_async_fence();
  }
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    cp_async_wait<2>();                                                             // [wait]
    __syncthreads();                                                                // [arrived]
    if (k + 3 < count) copy(load, from(_, _, _, k + 3), to(_, _, _, (k + 3) % 4));  // [refill]
    cp_async_fence();                                                               // [commit]
    for (int r = t / 64; r < 8; r += 2) sum += stages(r, t % 64, k % 4);            // [use]
  }
  atomicAdd(&out[t % 64], sum);
}

int main() {
  // Memory for 12 tiles; the tensor has 10.
  std::vector<float> host(96 * 64), expected(64, 0.f);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<float>(i % 23);
    if (i < 80 * 64) expected[i % 64] += host[i];
  }
  device_buffer<float> in(host), out(64);
  out.clear();
  auto load = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>{},
                              Layout<Shape<_8, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(column_sums<decltype(load)>, {.grid = 1, .block = 128, .shared_bytes = 4 * 8 * 64 * sizeof(float)}, in.data(),
         out.data(), 80, load);
  return out.download() == expected ? 0 : 1;
}
