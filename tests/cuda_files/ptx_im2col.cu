// SPDX-License-Identifier: Apache-2.0
// Tensor copies of the mode im2col in inline PTX: the window of a convolution along the width, and pixels that return.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

constexpr int channels = 8, width = 10, images = 3, taps = 3, pixels = 16;

__device__ uint32_t place(void const* p) { return (uint32_t)__cvta_generic_to_shared(p); }

// For each tap the first `pixels` pixels of the padded images, whose box goes from -1 to the last but one.
__global__ void windows(__grid_constant__ const CUtensorMap tensor, float* out) {
  __shared__ alignas(128) float stage[pixels * channels];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  for (int tap = 0; tap < taps; ++tap) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(&full)), "r"((int)sizeof stage)
                   : "memory");
      asm volatile(
          "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
          "[%0], [%1, {%2, %3, %4}], [%5], {%6};" ::"r"(place(stage)),
          "l"(&tensor), "r"(0), "r"(-1), "r"(0), "r"(place(&full)), "h"((short)tap)
          : "memory");
    }
    asm volatile(
        "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\n"
        "bra LAB_WAIT;\nDONE:\n}\n" ::"r"(place(&full)),
        "r"(tap & 1)
        : "memory");
    out[tap * pixels * channels + threadIdx.x] = stage[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
  }
}

__global__ void negated(__grid_constant__ const CUtensorMap tensor) {
  __shared__ alignas(128) float stage[pixels * channels];
  stage[threadIdx.x] = -float(threadIdx.x);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&tensor),
      "r"(0), "r"(0), "r"(1), "r"(place(stage))
      : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
  float host[images][width][channels], *data, *out;
  for (int i = 0; i < images * width * channels; ++i)
    host[i / channels / width][i / channels % width][i % channels] = i + 1;
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&out, taps * pixels * channels * sizeof(float));
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &function, 12000, cudaEnableDefault, &found);
  auto const encode = (PFN_cuTensorMapEncodeIm2col_v12000)function;
  if (encode == nullptr) return 2;
  cuuint64_t const extents[] = {channels, width, images};
  cuuint64_t const strides[] = {channels * sizeof(float), width * channels * sizeof(float)};
  cuuint32_t const steps[] = {1, 1, 1};
  CUtensorMap padded, plain;
  int const zero = 0, before = -1;
  auto const make = [&](CUtensorMap* map, int const* corner) {
    return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, data, extents, strides, corner, corner, channels, pixels,
                  steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  if (make(&padded, &before) != CUDA_SUCCESS || make(&plain, &zero) != CUDA_SUCCESS) return 3;
  windows<<<1, pixels * channels>>>(padded, out);
  float got[taps][pixels][channels];
  if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 4;
  int wrong = 0;
  for (int tap = 0; tap < taps; ++tap) {
    for (int p = 0; p < pixels; ++p) {
      int const image = p / width, x = p % width + tap - 1;
      for (int c = 0; c < channels; ++c) wrong += got[tap][p][c] != (x < 0 || x >= width ? 0 : host[image][x][c]);
    }
  }
  negated<<<1, pixels * channels>>>(plain);
  float back[images][width][channels];
  if (cudaMemcpy(back, data, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess) return 5;
  for (int i = 0; i < images * width; ++i) {
    int const p = i - width;  // the copy began with the second image
    for (int c = 0; c < channels; ++c)
      wrong += back[i / width][i % width][c] !=
               (p < 0 || p >= pixels ? host[i / width][i % width][c] : -float(p * channels + c));
  }
  cudaFree(data);
  cudaFree(out);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
