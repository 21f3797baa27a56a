// SPDX-License-Identifier: Apache-2.0
// Tests of a kernel with GoogleTest, on the simulated device.
#include "transpose.hpp"

#include <gtest/gtest.h>
#include <cosmati/runtime/cost_trace.hpp>

using namespace cosmati;

namespace {

std::vector<float> numbers() {
  std::vector<float> all(32 * 32);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(i);
  return all;
}

TEST(Transpose, IsRight) {
  std::vector<float> const host = numbers();
  device_buffer<float> in(host), out(host.size());
  // A kernel that accesses memory out of bounds, reads what nobody wrote, races, ... throws here, so the test fails.
  launch(transpose, {.grid = 1, .block = {32, 8, 1}}, in.data(), out.data());
  std::vector<float> const got = out.download();
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = 0; j < 32; ++j) EXPECT_EQ(got[32 * j + i], host[32 * i + j]);
  }
}

TEST(Transpose, HasNoBankConflict) {
  device_buffer<float> in(numbers()), out(32 * 32);
  cost_trace const costs;
  launch(transpose, {.grid = 1, .block = {32, 8, 1}}, in.data(), out.data());
  EXPECT_EQ(costs.of("transpose").shared_bank_conflicts(), 0u);
  EXPECT_EQ(costs.of("transpose").global_sectors(), 2 * 32 * 32 * sizeof(float) / 32);  // each once
}

TEST(Transpose, OfASmallerMatrixIsRefused) {
  device_buffer<float> in(std::vector<float>(1000, 1.f)), out(32 * 32);
  EXPECT_THROW(launch(transpose, {.grid = 1, .block = {32, 8, 1}}, in.data(), out.data()), error);
}

}  // namespace
