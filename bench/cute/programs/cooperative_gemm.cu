// SPDX-License-Identifier: Apache-2.0
// cooperative_gemm with tiles in shared memory.
#include "../harness.hpp"

using namespace cute;

template <class TiledMma>
__global__ void products(half_t const* a, half_t const* b, float* c, TiledMma mma) {
  __shared__ alignas(128) half_t memory_a[64 * 64];
  __shared__ alignas(128) half_t memory_b[64 * 64];
  __shared__ alignas(128) float memory_c[64 * 64];
  auto rows = Layout<Shape<_64, _64>, Stride<_64, _1>>{};
  auto swizzled = composition(Swizzle<3, 3, 3>{}, rows);
  auto sA = make_tensor(make_smem_ptr(memory_a), swizzled);
  auto sB = make_tensor(make_smem_ptr(memory_b), swizzled);
  auto sC = make_tensor(make_smem_ptr(memory_c), rows);
  auto gA = make_tensor(make_gmem_ptr(a + 4096 * blockIdx.x), rows);
  auto gB = make_tensor(make_gmem_ptr(b + 4096 * blockIdx.x), rows);
  auto gC = make_tensor(make_gmem_ptr(c + 4096 * blockIdx.x), rows);
  for (int i = static_cast<int>(threadIdx.x); i < 4096; i += 128) {
    sA(i) = gA(i);
    sB(i) = gB(i);
    sC(i) = 0.0f;
  }
  __syncthreads();
  CUTE_NO_UNROLL
  for (int k = 0; k < 8; ++k) {
    cooperative_gemm(threadIdx.x, mma, 1.0f, sA, sB, 1.0f, sC);
    __syncthreads();
  }
  for (int i = static_cast<int>(threadIdx.x); i < 4096; i += 128) gC(i) = sC(i);
}

int main() {
  constexpr int tiles = 2048;
  bench::array<half_t> a(std::size_t{tiles} * 4096, 5), b(std::size_t{tiles} * 4096, 6);
  bench::array<float> c(std::size_t{tiles} * 4096);
  auto mma = make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  return bench::run(
      "cooperative_gemm", [&] { products<<<tiles, 128>>>(a.data, b.data, c.data, mma); },
      [&] {
        auto got = c.download();
        got.resize(4096);
        return bench::near(got, 1e-3, [&](std::size_t i) {
          double sum = 0;
          for (std::size_t k = 0; k < 64; ++k)
            sum += static_cast<double>(static_cast<float>(a.host[i / 64 * 64 + k])) *
                   static_cast<double>(static_cast<float>(b.host[i % 64 * 64 + k]));
          return 8 * sum;
        });
      });
}
