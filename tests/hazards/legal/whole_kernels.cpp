// SPDX-License-Identifier: Apache-2.0
// Whole kernels: a queue of work with divergent loops, an online softmax over copies in flight, rows in bulk both ways,
// matrices turned by ldmatrix and stmatrix.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// Blocks take jobs until there are none: two sorted runs of 32 are merged, each thread finds its place.
__global__ void merge_runs(int const* in, int* out, unsigned* next, int jobs) {
  __shared__ int a[64];
  __shared__ unsigned job;
  int const t = threadIdx.x;
  while (true) {
    if (t == 0) job = atomicAdd(next, 1u);
    __syncthreads();
    int const j = static_cast<int>(job);
    if (j >= jobs) break;
    a[t] = in[j * 64 + t];
    __syncthreads();
    int lo = 0, hi = 32;
    int const mine = a[t], other = t < 32 ? 32 : 0;
    while (lo < hi) {
      int const mid = (lo + hi) / 2;
      bool const less = t < 32 ? a[other + mid] < mine : a[other + mid] <= mine;
      if (less)
        lo = mid + 1;
      else
        hi = mid;
    }
    out[j * 64 + lo + t % 32] = mine;
    __syncthreads();
  }
}
bool merges() {
  int const jobs = 9;
  std::vector<int> h(jobs * 64);
  for (int j = 0; j < jobs; ++j)
    for (int i = 0; i < 64; ++i) h[j * 64 + i] = (i % 32) * 3 + j + (i < 32 ? 0 : 1);
  device_buffer<int> in(h), out(h.size());
  device_buffer<unsigned> next(std::vector<unsigned>{0});
  launch(merge_runs, {.grid = 3, .block = 64}, in.data(), out.data(), next.data(), jobs);
  auto const got = out.download();
  for (int i = 1; i < 64; ++i)
    if (got[i] < got[i - 1] || got[64 * (jobs - 1) + i] < got[64 * (jobs - 1) + i - 1]) return false;
  return true;
}

/// Softmax of the products of q with rows that come by cp.async, two stages: the greatest is found on the way.
using TC = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, float>{},
                                    Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{}));
__global__ void attend(float const* q, float const* kv, float* out, int tiles) {
  __shared__ __align__(16) float s[2][16][32];
  int const t = threadIdx.x, lane = t % 32, warp = t / 32;
  auto fetch = [&](int i) {
    auto g = make_tensor(make_gmem_ptr(kv + i * 512), Layout<Shape<_16, _32>, Stride<_32, _1>>{});
    auto d = make_tensor(make_smem_ptr(&s[i & 1][0][0]), Layout<Shape<_16, _32>, Stride<_32, _1>>{});
    auto th = TC{}.get_slice(t);
    copy(TC{}, th.partition_S(g), th.partition_D(d));
    cp_async_fence();
  };
  float const mine = q[lane];
  float m = -1e30f, sum = 0.f, acc = 0.f;
  fetch(0);
  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles) fetch(i + 1);
    if (i + 1 < tiles)
      cp_async_wait<1>();
    else
      cp_async_wait<0>();
    __syncthreads();
    for (int r = warp; r < 16; r += 4) {
      float d = mine * s[i & 1][r][lane];
      for (int o = 16; o; o /= 2) d += __shfl_xor_sync(~0u, d, o);
      float const n = fmaxf(m, d);
      sum = sum * expf(m - n) + expf(d - n);
      acc = acc * expf(m - n) + expf(d - n) * s[i & 1][r][lane];
      m = n;
    }
    __syncthreads();
  }
  __shared__ float all[4][33], top[4], total[4];
  all[warp][lane] = acc;
  if (lane == 0) top[warp] = m, total[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    float n = -1e30f, z = 0, v = 0;
    for (int w = 0; w < 4; ++w) n = fmaxf(n, top[w]);
    for (int w = 0; w < 4; ++w) z += total[w] * expf(top[w] - n), v += all[w][lane] * expf(top[w] - n);
    out[lane] = v / z;
  }
}
bool attends() {
  int const tiles = 5;
  std::vector<float> h(tiles * 512);
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = float(i % 13) / 13;
  device_buffer<float> q(std::vector<float>(32, .1f)), kv(h), out(32);
  launch(attend, {.grid = 1, .block = 128}, q.data(), kv.data(), out.data(), tiles);
  float const first = out.download()[0];
  return first > 0 && first < 1;
}

