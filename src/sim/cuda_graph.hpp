// SPDX-License-Identifier: Apache-2.0
/// @file
/// The nodes of CUDA's graphs. A node keeps its work as a function.
#pragma once

#include "cuda_capture.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

struct CUgraphNode_st {
  CUgraph_st* graph;
  cudaGraphNodeType type;
  cosmati_sim::stream_work work;
  std::vector<cudaGraphNode_t> after;
};
/// A condition that kernels set.
struct graph_condition {
  std::atomic<unsigned> value = 0;
  unsigned at_launch = 0;
  bool has_default = false;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<graph_condition*> conditions;
};

namespace cosmati_sim {

/// Adds a node behind others.
cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeType type, stream_work work,
                         std::vector<cudaGraphNode_t> const& after);
/// The same for a call of CUDA, which checks its arguments.
cudaError_t add_node_of_call(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                             cudaGraphNodeType type, stream_work work);
/// Whether a path leads from `first` to `node`.
bool comes_after(cudaGraphNode_t node, cudaGraphNode_t first);

/// Whether this is a graph, or one that was instantiated, and has not been destroyed.
bool is_live_graph(void const* handle);
void graph_begins(void const* handle);
/// The graph is destroyed. @return whether it was live
bool graph_ends(void const* handle);

/// The launch of a kernel that is known by its address, with copies of its arguments.
cudaError_t work_of(cudaKernelNodeParams const& p, stream_work& out);
/// A copy, a fill, or a call of the host.
stream_work work_of(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind);
stream_work work_of(cudaMemsetParams const& p);
stream_work work_of(cudaHostNodeParams const& p);

/// One node of a graph that runs. `origin` is the node of the graph.
struct graph_step {
  cudaGraphNode_t origin;
  cudaGraphNodeType type;
  stream_work work;
};
/// The nodes in an order in which each comes after those that it depends on. It is shorter than the graph if the
/// dependencies go round.
std::vector<graph_step> steps_of(CUgraph_st const& graph);
/// Puts the work of all nodes into a stream.
cudaError_t run_steps(std::vector<graph_step> const& steps, cudaStream_t stream);

/// Adds a node that runs one of its own graphs, as its condition chooses.
cudaError_t add_conditional(cudaGraphNode_t* out, cudaGraph_t graph, cudaGraphNode_t const* after, std::size_t count,
                            cudaConditionalNodeParams& p);

}  // namespace cosmati_sim
