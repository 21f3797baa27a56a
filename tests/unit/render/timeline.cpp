// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/timeline.hpp>

namespace {

using namespace cosmati;
using k = run_event_kind;

run_event event(k kind, std::uint32_t warp, std::uint64_t tick, std::uint64_t until = 0) {
  run_event e;
  e.kind = kind;
  e.warp = warp;
  e.first = e.last = tick;
  e.until = until;
  return e;
}

TEST(Timeline, WhatNoReleaseOrdersStandsSideBySide) {
  run_timeline t;
  t.threads = 64;
  t.event = {event(k::commit, 0, 1),       event(k::wait, 0, 2), event(k::barrier, 0, 3, 5), event(k::barrier, 1, 4, 5),
             event(k::barrier_done, 0, 5), event(k::exit, 1, 6), event(k::exit, 0, 7)};
  detail::timeline_columns const c(t);
  EXPECT_EQ(c.column, (std::vector<int>{0, 1, 2, 0, 3, 4, 4}));
  EXPECT_EQ(c.columns, 5);
  EXPECT_EQ(c.at(5), 3);
  EXPECT_EQ(c.at(0), 5);
  EXPECT_EQ(c.at(8), 5);
}
TEST(Timeline, WarpsThatAreNoneAreLeftOut) {
  run_timeline t;
  t.threads = 32;
  t.event = {event(k::exit, 7, 1)};
  EXPECT_EQ(detail::timeline_columns(t).columns, 0);
}
TEST(Timeline, Lanes) {
  EXPECT_EQ(detail::lanes_text(1), "lane 0");
  EXPECT_EQ(detail::lanes_text(0x80000000u), "lane 31");
  EXPECT_EQ(detail::lanes_text(0x80000017u), "lanes 0-2,4,31");
  EXPECT_EQ(detail::lanes_text(~0u), "lanes 0-31");
}
TEST(Timeline, EveryKindHasWords) {
  for (int i = 0; i < run_event_kinds; ++i) {
    run_event e = event(static_cast<k>(i), 0, 1);
    e.file = "folder/kernel.cpp";
    e.line = 12;
    std::string const words = detail::words_of(e);
    EXPECT_NE(words.find("; kernel.cpp:12"), std::string::npos) << words;
    EXPECT_GT(words.find(';'), 5u) << words;
  }
  run_event e = event(k::barrier, 0, 1);
  EXPECT_EQ(detail::words_of(e), "__syncthreads; never goes on");
  e.until = 2;
  e.object = 3;
  e.lanes = 1;
  EXPECT_EQ(detail::words_of(e), "barrier 3; lane 0");
}

}  // namespace
