// SPDX-License-Identifier: Apache-2.0
// Two blocks store to one place without order. That is a race, unless both store the same value. One host thread is
// held between its announcement and its store, without a kernel.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>

#include "access.hpp"
#include "hazards.hpp"
#include "polling.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "waiting_blocks.hpp"

using namespace cosmati_sim;

namespace {

struct two_blocks {
  job launch;
  std::unique_ptr<worker> first = std::make_unique<worker>(), second = std::make_unique<worker>();
  alignas(64) int memory[16] = {};
  shadow_region shadow{reinterpret_cast<std::uintptr_t>(memory), sizeof memory, false};
  std::atomic<bool> second_is_done{false};

  two_blocks() {
    launch.blocks = 2;
    launch.threads = 1;
    launch.grid = {2, 1, 1};
    launch.block = {1, 1, 1};
    shadow.counts_as_written = true;
    shadow.prepare();
    std::uint32_t run = 1;
    for (worker* const w : {first.get(), second.get()}) {
      w->running = &launch;
      w->first_run = 1;
      w->run = run++;
      w->lanes_in_block = 1;
      w->own_clocks = std::make_unique<block_clocks>();
      w->clocks = w->own_clocks.get();
      w->clocks->begin(1);
      w->lanes[0].frame = &w->tables->calls.root;
      polling_begins(*w);
      block_begins_beside_others(*w);
    }
  }
  ~two_blocks() {
    block_ends_beside_others(*first);
    block_ends_beside_others(*second);
  }
  static void announce(worker& w, shadow_region& shadow, int& place, std::size_t count = 1) {
    auto const at = reinterpret_cast<std::uintptr_t>(&place);
    void const* const pc = reinterpret_cast<void const*>(std::uintptr_t{w.run} * 16);
    if (!shadow_access_quickly(w, shadow, at, 4 * count, a_store, site_number(w, pc)))
      shadow_access(w, shadow, at, 4 * count, a_store, pc, nullptr);
  }
  /// Runs the second block's store on its own host thread, which then goes on.
  std::thread second_stores(int value, int index = 0) {
    return std::thread([this, value, index] {
      second->announced.begin(second->run);
      announce(*second, shadow, memory[index]);
      __atomic_store_n(&memory[index], value, __ATOMIC_SEQ_CST);
      if (!second->suspects.empty()) resolve_suspects(*second);
      second_is_done = true;
    });
  }
  /// Waits until the second block has stored, or waits for the first block.
  void until_the_second_stands() const {
    while (!second_is_done && first->announced.waiting() == 0) usleep(100);
  }
  std::size_t races() const { return first->hazards.size() + second->hazards.size(); }
};

/// @return races
std::size_t one_between_the_halves_of_the_other(int before, int one, int other, std::size_t count = 1) {
  two_blocks of;
  of.memory[count - 1] = before;
  of.first->announced.begin(of.first->run);
  two_blocks::announce(*of.first, of.shadow, of.memory[0], count);
  std::thread second = of.second_stores(other, static_cast<int>(count) - 1);
  of.until_the_second_stands();
  EXPECT_FALSE(of.second_is_done);
  __atomic_store_n(&of.memory[count - 1], one, __ATOMIC_SEQ_CST);
  two_blocks::announce(*of.first, of.shadow, of.memory[15]);
  second.join();
  EXPECT_EQ(of.first->announced.waiting(), 0u);
  return of.races();
}

TEST(AnnouncedStores, OfEqualValues) {
  EXPECT_EQ(one_between_the_halves_of_the_other(0, 7, 7), 0u);
  EXPECT_EQ(one_between_the_halves_of_the_other(7, 7, 7), 0u);
  EXPECT_EQ(one_between_the_halves_of_the_other(0, 7, 7, 7), 0u);  // two groups of shadow memory
}
TEST(AnnouncedStores, OfDifferentValues) {
  EXPECT_EQ(one_between_the_halves_of_the_other(0, 7, 8), 1u);
  EXPECT_EQ(one_between_the_halves_of_the_other(0, 7, 0), 1u);  // what was there
  EXPECT_EQ(one_between_the_halves_of_the_other(7, 7, 0), 1u);
  EXPECT_EQ(one_between_the_halves_of_the_other(0, 7, 0, 7), 1u);
}

TEST(AnnouncedStores, NobodyWaitsForWhatIsThere) {
  two_blocks of;
  of.first->announced.begin(of.first->run);
  two_blocks::announce(*of.first, of.shadow, of.memory[0]);
  of.memory[0] = 7;
  two_blocks::announce(*of.first, of.shadow, of.memory[4]);
  of.second_stores(7).join();
  EXPECT_EQ(of.races(), 0u);
  EXPECT_FALSE(of.first->announced.covers(reinterpret_cast<std::uintptr_t>(of.memory), 4));
  EXPECT_TRUE(of.first->announced.covers(reinterpret_cast<std::uintptr_t>(of.memory + 4), 4));
}

TEST(AnnouncedStores, ALaneThatRunsOnUnheardHasStored) {
  two_blocks of;
  std::atomic<bool> stored{false};
  std::thread first([&] {
    of.first->announced.begin(of.first->run);
    two_blocks::announce(*of.first, of.shadow, of.memory[0]);
    __atomic_store_n(&of.memory[0], 7, __ATOMIC_SEQ_CST);
    stored = true;
    while (!of.second_is_done) {
    }
  });
  while (!stored) usleep(100);
  of.second_stores(8).join();
  first.join();
  EXPECT_EQ(of.races(), 1u);
}

}  // namespace
