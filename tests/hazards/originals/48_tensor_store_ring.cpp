// SPDX-License-Identifier: Apache-2.0
// Threads write boxes to a ring of three stages, and tensor copies store them. A stage is written again when the copy
// that was started three boxes before has read it.
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
using namespace cosmati;

__global__ void write_boxes(TmaDescriptor const __grid_constant__ out, int boxes) {
  int* const stage = dynamic_shared<int>();  // three boxes of 4 rows of 64
  int const t = static_cast<int>(threadIdx.x);
  for (int k = 0; k < boxes; ++k) {
    if (t == 0) tma_store_wait<2>();                                                                  // [free]
    __syncthreads();                                                                                  // [all know]
    for (int row = 0; row < 4; ++row) stage[256 * (k % 3) + 64 * row + t] = 1000 * k + 64 * row + t;  // [write]
    fence_proxy_async_shared();                                                                       // [fence]
    __syncthreads();                                                                                  // [written]
    if (t == 0) {
      tensor_copy_s2g(out, stage + 256 * (k % 3), {0, 4 * k});  // [store]
      tma_store_arrive();                                       // [commit]
    }
  }
  if (t == 0) tma_store_wait<0>();  // [end]
}

int main() {
  device_buffer<int> out(std::vector<int>(10 * 256));
  tensor_map_config c;
  c.data = out.data(), c.type = tensor_map_type::s32, c.rank = 2, c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  c.extent[0] = 64, c.extent[1] = 40, c.stride[1] = 64, c.box[0] = 64, c.box[1] = 4;
  launch(write_boxes, {.grid = 1, .block = 64, .shared_bytes = 3 * 1024}, make_tma_descriptor(c), 10);
  auto const got = out.download();
  for (int i = 0; i < static_cast<int>(got.size()); ++i) {
    if (got[static_cast<std::size_t>(i)] != i / 256 * 1000 + i % 256) return 1;
  }
  return 0;
}
