// SPDX-License-Identifier: Apache-2.0
/// @file
/// Blocks that take turns by a word that the simulated device does not see, so that the order is the same every time.
#pragma once

#include <sched.h>

#include <chrono>
#include <cosmati/core/access.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cstdlib>

namespace {

/// Each block has its own host thread; the pool is made at the first launch.
[[maybe_unused]] int const threads_are_set = setenv("COSMATI_THREADS", "3", 1);

int turn = 0;

/// Resets the turns before a launch.
void first_turn() { turn = 0; }
void wait_for_turn(int n) {
  cosmati::unseen_scope const unseen;
  auto const until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) < n && std::chrono::steady_clock::now() < until) sched_yield();
}
void next_turn() {
  cosmati::unseen_scope const unseen;
  __atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
}

/// Text of a race on a load of the first word of the memory that `run` passes to the kernel.
constexpr char const* race_on_data = ": race: load of 4 bytes at byte 0 ";

/// Launches the kernel with words that are all 0.
template <class Words, class... Parameters, class... Args>
void run(void (*kernel)(Words*, Parameters...), unsigned blocks, unsigned threads, Args... args) {
  cosmati::device_buffer<Words> buffer(1);
  buffer.clear();
  first_turn();
  cosmati::launch(kernel, {.grid = blocks, .block = threads}, buffer.data(), args...);
}

}  // namespace
