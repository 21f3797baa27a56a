// SPDX-License-Identifier: Apache-2.0
// A tensor copy brings a box of 32 rows of 64 halves with a swizzle of 128 bytes. Each thread multiplies the
// numbers of a row by those of their columns, where the row is, and a tensor copy stores the box.
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
using namespace cosmati;

__global__ void number_columns(TmaDescriptor const __grid_constant__ in, TmaDescriptor const __grid_constant__ out) {
  half_t* const box = dynamic_shared<half_t>() + 0;  // [box]
  __shared__ std::uint64_t full;
  int const t = static_cast<int>(threadIdx.x), first = 32 * static_cast<int>(blockIdx.x);
  auto const rows = Layout<Shape<_32, _64>, Stride<_64, _1>>{};
  auto sBox = make_tensor(make_smem_ptr(box), composition(Swizzle<3, 3, 3>{}, rows));  // [view]
  if (t == 0) {
    initialize_barrier(full, 1);  // [init]
    fence_barrier_init();         // [init fence]
  }
  __syncthreads();                                   // [initialised]
  if (t < 1) {                                       // [one thread]
    arrive_and_expect_bytes(full, 32 * 64 * 2 + 0);  // [expect]
    tensor_copy_g2s(box, in, {0, first}, full);      // [load]
  }
  wait_barrier(full, 0);                                                                 // [full]
  for (int i = 0; i < 64; ++i) sBox(t, i) = half_t(static_cast<float>(sBox(t, i)) * i);  // [use]
  fence_proxy_async_shared();                                                            // [fence]
  __syncthreads();                                                                       // [used]
  if (t == 0) {
    tensor_copy_s2g(out, box, {0, first});  // [store]
    tma_store_arrive();                     // [commit]
    tma_store_wait<0>();                    // [stored]
  }
}

TmaDescriptor boxes_of(half_t* data, int rows) {
  tensor_map_config c;
  c.data = data, c.type = tensor_map_type::f16, c.rank = 2;
  c.extent[0] = 64, c.extent[1] = rows, c.stride[1] = 64, c.box[0] = 64, c.box[1] = 32;
  return make_tma_descriptor(c);
}

int main() {
  std::vector<half_t> host(96 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = half_t(static_cast<float>(i * 7 % 31));
  device_buffer<half_t> in(host), out(std::vector<half_t>(host.size()));
  launch(number_columns, {.grid = 3, .block = 32, .shared_bytes = 8192}, boxes_of(in.data(), 96),
         boxes_of(out.data(), 96));
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (static_cast<float>(got[i]) != static_cast<float>(i * 7 % 31) * static_cast<float>(i % 64)) return 1;
  }
  return 0;
}
