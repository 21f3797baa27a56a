// SPDX-License-Identifier: Apache-2.0
/// @file
/// The time of calls in a graph, where the host's time does not count.
#pragma once

#include "../measure.hpp"

namespace bench {

/// The microseconds of one call, in a graph of several. @param sets of operands, @param run run(set, stream)
template <class Run>
double microseconds(std::size_t sets, Run const& run) {
  using namespace cosmati;
  constexpr std::size_t least = 12;
  std::size_t const calls = sets > least ? (sets < 40 ? sets : 40) : least;
  cudaStream_t stream = nullptr;
  detail::check_cuda(cudaStreamCreate(&stream), "making a stream");
  run(std::size_t{0}, stream);  // loads the module
  detail::check_cuda(cudaStreamSynchronize(stream), "waiting");
  detail::check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing");
  for (std::size_t i = 0; i < calls; ++i) run(i % sets, stream);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  detail::check_cuda(cudaStreamEndCapture(stream, &graph), "capturing");
  detail::check_cuda(cudaGraphInstantiate(&executable, graph, 0), "making a graph");
  std::vector<double> times;
  for (int i = 0; i < 6; ++i) {
    event start, stop;
    start.record(stream);
    detail::check_cuda(cudaGraphLaunch(executable, stream), "launching a graph");
    stop.record(stream);
    detail::check_cuda(cudaStreamSynchronize(stream), "waiting");
    if (i > 0) times.push_back(1e3 * static_cast<double>(elapsed_ms(start, stop)) / static_cast<double>(calls));
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  return bench::median(times);
}

}  // namespace bench
