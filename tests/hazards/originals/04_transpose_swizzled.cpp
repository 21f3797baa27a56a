// SPDX-License-Identifier: Apache-2.0
// The transpose with a swizzle in place of the padding; both sides are tensors.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void transpose(float const* in, float* out, int n) {
  auto swizzled = composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  auto tile = make_tensor(make_smem_ptr(dynamic_shared<float>()), swizzled);
  auto all_in = make_tensor(make_gmem_ptr(in), make_shape(n, n), make_stride(n, _1{}));
  auto all_out = make_tensor(make_gmem_ptr(out), make_shape(n, n), make_stride(n, _1{}));
  auto from = local_tile(all_in, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto to = local_tile(all_out, Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  for (int r = y; r < 32; r += 8) tile(r, x) = from(r, x);  // [fill]
  __syncthreads();                                          // [filled]
  for (int r = y; r < 32; r += 8) to(r, x) = tile(x, r);    // [use]
}

int main() {
  std::vector<float> host(64 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host.size());
  launch(transpose, {.grid = dim3(2, 2), .block = dim3(32, 8), .shared_bytes = 32 * 32 * sizeof(float)},  // [launch]
         in.data(), out.data(), 64);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i % 64 * 64 + i / 64]) return 1;
  }
  return 0;
}
