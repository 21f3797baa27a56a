// SPDX-License-Identifier: Apache-2.0
// CUDA's executable graphs. A launch calls the functions of the nodes in a topological order.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "cuda_graph.hpp"
#include "cuda_state.hpp"
#include "host_hazard.hpp"

using namespace cosmati_sim;

namespace {

/// Those that were not destroyed.
std::set<void const*>& executables() {
  static auto* const all = new std::set<void const*>;
  return *all;
}
bool is_executable(cudaGraphExec_t exec) { return executables().count(exec) != 0; }

}  // namespace

CUgraphExec_st::step* cosmati_sim::step_of(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!is_executable(exec)) return nullptr;
  auto const found = std::find_if(exec->steps.begin(), exec->steps.end(), [&](auto& s) { return s.origin == node; });
  return found != exec->steps.end() ? &*found : nullptr;
}

cudaError_t cosmati_sim::run_steps(std::vector<CUgraphExec_st::step> const& steps, cudaStream_t stream) {
  for (CUgraphExec_st::step const& s : steps) {
    if (!s.work || !s.is_enabled) continue;
    if (cudaError_t const error = s.work(stream)) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
  if (out == nullptr || !is_live_graph(graph)) return cuda_result(cudaErrorInvalidValue);
  std::vector<CUgraphExec_st::step> steps = steps_of(*graph);
  if (steps.size() != graph->nodes.size()) return cuda_result(cudaErrorInvalidValue);  // the dependencies go round
  *out = new CUgraphExec_st{std::move(steps), graph->conditions};
  executables().insert(*out);
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (executables().erase(exec) == 0) return cuda_result(cudaErrorInvalidValue);
  delete exec;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!is_executable(exec)) {
    report_host_hazard(hazard_kind::invalid_argument,
                       "cudaGraphLaunch: the graph was never instantiated, or has been destroyed");
    return cuda_result(cudaErrorInvalidValue);
  }
  return cuda_enqueue(stream, cudaGraphNodeTypeGraph,
                      [steps = exec->steps, conditions = exec->conditions](cudaStream_t s) {
                        for (condition* const c : conditions) {
                          if (c->has_default) c->value = c->at_launch;
                        }
                        return run_steps(steps, s);
                      });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* out) {
  if (!is_executable(exec) || !is_live_graph(graph) || out == nullptr) return cuda_result(cudaErrorInvalidValue);
  std::vector<CUgraphExec_st::step> const steps = steps_of(*graph);
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
