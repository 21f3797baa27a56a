// SPDX-License-Identifier: Apache-2.0
// The kernels of MoYe.jl's pages, except the matrix products: an array in registers, a copy tile by tile, and a
// transpose through padded shared memory.
#include <cosmati/cosmati.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {
// a = ones(3, 2); a .* 2; exp.(a)
__global__ void sums(double* out) {
  auto a = make_tensor<double>(Shape<_3, _2>{});
  fill(a, 1.);
  transform(a, [](double x) { return x * 2; });
  out[0] = reduce(a, 0.);
  transform(a, [](double x) { return exp(x); });
  out[1] = reduce(a, 0.);
}

TEST(MoYe, ArrayInRegisters) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<double> out(2);
  launch(sums, {.grid = 1, .block = 1}, out.data());
  auto const text = [](double x) {
    char line[32];
    std::snprintf(line, sizeof line, "%f", x);
    return std::string(line);
  };
  auto const host = out.download();
  EXPECT_EQ(text(host[0]), "12.000000");
  EXPECT_EQ(text(host[1]), "44.334337");
}

#if defined(__CUDACC__)
constexpr int extent = 2048;
#else
constexpr int extent = 512;  // MoYe's 2048 would take seconds here
#endif
using Block = Shape<_32, _32>;
using Threads = Layout<Shape<_32, _8>>;

__global__ void copy_by_tiles(float const* in, float* out) {
  auto const whole = make_layout(make_shape(extent, extent));
  auto const block = make_coord(blockIdx.x, blockIdx.y);
  auto const from = local_tile(make_tensor(make_gmem_ptr(in), whole), Block{}, block);
  auto const to = local_tile(make_tensor(make_gmem_ptr(out), whole), Block{}, block);
  copy(local_partition(from, Threads{}, threadIdx.x), local_partition(to, Threads{}, threadIdx.x));
}

template <class SharedLayout>
__global__ void transpose(float const* in, float* out, SharedLayout shared_layout) {
  __shared__ float memory[32 * 33];
  auto const staged = make_tensor(make_smem_ptr(memory), shared_layout);
  auto const turned =
      make_tensor(make_smem_ptr(memory), select<1, 0>(shared_layout));  // the same elements with rows as columns
  auto const whole = make_layout(make_shape(extent, extent));
  auto const from = local_tile(make_tensor(make_gmem_ptr(in), whole), Block{}, make_coord(blockIdx.x, blockIdx.y));
  auto const to = local_tile(make_tensor(make_gmem_ptr(out), whole), Block{}, make_coord(blockIdx.y, blockIdx.x));
  copy(local_partition(from, Threads{}, threadIdx.x), local_partition(staged, Threads{}, threadIdx.x));
  __syncthreads();
  copy(local_partition(turned, Threads{}, threadIdx.x), local_partition(to, Threads{}, threadIdx.x));
}

std::vector<float> numbers() {
  std::vector<float> v(extent * extent);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  return v;
}

TEST(MoYe, CopyTileByTile) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers();
  device_buffer<float> in(host), out(host.size());
  launch(copy_by_tiles, {.grid = {extent / 32, extent / 32}, .block = 256}, in.data(), out.data());
  EXPECT_TRUE(out.download() == host);
}

TEST(MoYe, TransposeThroughPaddedSharedMemory) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers();
  device_buffer<float> in(host), out(host.size());
  auto const padded = Layout<Block, Stride<_1, Int<33>>>{};
  launch(transpose<std::remove_const_t<decltype(padded)>>, {.grid = {extent / 32, extent / 32}, .block = 256},
         in.data(), out.data(), padded);
  auto const got = out.download();
  int wrong = 0;
  for (std::size_t i = 0; i < extent; ++i) {
    for (std::size_t j = 0; j < extent; ++j) wrong += got[j + i * extent] != host[i + j * extent];
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
