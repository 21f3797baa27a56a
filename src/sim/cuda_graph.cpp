// SPDX-License-Identifier: Apache-2.0
// CUDA's graphs and their nodes.
#include "cuda_graph.hpp"

#include <cosmati/runtime/sim_abi.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cuda_allocations.hpp"
#include "cuda_state.hpp"
#include "host_hazard.hpp"

using namespace cosmati_sim;

namespace {

std::set<void const*>& live() {
  static auto* const all = new std::set<void const*>;
  return *all;
}

/// The nodes in an order in which each comes after those that it depends on. It is shorter than the graph if the
/// dependencies go round.
std::vector<cudaGraphNode_t> ordered(CUgraph_st const& graph) {
  std::vector<cudaGraphNode_t> order;
  std::set<cudaGraphNode_t> done;
  for (bool grows = true; grows;) {
    grows = false;
    for (auto const& n : graph.nodes) {
      bool const ready = std::all_of(n->after.begin(), n->after.end(), [&](auto* a) { return done.count(a) != 0; });
      if (!ready || !done.insert(n.get()).second) continue;
      order.push_back(n.get());
      grows = true;
    }
  }
  return order;
}

/// Gives a list to a caller, who may ask for the number alone.
template <class T>
cudaError_t give(std::vector<T> const& list, T* out, std::size_t* count) {
  if (count == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (out != nullptr) {
    std::size_t const n = std::min(*count, list.size());
    std::copy_n(list.begin(), n, out);
    std::fill(out + n, out + *count, T{});
    *count = n;
  } else {
    *count = list.size();
  }
  return cuda_result(cudaSuccess);
}

}  // namespace

bool cosmati_sim::is_live_graph(void const* handle) { return live().count(handle) != 0; }
void cosmati_sim::graph_begins(void const* handle) { live().insert(handle); }
bool cosmati_sim::graph_ends(void const* handle) { return live().erase(handle) != 0; }

cudaError_t cosmati_sim::add_node_of_call(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                          std::size_t count, cudaGraphNodeType type, stream_work work) {
  if (out == nullptr || !is_live_graph(graph) || (count != 0 && after == nullptr))
    return cuda_result(cudaErrorInvalidValue);
  *out = add_node(graph, type, std::move(work), {after, after + count});
  return cuda_result(cudaSuccess);
}

/// The launch of a kernel that is known by its address, with copies of its arguments.
cudaError_t cosmati_sim::work_of(cudaKernelNodeParams const& p, stream_work& out) {
  cosmati_cuda::launch_shape const shape = cosmati_cuda::shape(p.gridDim, p.blockDim, p.sharedMemBytes);
  launch_sink sink;
  cudaError_t const error = cosmati_cuda::cosmati_sim_launch_known(p.func, &shape, p.kernelParams);
  out = std::move(sink.work);
  return error;
}
stream_work cosmati_sim::work_of(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](cudaStream_t s) { return cudaMemcpyAsync(to, from, bytes, kind, s); };
}
stream_work cosmati_sim::work_of(cudaMemsetParams const& p) {
  return [p](cudaStream_t s) { return cuda_fill_elements(p, s); };
}
stream_work cosmati_sim::work_of(cudaHostNodeParams const& p) {
  return [p](cudaStream_t s) { return cudaLaunchHostFunc(s, p.fn, p.userData); };
}

cudaError_t cosmati_sim::run_steps(std::vector<graph_step> const& steps, cudaStream_t stream) {
  for (graph_step const& s : steps) {
    if (!s.work) continue;
    if (cudaError_t const error = s.work(stream)) return error;
  }
  return cudaSuccess;
}

std::vector<graph_step> cosmati_sim::steps_of(CUgraph_st const& graph) {
  std::vector<graph_step> steps;
  for (cudaGraphNode_t const n : ordered(graph)) steps.push_back({n, n->type, n->work});
  return steps;
}

cudaGraphNode_t cosmati_sim::add_node(cudaGraph_t graph, cudaGraphNodeType type, stream_work work,
                                      std::vector<cudaGraphNode_t> const& after) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{graph, type, std::move(work), after}));
  return graph->nodes.back().get();
}

