// SPDX-License-Identifier: Apache-2.0
// mbarriers, bulk copies and clusters in inline PTX.
#include <cstdint>
#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__device__ __forceinline__ uint32_t smem_u32(void const* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void wait_parity(uint64_t* barrier, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(smem_u32(barrier)),
      "r"(parity));
}

// Loads, doubles and stores 4 chunks of 256 floats.
__global__ void through_shared(float const* in, float* out) {
  __shared__ __align__(128) float stage[256];
  __shared__ __align__(8) uint64_t full;
  int const i = threadIdx.x;
  if (i == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(&full)), "r"(1));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  for (int chunk = 0; chunk < 4; ++chunk) {
    if (i == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem_u32(&full)), "r"(1024)
                   : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       smem_u32(stage)),
                   "l"(in + 256 * chunk), "r"(1024), "r"(smem_u32(&full))
                   : "memory");
    }
#ifdef PLANTED
    if (chunk != 2)
#endif
      wait_parity(&full, chunk & 1);
    stage[i] = 2 * stage[i];  // planted: missing_wait
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (i == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + 256 * chunk),
                   "r"(smem_u32(stage)), "r"(1024)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(0) : "memory");
    }
    __syncthreads();
  }
  if (i == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Threads arrive with a state, and wait for it.
__global__ void states(int* out) {
  __shared__ uint64_t barrier;
  __shared__ int data[64];
  int const i = threadIdx.x;
  if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(smem_u32(&barrier)) : "memory");
  __syncthreads();
  data[i] = i;
  uint64_t state;
  uint32_t over = 0;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(smem_u32(&barrier)) : "memory");
  while (over == 0) {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(smem_u32(&barrier)), "l"(state)
                 : "memory");
  }
  out[i] = data[63 - i];
  // cp.async arrives when its copies are there.
  __syncthreads();
  if (i == 0) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(smem_u32(&barrier)) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(smem_u32(&barrier)), "r"(64) : "memory");
  }
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(smem_u32(&data[i])), "l"(out + i),
               "r"(i < 32 ? 4 : 0));
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(smem_u32(&barrier)) : "memory");
  wait_parity(&barrier, 0);
  EXPECT(data[63 - i] == (i < 32 ? 0 : i));
}

// Each block writes to the other's shared memory and arrives at its mbarrier.
__global__ void pairs(int* out) {
  __shared__ int inbox[32];
  __shared__ uint64_t ready;
  uint32_t rank, blocks, there, barrier_there;
  asm volatile("mov.u32 %0, %%cluster_ctarank;\n\tmov.u32 %1, %%cluster_nctarank;" : "=r"(rank), "=r"(blocks));
  EXPECT(blocks == 2 && rank == blockIdx.x % 2);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(smem_u32(&ready)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(there)
               : "r"(smem_u32(&inbox[threadIdx.x])), "r"(rank ^ 1));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier_there) : "r"(smem_u32(&ready)), "r"(rank ^ 1));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(100 * rank + threadIdx.x) : "memory");
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier_there) : "memory");
  wait_parity(&ready, 0);
  out[blockIdx.x * 32 + threadIdx.x] = inbox[threadIdx.x];
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

int main() {
  float host[1024], *in, *out;
  for (int i = 0; i < 1024; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  through_shared<<<1, 256>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  unsigned failed = 0, wrong = 0;
  for (int i = 0; i < 1024; ++i) wrong += host[i] != 2 * i;
  int *numbers, result[128];
  cudaMalloc(&numbers, sizeof result);
  states<<<1, 64>>>(numbers);
  cudaMemcpy(result, numbers, 256, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) wrong += result[i] != 63 - i;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 32;
  cudaLaunchAttribute cluster[1];
  cluster[0].id = cudaLaunchAttributeClusterDimension;
  cluster[0].val.clusterDim.x = 2;
  cluster[0].val.clusterDim.y = cluster[0].val.clusterDim.z = 1;
  config.attrs = cluster;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, pairs, numbers);
  cudaMemcpy(result, numbers, sizeof result, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) wrong += result[i] != 100 * (1 - i / 32 % 2) + i % 32;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  printf("%u failures, %u wrong\n", failed, wrong);
  return failed + wrong != 0;
}
