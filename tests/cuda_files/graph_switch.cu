// SPDX-License-Identifier: Apache-2.0
// A conditional node of a graph that chooses one of three bodies, or none.
#include <cuda_runtime.h>

#include <cstdio>

#include "expectations.cuh"

__global__ void choose(unsigned const* which, int* result, cudaGraphConditionalHandle branch) {
  *result = -1;
  cudaGraphSetConditional(branch, *which);
}
__global__ void put(int* result, int value) { *result = value; }

static cudaGraphNode_t add_kernel(cudaGraph_t graph, void* kernel, void** arguments) {
  cudaKernelNodeParams launch = {};
  launch.func = kernel;
  launch.gridDim = launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  expect("a kernel node", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch) == cudaSuccess);
  return node;
}

int main() {
  unsigned* which;
  int* result;
  cudaMallocManaged(&which, sizeof *which);
  cudaMallocManaged(&result, sizeof *result);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle branch;
  expect("a handle", cudaGraphConditionalHandleCreate(&branch, graph) == cudaSuccess);
  void* of_choice[] = {&which, &result, &branch};
  cudaGraphNode_t const first = add_kernel(graph, (void*)choose, of_choice);

  cudaGraphNodeParams node = {};
  node.type = cudaGraphNodeTypeConditional;
  node.conditional.handle = branch;
  node.conditional.type = cudaGraphCondTypeSwitch;
  node.conditional.size = 3;
  cudaGraphNode_t bodies;
#if CUDART_VERSION >= 13000
  expect("a switch", cudaGraphAddNode(&bodies, graph, &first, nullptr, 1, &node) == cudaSuccess);
#else
  expect("a switch", cudaGraphAddNode(&bodies, graph, &first, 1, &node) == cudaSuccess);
#endif
  for (int i = 0; i < 3; ++i) {
    int value = 100 + i;
    void* arguments[] = {&result, &value};
    add_kernel(node.conditional.phGraph_out[i], (void*)put, arguments);
  }
  cudaGraphExec_t exec;
  expect("an executable graph", cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (unsigned i : {2u, 0u, 1u, 3u, 7u, 2u}) {
    *which = i;
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    expect("the chosen body", *result == (i < 3 ? 100 + (int)i : -1));  // beyond the last body none runs
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(which);
  cudaFree(result);
  std::printf("%d wrong\n", wrong);
  return wrong;
}
