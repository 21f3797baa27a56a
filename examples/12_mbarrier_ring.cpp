// SPDX-License-Identifier: Apache-2.0
// One warp brings tiles to shared memory by bulk copies, and four others use them. mbarriers hand stages over.
#include <cosmati/cosmati.hpp>
#include <cstdio>
using namespace cosmati;

constexpr int consumers = 128, elements = 1024, stages = 4;  // a tile has 4 KiB

__global__ void scale(float const* in, float* out, int tiles, float factor) {
  using Stages = Layout<Shape<Int<elements>, Int<stages>>>;
  __shared__ mbarrier_ring<stages>::storage barriers;
  auto sIn = make_tensor(make_smem_ptr(dynamic_shared<float>()), Stages{});
  auto gIn = make_tensor(make_gmem_ptr(in), make_layout(make_shape(Int<elements>{}, tiles)));
  auto gOut = make_tensor(make_gmem_ptr(out), gIn.layout());
  // Block b takes tiles b, b + gridDim.x, ...
  int const first = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  int const mine = (tiles - first + blocks - 1) / blocks;

  mbarrier_ring<stages> ring(barriers, consumers, threadIdx.x == 0);
  if (threadIdx.x == consumers) {  // one thread of the last warp
    ring.produce(mine, elements * sizeof(float), [&](int tile, int stage, std::uint64_t& full) {
      copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}.with(full), gIn(_, first + tile * blocks), sIn(_, stage));
    });
  } else if (threadIdx.x < consumers) {
    for (auto [tile, stage] : ring.consume(mine)) {
      auto const to = gOut(_, first + tile * blocks);
      for (unsigned i = threadIdx.x; i < elements; i += consumers) to(i) = factor * sIn(i, stage);
    }
  }
}

int main() {
  bool ok = true;
  for (int tiles : {1, 7, 50}) {
    std::vector<float> host(tiles * elements), wanted(host.size());
    for (int i = 0; i < tiles * elements; ++i) wanted[i] = 3 * (host[i] = float(i % 1000));
    device_buffer<float> in(host), out(host.size());
    launch(scale, {.grid = 4, .block = consumers + 32, .shared_bytes = stages * elements * sizeof(float)}, in.data(),
           out.data(), tiles, 3.f);
    bool const right = out.download() == wanted;
    std::printf("%2d tiles by 4 blocks, %d stages each: %s\n", tiles, stages, right ? "right" : "WRONG");
    ok = ok && right;
  }
  return ok ? 0 : 1;
}
