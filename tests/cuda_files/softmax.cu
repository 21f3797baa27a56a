// SPDX-License-Identifier: Apache-2.0
// Rows of a softmax, several kernels chosen on the command line, each compared with the host's.
#include <assert.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

void cuda_check(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))

void softmax_forward_cpu(float* out, const float* inp, int N, int C) {
  for (int i = 0; i < N; i++) {
    const float* inp_row = inp + i * C;
    float* out_row = out + i * C;
    float maxval = -INFINITY;
    for (int j = 0; j < C; j++) maxval = fmaxf(maxval, inp_row[j]);
    double sum = 0.0;
    for (int j = 0; j < C; j++) {
      out_row[j] = expf(inp_row[j] - maxval);
      sum += out_row[j];
    }
    float norm = 1.f / (float)sum;
    for (int j = 0; j < C; j++) out_row[j] *= norm;
  }
}

__global__ void softmax_forward_kernel1(float* out, const float* inp, int N, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const float* inp_row = inp + i * C;
    float* out_row = out + i * C;
    float maxval = -INFINITY;
    for (int j = 0; j < C; j++) {
      if (inp_row[j] > maxval) maxval = inp_row[j];
    }
    double sum = 0.0;
    for (int j = 0; j < C; j++) {
      out_row[j] = expf(inp_row[j] - maxval);
      sum += out_row[j];
    }
    for (int j = 0; j < C; j++) out_row[j] /= (float)sum;
  }
}

__device__ float warpReduceMax(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val = fmaxf(val, __shfl_down_sync(0xFFFFFFFF, val, offset));
  return val;
}

__global__ void softmax_forward_kernel2(float* out, const float* inp, int N, int C) {
  extern __shared__ float shared[];
  int idx = blockIdx.x, tid = threadIdx.x;
  int warpId = threadIdx.x / 32, laneId = threadIdx.x % 32, warpsPerBlock = blockDim.x / 32;
  float *maxvals = shared, *sumvals = &shared[warpsPerBlock];
  const float* x = inp + idx * C;
  float maxval = -INFINITY;
  for (int i = tid; i < C; i += blockDim.x) maxval = fmaxf(maxval, x[i]);
  maxval = warpReduceMax(maxval);
  if (laneId == 0) maxvals[warpId] = maxval;
  __syncthreads();
  if (tid == 0) {
    float val = maxvals[tid];
    for (int i = 1; i < warpsPerBlock; i++) val = fmaxf(val, maxvals[i]);
    maxvals[0] = val;
  }
#ifndef PLANTED
  __syncthreads();
#endif
  float offset = maxvals[0];
  float sumval = 0.0f;
  for (int i = tid; i < C; i += blockDim.x) {
    out[idx * C + i] = expf(x[i] - offset);
    sumval += out[idx * C + i];
  }
  for (int o = 16; o > 0; o /= 2) sumval += __shfl_down_sync(0xFFFFFFFF, sumval, o);
  if (laneId == 0) sumvals[warpId] = sumval;
  __syncthreads();
  if (tid == 0) {
    float val = sumvals[tid];
    for (int i = 1; i < warpsPerBlock; ++i) val += sumvals[i];
    sumvals[0] = val;
  }
  __syncthreads();
  for (int i = tid; i < C; i += blockDim.x) out[idx * C + i] /= sumvals[0];
}

struct __align__(8) SumMax {
  float maxval;
  float sum;
};

__device__ __forceinline__ SumMax reduce_sum_max_op(SumMax a, SumMax b) {
  bool a_bigger = (a.maxval > b.maxval);
  SumMax bigger_m = a_bigger ? a : b, smaller_m = a_bigger ? b : a, res;
  res.maxval = bigger_m.maxval;
  res.sum = bigger_m.sum + smaller_m.sum * expf(smaller_m.maxval - bigger_m.maxval);
  return res;
}

__global__ void softmax_forward_online_kernel(float* out, const float* inp, int N, int C) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (idx >= N) return;
  const float* x = inp + idx * C;
  SumMax sm_partial;
  sm_partial.maxval = -FLT_MAX;
  sm_partial.sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) sm_partial = reduce_sum_max_op(sm_partial, {x[i], 1.0f});
  SumMax sm_total = cg::reduce(warp, sm_partial, reduce_sum_max_op);
  for (int i = warp.thread_rank(); i < C; i += warp.size())
    __stcs(out + idx * C + i, expf(x[i] - sm_total.maxval) / sm_total.sum);
}

void softmax_forward(int kernel_num, float* out, const float* inp, int N, int C, const int block_size) {
  switch (kernel_num) {
    case 1:
      softmax_forward_kernel1<<<CEIL_DIV(N, block_size), block_size>>>(out, inp, N, C);
      break;
    case 2: {
      size_t shared_mem_size = 2 * block_size / 32 * sizeof(float);
      softmax_forward_kernel2<<<N, block_size, shared_mem_size>>>(out, inp, N, C);
      break;
    }
    case 3:
      softmax_forward_online_kernel<<<CEIL_DIV(N * 32, block_size), block_size>>>(out, inp, N, C);
      break;
    default:
      printf("Invalid kernel number\n");
      exit(1);
  }
  cudaCheck(cudaGetLastError());
}

int main(int argc, char** argv) {
  const int N = 10, C = 80;
  float *out = (float*)malloc(N * C * sizeof(float)), *inp = (float*)malloc(N * C * sizeof(float));
  for (int i = 0; i < N * C; ++i) inp[i] = (float)(rand() % 1000) / 100.f;
  float *d_out, *d_inp, *got = (float*)malloc(N * C * sizeof(float));
  cudaCheck(cudaMalloc(&d_out, N * C * sizeof(float)));
  cudaCheck(cudaMalloc(&d_inp, N * C * sizeof(float)));
  cudaCheck(cudaMemcpy(d_inp, inp, N * C * sizeof(float), cudaMemcpyHostToDevice));
  softmax_forward_cpu(out, inp, N, C);
  int first = argc > 1 ? atoi(argv[1]) : 1, last = argc > 1 ? first : 3;
  for (int kernel_num = first; kernel_num <= last; ++kernel_num) {
    softmax_forward(kernel_num, d_out, d_inp, N, C, 64);
    cudaCheck(cudaDeviceSynchronize());
    cudaCheck(cudaMemcpy(got, d_out, N * C * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N * C; i++) {
      if (fabs(out[i] - got[i]) > 1e-4f) {
        printf("Mismatch of kernel %d at %d: CPU_ref: %f vs GPU: %f\n", kernel_num, i, out[i], got[i]);
        exit(EXIT_FAILURE);
      }
    }
  }
  printf("All results match.\n");
  cudaCheck(cudaFree(d_out));
  cudaCheck(cudaFree(d_inp));
  free(out), free(inp), free(got);
  return 0;
}
