// SPDX-License-Identifier: Apache-2.0
// A warpgroup multiplies A, which its threads hold in registers, by tiles of B in shared memory. Two stages of B: the
// threads fill one while the matrix instructions read the other.
#include <cosmati/cosmati.hpp>
#include <cosmati/wgmma.hpp>
using namespace cosmati;

using LayoutB = decltype(tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, Shape<_64, _16, _2>{}));

__global__ void multiply(half_t const* a, half_t const* b, float* c, int tiles) {
  int const t = static_cast<int>(threadIdx.x), k = 16 * tiles;
  auto sB = make_tensor(make_smem_ptr(dynamic_shared<half_t>()), LayoutB{});
  auto mma = make_tiled_mma(SM90_64x64x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::MN>{});
  auto const thread = mma.get_slice(t);
  auto const gA = make_tensor(make_gmem_ptr(a), make_shape(_64{}, k), make_stride(k, _1{}));
  auto const tCgA = thread.partition_A(gA);  // (V, 1, tiles)
  auto const rB = thread.make_fragment_B(thread.partition_B(sB));
  auto sums = partition_fragment_C(mma, Shape<_64, _64>{});
  clear(sums);
  auto const fill = [&](int tile) {
    for (int i = t; i < 1024; i += 128) sB(i % 64, i / 64, tile % 2) = b[1024 * tile + i];  // [fill]
  };
  fill(0);
  for (int tile = 0; tile < tiles; ++tile) {
    fence_proxy_async_shared();  // [fence]
    __syncthreads();             // [filled]
    auto held = thread.partition_fragment_A(make_tensor(make_gmem_ptr(a), Layout<Shape<_64, _16>>{}));
    for (int i = 0; i < size(held); ++i) held(i) = tCgA(i, 0, tile);  // [a]
    warpgroup_arrive();                                               // [arrive]
    gemm(mma, held(_, _, 0), rB(_, _, 0, tile % 2), sums);            // [multiply]
    warpgroup_commit_batch();                                         // [commit]
    if (tile + 1 < tiles) fill((tile + 1) % tiles);                   // [next]
    warpgroup_wait<0>();                                              // [wait]
  }
  auto gC = make_tensor(make_gmem_ptr(c), Layout<Shape<_64, _64>, Stride<_64, _1>>{});
  auto tCgC = thread.partition_C(gC);
  for (int i = 0; i < size(sums); ++i) tCgC(i) = sums(i);  // [result]
}

int main() {
  int const tiles = 5, k = 16 * tiles;
  std::vector<half_t> a(64 * k), b(64 * k);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = half_t(static_cast<float>(i * i % 7) - 3.f);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = half_t(static_cast<float>(i * 5 % 11) - 5.f);
  device_buffer<half_t> dev_a(a), dev_b(b);
  device_buffer<float> dev_c(64 * 64);
  launch(multiply, {.grid = 1, .block = 128, .shared_bytes = 4096}, dev_a.data(), dev_b.data(), dev_c.data(), tiles);
  auto const c = dev_c.download();
  for (std::size_t i = 0; i < c.size(); ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < k; ++j)
      sum += static_cast<float>(a[i / 64 * k + j]) * static_cast<float>(b[64 * j + i % 64]);
    if (c[i] != sum) return 1;
  }
  return 0;
}
