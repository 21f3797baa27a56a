// SPDX-License-Identifier: Apache-2.0
// Graphs: captured from streams, made of nodes, updated, cloned.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                     \
  do {                                                                  \
    cudaError_t e = (call);                                             \
    if (e != cudaSuccess) {                                             \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

__global__ void add(int* p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += value;
}
__global__ void scale(int* p, int n, int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= factor;
}
static int calls = 0;
static void CUDART_CB count_call(void* by) { calls += *static_cast<int*>(by); }

static int captured(int* d, int n) {
  cudaStream_t stream, side;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaMemset(d, 0, n * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamIsCapturing(stream, &status));
  if (status != cudaStreamCaptureStatusActive) return 1;
  add<<<2, 64, 0, stream>>>(d, n / 2, 3);
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  add<<<2, 64, 0, side>>>(d + n / 2, n / 2, 5);
  CHECK(cudaEventRecord(join, side));
  scale<<<2, 64, 0, stream>>>(d, n / 2, 2);
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  int one = 1;
  CHECK(cudaLaunchHostFunc(stream, count_call, &one));
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  if (nodes != 4 || roots != 1) return 2;
  std::vector<int> host(n);
  CHECK(cudaMemcpy(host.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
  if (host[0] != 0) return 3;  // a capture does nothing
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(host.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
  if (host[0] != ((0 + 3) * 2 + 3) * 2 || host[n / 2 - 1] != 18 || host[n - 1] != 10 || calls != 2) return 4;
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(side));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}

static int made_of_nodes(int* d, int n) {
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, kernel, download, call, empty;
  std::vector<int> host(n, -1);
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zero = {};
  zero.dst = d;
  zero.value = 7;
  zero.elementSize = 4;
  zero.width = n;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  int value = 5;
  void* arguments[] = {&d, &n, &value};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)add;
  launch.gridDim = dim3((n + 63) / 64);
  launch.blockDim = dim3(64);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  value = 100;  // the node has a copy
  CHECK(
      cudaGraphAddMemcpyNode1D(&download, graph, &kernel, 1, host.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
  int ten = 10;
  cudaHostNodeParams host_call = {};
  host_call.fn = count_call;
  host_call.userData = &ten;
  CHECK(cudaGraphAddHostNode(&call, graph, &download, 1, &host_call));
  CHECK(cudaGraphAddEmptyNode(&empty, graph, &call, 1));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(kernel, &type));
  if (type != cudaGraphNodeTypeKernel) return 11;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  calls = 0;
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  if (host[0] != 12 || host[n - 1] != 12 || calls != 10) return 12;
  value = 20;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  if (host[n / 2] != 27) return 13;
  CHECK(cudaGraphClone(&clone, graph));  // its kernel still adds 5
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, clone, &info));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  if (info.result != cudaGraphExecUpdateSuccess || host[n / 2] != 12) return 14;
  cudaGraphNode_t more;
  CHECK(cudaGraphAddEmptyNode(&more, clone, nullptr, 0));
  if (cudaGraphExecUpdate(exec, clone, &info) != cudaErrorGraphExecUpdateFailure) return 15;
  (void)cudaGetLastError();
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
  return 0;
}

static int wrong_captures(int* d, int n) {
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  add<<<1, 64, 0, stream>>>(d, n, 1);
  if (cudaStreamSynchronize(stream) != cudaErrorStreamCaptureUnsupported) return 21;
  if (cudaStreamEndCapture(stream, &graph) != cudaErrorStreamCaptureInvalidated || graph != nullptr) return 22;
  (void)cudaGetLastError();
  CHECK(cudaStreamDestroy(stream));
  return 0;
}

int main() {
  int n = 128, *d;
  CHECK(cudaMalloc(&d, n * sizeof(int)));
  int bad = captured(d, n);
  if (!bad) bad = made_of_nodes(d, n);
  if (!bad) bad = wrong_captures(d, n);
  CHECK(cudaFree(d));
  printf("%d\n", bad);
  return bad;
}
