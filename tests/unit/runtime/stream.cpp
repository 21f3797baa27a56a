// SPDX-License-Identifier: Apache-2.0
// Streams and events: numbers of their own, moved but never copied; what two streams do to the same memory is ordered
// by an event, and reported without one.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/runtime/stream.hpp>

#include "sim/message.hpp"

#include <utility>

using namespace cosmati;

namespace {

TEST(Stream, OwnsAHandle) {
  static_assert(!std::is_copy_constructible_v<stream> && !std::is_copy_constructible_v<event>);
  stream a, b;
  stream_handle const of_a = a.get();
  EXPECT_NE(of_a, nullptr) << "null is the default stream";
  EXPECT_NE(of_a, b.get());
  stream c(std::move(a));
  EXPECT_EQ(c.get(), of_a);
  b = std::move(c);
  EXPECT_EQ(static_cast<stream_handle>(b), of_a);
}

__global__ void write(int* p, int x) { atomicExch(p, x); }

TEST(Stream, AnEventOrdersTwoStreams) {
  device_buffer<int> x(1);
  stream a, b;
  event written;
  launch(write, {.grid = 1, .block = 1, .stream = a}, x.data(), 1);
  written.record(a);
  b.wait(written);
  launch(write, {.grid = 1, .block = 1, .stream = b}, x.data(), 2);
  b.synchronize();
  EXPECT_EQ(x.download()[0], 2);
}

TEST(Event, TimesDoNotRunBackwards) {
  event first, second;
  first.record();
  second.record();
  second.synchronize();
  EXPECT_GE(elapsed_ms(first, second), 0.f);
}

}  // namespace
