// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's graphs on the simulated device: capture of streams, nodes, executable graphs. A launch of a graph runs its
/// nodes one by one in an order that their dependencies allow.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/copy3d.hpp>
#include <cosmati/cuda/launch.hpp>
#include <cosmati/cuda/pool.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cstddef>

struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;
using cudaGraph_t = CUgraph_st*;
using cudaGraphNode_t = CUgraphNode_st*;
using cudaGraphExec_t = CUgraphExec_st*;

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};
enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeWaitEvent = 6,
  cudaGraphNodeTypeEventRecord = 7,
  cudaGraphNodeTypeMemAlloc = 10,
  cudaGraphNodeTypeMemFree = 11,
  cudaGraphNodeTypeConditional = 13
};
enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess = 0,
  cudaGraphExecUpdateError = 1,
  cudaGraphExecUpdateErrorTopologyChanged = 2,
  cudaGraphExecUpdateErrorNodeTypeChanged = 3,
  cudaGraphExecUpdateErrorFunctionChanged = 4,
  cudaGraphExecUpdateErrorParametersChanged = 5,
  cudaGraphExecUpdateErrorNotSupported = 6
};
struct cudaGraphExecUpdateResultInfo {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};
/// The extents of memory in a fill: `width` is in elements.
struct cudaMemsetParams {
  void* dst;
  std::size_t pitch;
  unsigned value, elementSize;
  std::size_t width, height;
};
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};
struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};
struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
};

/// Memory of a graph. Its address is known when the node is made, and its content is new at each launch.
struct cudaMemAllocNodeParams {
  cudaMemPoolProps poolProps;
  cudaMemAccessDesc const* accessDescs;
  std::size_t accessDescCount, bytesize;
  void* dptr;
};
struct cudaMemFreeNodeParams {
  void* dptr;
};
struct cudaEventRecordNodeParams {
  cudaEvent_t event;
};
struct cudaEventWaitNodeParams {
  cudaEvent_t event;
};
struct cudaMemcpyNodeParams {
  int flags, reserved[3];
  cudaMemcpy3DParms copyParams;
};
enum cudaGraphChildGraphNodeOwnership { cudaGraphChildGraphOwnershipClone = 0, cudaGraphChildGraphOwnershipMove = 1 };
struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
  cudaGraphChildGraphNodeOwnership ownership;
};
using cudaKernelNodeParamsV2 = struct cudaKernelNodeParams;
using cudaMemsetParamsV2 = cudaMemsetParams;
using cudaHostNodeParamsV2 = cudaHostNodeParams;
using cudaMemAllocNodeParamsV2 = cudaMemAllocNodeParams;

/// The number of a condition that kernels of a graph set.
using cudaGraphConditionalHandle = unsigned long long;
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf = 0, cudaGraphCondTypeWhile = 1, cudaGraphCondTypeSwitch = 2 };
#define cudaGraphCondAssignDefault 1u
/// A node that runs one of its `size` graphs, which the call makes and phGraph_out receives.
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t* phGraph_out;
};
/// A node of any type.
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29] = {};
    cudaKernelNodeParamsV2 kernel;
    cudaMemcpyNodeParams memcpy;
    cudaMemsetParamsV2 memset;
    cudaHostNodeParamsV2 host;
    cudaChildGraphNodeParams graph;
    cudaMemAllocNodeParamsV2 alloc;
    cudaMemFreeNodeParams free;
    cudaEventRecordNodeParams eventRecord;
    cudaEventWaitNodeParams eventWait;
    cudaConditionalNodeParams conditional;
  };
  long long reserved2;
};

#define cudaGraphInstantiateFlagAutoFreeOnLaunch 1u
#define cudaGraphInstantiateFlagUpload 2u
#define cudaGraphInstantiateFlagDeviceLaunch 4u
#define cudaGraphInstantiateFlagUseNodePriority 8u

