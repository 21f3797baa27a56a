// SPDX-License-Identifier: Apache-2.0
// CUDA's graphs. A node keeps its work as a function.
#include "cuda_graph.hpp"

#include <cosmati/runtime/sim_abi.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda_allocations.hpp"
#include "cuda_state.hpp"
#include "host_hazard.hpp"
#include "host_waits.hpp"

using namespace cosmati_sim;

namespace {

/// All conditions, which stay. A handle is a place in this list, counted from 1.
std::deque<condition>& conditions() {
  static auto* const all = new std::deque<condition>;
  return *all;
}
condition* find_condition(cudaGraphConditionalHandle handle) {
  return handle - 1 < conditions().size() ? &conditions()[handle - 1] : nullptr;
}

std::set<void const*>& live() {
  static auto* const all = new std::set<void const*>;
  return *all;
}
bool is_live(void const* handle) { return is_live_graph(handle); }

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

cudaError_t add(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                cudaGraphNodeType type, stream_work work, std::optional<cudaGraphNodeParams> const& made_of = {}) {
  if (out == nullptr || !is_live(graph) || (count != 0 && after == nullptr)) return cuda_result(cudaErrorInvalidValue);
  *out = add_node(graph, type, std::move(work), {after, after + count});
  (*out)->made_of = made_of;
  return cuda_result(cudaSuccess);
}

/// The launch of a kernel that is known by its address, with copies of its arguments. The parameters lead to the
/// copies.
cudaError_t work_of(cudaKernelNodeParams& p, stream_work& out) {
  cosmati_cuda::launch_shape const shape = cosmati_cuda::shape(p.gridDim, p.blockDim, p.sharedMemBytes);
  launch_sink sink;
  cudaError_t const error = cosmati_cuda::cosmati_sim_launch_known(p.func, &shape, p.kernelParams);
  if (sink.parameters != nullptr) p.kernelParams = sink.parameters;
  out = std::move(sink.work);
  return error;
}
stream_work work_of(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](cudaStream_t s) { return cudaMemcpyAsync(to, from, bytes, kind, s); };
}
stream_work work_of(cudaMemsetParams const& p) {
  return [p](cudaStream_t s) { return cuda_fill_elements(p, s); };
}
stream_work work_of(cudaHostNodeParams const& p) {
  return [p](cudaStream_t s) { return cudaLaunchHostFunc(s, p.fn, p.userData); };
}

/// The graphs of a conditional node, which belong to CUDA.
using bodies = std::vector<cudaGraph_t>;
std::shared_ptr<bodies> make_bodies(unsigned count) {
  std::shared_ptr<bodies> made(new bodies, [](bodies* b) {
    for (cudaGraph_t const g : *b) {
      live().erase(g);
      delete g;
    }
    delete b;
  });
  for (unsigned i = 0; i < count; ++i) {
    made->push_back(new CUgraph_st);
    live().insert(made->back());
  }
  return made;
}
/// Runs what the condition chooses. The bodies are read at the launch, because a program fills them after the call.
cudaError_t run_conditional(cudaGraphConditionalNodeType type, condition const& c, bodies const& graphs,
                            cudaStream_t stream) {
  unsigned value = c.value;
  if (type == cudaGraphCondTypeWhile) {
    std::vector<CUgraphExec_st::step> const steps = steps_of(*graphs[0]);
    for (; c.value != 0;) {
      if (cudaError_t const error = run_steps(steps, stream)) return error;
    }
    return cudaSuccess;
  }
  if (type == cudaGraphCondTypeIf) value = value != 0 ? 0 : 1;
  return value < graphs.size() ? run_steps(steps_of(*graphs[value]), stream) : cudaSuccess;
}
cudaError_t add_conditional(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                            cudaConditionalNodeParams& p) {
  condition* const c = find_condition(p.handle);
  bool const possible = p.type == cudaGraphCondTypeWhile ? p.size == 1
                        : p.type == cudaGraphCondTypeIf  ? p.size == 1 || p.size == 2
                                                         : p.type == cudaGraphCondTypeSwitch && p.size != 0;
  if (c == nullptr || !possible || !is_live(graph)) {
    report_host_hazard(hazard_kind::invalid_argument,
                       c == nullptr ? "cudaGraphAddNode: the handle is none of cudaGraphConditionalHandleCreate"
                                    : "cudaGraphAddNode: a conditional node has 1 graph for while, 1 or 2 for if, and "
                                      "at least 1 for switch");
    return cuda_result(cudaErrorInvalidValue);
  }
  std::shared_ptr<bodies> const graphs = make_bodies(p.size);
  p.phGraph_out = graphs->data();
  return add(out, graph, after, count, cudaGraphNodeTypeConditional,
             [type = p.type, c, graphs](cudaStream_t s) { return run_conditional(type, *c, *graphs, s); });
}

}  // namespace