/// Rows in bulk to an mbarrier that all threads arrive at, turned round, and out again from a second buffer.
__global__ void rows(float const* in, float* out, int n, int stride) {
  __shared__ __align__(128) float x[4][64];
  __shared__ __align__(128) float y[4][64];
  __shared__ std::uint64_t bar;
  int const t = threadIdx.x;
  if (t == 0) {
    initialize_barrier(bar, 128);
    fence_barrier_init();
  }
  __syncthreads();
  for (int k = 0; k < n; k += 4) {
    if (t == 0) {
      expect_bytes(bar, 4 * 256);
      for (int r = 0; r < 4; ++r) bulk_copy_g2s(x[r], in + (k + r) * stride, 256, bar);
    }
    arrive_barrier(bar);
    wait_barrier(bar, k / 4 % 2);
    for (int i = t; i < 256; i += 128) y[i / 64][63 - i % 64] = x[i / 64][i % 64];
    fence_proxy_async_shared();
    __syncthreads();
    if (t == 0) {
      for (int r = 0; r < 4; ++r) bulk_copy_s2g(out + (k + r) * 64, y[r], 256);
      tma_store_arrive();
      tma_store_wait<0>();
    }
    __syncthreads();
  }
}
bool carries_rows() {
  int const n = 12, stride = 72;
  std::vector<float> h(n * stride, 2.f);
  device_buffer<float> in(h), out(n * 64);
  launch(rows, {.grid = 1, .block = 128}, in.data(), out.data(), n, stride);
  return out.download() == std::vector<float>(n * 64, 2.f);
}

/// A warp transposes an 8 x 8 matrix; blocks of three dimensions; a vote of the block.
__global__ void turn(std::uint16_t const* in, std::uint16_t* out, int* any) {
  __shared__ __align__(16) std::uint16_t a[4][8 * 8], b[4][8 * 8];
  int const lane = threadIdx.x + 8 * threadIdx.y, warp = threadIdx.z;
  a[warp][2 * lane] = in[(blockIdx.x * 4 + warp) * 64 + 2 * lane];
  a[warp][2 * lane + 1] = in[(blockIdx.x * 4 + warp) * 64 + 2 * lane + 1];
  __syncwarp();
  std::uint32_t r[1];
  ldmatrix<1, true>(r, &a[warp][8 * (lane % 8)]);
  stmatrix<1>(&b[warp][8 * (lane % 8)], r);
  __syncwarp();
  int const odd = __syncthreads_or(b[warp][2 * lane] & 1);
  if (lane == 0 && warp == 0) atomicOr(any, odd);
  out[(blockIdx.x * 4 + warp) * 64 + 2 * lane] = b[warp][2 * lane];
  out[(blockIdx.x * 4 + warp) * 64 + 2 * lane + 1] = b[warp][2 * lane + 1];
}
bool turns() {
  std::vector<std::uint16_t> h(2 * 4 * 64);
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = static_cast<std::uint16_t>(i);
  device_buffer<std::uint16_t> in(h), out(h.size());
  device_buffer<int> any(std::vector<int>{0});
  launch(turn, {.grid = 2, .block = dim3(8, 4, 4)}, in.data(), out.data(), any.data());
  return out.download()[1] == 8 && any.download()[0] != 0;
}

int main() { return merges() && attends() && carries_rows() && turns() ? 0 : 1; }
