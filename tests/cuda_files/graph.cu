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

// x = 1; while (x < 100) x *= 3; then x is odd, so that the first branch adds 1000.
__global__ void start(int* x, cudaGraphConditionalHandle again) {
  *x = 1;
  cudaGraphSetConditional(again, 1);
}
__global__ void triple(int* x, cudaGraphConditionalHandle again, cudaGraphConditionalHandle odd) {
  *x *= 3;
  cudaGraphSetConditional(again, *x < 100);
  cudaGraphSetConditional(odd, *x % 2);
}
__global__ void increase(int* x, int by) { *x += by; }

static int conditional() {
  cudaGraph_t graph, body;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle again, odd;
  cudaStream_t stream;
  int* x;
  CHECK(cudaMalloc(&x, sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&again, graph, 0, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&odd, graph));
  cudaGraphNode_t first, loop, branch;
  void* arguments[] = {&x, &again};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)start;
  launch.gridDim = launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &launch));
  cudaGraphNodeParams node = {};
  node.type = cudaGraphNodeTypeConditional;
  node.conditional.handle = again;
  node.conditional.type = cudaGraphCondTypeWhile;
  node.conditional.size = 1;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddNode(&loop, graph, &first, nullptr, 1, &node));
#else
  CHECK(cudaGraphAddNode(&loop, graph, &first, 1, &node));
#endif
  body = node.conditional.phGraph_out[0];
  CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  triple<<<1, 1, 0, stream>>>(x, again, odd);
  cudaGraph_t captured = nullptr;
  CHECK(cudaStreamEndCapture(stream, &captured));
  if (captured != body) return 31;
  cudaGraphNodeParams choice = {};
  choice.type = cudaGraphNodeTypeConditional;
  choice.conditional.handle = odd;
  choice.conditional.type = cudaGraphCondTypeIf;
  choice.conditional.size = 2;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddNode(&branch, graph, &loop, nullptr, 1, &choice));
#else
  CHECK(cudaGraphAddNode(&branch, graph, &loop, 1, &choice));
#endif
  for (int i = 0; i < 2; ++i) {
    int by = i == 0 ? 1000 : 2000;
    void* of_branch[] = {&x, &by};
    cudaKernelNodeParams increases = launch;
    increases.func = (void*)increase;
    increases.kernelParams = of_branch;
    cudaGraphNode_t unused;
    CHECK(cudaGraphAddKernelNode(&unused, choice.conditional.phGraph_out[i], nullptr, 0, &increases));
  }
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(branch, &type));
  if (type != cudaGraphNodeTypeConditional) return 32;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) {
    int got = 0;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost));
    if (got != 243 + 1000) return printf("%d\n", got), 33;
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  return 0;
}

// Memory that lives from one node of a graph to another.
static int memory_of_a_graph(int* d, int n) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t allocate, fill, kernel, copy, release;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams memory = {};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = n * sizeof(int);
  CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory));
  cudaMemsetParams zeros = {};
  zeros.dst = memory.dptr;
  zeros.elementSize = 4;
  zeros.width = n;
  zeros.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &zeros));
  int value = 6;
  void* arguments[] = {&memory.dptr, &n, &value};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)add;
  launch.gridDim = dim3(2);
  launch.blockDim = dim3(64);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, d, memory.dptr, n * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, memory.dptr));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, 0));
  std::vector<int> host(n);
  CHECK(cudaMemcpy(host.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
  if (host[0] != 6 || host[n - 1] != 6) return 41;
  CHECK(cudaGraphExecDestroy(exec));
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
  if (!bad) bad = conditional();
  if (!bad) bad = memory_of_a_graph(d, n);
  if (!bad) bad = wrong_captures(d, n);
  CHECK(cudaFree(d));
  printf("%d\n", bad);
  return bad;
}