cudaGraphNode_t cosmati_sim::add_node(cudaGraph_t graph, cudaGraphNodeType type, stream_work work,
                                      std::vector<cudaGraphNode_t> const& after) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{graph, type, std::move(work), after}));
  return graph->nodes.back().get();
}

bool cosmati_sim::is_live_graph(void const* handle) { return live().count(handle) != 0; }

std::vector<CUgraphExec_st::step> cosmati_sim::steps_of(CUgraph_st const& graph) {
  std::vector<CUgraphExec_st::step> steps;
  for (cudaGraphNode_t const n : ordered(graph)) steps.push_back({n, n->type, n->work});
  return steps;
}

cudaError_t cosmati_sim::work_of(cudaGraphNodeParams& p, stream_work& out) {
  switch (p.type) {
    case cudaGraphNodeTypeKernel:
      return ::work_of(p.kernel, out);
    case cudaGraphNodeTypeMemcpy:
      out = [c = p.memcpy.copyParams](cudaStream_t s) { return cudaMemcpy3DAsync(&c, s); };
      return cudaSuccess;
    case cudaGraphNodeTypeMemset:
      if (p.memset.elementSize != 1 && p.memset.elementSize != 2 && p.memset.elementSize != 4)
        return cudaErrorInvalidValue;
      out = ::work_of(p.memset);
      return cudaSuccess;
    case cudaGraphNodeTypeHost:
      if (p.host.fn == nullptr) return cudaErrorInvalidValue;
      out = ::work_of(p.host);
      return cudaSuccess;
    case cudaGraphNodeTypeGraph:
      if (!is_live(p.graph.graph)) return cudaErrorInvalidValue;
      out = [steps = steps_of(*p.graph.graph)](cudaStream_t s) { return run_steps(steps, s); };
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

bool cosmati_sim::comes_after(cudaGraphNode_t node, cudaGraphNode_t first) {
  return std::any_of(node->after.begin(), node->after.end(),
                     [&](cudaGraphNode_t a) { return a == first || comes_after(a, first); });
}

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
  if (out == nullptr || flags != 0) return cuda_result(cudaErrorInvalidValue);
  *out = new CUgraph_st;
  live().insert(*out);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (live().erase(graph) == 0) return cuda_result(cudaErrorInvalidValue);
  delete graph;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t graph) {
  if (!is_live(graph)) return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = cudaGraphCreate(out, 0)) return error;
  (*out)->conditions = graph->conditions;
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> twins;
  for (auto const& n : graph->nodes) {
    twins.emplace_back(n.get(), add_node(*out, n->type, n->work, {}));
    twins.back().second->made_of = n->made_of;
    twins.back().second->original = n.get();
  }
  for (auto const& [original, copy] : twins) {
    for (cudaGraphNode_t const a : original->after) {
      auto const twin = std::find_if(twins.begin(), twins.end(), [a](auto const& t) { return t.first == a; });
      if (twin != twins.end()) copy->after.push_back(twin->second);
    }
  }
  return cuda_result(cudaSuccess);
}

