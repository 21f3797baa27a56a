// SPDX-License-Identifier: Apache-2.0
// Numbers that kernels lower and the host reads: taken and given back, one a call, raised again when they are read.
#include <gtest/gtest.h>
#include <cosmati/kernel/wrong_place.hpp>
#include <cosmati/runtime/launch.hpp>

#include <memory>
#include <set>
#include <thread>
#include <vector>

using namespace cosmati;

namespace {

__global__ void lower(unsigned long long* number) { atomicMin(number, 100ull + threadIdx.x); }

TEST(WrongPlace, IsWhatAKernelMadeOfIt) {
  for (int call = 0; call < 3; ++call) {
    detail::wrong_place place(true);
    ASSERT_NE(place.address(), nullptr);
    EXPECT_EQ(*place.address(), detail::wrong_place::none) << "raised again by the call before";
    if (call == 1) {
      EXPECT_EQ(place.after(nullptr), detail::wrong_place::none) << "nothing was wrong";
    } else {
      launch(lower, {.grid = 4, .block = 32}, place.address());
      EXPECT_EQ(place.after(nullptr), 100u);
    }
  }
}

TEST(WrongPlace, OfACallThatDoesNotWantToKnowIsNull) {
  detail::wrong_place const place(false);
  EXPECT_EQ(place.address(), nullptr);
}

// One whose launch failed is not read, and serves no other call.
TEST(WrongPlace, ThatWasNotReadIsNotUsedAgain) {
  unsigned long long* lost = nullptr;
  {
    detail::wrong_place const place(true);
    lost = place.address();
  }
  std::set<unsigned long long*> taken;
  std::vector<std::unique_ptr<detail::wrong_place>> many;
  for (int k = 0; k < 200; ++k) {  // more than are allocated at once
    many.push_back(std::make_unique<detail::wrong_place>(true));
    EXPECT_NE(many.back()->address(), lost);
    EXPECT_TRUE(taken.insert(many.back()->address()).second) << "one a call";
  }
  for (auto& one : many) EXPECT_EQ(one->after(nullptr), detail::wrong_place::none);
}

TEST(WrongPlace, IsTakenByManyThreads) {
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([] {
      for (int call = 0; call < 500; ++call) {
        detail::wrong_place place(true);
        EXPECT_EQ(place.after(nullptr), detail::wrong_place::none);
      }
    });
  }
  for (std::thread& t : threads) t.join();
}

}  // namespace
