// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/run_page.hpp>

namespace {

using namespace cosmati;

TEST(RunPage, VerdictHazardsAndCosts) {
  run_report r;
  r.title = "a < b";
  r.verdict = "error";
  r.reasons = {"1 hazard was found"};
  run_hazard h;
  h.kind = "race";
  h.kernel = "k<1>";
  h.message = "two & two";
  h.file = __FILE__;
  h.line = 10;
  r.hazards = {h};
  run_kernel kernel;
  kernel.name = "k<1>";
  kernel.launches = 2;
  run_costs c;
  c.kind = "global_load";
  c.instructions = 3;
  c.sectors = 400;
  c.ideal_sectors = 100;
  kernel.costs = {c};
  kernel.timelines.resize(1);
  r.kernels = {kernel};
  r.unseen = {"call of f"};
  std::string const page = to_html(r);
  for (char const* text : {"<title>a &lt; b</title>", "verdict: error", "<li>1 hazard was found</li>", "two &amp; two",
                           "Kernel k&lt;1&gt;, 2 launches", "400 (fewest 100)", "<td>400</td>", "<li>call of f</li>",
                           "<mark>   10    run_report r;</mark>"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  EXPECT_EQ(page.find("http-equiv"), std::string::npos);
}
TEST(RunPage, WhatCostsMoreThanItNeeds) {
  run_report r;
  r.kernels.resize(1);
  run_place conflicts, sectors, cheap;
  conflicts.kind = "shared_load";
  conflicts.file = __FILE__;
  conflicts.line = 10;
  conflicts.instructions = 32;
  conflicts.wavefronts = 1024;
  conflicts.bank_conflicts = 992;
  conflicts.remedy = "pad by 4 < 8";
  sectors.kind = "global_load";
  sectors.sectors = 4000;
  sectors.ideal_sectors = 500;
  cheap.kind = "shared_store";
  cheap.wavefronts = cheap.instructions = 7777;
  r.kernels[0].places = {conflicts, cheap, sectors};
  std::string const page = to_html(r);
  std::size_t const first = page.find("4000 sectors, where 500 would do"), second = page.find("992 bank conflicts at ");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second);  // the dearest first
  EXPECT_NE(page.find("What to change: pad by 4 &lt; 8."), std::string::npos);
  EXPECT_NE(page.find("<mark>   10    run_report r;</mark>"), std::string::npos);
  EXPECT_EQ(page.find("7777"), std::string::npos);
}
TEST(RunPage, PlacesOfLaunchesAreAdded) {
  run_place a, b;
  a.kind = b.kind = "ldmatrix";
  a.file = b.file = "k.cpp";
  a.line = b.line = 3;
  a.bank_conflicts = 5;
  b.bank_conflicts = 7;
  b.remedy = "swizzle";
  std::vector<run_place> all;
  add_places(all, {a});
  add_places(all, {b});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].bank_conflicts, 12u);
  EXPECT_EQ(all[0].remedy, "swizzle");
  b.line = 4;
  add_places(all, {b});
  EXPECT_EQ(all.size(), 2u);
}
TEST(RunPage, NoAccessIsSaid) {
  run_report r;
  r.kernels.resize(1);
  EXPECT_NE(to_html(r).find("no access to global or shared memory"), std::string::npos);
}
TEST(RunPage, AFileThatIsNotThere) { EXPECT_EQ(detail::source_excerpt("/nowhere/kernel.cpp", 3), ""); }

}  // namespace
