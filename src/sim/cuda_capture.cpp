// SPDX-License-Identifier: Apache-2.0
#include "cuda_capture.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda_graph.hpp"
#include "cuda_state.hpp"

namespace cosmati_sim {
namespace {

using nodes = std::vector<cudaGraphNode_t>;

/// A capture: the graph, and in each captured stream the nodes that the next one comes after.
struct capture {
  cudaGraph_t graph;
  cudaStream_t origin;
  bool owns_graph = true;  // whether the capture made the graph
  std::map<cudaStream_t, nodes> last;
  bool is_invalid = false;
  unsigned long long id = 0;
};
struct captured_event {
  std::shared_ptr<capture> by;
  nodes after;
};
struct all_captures {
  std::recursive_mutex mutex;
  std::vector<std::shared_ptr<capture>> list;
  std::map<cudaEvent_t, captured_event> events;
};
all_captures& captures() {
  static auto* const all = new all_captures;
  return *all;
}

std::shared_ptr<capture> capture_of(cudaStream_t stream) {
  for (std::shared_ptr<capture> const& c : captures().list) {
    if (c->last.count(stream) != 0) return c;
  }
  return nullptr;
}

void add(nodes& to, nodes const& from) {
  for (cudaGraphNode_t const n : from) {
    if (std::find(to.begin(), to.end(), n) == to.end()) to.push_back(n);
  }
}

}  // namespace

cudaError_t cuda_enqueue(cudaStream_t stream, cudaGraphNodeType type, stream_work work,
                         std::optional<cudaGraphNodeParams> const& made_of) {
  all_captures& all = captures();
  {
    std::lock_guard const lock(all.mutex);
    if (!all.list.empty()) {
      if (std::shared_ptr<capture> const c = capture_of(stream)) {
        if (c->is_invalid) return cuda_result(cudaErrorStreamCaptureInvalidated);
        cudaGraphNode_t const node = add_node(c->graph, type, std::move(work), c->last[stream]);
        node->made_of = made_of;
        c->last[stream] = {node};
        return cuda_result(cudaSuccess);
      }
    }
  }
  return work(stream);
}

bool cuda_is_captured(cudaStream_t stream) {
  std::lock_guard const lock(captures().mutex);
  return capture_of(stream) != nullptr;
}

cudaError_t cuda_may_wait(cudaStream_t stream) {
  std::lock_guard const lock(captures().mutex);
  std::shared_ptr<capture> const c = capture_of(stream);
  if (c == nullptr) return cudaSuccess;
  c->is_invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

bool cuda_captures_record(cudaStream_t stream, cudaEvent_t event) {
  all_captures& all = captures();
  std::lock_guard const lock(all.mutex);
  all.events.erase(event);
  std::shared_ptr<capture> const c = capture_of(stream);
  if (c != nullptr) all.events[event] = {c, c->last[stream]};
  return c != nullptr;
}

bool cuda_captures_wait(cudaStream_t stream, cudaEvent_t event) {
  all_captures& all = captures();
  std::lock_guard const lock(all.mutex);
  auto const found = all.events.find(event);
  if (found == all.events.end()) return false;
  capture& c = *found->second.by;
  if (std::none_of(all.list.begin(), all.list.end(), [&](auto const& one) { return one.get() == &c; })) return false;
  add(c.last[stream], found->second.after);
  return true;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

namespace {

/// @param into the graph; null for a new one
cudaError_t begin_capture(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t into, nodes const& after) {
  if (stream == nullptr || stream == cudaStreamLegacy) return cuda_result(cudaErrorStreamCaptureUnsupported);
  if (!cuda_stream_exists(stream)) return cuda_result(cudaErrorInvalidResourceHandle);
  if (static_cast<unsigned>(mode) > cudaStreamCaptureModeRelaxed) return cuda_result(cudaErrorInvalidValue);
  all_captures& all = captures();
  std::lock_guard const lock(all.mutex);
  if (capture_of(stream) != nullptr) return cuda_result(cudaErrorIllegalState);
  auto const c = std::make_shared<capture>();
  c->graph = into;
  c->owns_graph = into == nullptr;
  if (into == nullptr) cudaGraphCreate(&c->graph, 0);
  c->origin = stream;
  static unsigned long long captures_so_far = 0;
  c->id = ++captures_so_far;
  c->last[stream] = after;
  all.list.push_back(c);
  return cuda_result(cudaSuccess);
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return begin_capture(stream, mode, nullptr, {});
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* after,
                                          cudaGraphEdgeData const*, std::size_t count, cudaStreamCaptureMode mode) {
  if (graph == nullptr || (count != 0 && after == nullptr)) return cuda_result(cudaErrorInvalidValue);
  return begin_capture(stream, mode, graph, nodes(after, after + count));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* out) {
  all_captures& all = captures();
  std::lock_guard const lock(all.mutex);
  if (out != nullptr) *out = nullptr;
  std::shared_ptr<capture> const c = capture_of(stream);
  if (c == nullptr) return cuda_result(cudaErrorIllegalState);
  if (out == nullptr && c->owns_graph) return cuda_result(cudaErrorInvalidValue);  // nobody would have the graph
  if (c->origin != stream) return cuda_result(cudaErrorStreamCaptureUnmatched);
  std::erase(all.list, c);
  std::erase_if(all.events, [&](auto const& e) { return e.second.by == c; });
  cudaError_t error = c->is_invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  // The last node of each other stream must come before a node of the origin, or be waited for there.
  for (auto const& [other, last] : c->last) {
    if (other == stream || error != cudaSuccess) continue;
    for (cudaGraphNode_t const n : last) {
      bool const joined = std::any_of(c->last[stream].begin(), c->last[stream].end(),
                                      [&](cudaGraphNode_t end) { return end == n || comes_after(end, n); });
      if (!joined) error = cudaErrorStreamCaptureUnjoined;
    }
  }
  if (error != cudaSuccess) {
    if (c->owns_graph) cudaGraphDestroy(c->graph);
    return cuda_result(error);
  }
  if (out != nullptr) *out = c->graph;
  return cuda_result(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* out) {
  std::lock_guard const lock(captures().mutex);
  std::shared_ptr<capture> const c = capture_of(stream);
  *out = c == nullptr    ? cudaStreamCaptureStatusNone
         : c->is_invalid ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
  return cuda_result(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, cudaGraphNode_t const** after, cudaGraphEdgeData const** edges,
                                     std::size_t* count) {
  if (status == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (cudaError_t const error = cudaStreamIsCapturing(stream, status)) return error;
  std::lock_guard const lock(captures().mutex);
  std::shared_ptr<capture> const c = capture_of(stream);
  if (c == nullptr || *status != cudaStreamCaptureStatusActive) return cuda_result(cudaSuccess);
  if (id != nullptr) *id = c->id;
  if (graph != nullptr) *graph = c->graph;
  if (after != nullptr) *after = c->last[stream].data();
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = c->last[stream].size();
  return cuda_result(cudaSuccess);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* added, cudaGraphEdgeData const*,
                                                std::size_t count, unsigned flags) {
  std::lock_guard const lock(captures().mutex);
  std::shared_ptr<capture> const c = capture_of(stream);
  if (c == nullptr) return cuda_result(cudaErrorIllegalState);
  if ((count != 0 && added == nullptr) || flags > cudaStreamSetCaptureDependencies)
    return cuda_result(cudaErrorInvalidValue);
  if (flags == cudaStreamSetCaptureDependencies) c->last[stream].clear();
  add(c->last[stream], nodes(added, added + count));
  return cuda_result(cudaSuccess);
}
