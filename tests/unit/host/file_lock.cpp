// SPDX-License-Identifier: Apache-2.0
#include <cosmati/host/file_lock.hpp>

#include <gtest/gtest.h>
#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

using namespace cosmati;

namespace {

TEST(FileLock, IsHeldByOneAtATime) {
  std::string const path = std::filesystem::temp_directory_path() / ("file_lock_" + std::to_string(::getpid()));
  std::atomic<int> inside{0};
  std::atomic<bool> together{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        detail::file_lock const lock("test", path);
        if (++inside != 1) together = true;
        std::this_thread::yield();
        --inside;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_FALSE(together);
  EXPECT_FALSE(std::filesystem::exists(path + ".lock"));
}
TEST(FileLock, SaysWhereNoFileCanBeMade) {
  try {
    detail::file_lock const lock("save_plan", "/there/is/no/such/folder/plan");
    FAIL();
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("save_plan: /there/is/no/such/folder/plan"), std::string::npos);
  }
}

}  // namespace
