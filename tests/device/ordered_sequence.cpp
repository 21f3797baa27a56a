// SPDX-License-Identifier: Apache-2.0
// ordered_sequence on either device: groups of warps append to one list in the order of the steps.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/pipeline/ordered_sequence.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

/// @tparam groups of `warps` warps each
template <int groups, int warps>
__global__ void append_in_order(int* list, int steps) {
  __shared__ typename ordered_sequence<groups>::storage barriers;
  __shared__ int count;
  if (threadIdx.x == 0) {
    ordered_sequence<groups>::initialize(barriers, warps);
    count = 0;
  }
  __syncthreads();
  int const group = static_cast<int>(threadIdx.x) / (32 * warps);
  ordered_sequence<groups> order(barriers, group);
  for (int step = 0; step < steps; ++step) {
    if (!order.is_mine(step)) continue;
    order.wait();
    if (threadIdx.x % (32 * warps) == 0) list[count++] = step;
    order.arrive();
  }
}

template <int groups, int warps>
void expect_order(int steps) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> list(std::vector<int>(static_cast<std::size_t>(steps) + 1, -1));
  launch(append_in_order<groups, warps>, {.grid = 1, .block = groups * warps * 32}, list.data(), steps);
  auto const got = list.download();
  for (int i = 0; i < steps; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], i) << "of " << steps << " steps";
  EXPECT_EQ(got.back(), -1);
}

TEST(OrderedSequence, TwoWarpgroups) {
  for (int const steps : {0, 1, 2, 3, 17}) expect_order<2, 4>(steps);
}
TEST(OrderedSequence, ThreeWarps) {
  for (int const steps : {1, 3, 10}) expect_order<3, 1>(steps);
}

}  // namespace
