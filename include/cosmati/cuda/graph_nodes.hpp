// SPDX-License-Identifier: Apache-2.0
/// @file
/// The nodes of CUDA's graphs on the simulated device: their parameters, dependencies and switches.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/graph.hpp>
#include <cosmati/cuda/memory.hpp>

#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2
enum cudaGraphInstantiateResult {
  cudaGraphInstantiateSuccess = 0,
  cudaGraphInstantiateError = 1,
  cudaGraphInstantiateInvalidStructure = 2,
  cudaGraphInstantiateNodeOperationNotSupported = 3,
  cudaGraphInstantiateMultipleDevicesNotSupported = 4
};
struct cudaGraphInstantiateParams {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  cudaGraphInstantiateResult result_out;
};
enum cudaGraphDebugDotFlags {
  cudaGraphDebugDotFlagsVerbose = 1 << 0,
  cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
  cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
  cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
  cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,
  cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,
  cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
  cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
  cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
  cudaGraphDebugDotFlagsHandles = 1 << 10,
  cudaGraphDebugDotFlagsConditionalNodeParams = 1 << 15
};
enum cudaStreamUpdateCaptureDependenciesFlags {
  cudaStreamAddCaptureDependencies = 0,
  cudaStreamSetCaptureDependencies = 1
};
using cudaKernelNodeAttrID = cudaLaunchAttributeID;
using cudaKernelNodeAttrValue = cudaLaunchAttributeValue;
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension

namespace cosmati_cuda {
/// Parameters of a node of each type.
template <class Parameters>
cudaGraphNodeParams node_params(cudaGraphNodeType type, Parameters cudaGraphNodeParams::*member,
                                Parameters const& parameters) {
  cudaGraphNodeParams p = {};
  p.type = type;
  p.*member = parameters;
  return p;
}
inline cudaGraphNodeParams node_params(cudaKernelNodeParams const& kernel) {
  return node_params(cudaGraphNodeTypeKernel, &cudaGraphNodeParams::kernel, kernel);
}
inline cudaGraphNodeParams node_params(cudaMemcpy3DParms const& copy) {
  cudaMemcpyNodeParams memcpy = {};
  memcpy.copyParams = copy;
  return node_params(cudaGraphNodeTypeMemcpy, &cudaGraphNodeParams::memcpy, memcpy);
}
inline cudaGraphNodeParams node_params(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  copy.dstPtr = {to, bytes, bytes, 1};
  copy.extent = {bytes, 1, 1};
  copy.kind = kind;
  return node_params(copy);
}
inline cudaGraphNodeParams node_params(cudaMemsetParams const& fill) {
  return node_params(cudaGraphNodeTypeMemset, &cudaGraphNodeParams::memset, fill);
}
inline cudaGraphNodeParams node_params(cudaHostNodeParams const& call) {
  return node_params(cudaGraphNodeTypeHost, &cudaGraphNodeParams::host, call);
}
inline cudaGraphNodeParams node_params(cudaGraph_t child) {
  cudaChildGraphNodeParams graph = {};
  graph.graph = child;
  return node_params(cudaGraphNodeTypeGraph, &cudaGraphNodeParams::graph, graph);
}
inline cudaGraphNodeParams node_params(cudaMemAllocNodeParams const& memory) {
  return node_params(cudaGraphNodeTypeMemAlloc, &cudaGraphNodeParams::alloc, memory);
}
inline cudaGraphNodeParams node_params(cudaMemFreeNodeParams const& memory) {
  return node_params(cudaGraphNodeTypeMemFree, &cudaGraphNodeParams::free, memory);
}
/// What a node of this type was made of. Of captured nodes those of kernels have it.
COSMATI_CUDA_API_(cudaError_t, params_of_node,
                  (cudaGraphNode_t node, cudaGraphNodeType type, cudaGraphNodeParams* out));
}  // namespace cosmati_cuda

// Other parameters for a node, or for the same node of an executable graph.
COSMATI_CUDA_API_(cudaError_t, cudaGraphNodeSetParams, (cudaGraphNode_t node, cudaGraphNodeParams* parameters));
COSMATI_CUDA_API_(cudaError_t, cudaGraphExecNodeSetParams,
                  (cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters));

// The functions of each type of node: its parameters, others for a node, others for an executable graph.
#define COSMATI_GRAPH_NODE_(Type, Parameters, member)                                                     \
  inline cudaError_t cudaGraph##Type##NodeGetParams(cudaGraphNode_t node, Parameters* out) {              \
    cudaGraphNodeParams all = {};                                                                         \
    cudaError_t const error = cosmati_cuda::params_of_node(node, cudaGraphNodeType##Type, &all);          \
    if (error == cudaSuccess) *out = all.member;                                                          \
    return error;                                                                                         \
  }                                                                                                       \
  inline cudaError_t cudaGraph##Type##NodeSetParams(cudaGraphNode_t node, Parameters const* parameters) { \
    if (parameters == nullptr) return cudaErrorInvalidValue;                                              \
    cudaGraphNodeParams all = cosmati_cuda::node_params(*parameters);                                     \
    return cudaGraphNodeSetParams(node, &all);                                                            \
  }                                                                                                       \
  inline cudaError_t cudaGraphExec##Type##NodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,       \
                                                        Parameters const* parameters) {                   \
    if (parameters == nullptr) return cudaErrorInvalidValue;                                              \
    cudaGraphNodeParams all = cosmati_cuda::node_params(*parameters);                                     \
    return cudaGraphExecNodeSetParams(exec, node, &all);                                                  \
  }
