// SPDX-License-Identifier: Apache-2.0
/// @file
/// The work of streams. It is done at once, or remembered as a node of the graph that captures the stream.
#pragma once

#include <cosmati/cuda/graph.hpp>

#include <functional>
#include <optional>

namespace cosmati_sim {

/// A copy, fill, launch or call. It gets the stream in which it is done.
using stream_work = std::function<cudaError_t(cudaStream_t)>;

/// Does the work, or adds it to a graph. @param made_of the parameters of the graph's node, if they are known
/// @return what the call of CUDA returns
cudaError_t cuda_enqueue(cudaStream_t stream, cudaGraphNodeType type, stream_work work,
                         std::optional<cudaGraphNodeParams> const& made_of = {});

/// Whether the stream is captured, so that nothing may wait for it.
bool cuda_is_captured(cudaStream_t stream);
/// The error of a call that waits for the stream: none, or the one of a captured stream, whose capture fails then.
cudaError_t cuda_may_wait(cudaStream_t stream);

/// Tells the capture of an event in a stream. @return whether the stream is captured
bool cuda_captures_record(cudaStream_t stream, cudaEvent_t event);
/// Tells the capture that a stream waits for an event. @return whether the event was recorded in a captured stream
bool cuda_captures_wait(cudaStream_t stream, cudaEvent_t event);

/// While it lives, a launch on this thread is not done, and becomes the work of a node.
class launch_sink {
 public:
  launch_sink() { current = this; }
  ~launch_sink() { current = nullptr; }
  launch_sink(launch_sink const&) = delete;
  launch_sink& operator=(launch_sink const&) = delete;
  stream_work work;             // empty until there was a launch
  void** parameters = nullptr;  // those of the kernel, which live as long as the work
  static inline thread_local launch_sink* current = nullptr;
};

}  // namespace cosmati_sim