/// Adds a node whose work follows from its parameters.
static cudaError_t add_made_of(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                               cudaGraphNodeParams p) {
  stream_work work;
  if (cudaError_t const error = work_of(p, work)) return cuda_result(error);
  return add(out, graph, after, count, p.type, std::move(work), p);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                   std::size_t count, cudaKernelNodeParams const* parameters) {
  if (parameters == nullptr) return cuda_result(cudaErrorInvalidValue);
  return add_made_of(out, graph, after, count, cosmati_cuda::node_params(*parameters));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                   std::size_t count, cudaMemcpy3DParms const* copy) {
  if (copy == nullptr) return cuda_result(cudaErrorInvalidValue);
  return add_made_of(out, graph, after, count, cosmati_cuda::node_params(*copy));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                     std::size_t count, void* to, void const* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return add(out, graph, after, count, cudaGraphNodeTypeMemcpy, work_of(to, from, bytes, kind),
             cosmati_cuda::node_params(to, from, bytes, kind));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                   std::size_t count, cudaMemsetParams const* fill) {
  if (fill == nullptr) return cuda_result(cudaErrorInvalidValue);
  return add_made_of(out, graph, after, count, cosmati_cuda::node_params(*fill));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                 std::size_t count, cudaHostNodeParams const* call) {
  if (call == nullptr) return cuda_result(cudaErrorInvalidValue);
  return add_made_of(out, graph, after, count, cosmati_cuda::node_params(*call));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                  std::size_t count) {
  return add(out, graph, after, count, cudaGraphNodeTypeEmpty, {});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                       std::size_t count, cudaGraph_t child) {
  return add_made_of(out, graph, after, count, cosmati_cuda::node_params(child));
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                     std::size_t count, cudaMemAllocNodeParams* parameters) {
  if (parameters == nullptr || parameters->poolProps.allocType != cudaMemAllocationTypePinned ||
      parameters->poolProps.handleTypes != cudaMemHandleTypeNone)
    return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = cuda_allocate("cudaGraphAddMemAllocNode", &parameters->dptr, parameters->bytesize))
    return error;
  return add(
      out, graph, after, count, cudaGraphNodeTypeMemAlloc,
      [memory = parameters->dptr, bytes = parameters->bytesize](cudaStream_t) {
        cosmati_sim_poison(memory, bytes);
        return cudaSuccess;
      },
      cosmati_cuda::node_params(*parameters));
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                    std::size_t count, void* pointer) {
  if (pointer == nullptr) return cuda_result(cudaErrorInvalidValue);
  forget_allocation(pointer);  // the graph may run again, so that its memory stays
  return add(out, graph, after, count, cudaGraphNodeTypeMemFree, {},
             cosmati_cuda::node_params(cudaMemFreeNodeParams{pointer}));
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
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(out, graph, after, count, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(out, graph, after, count, p->eventWait.event);
    default:
      return cuda_result(cudaErrorInvalidValue);
  }
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
  if (out == nullptr || !is_live(graph) || flags > cudaGraphCondAssignDefault)
    return cuda_result(cudaErrorInvalidValue);
  condition& c = conditions().emplace_back();
  c.at_launch = value;
  c.has_default = flags == cudaGraphCondAssignDefault;
  graph->conditions.push_back(&c);
  *out = conditions().size();
  return cuda_result(cudaSuccess);
}
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  condition* const c = find_condition(handle);
  if (c == nullptr) {
    cosmati_sim_fail("invalid_argument",
                     "cudaGraphSetConditional: the handle is none of cudaGraphConditionalHandleCreate", nullptr, 0);
  }
  c->value = value;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from, cudaGraphNode_t const* to,
                                     std::size_t count) {
  if (!is_live(graph)) return cuda_result(cudaErrorInvalidValue);
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
  if (!is_live(graph)) return cuda_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (auto const& n : graph->nodes) all.push_back(n.get());
  return give(all, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!is_live(graph)) return cuda_result(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (auto const& n : graph->nodes) {
    if (n->after.empty()) all.push_back(n.get());
  }
  return give(all, nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  if (!is_live(graph)) return cuda_result(cudaErrorInvalidValue);
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
