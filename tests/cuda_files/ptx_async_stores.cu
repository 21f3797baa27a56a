// SPDX-License-Identifier: Apache-2.0
// st.async and red.async: stores to the shared memory of another block of the cluster, which an mbarrier there counts.
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>
namespace cg = cooperative_groups;

constexpr int threads = 64;

__device__ uint32_t place_in_block(void const* p, uint32_t rank) {
  uint32_t at;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(at)
               : "r"((uint32_t)__cvta_generic_to_shared(p)), "r"(rank));
  return at;
}
__device__ void wait_parity(uint64_t* barrier, uint32_t parity) {
  asm volatile(
      "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\n"
      "bra LAB_WAIT;\nDONE:\n}\n" ::"r"((uint32_t)__cvta_generic_to_shared(barrier)),
      "r"(parity)
      : "memory");
}

// Each thread sends a word, a pair of words, and a term of a sum to the next block.
__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ alignas(16) int words[threads];
  __shared__ alignas(16) uint64_t pairs[2 * threads];
  __shared__ unsigned sum;
  __shared__ uint64_t full;
  auto const cluster = cg::this_cluster();
  uint32_t const here = (uint32_t)__cvta_generic_to_shared(&full);
  int const i = threadIdx.x, rank = cluster.block_rank();
  if (i == 0) {
    sum = 5;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(here));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(here), "r"(threads * (4 + 16 + 4))
                 : "memory");
  }
  cluster.sync();
  uint32_t const barrier = place_in_block(&full, rank ^ 1);
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                   place_in_block(&words[i], rank ^ 1)),
               "r"(100 * rank + i), "r"(barrier)
               : "memory");
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u64 [%0], {%1, %2}, [%3];" ::"r"(
                   place_in_block(&pairs[2 * i], rank ^ 1)),
               "l"((uint64_t)i << 40), "l"((uint64_t)rank), "r"(barrier)
               : "memory");
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                   place_in_block(&sum, rank ^ 1)),
               "r"(i), "r"(barrier)
               : "memory");
#ifndef PLANTED
  wait_parity(&full, 0);
#endif
  int const other = threads - 1 - i;
  int right = words[other] == 100 * (rank ^ 1) + other;  // planted: missing_wait
#ifndef PLANTED
  right += pairs[2 * other] == (uint64_t)other << 40 && pairs[2 * other + 1] == (uint64_t)(rank ^ 1);
  right += sum == 5 + threads * (threads - 1) / 2;
#endif
  out[threads * blockIdx.x + i] = right;
  cluster.sync();
}

int main() {
  int *out, host[2 * threads], wrong = 0;
  cudaMalloc(&out, sizeof host);
  exchange<<<2, threads>>>(out);
  cudaError_t const error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
#ifdef PLANTED
  return 0;
#endif
  for (int const right : host) wrong += right != 3;
  cudaFree(out);
  printf("%d wrong, %s\n", wrong, cudaGetErrorString(error));
  return wrong != 0 || error != cudaSuccess;
}
