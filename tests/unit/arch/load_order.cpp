// SPDX-License-Identifier: Apache-2.0
// issue_loads changes nothing that a program computes; tests/cuda_code has what it does to machine code.
#include <gtest/gtest.h>
#include <cosmati/arch/load_order.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

using namespace cosmati;

namespace {

__global__ void sums(int const* in, int* out) {
  int held[4];
  for (int i = 0; i < 4; ++i) held[i] = in[4 * threadIdx.x + static_cast<unsigned>(i)];
  detail::issue_loads();
  out[threadIdx.x] = held[0] + held[1] + held[2] + held[3];
}
TEST(LoadOrder, ChangesNoResult) {
  std::vector<int> host(128);
  for (int i = 0; i < 128; ++i) host[static_cast<std::size_t>(i)] = i * i;
  device_buffer<int> in(host), out(32);
  launch(sums, {.grid = 1, .block = 32}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t t = 0; t < 32; ++t)
    EXPECT_EQ(got[t], host[4 * t] + host[4 * t + 1] + host[4 * t + 2] + host[4 * t + 3]);
}

}  // namespace
