// SPDX-License-Identifier: Apache-2.0
// Random copies like given ones, which a benchmark collects times of, and where in its buffers they are.
#include <cosmati/kernel/copy/problem.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "similar.hpp"

using namespace cosmati;

namespace {

/// A file with such lines, as long as it lives.
struct file_of {
  std::string path = testing::TempDir() + "similar_copies." + std::to_string(std::hash<std::string>()(text())) + ".txt";
  explicit file_of(std::string const& lines) { std::ofstream(path) << lines; }
  ~file_of() { std::remove(path.c_str()); }
  file_of(file_of const&) = delete;
  file_of& operator=(file_of const&) = delete;
  static std::string text() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }
};
std::string message_of(std::string const& lines) {
  file_of const file(lines);
  try {
    bench::similar_copies(file.path, 1).next();
  } catch (error const& problem) {
    return problem.what();
  }
  return "";
}

TEST(SimilarCopies, KeepOrdersGapsAndRepeatedModes) {
  // A permuted source without gaps, repeated along a mode; rows of the target have gaps, of lines of 128 bytes.
  file_of const file(
      "problem|tensors/any||[2,0,0,16,16,1,[96,4000,1],[500,0,128],[4000,1,64000]]|\n"
      "problem|tensors/any||[2,0,0,16,16,1,[96,4000,1],[500,0,128],[4000,1,64000]]|ordered|\n"
      "[\"direct\",1,true,64,2,0,false,false]|3*1\n");
  bench::similar_copies copies(file.path, 7);
  bool other_extents = false, other_gaps = false;
  for (int k = 0; k < 200; ++k) {
    bench::case_of_copy const one = copies.next();
    copy_problem const& p = one.problem;
    EXPECT_EQ(one.work, "tensors/any");
    ASSERT_EQ(p.rank, 3);
    EXPECT_EQ(p.element_bytes, 2);
    EXPECT_EQ(p.mode[2].source, 1);
    EXPECT_EQ(p.mode[0].source, p.mode[2].extent);
    EXPECT_EQ(p.mode[1].source, 0);
    EXPECT_EQ(p.mode[0].target, 1);
    EXPECT_GT(p.mode[1].target, p.mode[0].extent);
    EXPECT_EQ(p.mode[1].target % 64, 0);
    EXPECT_EQ(p.mode[2].target, p.mode[1].extent * p.mode[1].target);
    for (int m = 0; m < 3; ++m) {
      double const ratio =
          static_cast<double>(p.mode[m].extent) / std::initializer_list<double>{96, 500, 4000}.begin()[m];
      EXPECT_GT(ratio, 0.6);
      EXPECT_LT(ratio, 1.6);
    }
    EXPECT_GE(p.size() * 2, 60000000);
    EXPECT_LE(p.size() * 2, 1100000000);
    other_extents = other_extents || p.mode[2].extent != 4000;
    other_gaps = other_gaps || p.mode[1].target != (p.mode[0].extent + 95) / 64 * 64;
  }
  EXPECT_TRUE(other_extents);
  EXPECT_TRUE(other_gaps);
}
TEST(SimilarCopies, ASeedsCopiesAreTheSameAgain) {
  file_of const file("problem|a||[1,0,0,16,16,1,[1000,1000,1],[1000,1,1000],[200,1000000,1000000]]|\n");
  bench::similar_copies first(file.path, 3), again(file.path, 3), other(file.path, 4);
  bool differ = false;
  for (int k = 0; k < 20; ++k) {
    std::int64_t const size = first.next().problem.size();
    EXPECT_EQ(size, again.next().problem.size());
    differ = differ || size != other.next().problem.size();
  }
  EXPECT_TRUE(differ);
}
TEST(SimilarCopies, FilesWithoutProblemsAreErrors) {
  EXPECT_NE(message_of("").find("has no line that begins with \"problem|\""), std::string::npos);
  EXPECT_NE(message_of("problem|a|b|\n").find("no problem in: problem|a|b|"), std::string::npos);
  EXPECT_NE(message_of("problem|a||[1,0,0]|\n").find("in: problem|a||[1,0,0]|"), std::string::npos);
  EXPECT_NE(
      message_of("problem|a||[1,0,0,16,16,1,[8,1,1]]|\n").find("no copy of 60 MB to 1.1 GB resembles its 1 problems"),
      std::string::npos);
}

TEST(Places, OneLaunchTouchesNothingOfTheLast) {
  std::size_t const all = std::size_t{4} << 30;
  for (std::size_t const span : {std::size_t{1} << 20, std::size_t{100000000}, all / 3, all / 2}) {
    bench::places places(all);
    std::size_t before = places.begin(), turns = 0;
    for (int k = 0; k < 100; ++k, before = places.begin()) {
      places.next(span);
      EXPECT_TRUE(places.begin() >= before + span || places.begin() + span <= before)
          << span << " at " << places.begin();
      EXPECT_LE(places.begin() + span, all);
      EXPECT_EQ(places.begin() % (std::size_t{2} << 20), 0u);
      turns += places.begin() == 0 ? 1 : 0;
    }
    EXPECT_EQ(turns, 100 / (all / ((span + (std::size_t{2} << 20) - 1) >> 21 << 21)));
    places.next(0);
    EXPECT_EQ(places.begin(), 0u);
  }
}

TEST(Places, WhatHasNoRoomStaysAtTheFront) {
  bench::places places(std::size_t{4} << 30);
  places.next(std::size_t{1} << 20);
  for (std::size_t const span : {(std::size_t{2} << 30) + 1, std::size_t{4} << 30}) {
    places.next(span);
    EXPECT_EQ(places.begin(), 0u);
  }
}

TEST(Places, WhatACopyTouches) {
  cosmati::copy_problem p;
  p.element_bytes = 4;
  p.push(10, 1, 1);
  p.push(5, 0, 16);
  EXPECT_EQ(bench::touched_by(p), 4u * (16 * 4 + 10));
  p.source_offset = 100;
  EXPECT_EQ(bench::touched_by(p), 4u * (100 + 10));
}

}  // namespace
