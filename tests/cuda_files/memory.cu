// SPDX-License-Identifier: Apache-2.0
// Symbols in streams, registered memory, hints, attributes of pointers, priorities of streams.
#include <cstdio>
#include <vector>

__device__ int table[8];

__global__ void twice(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}

static int symbols_and_pointers() {
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyToSymbolAsync(table, values, sizeof values, 0, cudaMemcpyHostToDevice, stream);
  int* address;
  cudaGetSymbolAddress((void**)&address, table);
  twice<<<1, 8, 0, stream>>>(address, 8);
  cudaMemcpyFromSymbolAsync(back, table, sizeof back, 0, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  if (back[7] != 16) return 21;
  int *managed, *pinned, *device, *seen;
  cudaMallocManaged(&managed, 8 * sizeof(int));
  cudaHostAlloc(&pinned, 8 * sizeof(int), cudaHostAllocMapped);
  cudaMalloc(&device, 8 * sizeof(int));
  if (cudaHostGetDevicePointer(&seen, pinned, 0) != cudaSuccess) return 22;
  cudaPointerAttributes a;
  cudaPointerGetAttributes(&a, managed);
  if (a.type != cudaMemoryTypeManaged) return 23;
  cudaPointerGetAttributes(&a, pinned);
  if (a.type != cudaMemoryTypeHost) return 24;
  cudaPointerGetAttributes(&a, device + 3);
  if (a.type != cudaMemoryTypeDevice || a.devicePointer != device + 3) return 25;
  if (cudaPointerGetAttributes(&a, back) != cudaSuccess || a.type != cudaMemoryTypeUnregistered) return 26;
  for (int i = 0; i < 8; ++i) managed[i] = pinned[i] = i;
#if CUDART_VERSION >= 13000
  cudaMemLocation where = {};
  where.type = cudaMemLocationTypeDevice;
  where.id = 0;
  cudaMemAdvise(managed, 8 * sizeof(int), cudaMemAdviseSetPreferredLocation, where);
  cudaMemPrefetchAsync(managed, 8 * sizeof(int), where, 0, stream);
#else
  cudaMemAdvise(managed, 8 * sizeof(int), cudaMemAdviseSetPreferredLocation, 0);
  cudaMemPrefetchAsync(managed, 8 * sizeof(int), 0, stream);
#endif
  twice<<<1, 8, 0, stream>>>(managed, 8);
  twice<<<1, 8, 0, stream>>>(seen, 8);
  cudaStreamSynchronize(stream);
  if (managed[5] != 10 || pinned[6] != 12) return 27;
  std::vector<int> registered(8, 3);
  if (cudaHostRegister(registered.data(), 32, cudaHostRegisterDefault) != cudaSuccess) return 28;
  if (cudaHostRegister(registered.data(), 32, cudaHostRegisterDefault) != cudaErrorHostMemoryAlreadyRegistered)
    return 29;
  cudaGetLastError();
  cudaMemcpyAsync(registered.data(), managed, 32, cudaMemcpyDefault, stream);
#ifndef PLANTED
  cudaStreamSynchronize(stream);
#endif
  int first = registered[5];  // planted: missing_wait
  cudaStreamSynchronize(stream);
  if (first != 10) return 30;
  cudaHostUnregister(registered.data());
  cudaFree(managed), cudaFreeHost(pinned), cudaFree(device);
  int least, greatest, priority;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t urgent;
  cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest);
  cudaStreamGetPriority(urgent, &priority);
  unsigned flags = 0;
  cudaStreamGetFlags(urgent, &flags);
  if (priority != greatest || flags != cudaStreamNonBlocking) return 31;
  cudaStreamDestroy(urgent);
  return cudaStreamDestroy(stream);
}

int main() {
  int bad = symbols_and_pointers();
  printf("%d\n", bad);
  return bad;
}
