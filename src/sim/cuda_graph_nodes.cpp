// SPDX-License-Identifier: Apache-2.0
// The nodes of CUDA's graphs: their parameters, dependencies and switches.
#include <cstdio>
#include <string>
#include <utility>

#include "cuda_graph.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"

using namespace cosmati_sim;

namespace {

char const* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "memcpy";
    case cudaGraphNodeTypeMemset:
      return "memset";
    case cudaGraphNodeTypeHost:
      return "host";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeWaitEvent:
      return "event wait";
    case cudaGraphNodeTypeEventRecord:
      return "event record";
    case cudaGraphNodeTypeMemAlloc:
      return "memory allocation";
    case cudaGraphNodeTypeMemFree:
      return "memory free";
    case cudaGraphNodeTypeConditional:
      return "conditional";
    default:
      return "empty";
  }
}

cudaError_t add(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                cudaGraphNodeType type, stream_work work) {
  if (out == nullptr || !is_live_graph(graph) || (count != 0 && after == nullptr))
    return cuda_result(cudaErrorInvalidValue);
  *out = add_node(graph, type, std::move(work), {after, after + count});
  return cuda_result(cudaSuccess);
}

}  // namespace

cudaError_t cosmati_cuda::params_of_node(cudaGraphNode_t node, cudaGraphNodeType type, cudaGraphNodeParams* out) {
  if (node == nullptr || node->type != type) return cuda_result(cudaErrorInvalidValue);
  if (!node->made_of) return cuda_result(cudaErrorNotSupported);
  *out = *node->made_of;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (node == nullptr || parameters == nullptr || node->type != parameters->type)
    return cuda_result(cudaErrorInvalidValue);
  cudaGraphNodeParams made_of = *parameters;
  if (cudaError_t const error = work_of(made_of, node->work)) return cuda_result(error);
  node->made_of = made_of;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  CUgraphExec_st::step* const step = step_of(exec, node);
  if (step == nullptr || parameters == nullptr || step->type != parameters->type)
    return cuda_result(cudaErrorInvalidValue);
  cudaGraphNodeParams of_step = *parameters;
  return cuda_result(work_of(of_step, step->work));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                        std::size_t count, cudaEvent_t event) {
  return add(out, graph, after, count, cudaGraphNodeTypeEventRecord,
             [event](cudaStream_t s) { return cudaEventRecord(event, s); });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                      std::size_t count, cudaEvent_t event) {
  return add(out, graph, after, count, cudaGraphNodeTypeWaitEvent,
             [event](cudaStream_t s) { return cudaStreamWaitEvent(s, event, 0); });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  return node != nullptr ? give(node->after, nodes, count) : cuda_result(cudaErrorInvalidValue);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  if (node == nullptr) return cuda_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (auto const& n : node->graph->nodes) {
    if (std::find(n->after.begin(), n->after.end(), node) != n->after.end()) all.push_back(n.get());
  }
  return give(all, nodes, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                        std::size_t count) {
  if (!is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::erase(to[i]->after, from[i]) == 0) return cuda_result(cudaErrorInvalidValue);
  }
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original, cudaGraph_t clone) {
  if (!is_live_graph(clone) || out == nullptr) return cuda_result(cudaErrorInvalidValue);
  for (auto const& n : clone->nodes) {
    if (n->original != original) continue;
    *out = n.get();
    return cuda_result(cudaSuccess);
  }
  return cuda_result(cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  CUgraphExec_st::step* const step = step_of(exec, node);
  bool const possible =
      step != nullptr && (step->type == cudaGraphNodeTypeKernel || step->type == cudaGraphNodeTypeMemcpy ||
                          step->type == cudaGraphNodeTypeMemset);
  if (!possible) return cuda_result(cudaErrorInvalidValue);
  step->is_enabled = enabled != 0;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  CUgraphExec_st::step const* const step = step_of(exec, node);
  if (step == nullptr || enabled == nullptr) return cuda_result(cudaErrorInvalidValue);
  *enabled = step->is_enabled ? 1 : 0;
  return cuda_result(cudaSuccess);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, char const* path, unsigned) {
  if (!is_live_graph(graph) || path == nullptr) return cuda_result(cudaErrorInvalidValue);
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) return cuda_result(cudaErrorOperatingSystem);
  auto const number = [&](cudaGraphNode_t node) {
    std::size_t i = 0;
    while (i < graph->nodes.size() && graph->nodes[i].get() != node) ++i;
    return i;
  };
  std::string text = "digraph graph_of_cuda {\n";
  for (auto const& n : graph->nodes) {
    text += formatted("  node_{} [label=\"{} {}\"];\n", number(n.get()), name_of(n->type), number(n.get()));
    for (cudaGraphNode_t const a : n->after) text += formatted("  node_{} -> node_{};\n", number(a), number(n.get()));
  }
  text += "}\n";
  bool const is_written = std::fputs(text.c_str(), file) >= 0;
  return cuda_result(std::fclose(file) == 0 && is_written ? cudaSuccess : cudaErrorOperatingSystem);
}
