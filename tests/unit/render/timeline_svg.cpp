// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/timeline_svg.hpp>

namespace {

using namespace cosmati;
using k = run_event_kind;

std::size_t count(std::string const& text, std::string const& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}
run_event event(k kind, std::uint64_t tick, std::uint64_t until, std::uint32_t object) {
  run_event e;
  e.kind = kind;
  e.object = object;
  e.first = e.last = tick;
  e.until = until;
  return e;
}

TEST(TimelineSvg, CopiesInFlightAtOnceStandBelowEachOther) {
  run_timeline t;
  t.threads = 1;
  t.event = {event(k::cp_async, 1, 5, 0), event(k::commit, 2, 0, 0), event(k::cp_async, 3, 6, 1),
             event(k::commit, 4, 0, 1),   event(k::wait, 5, 0, 0),   event(k::wait, 6, 0, 0)};
  std::string const svg = to_svg(t);
  // Columns of 16 from 134: group 0 from the first, its commit at the second, its wait at the fifth.
  EXPECT_EQ(count(svg, "class=\"b open k0\" x=\"134\" y=\"76\" width=\"16\""), 1u) << svg;
  EXPECT_EQ(count(svg, "class=\"b k0\" x=\"150\" y=\"76\" width=\"48\""), 1u);
  EXPECT_EQ(count(svg, "class=\"b k1\" x=\"182\" y=\"91\" width=\"32\""), 1u);
  EXPECT_EQ(count(svg, "never"), 1u);  // the style sheet only
  for (char const* name : {"svg", "g", "text", "title", "style"}) {
    std::string const open = std::string("<") + name;
    EXPECT_EQ(count(svg, open + ">") + count(svg, open + " "), count(svg, std::string("</") + name + ">")) << name;
  }
}
TEST(TimelineSvg, EveryCopyInFlightHasARowOrIsSaidToShareOne) {
  for (unsigned const copies : {12u, 24u, 27u}) {
    run_timeline t;
    t.threads = 1;
    for (unsigned i = 0; i < copies; ++i) t.event.push_back(event(k::cp_async, i + 1, 100, i));
    t.event.push_back(event(k::wait, 100, 0, 0));
    std::string const svg = to_svg(t);
    std::size_t const rows = std::min(copies, 24u);  // of 15 pixels, below the words
    std::size_t const first = copies > 24 ? 94 : 76;
    EXPECT_EQ(count(svg, "y=\"" + std::to_string(first + 15 * (rows - 1)) + "\" width"), copies - rows + 1) << svg;
    EXPECT_EQ(count(svg, "3 copies are drawn over others"), copies == 27 ? 1u : 0u);
    EXPECT_EQ(count(svg, "drawn over others"), copies > 24 ? 1u : 0u);
  }
}
TEST(TimelineSvg, PhasesOfAnMbarrier) {
  run_timeline t;
  t.threads = 1;
  t.event = {event(k::mbarrier_init, 1, 0, 0), event(k::mbarrier_wait, 2, 4, 0), event(k::landed, 3, 0, 0),
             event(k::phase_done, 4, 0, 0)};
  std::string const svg = to_svg(t);
  EXPECT_EQ(count(svg, "class=\"p0\""), 1u);
  EXPECT_EQ(count(svg, "class=\"p1 open\""), 1u);
  EXPECT_EQ(count(svg, "phase 0 of mbarrier 0 completes"), 1u);
  t.event.pop_back();
  EXPECT_EQ(count(to_svg(t), "phase 0 does not complete"), 1u);
}
TEST(TimelineSvg, WhatTheNamesOfCopiesStandForIsSaidBelow) {
  run_timeline t;
  t.threads = 1;
  t.event = {event(k::barrier, 1, 2, 0)};
  EXPECT_EQ(count(to_svg(t), "colour = "), 0u);
  t.event.push_back(event(k::cp_async, 3, 5, 0));
  std::string const groups = to_svg(t);
  EXPECT_EQ(count(groups, "g0 = a thread&apos;s first group of cp.async") +
                count(groups, "g0 = a thread's first group of cp.async"),
            1u)
      << groups;
  EXPECT_EQ(count(groups, "m0 p1 = "), 0u);
  t.event.push_back(event(k::bulk_load, 6, 8, 0));
  EXPECT_EQ(count(to_svg(t), "m0 p1 = a bulk load of which phase 1 of mbarrier 0 tells"), 1u);
}
TEST(TimelineSvg, WhatIsLeftOutIsSaid) {
  run_timeline t;
  t.threads = 1;
  t.dropped = 7;
  for (std::uint64_t i = 1; i <= 1000; ++i) t.event.push_back(event(k::wait, i, 0, 0));
  std::string const svg = to_svg(t);
  EXPECT_NE(svg.find("200 columns more are not drawn"), std::string::npos);
  EXPECT_NE(svg.find("7 later events of single threads were not kept"), std::string::npos);
  EXPECT_LT(count(svg, "<polygon"), 820u);
}

}  // namespace
