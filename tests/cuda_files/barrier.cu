// SPDX-License-Identifier: Apache-2.0
// <cuda/barrier>: arrivals and waits, asynchronous copies that a barrier waits for, bulk copies, barriers in global
// memory.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/std/utility>
#include <vector>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int threads = 64;

// The first warp writes and arrives; the others wait and read. Phase after phase.
__global__ void phases(int* out) {
  __shared__ block_barrier full, free;
  __shared__ int value;
  if (threadIdx.x == 0) {
    init(&full, threads);
    init(&free, threads);
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 5) value = 10 * i + 1;
    block_barrier::arrival_token token = full.arrive();
#ifndef PLANTED
    full.wait(cuda::std::move(token));
#endif
    sum += value;  // planted: missing_barrier
    free.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

__global__ void copies(int const* in, int* out) {
  __shared__ block_barrier bar;
  __shared__ alignas(16) int stage[2 * threads];
  auto const block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, stage, in, sizeof(int) * threads, bar);
  cuda::memcpy_async(&stage[threads + threadIdx.x], &in[threads + threadIdx.x], cuda::aligned_size_t<4>(4), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = stage[threads - 1 - threadIdx.x] + stage[2 * threads - 1 - threadIdx.x];
}

// A thread leaves; the others go on.
__global__ void drop(int* out) {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 3) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  bar.arrive_and_wait();
  atomicAdd(out, 1);
}

// The last arrival of a phase adds the terms before the threads go on.
struct add_terms {
  int *terms, *sum;
  __device__ void operator()() {
    for (int i = 0; i < threads; ++i) *sum += terms[i];
  }
};
using adding_barrier = cuda::barrier<cuda::thread_scope_block, add_terms>;
__global__ void completion(int* out) {
  __shared__ alignas(adding_barrier) char memory[sizeof(adding_barrier)];
  __shared__ int terms[threads], sum;
  adding_barrier& bar = *reinterpret_cast<adding_barrier*>(memory);
  if (threadIdx.x == 0) {
    sum = 0;
    init(&bar, threads, add_terms{terms, &sum});
  }
  __syncthreads();
  for (int phase = 1; phase < 4; ++phase) {
    terms[threadIdx.x] = phase * (threadIdx.x + 1);
    bar.arrive_and_wait();
    int const seen = sum;
    if (phase == 3) out[threadIdx.x] = seen;
    __syncthreads();
  }
}

__global__ void bulk(int const* in, int* out) {
  __shared__ block_barrier bar;
  __shared__ alignas(128) int stage[threads];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(stage, in, cuda::aligned_size_t<16>(sizeof stage), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof stage);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  stage[threadIdx.x] += 1;
  cuda::device::experimental::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_shared_to_global(out, stage, sizeof stage);
    cuda::device::experimental::cp_async_bulk_commit_group();
    cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
  }
}

// Blocks meet in global memory.
__global__ void meet(cuda::barrier<cuda::thread_scope_device>* bar, int* cells, int* out) {
  cells[blockIdx.x] = 7 + blockIdx.x;
  bar->arrive_and_wait();
  out[blockIdx.x] = cells[(blockIdx.x + 1) % gridDim.x];
}
__global__ void make(cuda::barrier<cuda::thread_scope_device>* bar, int count) { init(bar, count); }

int main() {
  int host[2 * threads], *in, *out;
  for (int i = 0; i < 2 * threads; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  phases<<<1, threads>>>(out);
  cudaMemcpy(host, out, sizeof(int) * threads, cudaMemcpyDeviceToHost);
#ifdef PLANTED
  return 0;
#endif
  for (int t = 0; t < threads; ++t)
    if (host[t] != 1 + 11 + 21 + 31) return printf("phases %d: %d\n", t, host[t]), 1;
  copies<<<1, threads>>>(in, out);
  cudaMemcpy(host, out, sizeof(int) * threads, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t)
    if (host[t] != threads - 1 - t + 2 * threads - 1 - t) return printf("copies %d: %d\n", t, host[t]), 2;
  cudaMemset(out, 0, sizeof(int));
  drop<<<1, threads>>>(out);
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  if (host[0] != threads - 1) return printf("drop: %d\n", host[0]), 3;
  completion<<<1, threads>>>(out);
  cudaMemcpy(host, out, sizeof(int) * threads, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t)
    if (host[t] != 6 * threads * (threads + 1) / 2) return printf("completion %d: %d\n", t, host[t]), 6;
  bulk<<<1, threads>>>(in, out);
  cudaMemcpy(host, out, sizeof(int) * threads, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t)
    if (host[t] != t + 1) return printf("bulk %d: %d\n", t, host[t]), 4;
  cuda::barrier<cuda::thread_scope_device>* bar;
  cudaMalloc(&bar, sizeof *bar);
  make<<<1, 1>>>(bar, 4);
  meet<<<4, 1>>>(bar, in, out);
  cudaMemcpy(host, out, sizeof(int) * 4, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 4; ++b)
    if (host[b] != 7 + (b + 1) % 4) return printf("meet %d: %d\n", b, host[b]), 5;
  cudaFree(in), cudaFree(out), cudaFree(bar);
}