bool cosmati_sim::comes_after(cudaGraphNode_t node, cudaGraphNode_t first) {
  return std::any_of(node->after.begin(), node->after.end(),
                     [&](cudaGraphNode_t a) { return a == first || comes_after(a, first); });
}

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
  if (out == nullptr || flags != 0) return cuda_result(cudaErrorInvalidValue);
  *out = new CUgraph_st;
  graph_begins(*out);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!graph_ends(graph)) return cuda_result(cudaErrorInvalidValue);
  delete graph;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t graph) {
  if (!is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = cudaGraphCreate(out, 0)) return error;
  (*out)->conditions = graph->conditions;
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> twins;
  for (auto const& n : graph->nodes) twins.emplace_back(n.get(), add_node(*out, n->type, n->work, {}));
  for (auto const& [original, copy] : twins) {
    for (cudaGraphNode_t const a : original->after) {
      auto const twin = std::find_if(twins.begin(), twins.end(), [a](auto const& t) { return t.first == a; });
      if (twin != twins.end()) copy->after.push_back(twin->second);
    }
  }
  return cuda_result(cudaSuccess);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                   std::size_t count, cudaKernelNodeParams const* parameters) {
  stream_work work;
  if (parameters == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = work_of(*parameters, work)) return error;
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeKernel, std::move(work));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                   std::size_t count, cudaMemcpy3DParms const* copy) {
  if (copy == nullptr) return cuda_result(cudaErrorInvalidValue);
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeMemcpy,
                          [c = *copy](cudaStream_t s) { return cudaMemcpy3DAsync(&c, s); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                     std::size_t count, void* to, void const* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeMemcpy, work_of(to, from, bytes, kind));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                   std::size_t count, cudaMemsetParams const* fill) {
  bool const possible = fill != nullptr && (fill->elementSize == 1 || fill->elementSize == 2 || fill->elementSize == 4);
  if (!possible) return cuda_result(cudaErrorInvalidValue);
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeMemset, work_of(*fill));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                 std::size_t count, cudaHostNodeParams const* call) {
  if (call == nullptr || call->fn == nullptr) return cuda_result(cudaErrorInvalidValue);
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeHost, work_of(*call));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                  std::size_t count) {
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeEmpty, {});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                       std::size_t count, cudaGraph_t child) {
  if (!is_live_graph(child)) return cuda_result(cudaErrorInvalidValue);
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeGraph,
                          [steps = steps_of(*child)](cudaStream_t s) { return run_steps(steps, s); });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                     std::size_t count, cudaMemAllocNodeParams* parameters) {
  if (parameters == nullptr || parameters->poolProps.allocType != cudaMemAllocationTypePinned ||
      parameters->poolProps.handleTypes != cudaMemHandleTypeNone)
    return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = cuda_allocate("cudaGraphAddMemAllocNode", &parameters->dptr, parameters->bytesize))
    return error;
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeMemAlloc,
                          [memory = parameters->dptr, bytes = parameters->bytesize](cudaStream_t) {
                            cosmati_sim_poison(memory, bytes);
                            return cudaSuccess;
                          });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                    std::size_t count, void* pointer) {
  if (pointer == nullptr) return cuda_result(cudaErrorInvalidValue);
  forget_allocation(pointer);  // the graph may run again, so that its memory stays
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeMemFree, {});
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                             cudaGraphEdgeData const*, std::size_t count, cudaGraphNodeParams* p) {
  if (p == nullptr) return cuda_result(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return cudaGraphAddKernelNode(out, graph, after, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(out, graph, after, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return cudaGraphAddMemsetNode(out, graph, after, count, &p->memset);
    case cudaGraphNodeTypeHost:
      return cudaGraphAddHostNode(out, graph, after, count, &p->host);
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(out, graph, after, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(out, graph, after, count);
    case cudaGraphNodeTypeMemAlloc:
      return cudaGraphAddMemAllocNode(out, graph, after, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(out, graph, after, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
      return add_conditional(out, graph, after, count, p->conditional);
    default:
      report_host_hazard(hazard_kind::invalid_argument,
                         "cudaGraphAddNode: nodes of events are not on the simulated device; order the nodes by edges");
      return cuda_result(cudaErrorNotSupported);
  }
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                     std::size_t count) {
  if (!is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] == to[i] || comes_after(from[i], to[i])) return cuda_result(cudaErrorInvalidValue);
    to[i]->after.push_back(from[i]);
  }
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  CUgraph_st& graph = *node->graph;
  for (auto const& n : graph.nodes) std::erase(n->after, node);
  std::erase_if(graph.nodes, [node](auto const& n) { return n.get() == node; });
  return cuda_result(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (auto const& n : graph->nodes) all.push_back(n.get());
  return give(all, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (auto const& n : graph->nodes) {
    if (n->after.empty()) all.push_back(n.get());
  }
  return give(all, nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  if (!is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> begins, ends;
  for (auto const& n : graph->nodes) {
    for (cudaGraphNode_t const a : n->after) {
      begins.push_back(a);
      ends.push_back(n.get());
    }
  }
  std::size_t again = count != nullptr ? *count : 0;
  if (cudaError_t const error = give(begins, from, count)) return error;
  return to != nullptr ? give(ends, to, &again) : cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* out) {
  *out = node->type;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, cudaKernelNodeParams const* parameters) {
  if (node->type != cudaGraphNodeTypeKernel || parameters == nullptr) return cuda_result(cudaErrorInvalidValue);
  return work_of(*parameters, node->work);
}