// Capture. Work of a stream that is captured is remembered and not done.
COSMATI_CUDA_API_(cudaError_t, cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode));
COSMATI_CUDA_API_(cudaError_t, cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t* out));
COSMATI_CUDA_API_(cudaError_t, cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus* out));
/// Captures into a graph, behind nodes of it. cudaStreamEndCapture gives the same graph.
COSMATI_CUDA_API_(cudaError_t, cudaStreamBeginCaptureToGraph,
                  (cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* after, cudaGraphEdgeData const* edges,
                   std::size_t count, cudaStreamCaptureMode mode));
inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }

// Graphs and their nodes.
COSMATI_CUDA_API_(cudaError_t, cudaGraphCreate, (cudaGraph_t * out, unsigned flags));
COSMATI_CUDA_API_(cudaError_t, cudaGraphDestroy, (cudaGraph_t graph));
COSMATI_CUDA_API_(cudaError_t, cudaGraphClone, (cudaGraph_t * out, cudaGraph_t graph));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddKernelNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaKernelNodeParams const* parameters));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddMemcpyNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaMemcpy3DParms const* copy));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddMemcpyNode1D,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count, void* to,
                   void const* from, std::size_t bytes, cudaMemcpyKind kind));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddMemsetNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaMemsetParams const* fill));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddHostNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaHostNodeParams const* call));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddEmptyNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddChildGraphNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaGraph_t child));
/// @param parameters its `dptr` receives the address
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddMemAllocNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaMemAllocNodeParams* parameters));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddMemFreeNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   void* pointer));
/// Adds a node of the type of `parameters`.
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after,
                   cudaGraphEdgeData const* edges, std::size_t count, cudaGraphNodeParams* parameters));
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                    std::size_t count, cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(out, graph, after, nullptr, count, parameters);
}
/// Makes a condition. @param flags cudaGraphCondAssignDefault: it has the value at each launch
COSMATI_CUDA_API_(cudaError_t, cudaGraphConditionalHandleCreate,
                  (cudaGraphConditionalHandle * out, cudaGraph_t graph, unsigned value = 0, unsigned flags = 0));
/// Sets a condition, in a kernel.
COSMATI_CUDA_API_(void, cudaGraphSetConditional, (cudaGraphConditionalHandle handle, unsigned value));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddDependencies,
                  (cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to, std::size_t count));
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                            cudaGraphEdgeData const*, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
COSMATI_CUDA_API_(cudaError_t, cudaGraphDestroyNode, (cudaGraphNode_t node));
/// @param nodes null: only the number is asked
COSMATI_CUDA_API_(cudaError_t, cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count));
COSMATI_CUDA_API_(cudaError_t, cudaGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count));
COSMATI_CUDA_API_(cudaError_t, cudaGraphGetEdges,
                  (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count));
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData*,
                                     std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, count);
}
COSMATI_CUDA_API_(cudaError_t, cudaGraphNodeGetType, (cudaGraphNode_t node, cudaGraphNodeType* out));

// Executable graphs.
COSMATI_CUDA_API_(cudaError_t, cudaGraphInstantiateWithFlags,
                  (cudaGraphExec_t * out, cudaGraph_t graph, unsigned long long flags));
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(out, graph, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphNode_t* wrong, char* log,
                                        std::size_t log_bytes) {
  if (wrong != nullptr) *wrong = nullptr;
  if (log != nullptr && log_bytes != 0) *log = 0;
  return cudaGraphInstantiateWithFlags(out, graph, 0);
}
COSMATI_CUDA_API_(cudaError_t, cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream));
COSMATI_CUDA_API_(cudaError_t, cudaGraphExecDestroy, (cudaGraphExec_t exec));
COSMATI_CUDA_API_(cudaError_t, cudaGraphExecUpdate,
                  (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* out));
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* wrong,
                                       cudaGraphExecUpdateResult* out) {
  cudaGraphExecUpdateResultInfo info = {};
  cudaError_t const error = cudaGraphExecUpdate(exec, graph, &info);
  if (wrong != nullptr) *wrong = info.errorNode;
  if (out != nullptr) *out = info.result;
  return error;
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }

#endif

#include <cosmati/core/macros_end.hpp>
