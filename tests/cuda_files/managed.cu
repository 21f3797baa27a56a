// SPDX-License-Identifier: Apache-2.0
// Managed and pinned memory, which the host uses after it has waited. The argument chooses a missing wait.
#include <cstdio>
#include <cstdlib>

__global__ void square(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= p[i];
}

int main(int argc, char** argv) {
  int const n = 100, forgotten = argc > 1 ? atoi(argv[1]) : 0;
  int *managed, *pinned, *device, bad = 0;
  cudaMallocManaged(&managed, n * sizeof(int));
  cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocDefault);
  cudaMalloc(&device, n * sizeof(int));
  for (int i = 0; i < n; ++i) managed[i] = pinned[i] = i;
  square<<<1, 128>>>(managed, n);
  if (forgotten != 1) cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) bad += managed[i] != i * i;  // line of 1
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  if (forgotten == 2) pinned[0] = 0;  // line of 2
  square<<<1, 128, 0, stream>>>(device, n);
  cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  if (forgotten != 3) cudaStreamSynchronize(stream);
  for (int i = 0; i < n; ++i) bad += pinned[i] != i * i;  // line of 3
  square<<<1, 128, 0, stream>>>(pinned, n);
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaEventRecord(done, stream);
  if (forgotten != 4) cudaEventSynchronize(done);
  bad += pinned[3] != 81;  // line of 4
  square<<<1, 128>>>(managed, n);
  if (forgotten != 5) cudaMemcpy(pinned, device, sizeof(int), cudaMemcpyDeviceToHost);  // it waits, too
  bad += managed[3] != 81;                                                              // line of 5
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaFree(device), cudaFree(managed), cudaFreeHost(pinned);
  return bad;
}
