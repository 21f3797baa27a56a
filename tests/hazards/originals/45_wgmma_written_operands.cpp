// SPDX-License-Identifier: Apache-2.0
// A warpgroup multiplies tiles that its threads have written to shared memory: C (64, 32) = A (64, K) B (32, K)^T.
#include <cosmati/cosmati.hpp>
#include <cosmati/wgmma.hpp>
using namespace cosmati;

using LayoutA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
using LayoutB = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_32, _64>{}));
using NarrowB = decltype(tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, Shape<_32, _64>{}));

__global__ void multiply(half_t const* a, half_t const* b, float* c, int tiles) {
  half_t* const memory = dynamic_shared<half_t>();
  int const t = static_cast<int>(threadIdx.x), k = 64 * tiles;
  auto sA = make_tensor(make_smem_ptr(memory), LayoutA{});
  auto sB = make_tensor(make_smem_ptr(memory + 4096), LayoutB{});
  auto mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  auto const thread = mma.get_slice(t);
  auto const operand = make_tensor(make_smem_ptr(memory + 4096), LayoutB{});  // [operand]
  auto const rA = thread.make_fragment_A(thread.partition_A(sA));
  auto const rB = thread.make_fragment_B(thread.partition_B(operand));
  auto sums = partition_fragment_C(mma, Shape<_64, _32>{});
  mma.accumulate_ = GMMA::ScaleOut::Zero;  // [overwrites]
  for (int tile = 0; tile < tiles; ++tile) {
    for (int i = t; i < 4096; i += 128) sA(i / 64, i % 64) = a[i / 64 * k + 64 * tile + i % 64];  // [fill a]
    for (int i = t; i < 2048; i += 128) sB(i / 64, i % 64) = b[i / 64 * k + 64 * tile + i % 64];  // [fill b]
    fence_proxy_async_shared();                                                                   // [fence]
    __syncthreads();                                                                              // [filled]
    warpgroup_arrive();                                                                           // [arrive]
    for (int step = 0; step < 4; ++step) {
      gemm(mma, rA(_, _, step), rB(_, _, step), sums);  // [multiply]
      mma.accumulate_ = GMMA::ScaleOut::One;            // [adds]
    }
    warpgroup_commit_batch();  // [commit]
    warpgroup_wait<0>();       // [wait]
    __syncthreads();           // [used]
  }
  auto gC = make_tensor(make_gmem_ptr(c), Layout<Shape<_64, _32>, Stride<_32, _1>>{});
  auto tCgC = thread.partition_C(gC);
  for (int i = 0; i < size(sums); ++i) tCgC(i) = sums(i);  // [result]
}

int main() {
  int const k = 128;
  std::vector<half_t> a(64 * k), b(32 * k);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = half_t(static_cast<float>(i * i % 7) - 3.f);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = half_t(static_cast<float>(i * 5 % 11) - 5.f);
  device_buffer<half_t> dev_a(a), dev_b(b);
  device_buffer<float> dev_c(64 * 32);
  launch(multiply, {.grid = 1, .block = 128, .shared_bytes = 2 * (4096 + 2048)}, dev_a.data(), dev_b.data(),
         dev_c.data(), k / 64);
  auto const c = dev_c.download();
  for (std::size_t i = 0; i < c.size(); ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < k; ++j)
      sum += static_cast<float>(a[i / 32 * k + j]) * static_cast<float>(b[i % 32 * k + j]);
    if (c[i] != sum) return 1;
  }
  return 0;
}
