// SPDX-License-Identifier: Apache-2.0
// Nodes of graphs: what they were made of, other parameters, dependencies, switches, events, and captures that go on
// behind nodes of the program.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                     \
  do {                                                                  \
    cudaError_t e = (call);                                             \
    if (e != cudaSuccess) {                                             \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

__device__ int summand = 1;
__global__ void add(int* p, int by) { *p += by * summand; }

static int value_of(int* d) {
  int host = 0;
  CHECK(cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost));
  return host;
}

static int parameters(int* d) {
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, first, second, symbol, twin;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zero = {};
  zero.dst = d;
  zero.elementSize = 4;
  zero.width = zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  int by = 3, two = 2;
  void* arguments[] = {&d, &by};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)add;
  launch.gridDim = launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&first, graph, &fill, 1, &launch));
  CHECK(
      cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, &first, 1, summand, &two, sizeof two, 0, cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddKernelNode(&second, graph, &symbol, 1, &launch));

  cudaKernelNodeParams read = {};
  CHECK(cudaGraphKernelNodeGetParams(first, &read));
  if (read.func != (void*)add || read.blockDim.x != 1) return 1;
  by = 10;  // the node has a copy
  if (*static_cast<int*>(read.kernelParams[1]) != 3) return 1;
  read.kernelParams = arguments;
  CHECK(cudaGraphKernelNodeSetParams(second, &read));
  cudaMemsetParams filled;
  CHECK(cudaGraphMemsetNodeGetParams(fill, &filled));
  filled.value = 100;
  CHECK(cudaGraphMemsetNodeSetParams(fill, &filled));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  if (value_of(d) != 100 + 3 + 2 * 10) return 2;
  CHECK(cudaGraphNodeSetEnabled(exec, first, 0));
  unsigned enabled = 1;
  CHECK(cudaGraphNodeGetEnabled(exec, first, &enabled));
  CHECK(cudaGraphLaunch(exec, 0));
  if (enabled != 0 || value_of(d) != 120) return 3;

  size_t count = 0;
  CHECK(cudaGraphNodeGetDependencies(second, nullptr, nullptr, &count));
  if (count != 1) return 4;
  CHECK(cudaGraphNodeGetDependentNodes(fill, &twin, nullptr, &count));
  if (twin != first) return 5;
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphNodeFindInClone(&twin, second, clone));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(twin, &type));
  if (type != cudaGraphNodeTypeKernel || twin == second) return 6;
  if (cudaGraphHostNodeGetParams(twin, nullptr) == cudaSuccess) return 7;
  cudaGetLastError();
  CHECK(cudaGraphRemoveDependencies(clone, &twin, &twin, nullptr, 0));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
  return 0;
}

static int child_and_event(int* d) {
  cudaGraph_t graph, child, held;
  cudaGraphExec_t exec;
  cudaGraphNode_t node, record;
  cudaEvent_t done;
  int by = 5;
  void* arguments[] = {&d, &by};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)add;
  launch.gridDim = launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  CHECK(cudaEventCreate(&done));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));
  CHECK(cudaGraphAddKernelNode(&node, child, nullptr, 0, &launch));
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  CHECK(cudaGraphChildGraphNodeGetGraph(node, &held));
  CHECK(cudaGraphAddEventRecordNode(&record, graph, &node, 1, done));
  cudaGraphInstantiateParams how = {};
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &how));
  if (how.result_out != cudaGraphInstantiateSuccess) return 1;
  int const before = value_of(d);
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaEventSynchronize(done));
  if (value_of(d) != before + 10) return 2;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(child));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(done));
  return 0;
}

/// A node of the program stands in the middle of a capture.
static int capture_behind_node(int* d) {
  cudaStream_t stream;
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t graph, same;
  cudaGraphNode_t const* after;
  cudaGraphNode_t fill;
  size_t count;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(d, 7);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &after, nullptr, &count));
  if (status != cudaStreamCaptureStatusActive || id == 0 || count != 1) return 1;
  cudaMemsetParams zero = {};
  zero.dst = d;
  zero.elementSize = 4;
  zero.width = zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, after, count, &zero));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &fill, nullptr, 1, cudaStreamSetCaptureDependencies));
  add<<<1, 1, 0, stream>>>(d, 4);
  CHECK(cudaStreamEndCapture(stream, &same));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, same, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (graph != same || value_of(d) != 8) return 2;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
  if (status != cudaStreamCaptureStatusNone) return 3;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(same));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(d, 1);
  CHECK(cudaStreamEndCapture(stream, nullptr));  // the program has the graph
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  if (count != 1) return 4;
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}

// A captured launch has the parameters that the kernel was called with. Others may be set, also in the executable
// graph.
static int captured_launch(int* d) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  std::size_t count = 1;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemset(d, 0, sizeof(int)));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(d, short(7));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphGetNodes(graph, &node, &count));
  cudaKernelNodeParams p = {};
  CHECK(cudaGraphKernelNodeGetParams(node, &p));
  if (p.func != (void*)add || p.gridDim.x != 1 || p.blockDim.x != 1 || p.sharedMemBytes != 0) return 1;
  if (*static_cast<int**>(p.kernelParams[0]) != d || *static_cast<int*>(p.kernelParams[1]) != 7) return 2;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (value_of(d) != 7 * 2) return 3;
  p.sharedMemBytes = 16;  // the arguments are those of the node
  CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &p));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (value_of(d) != 14 * 2) return 4;
  int by = 100;
  void* arguments[] = {p.kernelParams[0], &by};
  p.kernelParams = arguments;
  CHECK(cudaGraphKernelNodeSetParams(node, &p));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (value_of(d) != 114 * 2) return 5;
  CHECK(cudaGraphKernelNodeGetParams(node, &p));
  if (*static_cast<int*>(p.kernelParams[1]) != 100) return 6;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}

int main() {
  int* d;
  CHECK(cudaMalloc(&d, sizeof(int)));
  int const faults[] = {parameters(d), child_and_event(d), capture_behind_node(d), captured_launch(d)};
  CHECK(cudaFree(d));
  printf("%d %d %d %d\n", faults[0], faults[1], faults[2], faults[3]);
  return faults[0] + faults[1] + faults[2] + faults[3];
}
