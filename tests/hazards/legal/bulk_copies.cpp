// SPDX-License-Identifier: Apache-2.0
// Correct, though a simple checker may object: bulk copies and mbarriers.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// Nobody but bulk copies touches the tile: in, and out again, without a proxy fence.
__global__ void in_and_out(float const* in, float* out) {
  __shared__ __align__(16) float tile[256];
  __shared__ std::uint64_t full;
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  for (int k = 0; k < 3; ++k) {
    arrive_and_expect_bytes(full, sizeof tile);
    bulk_copy_g2s(tile, in + 256 * k, sizeof tile, full);
    wait_barrier(full, k % 2);
    bulk_copy_s2g(out + 256 * k, tile, sizeof tile);
    tma_store_arrive();
    tma_store_wait<0>();
  }
}
/// Read while a bulk store reads: two readers.
__global__ void two_readers(float* out, float* sums) {
  __shared__ __align__(16) float tile[128];
  unsigned const t = threadIdx.x;
  tile[t] = static_cast<float>(t);
  fence_proxy_async_shared();
  __syncthreads();
  if (t == 0) {
    bulk_copy_s2g(out, tile, sizeof tile);
    bulk_copy_s2g(out + 128, tile, sizeof tile);
    tma_store_arrive();
  }
  sums[t] = tile[t] + tile[127 - t];
  if (t == 0) bulk_store_wait<0>();
}
/// One thread waits for the copy, a barrier tells the others.
__global__ void one_waits(float const* in, float* out) {
  __shared__ __align__(16) float tile[64];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    bulk_copy_g2s(tile, in, sizeof tile, full);  // before its bytes are expected:
    arrive_and_expect_bytes(full, sizeof tile);  // the phase waits for this arrival
    while (!try_wait_barrier(full, 0)) {
    }
  }
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
/// Several threads announce bytes, another arrives; two copies, two phases.
__global__ void several_expect(float const* in, float* out) {
  __shared__ __align__(16) float tile[4][32];
  __shared__ std::uint64_t full;
  unsigned const t = threadIdx.x;
  if (t == 0) {
    initialize_barrier(full, 32);
    fence_barrier_init();
  }
  __syncthreads();
  for (int phase = 0; phase < 2; ++phase) {
    if (t < 4) {
      expect_bytes(full, 128);
      bulk_copy_g2s(tile[t], in + 128 * phase + 32 * static_cast<int>(t), 128, full);
    }
    arrive_barrier(full);
    wait_barrier(full, phase);
    out[32 * phase + static_cast<int>(t)] = tile[0][t] + tile[1][31 - t] + tile[2][t] + tile[3][31 - t];
    fence_proxy_async_shared();
    __syncthreads();
  }
}
/// The barrier's memory becomes something else, and a barrier again.
__global__ void second_life(int* out) {
  __shared__ std::uint64_t word;
  int const t = static_cast<int>(threadIdx.x);
  for (int life = 0; life < 2; ++life) {
    if (t == 0) initialize_barrier(word, 64);
    __syncthreads();
    arrive_barrier(word);
    wait_barrier(word, 0);
    __syncthreads();
    if (t == 0) {
      invalidate_barrier(word);
      word = 40 + static_cast<unsigned>(life);
    }
    __syncthreads();
    out[t] = static_cast<int>(word);
    __syncthreads();
  }
}
/// Written to global memory by the block, fenced, loaded in bulk.
__global__ void from_own_stores(float* memory, float* out) {
  __shared__ __align__(16) float tile[64];
  __shared__ std::uint64_t full;
  memory[threadIdx.x] = static_cast<float>(threadIdx.x);
  fence_proxy_async();
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect_bytes(full, sizeof tile);
    bulk_copy_g2s(tile, memory, sizeof tile, full);
  }
  wait_barrier(full, 0);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
/// Parts of one buffer in different hands: some loaded in bulk, some stored to by threads, at once.
__global__ void parts(float const* in, float* out) {
  __shared__ __align__(16) float row[128];
  __shared__ std::uint64_t full;
  unsigned const t = threadIdx.x;
  if (t == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    arrive_and_expect_bytes(full, 256);
    bulk_copy_g2s(row + 64, in, 256, full);
  }
  row[t] = -1.f;
  __syncthreads();
  float const v = row[63 - t];
  wait_barrier(full, 0);
  out[t] = v + row[127 - t];
}

int main() {
  std::vector<float> host(768);
  for (std::size_t i = 0; i < 768; ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(std::vector<float>(768, 0.f)), sums(128), memory(64);
  launch(in_and_out, {.grid = 1, .block = 32}, in.data(), out.data());
  if (out.download() != host) return 1;
  launch(two_readers, {.grid = 1, .block = 128}, out.data(), sums.data());
  if (out.download()[129] != 1.f || sums.download()[5] != 127.f) return 1;
  launch(one_waits, {.grid = 1, .block = 64}, in.data(), out.data());
  if (out.download()[0] != 63.f) return 1;
  launch(several_expect, {.grid = 1, .block = 32}, in.data(), out.data());
  if (out.download()[32] != 128.f + 191.f + 192.f + 255.f) return 1;
  device_buffer<int> words(64);
  launch(second_life, {.grid = 1, .block = 64}, words.data());
  if (words.download()[63] != 41) return 1;
  launch(from_own_stores, {.grid = 1, .block = 64}, memory.data(), out.data());
  if (out.download()[0] != 63.f) return 1;
  launch(parts, {.grid = 1, .block = 64}, in.data(), out.data());
  return out.download()[0] == 62.f ? 0 : 1;
}
