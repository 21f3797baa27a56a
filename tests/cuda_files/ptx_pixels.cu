// SPDX-License-Identifier: Apache-2.0
// Tensor copies of the mode im2col in a file's own PTX: a load with offsets, a store, a sum and a prefetch; and a store
// to another block of a cluster.
#include <cuda.h>
#include <cstdint>
#include <cstdio>

__device__ unsigned shared_address(void const* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__global__ void move_pixels(const __grid_constant__ CUtensorMap images) {
  __shared__ alignas(128) int pixels[8];
  __shared__ uint64_t full;
  if (threadIdx.x != 0) return;
  unsigned const bar = shared_address(&full), tile = shared_address(pixels);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
  asm volatile("fence.mbarrier_init.release.cluster;");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 32;" ::"r"(bar) : "memory");
  uint16_t const right = 1, down = 2;
  asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%0, {%1, %2, %3, %4}], {%5, %6};" ::"l"(&images),
               "r"(0), "r"(1), "r"(0), "r"(0), "h"(right), "h"(down)
               : "memory");
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(tile),
      "l"(&images), "r"(bar), "r"(0), "r"(1), "r"(0), "r"(0), "h"(right), "h"(down)
      : "memory");
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra again;\n}" ::"r"(bar)
      : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(
          &images),
      "r"(tile), "r"(0), "r"(0), "r"(0), "r"(0)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  asm volatile(
      "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], "
      "[%1];" ::"l"(&images),
      "r"(tile), "r"(0), "r"(0), "r"(0), "r"(0)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ __cluster_dims__(2, 1, 1) void send(unsigned* out) {
  __shared__ unsigned received;
  __shared__ uint64_t full;
  unsigned const bar = shared_address(&full), to = shared_address(&received);
  unsigned const other = (blockIdx.x & 1) ^ 1;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4;" ::"r"(bar) : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (threadIdx.x == 0) {
    unsigned there, bar_there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(to), "r"(other));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar_there) : "r"(bar), "r"(other));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(there),
                 "r"(100 + blockIdx.x), "r"(bar_there)
                 : "memory");
    asm volatile(
        "{\n.reg .pred p;\nonce_more:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra once_more;\n}" ::
            "r"(bar)
        : "memory");
    out[blockIdx.x] = received;
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

int main() {
  int host[4 * 6 * 5], *memory;  // 6 x 5 pixels of 4 channels
  for (int i = 0; i < 120; ++i) host[i] = i;
  cudaMalloc(&memory, sizeof host);
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &function, 12000, cudaEnableDefault, &found);
  using encoder = decltype(&cuTensorMapEncodeIm2col);
  CUtensorMap map;
  cuuint64_t extents[4] = {4, 6, 5, 1}, strides[3] = {16, 96, 480};
  int corners[2] = {0, 0};
  cuuint32_t steps[4] = {1, 1, 1, 1};
  if (function == nullptr ||
      ((encoder)function)(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, memory, extents, strides, corners, corners, 4, 2,
                          steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                          CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return 1;
  move_pixels<<<1, 32>>>(map);
  cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 120; ++i) {  // pixels (2, 2) and (3, 2) come to (0, 0) and (1, 0), twice
    int const expected = i < 8 ? 2 * (24 * 2 + 4 * 2 + i) : i;
    if (host[i] != expected) return printf("element %d is %d, not %d\n", i, host[i], expected), 2;
  }
  unsigned* out;
  unsigned got[4];
  cudaMalloc(&out, sizeof got);
  send<<<4, 32>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  if (got[0] != 101 || got[1] != 100 || got[2] != 103 || got[3] != 102) return 3;
  cudaFree(memory);
  cudaFree(out);
  printf("done\n");
  return 0;
}
