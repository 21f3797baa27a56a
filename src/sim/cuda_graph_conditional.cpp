// SPDX-License-Identifier: Apache-2.0
// Nodes of CUDA's graphs that run graphs of their own: if, while and switch.
#include <cosmati/runtime/sim_abi.hpp>

#include <deque>
#include <memory>
#include <vector>

#include "cuda_graph.hpp"
#include "cuda_state.hpp"
#include "host_hazard.hpp"

using namespace cosmati_sim;

namespace {

/// All conditions, which stay. A handle is a place in this list, counted from 1.
std::deque<graph_condition>& conditions() {
  static auto* const all = new std::deque<graph_condition>;
  return *all;
}
graph_condition* find_condition(cudaGraphConditionalHandle handle) {
  return handle - 1 < conditions().size() ? &conditions()[handle - 1] : nullptr;
}

/// The graphs of a conditional node, which belong to CUDA.
using bodies = std::vector<cudaGraph_t>;
std::shared_ptr<bodies> make_bodies(unsigned count) {
  std::shared_ptr<bodies> made(new bodies, [](bodies* b) {
    for (cudaGraph_t const g : *b) {
      graph_ends(g);
      delete g;
    }
    delete b;
  });
  for (unsigned i = 0; i < count; ++i) {
    made->push_back(new CUgraph_st);
    graph_begins(made->back());
  }
  return made;
}
/// Runs what the condition chooses. The bodies are read at the launch, because a program fills them after the call.
cudaError_t run_conditional(cudaGraphConditionalNodeType type, graph_condition const& c, bodies const& graphs,
                            cudaStream_t stream) {
  unsigned value = c.value;
  if (type == cudaGraphCondTypeWhile) {
    std::vector<graph_step> const steps = steps_of(*graphs[0]);
    for (; c.value != 0;) {
      if (cudaError_t const error = run_steps(steps, stream)) return error;
    }
    return cudaSuccess;
  }
  if (type == cudaGraphCondTypeIf) value = value != 0 ? 0 : 1;
  return value < graphs.size() ? run_steps(steps_of(*graphs[value]), stream) : cudaSuccess;
}

}  // namespace

cudaError_t cosmati_sim::add_conditional(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after,
                                         std::size_t count, cudaConditionalNodeParams& p) {
  graph_condition* const c = find_condition(p.handle);
  bool const possible = p.type == cudaGraphCondTypeWhile ? p.size == 1
                        : p.type == cudaGraphCondTypeIf  ? p.size == 1 || p.size == 2
                                                         : p.type == cudaGraphCondTypeSwitch && p.size != 0;
  if (c == nullptr || !possible || !is_live_graph(graph)) {
    report_host_hazard(hazard_kind::invalid_argument,
                       c == nullptr ? "cudaGraphAddNode: the handle is none of cudaGraphConditionalHandleCreate"
                                    : "cudaGraphAddNode: a conditional node has 1 graph for while, 1 or 2 for if, and "
                                      "at least 1 for switch");
    return cuda_result(cudaErrorInvalidValue);
  }
  std::shared_ptr<bodies> const graphs = make_bodies(p.size);
  p.phGraph_out = graphs->data();
  return add_node_of_call(out, graph, after, count, cudaGraphNodeTypeConditional,
                          [type = p.type, c, graphs](cudaStream_t s) { return run_conditional(type, *c, *graphs, s); });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
  if (out == nullptr || !is_live_graph(graph) || flags > cudaGraphCondAssignDefault)
    return cuda_result(cudaErrorInvalidValue);
  graph_condition& c = conditions().emplace_back();
  c.at_launch = value;
  c.has_default = flags == cudaGraphCondAssignDefault;
  graph->conditions.push_back(&c);
  *out = conditions().size();
  return cuda_result(cudaSuccess);
}
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  graph_condition* const c = find_condition(handle);
  if (c == nullptr) {
    cosmati_sim_fail("invalid_argument",
                     "cudaGraphSetConditional: the handle is none of cudaGraphConditionalHandleCreate", nullptr, 0);
  }
  c->value = value;
}
