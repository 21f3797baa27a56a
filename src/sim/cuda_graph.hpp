// SPDX-License-Identifier: Apache-2.0
/// @file
/// The nodes of CUDA's graphs.
#pragma once

#include "cuda_capture.hpp"
#include "cuda_state.hpp"

#include <cosmati/cuda/graph_nodes.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

using cosmati_sim::stream_work;

struct CUgraphNode_st {
  CUgraph_st* graph;
  cudaGraphNodeType type;
  stream_work work;
  std::vector<cudaGraphNode_t> after;
  std::optional<cudaGraphNodeParams> made_of = {};  // what the program gave; of captured nodes kernels have it
  cudaGraphNode_t original = nullptr;               // of a clone
};
/// A condition that kernels set.
struct condition {
  std::atomic<unsigned> value = 0;
  unsigned at_launch = 0;
  bool has_default = false;
};
using conditions_of_graph = std::vector<condition*>;
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  conditions_of_graph conditions;
};
/// The nodes in the order of their execution. `origin` is the node of the graph.
struct CUgraphExec_st {
  struct step {
    cudaGraphNode_t origin;
    cudaGraphNodeType type;
    stream_work work;
    bool is_enabled = true;
  };
  std::vector<step> steps;
  conditions_of_graph conditions;
};

namespace cosmati_sim {

/// Adds a node behind others.
cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeType type, stream_work work,
                         std::vector<cudaGraphNode_t> const& after);
/// Whether the handle is that of a graph that was not destroyed.
bool is_live_graph(void const* handle);
/// The step of an executable graph that comes from a node; null if there is none.
CUgraphExec_st::step* step_of(cudaGraphExec_t exec, cudaGraphNode_t node);
/// The steps of a graph in an order that the dependencies allow.
std::vector<CUgraphExec_st::step> steps_of(CUgraph_st const& graph);
cudaError_t run_steps(std::vector<CUgraphExec_st::step> const& steps, cudaStream_t stream);
/// The work of a node with these parameters. Those of a kernel's launch lead to the node's copies then.
/// @return CUDA's error if they are impossible
cudaError_t work_of(cudaGraphNodeParams& p, stream_work& out);
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

/// Whether a path leads from `first` to `node`.
bool comes_after(cudaGraphNode_t node, cudaGraphNode_t first);

}  // namespace cosmati_sim
