// SPDX-License-Identifier: Apache-2.0
// Wrong calls of functions in kernels, one for each argument of the program. The report has the line of the call.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <cuda/barrier>
#include <string>
using namespace nvcuda;
namespace cg = cooperative_groups;

__global__ void size(int const* in) {
  __shared__ int stage[8];
  __pipeline_memcpy_async(stage, in, 12);  // line of size
}
__global__ void far_zeros(int const* in) {
  __shared__ int stage[8];
  __pipeline_memcpy_async(stage, in, 8, 12);  // line of far_zeros
}
__global__ void promise(int const* in) {
  __shared__ alignas(16) int stage[8];
  cg::memcpy_async(cg::this_thread_block(), stage, in + 1, cuda::aligned_size_t<16>(16));  // line of promise
}
__global__ void multiple(int const* in) {
  __shared__ alignas(16) int stage[8];
  cg::memcpy_async(cg::this_thread_block(), stage, in, cuda::aligned_size_t<16>(20));  // line of multiple
}
using matrix = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
__global__ void leading(half const* in) {
  matrix a;
  wmma::load_matrix_sync(a, in, 20);  // line of leading
}
__global__ void pointer(half const* in) {
  matrix a;
  wmma::load_matrix_sync(a, in + 8, 16);  // line of pointer
}
__global__ void lanes(half const* in) {
  matrix a;
  wmma::load_matrix_sync(a, in, 16);  // line of lanes
}
__global__ void beyond(half const* in) {
  matrix a;
  wmma::load_matrix_sync(a, in + 512 - 128, 16);  // line of beyond
}
__global__ void uninitialised(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  bar.arrive_and_wait();  // line of uninitialised
  *out = 1;
}
__global__ void too_many(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 31);
  __syncthreads();
  bar.arrive_and_wait();  // line of too_many
  *out = 1;
}
__global__ void half_a_warp(int* out) {
  unsigned d[2] = {}, a = 0, b = 0;
  if (threadIdx.x < 16)
    asm volatile(  // line of half_a_warp
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2}, {%3}, {%0, %1};"
        : "+r"(d[0]), "+r"(d[1])
        : "r"(a), "r"(b));
  out[threadIdx.x] = static_cast<int>(d[0]);
}

__global__ void leaves_the_grid(int* out) {
  if (blockIdx.x == 1) return;
  out[blockIdx.x] = 1;
  cg::this_grid().sync();  // line of leaves_the_grid
}

__global__ void right(half const* in, int const* numbers) {
  __shared__ alignas(16) int stage[32][2];
  matrix a;
  wmma::load_matrix_sync(a, in, 16);
  __pipeline_memcpy_async(stage[threadIdx.x], numbers, 8, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

int main(int count, char** words) {
  std::string const what = count > 1 ? words[1] : "";
  void* p;
  cudaMalloc(&p, 1024);
  cudaMemset(p, 0, 1024);
  if (what.empty()) right<<<1, 32>>>((half*)p, (int*)p);
  if (what == "size") size<<<1, 1>>>((int*)p);
  if (what == "far_zeros") far_zeros<<<1, 1>>>((int*)p);
  if (what == "promise") promise<<<1, 1>>>((int*)p);
  if (what == "multiple") multiple<<<1, 1>>>((int*)p);
  if (what == "leading") leading<<<1, 32>>>((half*)p);
  if (what == "pointer") pointer<<<1, 32>>>((half*)p);
  if (what == "lanes") lanes<<<1, 16>>>((half*)p);
  if (what == "beyond") beyond<<<1, 32>>>((half*)p);
  if (what == "uninitialised") uninitialised<<<1, 1>>>((int*)p);
  if (what == "too_many") too_many<<<1, 32>>>((int*)p);
  if (what == "half_a_warp") half_a_warp<<<1, 32>>>((int*)p);
  if (what == "leaves_the_grid") {
    void* arguments[] = {&p};
    cudaLaunchCooperativeKernel(leaves_the_grid, 3, 1, arguments);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}
