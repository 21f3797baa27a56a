// SPDX-License-Identifier: Apache-2.0
// Static shared arrays accessed through pointers: their bounds come from the program's symbol table. This file has no
// other kernel, so that no other array follows this one in memory.
#include <gtest/gtest.h>

#include <cosmati/runtime/launch.hpp>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void by_pointer(int i) {
  alignas(64) __shared__ float tile[9];
  float* volatile const p = tile;
  p[i] = 1;
}

TEST(SharedBounds, HoldForPointersToo) {
  NEEDS_INSTRUMENTATION();
  EXPECT_NO_THROW(launch(by_pointer, {.grid = 1, .block = 1}, 0));
  EXPECT_NO_THROW(launch(by_pointer, {.grid = 1, .block = 1}, 8));
  EXPECT_MESSAGE(launch(by_pointer, {.grid = 1, .block = 1}, 9), "just past the end of __shared__ tile (36 bytes)");
  EXPECT_MESSAGE(launch(by_pointer, {.grid = 1, .block = 1}, 11), "8 bytes past the end of __shared__ tile (36 bytes)");
}

}  // namespace
