// SPDX-License-Identifier: Apache-2.0
// Boxes of tensors by the functions of cuda/barrier: a tile of a matrix, and one of a stack of matrices, are doubled.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cstdio>
#include <cuda/barrier>
#include <utility>
#include <vector>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int rows = 4, columns = 8, planes = 2, height = 6, width = 20;

__global__ void double_boxes(const __grid_constant__ CUtensorMap matrix, const __grid_constant__ CUtensorMap stack) {
  __shared__ alignas(128) float tile[rows][columns];
  __shared__ alignas(128) float block[planes][rows][columns];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &matrix, 8, 1, bar);
    cde::cp_async_bulk_tensor_3d_global_to_shared(&block, &stack, 12, 2, 1, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile + sizeof block);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  tile[threadIdx.x / columns][threadIdx.x % columns] *= 2;
  for (int p = 0; p < planes; ++p) block[p][threadIdx.x / columns][threadIdx.x % columns] *= 2;
#ifndef PLANTED
  cde::fence_proxy_async_shared_cta();
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&matrix, 8, 1, &tile);  // planted: missing_proxy_fence
    cde::cp_async_bulk_tensor_3d_shared_to_global(&stack, 12, 2, 1, &block);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

CUtensorMap descriptor(float* data, cuuint32_t rank) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
  CUtensorMap map{};
  cuuint64_t const extents[] = {width, height, 3};
  cuuint64_t const strides[] = {width * sizeof(float), width * height * sizeof(float)};
  cuuint32_t const box[] = {columns, rows, planes}, steps[] = {1, 1, 1};
  if (((PFN_cuTensorMapEncodeTiled_v12000)function)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, data, extents, strides,
                                                    box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                                    CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    std::printf("no descriptor\n");
  return map;
}

bool in_box(int x, int y, int z, int x0, int y0, int z0) {
  return x >= x0 && x < x0 + columns && y >= y0 && y < y0 + rows && z >= z0 && z < z0 + planes;
}

int main() {
  int const elements = 3 * height * width;
  std::vector<float> host(elements), flat(elements), deep(elements);
  for (int i = 0; i < elements; ++i) host[i] = static_cast<float>(i);
  float *matrix, *stack;
  cudaMalloc(&matrix, elements * sizeof(float));
  cudaMalloc(&stack, elements * sizeof(float));
  cudaMemcpy(matrix, host.data(), elements * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(stack, host.data(), elements * sizeof(float), cudaMemcpyHostToDevice);
  double_boxes<<<1, rows * columns>>>(descriptor(matrix, 2), descriptor(stack, 3));
  cudaMemcpy(flat.data(), matrix, elements * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(deep.data(), stack, elements * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < elements; ++i) {
    int const x = i % width, y = i / width % height, z = i / width / height;
    bool const two = z == 0 && in_box(x, y, 0, 8, 1, 0), three = in_box(x, y, z, 12, 2, 1);
    wrong += flat[i] != host[i] * (two ? 2 : 1) || deep[i] != host[i] * (three ? 2 : 1);
  }
  if (wrong != 0) std::printf("%d wrong numbers\n", wrong);
  cudaFree(matrix);
  cudaFree(stack);
  return wrong == 0 ? 0 : 1;
}
