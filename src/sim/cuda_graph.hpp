// SPDX-License-Identifier: Apache-2.0
/// @file
/// The nodes of CUDA's graphs.
#pragma once

#include "cuda_capture.hpp"

#include <vector>

namespace cosmati_sim {

/// Adds a node behind others.
cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeType type, stream_work work,
                         std::vector<cudaGraphNode_t> const& after);
/// Whether a path leads from `first` to `node`.
bool comes_after(cudaGraphNode_t node, cudaGraphNode_t first);

}  // namespace cosmati_sim
