// SPDX-License-Identifier: Apache-2.0
// A graph whose kernel node comes from cudaGraphAddNode alone: nothing else in the file launches by address.
#include <cstdio>
__global__ void add(int* p, int by) { atomicAdd(p, by); }
int main() {
  int* p;
  cudaMallocManaged(&p, 4);
  *p = 1;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  int by = 3;
  void* arguments[] = {&p, &by};
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = (void*)add;
  params.kernel.gridDim = dim3(2);
  params.kernel.blockDim = dim3(2);
  params.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaError_t e = cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
  if (e != cudaSuccess) return 2;
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  printf("%d\n", *p);
  int const right = *p == 13;
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(p);
  return right ? 0 : 1;
}
