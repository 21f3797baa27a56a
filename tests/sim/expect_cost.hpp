// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compares the cost that the analysis predicts with the simulated device's counts.
#pragma once

#include <gtest/gtest.h>

#include <cosmati/analysis/side_cost.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cstdint>

/// Compares the instructions and the bytes that they move.
inline void expect_traffic(cosmati::side_cost const& predicted, cosmati::instruction_costs const& counted) {
  auto const u = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
  EXPECT_EQ(u(predicted.instructions), counted.instructions);
  EXPECT_EQ(u(predicted.requests), counted.requests);
  EXPECT_EQ(u(predicted.sectors), counted.sectors);
  EXPECT_EQ(u(predicted.ideal_sectors), counted.ideal_sectors);
  EXPECT_EQ(u(predicted.lines), counted.lines);
  EXPECT_EQ(u(predicted.bytes_used), counted.bytes_used);
  EXPECT_EQ(u(predicted.bytes_moved), counted.bytes_moved);
}
