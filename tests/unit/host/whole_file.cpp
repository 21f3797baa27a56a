// SPDX-License-Identifier: Apache-2.0
#include <cosmati/host/whole_file.hpp>

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace cosmati;

namespace {

std::string text_of(std::string const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}
struct WholeFile : testing::Test {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("whole_file_" + std::to_string(::getpid()));
  void SetUp() override { std::filesystem::create_directory(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
};

TEST_F(WholeFile, ReplacesWhatWasThere) {
  std::string const path = folder / "a.txt";
  detail::write_whole_file("test", path, "one");
  EXPECT_EQ(text_of(path), "one");
  detail::write_whole_file("test", path, "two, and longer");
  EXPECT_EQ(text_of(path), "two, and longer");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);  // no other file is left
}
TEST_F(WholeFile, KeepsLinksAndPermissions) {
  std::string const path = folder / "a.txt", link = folder / "link";
  detail::write_whole_file("test", path, "one");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("a.txt", link);
  detail::write_whole_file("test", link, "two");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(text_of(path), "two");
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}
TEST_F(WholeFile, RefusesWhatIsNoFile) {
  try {
    detail::write_whole_file("save_plan", folder, "text");
    FAIL();
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("save_plan"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find(folder), std::string::npos);
  }
  EXPECT_THROW(detail::write_whole_file("test", folder / "none" / "a.txt", "text"), error);
}

}  // namespace
