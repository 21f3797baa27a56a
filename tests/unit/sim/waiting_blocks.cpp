// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for each other, without a kernel: the hopes of a block that comes to the same state again.
#include <gtest/gtest.h>

#include <memory>

#include "polling.hpp"
#include "waiting_blocks.hpp"

using namespace cosmati_sim;

namespace {

/// Two blocks of a launch, each taken by a host thread of its own.
struct two_blocks {
  job launch;
  std::unique_ptr<worker> first = std::make_unique<worker>(), second = std::make_unique<worker>();

  two_blocks() {
    launch.blocks = 2;
    launch.threads = 32;
    launch.next_block = 2;
    first->running = second->running = &launch;
  }
};

void begins(worker& block) {
  polling_begins(block);
  block_begins_beside_others(block);
}

TEST(WaitingBlocks, ABlockThatIsTakenAndHasNotBegun) {
  two_blocks of;
  begins(*of.first);
  // 100 rounds, because the second block's host thread may start late.
  for (int n = 0; n < 100; ++n) {
    prospects const now = prospects_of(*of.first);
    ASSERT_FALSE(now.hopeless) << n;
    ASSERT_TRUE(now.others_wait_to_run) << n;
    ASSERT_EQ(now.running, 1u);
  }
  begins(*of.second);
  for (int n = 0; n < 100; ++n) {
    prospects const now = prospects_of(*of.first);
    ASSERT_FALSE(now.hopeless) << n;
    ASSERT_FALSE(now.others_wait_to_run) << n;
  }
  // The second block has run to its end, and has changed nothing.
  block_ends_beside_others(*of.second);
  EXPECT_FALSE(prospects_of(*of.first).hopeless);
  EXPECT_TRUE(prospects_of(*of.first).hopeless);
}

TEST(WaitingBlocks, BothWaitForEachOther) {
  two_blocks of;
  begins(*of.first);
  begins(*of.second);
  // Each block has to reach the same state again after the other began to wait.
  EXPECT_FALSE(prospects_of(*of.first).hopeless);
  EXPECT_FALSE(prospects_of(*of.second).hopeless);
  EXPECT_FALSE(prospects_of(*of.first).hopeless);
  EXPECT_FALSE(prospects_of(*of.first).hopeless);
  EXPECT_TRUE(prospects_of(*of.second).hopeless);
  EXPECT_TRUE(prospects_of(*of.first).hopeless);
}

TEST(WaitingBlocks, ABlockThatFailedLeavesTheOther) {
  two_blocks of;
  begins(*of.first);
  begins(*of.second);
  of.launch.first_failed = 1;
  EXPECT_TRUE(prospects_of(*of.first).abandoned);
  EXPECT_FALSE(prospects_of(*of.first).hopeless);
}

}  // namespace
