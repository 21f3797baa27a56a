// SPDX-License-Identifier: Apache-2.0
// Kernels of two streams. An event, a wait of the host, or one common stream puts them in order.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <string>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

constexpr int made_at = __LINE__ + 1;
__global__ void makes(int* data) { data[threadIdx.x] = static_cast<int>(threadIdx.x) + 1; }
__global__ void uses(int const* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }
__global__ void adds(int* sum) { atomicAdd(sum, 1); }

enum class between {
  nothing,
  host_waits_for_stream,
  host_waits_for_event,
  event,
  event_before,
  other_stream,
  download
};

void run(between what, bool from_default, bool write) {
  device_buffer<int> data(std::vector<int>(32, 0)), out(32), other(32);
  stream const a, b, c;
  event e;
  stream_handle const first = from_default ? nullptr : a.get();
  if (what == between::event_before) e.record(first);
  launch(makes, {.grid = 1, .block = 32, .stream = first}, data.data());
  if (what == between::host_waits_for_stream) a.synchronize();
  if (what == between::host_waits_for_event || what == between::event) e.record(first);
  if (what == between::host_waits_for_event) e.synchronize();
  if (what == between::event || what == between::event_before) b.wait(e);
  if (what == between::other_stream) c.synchronize();
  if (what == between::download) (void)other.download();
  if (write) {
    launch(adds, {.grid = 1, .block = 1, .stream = b}, data.data());
  } else {
    launch(uses, {.grid = 1, .block = 32, .stream = b}, data.data(), out.data());
  }
}

TEST(HazardsOfStreams, TwoStreamsWithoutAnEvent) {
  NEEDS_INSTRUMENTATION();
  for (between const what : {between::nothing, between::event_before, between::other_stream}) {
    for (bool const from_default : {false, true}) {
      for (bool const write : {false, true}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(what) << from_default << write);
        EXPECT_MESSAGE(run(what, from_default, write), "let the stream wait for an event that is recorded behind the");
        EXPECT_MESSAGE(run(what, from_default, write),
                       "kernel makes, which runs on another stream, wrote (hazards_of_"
                       "streams.cpp:" +
                           std::to_string(made_at));
      }
    }
  }
}
TEST(HazardsOfStreams, WhatOrdersThem) {
  NEEDS_INSTRUMENTATION();
  for (bool const write : {false, true}) {
    EXPECT_NO_THROW(run(between::host_waits_for_stream, false, write));
    for (between const what : {between::host_waits_for_event, between::event, between::download}) {
      EXPECT_NO_THROW(run(what, false, write));
      EXPECT_NO_THROW(run(what, true, write));
    }
  }
}
TEST(HazardsOfStreams, AChainOfEvents) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> data(std::vector<int>(32, 0)), out(32), sum(std::vector<int>(1, 0));
  stream const a, b, c;
  event first, second;
  launch(makes, {.grid = 1, .block = 32, .stream = a}, data.data());
  first.record(a);
  b.wait(first);
  launch(adds, {.grid = 4, .block = 32, .stream = b}, sum.data());
  second.record(b);
  c.wait(second);
  EXPECT_NO_THROW(launch(uses, {.grid = 1, .block = 32, .stream = c}, data.data(), out.data()));
  // Atomics of kernels that run side by side, and memory that they do not share.
  EXPECT_NO_THROW(launch(adds, {.grid = 4, .block = 32, .stream = a}, sum.data()));
  // The first stream is written to again, and nobody has waited for those who read.
  EXPECT_MESSAGE(launch(makes, {.grid = 1, .block = 32, .stream = a}, data.data()),
                 "kernel uses, which runs on another");
}

}  // namespace
