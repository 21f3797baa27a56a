// SPDX-License-Identifier: Apache-2.0
// CUDA's graphs that can be launched. A launch calls the functions of the nodes in a topological order.
#include <algorithm>
#include <utility>
#include <vector>

#include "cuda_graph.hpp"
#include "cuda_state.hpp"
#include "host_hazard.hpp"

using namespace cosmati_sim;

/// The nodes in the order of their execution.
struct CUgraphExec_st {
  std::vector<graph_step> steps;
  std::vector<graph_condition*> conditions;
};

namespace {

graph_step* step_of(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!is_live_graph(exec)) return nullptr;
  auto const found = std::find_if(exec->steps.begin(), exec->steps.end(), [&](auto& s) { return s.origin == node; });
  return found != exec->steps.end() ? &*found : nullptr;
}
cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type, stream_work work) {
  graph_step* const step = step_of(exec, node);
  if (step == nullptr || step->type != type) return cuda_result(cudaErrorInvalidValue);
  step->work = std::move(work);
  return cuda_result(cudaSuccess);
}

}  // namespace

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
  if (out == nullptr || !is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  std::vector<graph_step> steps = steps_of(*graph);
  if (steps.size() != graph->nodes.size()) return cuda_result(cudaErrorInvalidValue);  // the dependencies go round
  *out = new CUgraphExec_st{std::move(steps), graph->conditions};
  graph_begins(*out);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (!graph_ends(exec)) return cuda_result(cudaErrorInvalidValue);
  delete exec;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!is_live_graph(exec)) {
    report_host_hazard(hazard_kind::invalid_argument,
                       "cudaGraphLaunch: the graph was never instantiated, or has been destroyed");
    return cuda_result(cudaErrorInvalidValue);
  }
  return cuda_enqueue(stream, cudaGraphNodeTypeGraph,
                      [steps = exec->steps, conditions = exec->conditions](cudaStream_t s) {
                        for (graph_condition* const c : conditions) {
                          if (c->has_default) c->value = c->at_launch;
                        }
                        return run_steps(steps, s);
                      });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* out) {
  if (!is_live_graph(exec) || !is_live_graph(graph) || out == nullptr) return cuda_result(cudaErrorInvalidValue);
  std::vector<graph_step> const steps = steps_of(*graph);
  *out = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  if (steps.size() != exec->steps.size()) {
    out->result = cudaGraphExecUpdateErrorTopologyChanged;
    return cuda_result(cudaErrorGraphExecUpdateFailure);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].type == exec->steps[i].type) continue;
    *out = {cudaGraphExecUpdateErrorNodeTypeChanged, steps[i].origin, nullptr};
    return cuda_result(cudaErrorGraphExecUpdateFailure);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) exec->steps[i].work = steps[i].work;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             cudaKernelNodeParams const* parameters) {
  stream_work work;
  if (parameters == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = work_of(*parameters, work)) return error;
  return change(exec, node, cudaGraphNodeTypeKernel, std::move(work));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, void const* from,
                                               std::size_t bytes, cudaMemcpyKind kind) {
  return change(exec, node, cudaGraphNodeTypeMemcpy, work_of(to, from, bytes, kind));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaMemsetParams const* fill) {
  if (fill == nullptr) return cuda_result(cudaErrorInvalidValue);
  return change(exec, node, cudaGraphNodeTypeMemset, work_of(*fill));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaHostNodeParams const* call) {
  if (call == nullptr) return cuda_result(cudaErrorInvalidValue);
  return change(exec, node, cudaGraphNodeTypeHost, work_of(*call));
}
