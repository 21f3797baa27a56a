// SPDX-License-Identifier: Apache-2.0
// A warp fills a ring of three stages by tensor copies; two warps add the columns of the boxes and release the stages.
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
using namespace cosmati;

__global__ void sum_boxes(TmaDescriptor const __grid_constant__ in, float* out, int boxes) {
  float* const stage = dynamic_shared<float>();  // three boxes of 8 rows of 64
  __shared__ std::uint64_t full[3], empty[3];
  int const t = static_cast<int>(threadIdx.x);
  if (t == 64) {
    for (int i = 0; i < 3; ++i) {
      initialize_barrier(full[i], 1);   // [init full]
      initialize_barrier(empty[i], 2);  // [init empty]
    }
    fence_barrier_init();  // [init fence]
  }
  __syncthreads();  // [initialised]
  if (t >= 64) {
    if (t > 64) return;
    for (int k = 0; k < boxes; ++k) {
      wait_barrier(empty[k % 3], (k / 3 + 1) % 2);                              // [empty]
      arrive_and_expect_bytes(full[k % 3], 8 * 64 * 4);                         // [expect]
      tensor_copy_g2s(stage + 512 * (k % 3), in, {0, 8 * k + 0}, full[k % 3]);  // [load]
    }
    return;
  }
  float sum = 0;
  for (int k = 0; k < boxes; ++k) {
    wait_barrier(full[k % 3], k / 3 % 2);                                          // [full]
    for (int row = 0; row < 8; ++row) sum += stage[512 * (k % 3) + 64 * row + t];  // [use]
    __syncwarp();                                                                  // [warp done]
    if (t % 32 == 0) arrive_barrier(empty[k % 3]);                                 // [release]
  }
  out[t] = sum;
}

int main() {
  std::vector<float> host(11 * 8 * 64), expected(64, 0.f);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i * 5 % 23);
  for (std::size_t i = 0; i < host.size(); ++i) expected[i % 64] += host[i];
  device_buffer<float> in(host), out(64);
  tensor_map_config c;
  c.data = in.data(), c.type = tensor_map_type::f32, c.rank = 2, c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  c.extent[0] = 64, c.extent[1] = 88, c.stride[1] = 64, c.box[0] = 64, c.box[1] = 8;
  launch(sum_boxes, {.grid = 1, .block = 96, .shared_bytes = 3 * 2048}, make_tma_descriptor(c), out.data(), 11);
  return out.download() == expected ? 0 : 1;
}