COSMATI_GRAPH_NODE_(Kernel, cudaKernelNodeParams, kernel)
COSMATI_GRAPH_NODE_(Memcpy, cudaMemcpy3DParms, memcpy.copyParams)
COSMATI_GRAPH_NODE_(Memset, cudaMemsetParams, memset)
COSMATI_GRAPH_NODE_(Host, cudaHostNodeParams, host)
#undef COSMATI_GRAPH_NODE_

inline cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, void const* from, std::size_t bytes,
                                                  cudaMemcpyKind kind) {
  cudaGraphNodeParams all = cosmati_cuda::node_params(to, from, bytes, kind);
  return cudaGraphNodeSetParams(node, &all);
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                      void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaGraphNodeParams all = cosmati_cuda::node_params(to, from, bytes, kind);
  return cudaGraphExecNodeSetParams(exec, node, &all);
}
inline cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  cudaGraphNodeParams all = cosmati_cuda::node_params(child);
  return cudaGraphExecNodeSetParams(exec, node, &all);
}
inline cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* out) {
  cudaGraphNodeParams all = {};
  cudaError_t const error = cosmati_cuda::params_of_node(node, cudaGraphNodeTypeGraph, &all);
  if (error == cudaSuccess) *out = all.graph.graph;
  return error;
}
inline cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* out) {
  cudaGraphNodeParams all = {};
  cudaError_t const error = cosmati_cuda::params_of_node(node, cudaGraphNodeTypeMemAlloc, &all);
  if (error == cudaSuccess) *out = all.alloc;
  return error;
}
inline cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out) {
  cudaGraphNodeParams all = {};
  cudaError_t const error = cosmati_cuda::params_of_node(node, cudaGraphNodeTypeMemFree, &all);
  if (error == cudaSuccess) *static_cast<void**>(out) = all.free.dptr;
  return error;
}

// Copies of variables of the device.
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                           std::size_t count, T const& symbol, void const* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  char* const to = static_cast<char*>(cosmati_cuda::address_of_symbol(symbol)) + offset;
  return cudaGraphAddMemcpyNode1D(out, graph, after, count, to, from, bytes, kind);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                             std::size_t count, void* to, T const& symbol, std::size_t bytes,
                                             std::size_t offset, cudaMemcpyKind kind) {
  char const* const from = static_cast<char*>(cosmati_cuda::address_of_symbol(symbol)) + offset;
  return cudaGraphAddMemcpyNode1D(out, graph, after, count, to, from, bytes, kind);
}

COSMATI_CUDA_API_(cudaError_t, cudaGraphAddEventRecordNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaEvent_t event));
COSMATI_CUDA_API_(cudaError_t, cudaGraphAddEventWaitNode,
                  (cudaGraphNode_t * out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                   cudaEvent_t event));

// Dependencies. @param nodes null: only the number is asked
COSMATI_CUDA_API_(cudaError_t, cudaGraphNodeGetDependencies,
                  (cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count));
COSMATI_CUDA_API_(cudaError_t, cudaGraphNodeGetDependentNodes,
                  (cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count));
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData*,
                                                std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, nodes, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData*,
                                                  std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, count);
}
COSMATI_CUDA_API_(cudaError_t, cudaGraphRemoveDependencies,
                  (cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to, std::size_t count));
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, cudaGraphNode_t const* from,
                                               cudaGraphNode_t const* to, cudaGraphEdgeData const*, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
}
COSMATI_CUDA_API_(cudaError_t, cudaGraphNodeFindInClone,
                  (cudaGraphNode_t * out, cudaGraphNode_t original, cudaGraph_t clone));

// A node that is switched off does nothing in later launches.
COSMATI_CUDA_API_(cudaError_t, cudaGraphNodeSetEnabled, (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled));
COSMATI_CUDA_API_(cudaError_t, cudaGraphNodeGetEnabled,
                  (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled));

/// Writes a graph of Graphviz with the types of the nodes.
COSMATI_CUDA_API_(cudaError_t, cudaGraphDebugDotPrint, (cudaGraph_t graph, char const* path, unsigned flags));
inline cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams* parameters) {
  cudaError_t const error = cudaGraphInstantiateWithFlags(out, graph, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
  return error;
}

// The capture of a stream: its graph, and the nodes that the next one comes after.
COSMATI_CUDA_API_(cudaError_t, cudaStreamGetCaptureInfo,
                  (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id = nullptr,
                   cudaGraph_t* graph = nullptr, cudaGraphNode_t const** after = nullptr,
                   cudaGraphEdgeData const** edges = nullptr, std::size_t* count = nullptr));
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                               cudaGraphNode_t const** after = nullptr, std::size_t* count = nullptr) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, after, nullptr, count);
}
COSMATI_CUDA_API_(cudaError_t, cudaStreamUpdateCaptureDependencies,
                  (cudaStream_t stream, cudaGraphNode_t* nodes, cudaGraphEdgeData const* edges, std::size_t count,
                   unsigned flags = cudaStreamAddCaptureDependencies));
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, std::size_t count,
                                                       unsigned flags = cudaStreamAddCaptureDependencies) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}

// A graph's memory is not kept back, so there is none to give to the device.
inline cudaError_t cudaDeviceGraphMemTrim(int) { return cudaSuccess; }
/// Takes the attributes that change no result.
inline cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t, cudaKernelNodeAttrID attribute,
                                                   cudaKernelNodeAttrValue const*) {
  bool const is_hint =
      attribute == cudaKernelNodeAttributeAccessPolicyWindow || attribute == cudaKernelNodeAttributePriority;
  return is_hint ? cudaSuccess : cudaErrorNotSupported;
}

#endif

#include <cosmati/core/macros_end.hpp>
