// SPDX-License-Identifier: Apache-2.0
// Four blocks add their parts of a box to one place by tensor copies. The block that finishes last reads the sum.
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
using namespace cosmati;

__global__ void add_parts(TmaDescriptor const __grid_constant__ total, int const* sums, unsigned* finished, int* out) {
  __shared__ __align__(128) int part[256];  // 4 rows of 64
  __shared__ unsigned last;
  int const t = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  for (int row = 0; row < 4; ++row) part[64 * row + t] = (block + 1) * (64 * row + t);  // [write]
  fence_proxy_async_shared();                                                           // [fence]
  __syncthreads();                                                                      // [written]
  if (t == 0) {
    tensor_reduce_s2g<tma_reduction::add>(total, part, {0, 0});  // [add]
    tma_store_arrive();                                          // [commit]
    bulk_store_wait<0>();                                        // [added]
    __threadfence();                                             // [publish]
    last = atomicAdd(finished, 1u);
  }
  __syncthreads();  // [counted]
  if (last != gridDim.x - 1) return;
  __threadfence();
  for (int row = 0; row < 4; ++row) out[64 * row + t] = sums[64 * row + t];  // [read]
}

int main() {
  device_buffer<int> sums(std::vector<int>(256, 0)), out(256);
  device_buffer<unsigned> finished(std::vector<unsigned>(1, 0));
  tensor_map_config c;
  c.data = sums.data(), c.type = tensor_map_type::s32, c.rank = 2, c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  c.extent[0] = 64, c.extent[1] = 4, c.stride[1] = 64, c.box[0] = 64, c.box[1] = 4;
  launch(add_parts, {.grid = 4, .block = 64}, make_tma_descriptor(c), sums.data(), finished.data(), out.data());
  auto const got = out.download();
  for (int i = 0; i < 256; ++i) {
    if (got[static_cast<std::size_t>(i)] != 10 * i) return 1;
  }
  return 0;
}
