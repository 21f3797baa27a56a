// SPDX-License-Identifier: Apache-2.0
// Error codes of CUDA. The argument chooses a wrong call; each is a hazard with its line, too.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void asserts(int* p) {
  if (p[0] != 12345) __trap();
}
__global__ void waste() {
  extern __shared__ int big[];
  big[0] = 1;
}

static int expect(cudaError_t got, cudaError_t wanted) {
  if (got == wanted) return 0;
  printf("%s, expected %s\n", cudaGetErrorName(got), cudaGetErrorName(wanted));
  return 1;
}

int main(int argc, char** argv) {
  int *p, host[64];
  cudaMalloc(&p, sizeof host);
  fill<<<1, 64>>>(p);
  if (cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 10;
  char const* what = argc > 1 ? argv[1] : "";
  int bad = 0;
  if (!strcmp(what, "configuration")) {
    fill<<<1, 2048>>>(p);  // line of configuration
    bad += expect(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
    bad += expect(cudaGetLastError(), cudaErrorInvalidConfiguration);
    bad += expect(cudaGetLastError(), cudaSuccess);
    bad += expect(cudaDeviceSynchronize(), cudaSuccess);
  } else if (!strcmp(what, "shared")) {
    waste<<<1, 1, 100 * 1024>>>();  // line of shared
    bad += expect(cudaGetLastError(), cudaErrorInvalidValue);
    bad += expect(cudaFuncSetAttribute(waste, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024), cudaSuccess);
    waste<<<1, 1, 100 * 1024>>>();
    bad += expect(cudaGetLastError(), cudaSuccess);
  } else if (!strcmp(what, "swapped")) {
    bad += expect(cudaMemcpy(host, p, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);  // line of swapped
  } else if (!strcmp(what, "beyond")) {
    bad +=
        expect(cudaMemcpy(p, host, sizeof host + 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);  // line of beyond
  } else if (!strcmp(what, "direction")) {
    bad += expect(cudaMemcpy(p, host, 4, (cudaMemcpyKind)7), cudaErrorInvalidMemcpyDirection);
  } else if (!strcmp(what, "freed")) {
    cudaFree(p);
    bad += expect(cudaMemset(p, 0, 4), cudaErrorInvalidValue);  // line of freed
    return bad;
  } else if (!strcmp(what, "twice")) {
    cudaFree(p);
    return bad + expect(cudaFree(p), cudaErrorInvalidValue);  // line of twice
  } else if (!strcmp(what, "unwritten")) {
    int* q;
    cudaMalloc(&q, 16);
    bad += expect(cudaMemcpy(host, q, 16, cudaMemcpyDeviceToHost), cudaSuccess);  // line of unwritten
    cudaFree(q);
  } else if (!strcmp(what, "stream")) {
    cudaStream_t gone;
    cudaStreamCreate(&gone);
    cudaStreamDestroy(gone);
    fill<<<1, 64, 0, gone>>>(p);  // line of stream
    bad += expect(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  } else if (!strcmp(what, "trap")) {
    asserts<<<1, 32>>>(p);
    bad += expect(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    bad += expect(cudaGetLastError(), cudaErrorLaunchFailure);
    bad += expect(cudaMalloc(&p, 4), cudaErrorLaunchFailure);  // it stays
  } else if (!strcmp(what, "after")) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    int* none = p + 3;
    asserts<<<1, 32>>>(p);
    bad += expect(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    bad += expect(cudaMalloc(&none, 4), cudaErrorLaunchFailure);
    bad += expect(cudaFree(none), cudaErrorLaunchFailure);
    bad += expect(cudaMemcpyAsync(p, host, 4, cudaMemcpyHostToDevice, stream), cudaErrorLaunchFailure);
    bad += expect(cudaMemsetAsync(p, 0, 4, stream), cudaErrorLaunchFailure);
    return bad;
  } else if (!strcmp(what, "memory")) {
    size_t left = 0;
    FILE* const file = fopen("/proc/meminfo", "r");
    for (char line[128]; file != nullptr && fgets(line, sizeof line, file) != nullptr;) {
      if (!strncmp(line, "MemAvailable:", 13)) left = strtoull(line + 13, nullptr, 10) * 1024;
    }
    if (file != nullptr) fclose(file);
    void* big = nullptr;
    if (left != 0) bad += expect(cudaMalloc(&big, left + (size_t(1) << 30)), cudaErrorMemoryAllocation);
    bad += expect(cudaMalloc(&big, 4), cudaSuccess);
    cudaFree(big);
  } else {
    cudaEvent_t never, other;
    float ms;
    cudaEventCreate(&never);
    cudaEventCreate(&other);
    bad += expect(cudaEventElapsedTime(&ms, never, other), cudaErrorInvalidResourceHandle);
    bad += expect(cudaSetDevice(3), cudaErrorInvalidDevice);
    cudaGetLastError();
    bad += strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") != 0;
    bad += strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") != 0;
    int threads = 0, count = 0;
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0);
    cudaGetDeviceCount(&count);
    bad += threads != 1024 || count < 1;
    cudaEventDestroy(never);
    cudaEventDestroy(other);
  }
  cudaFree(p);
  return bad;
}
