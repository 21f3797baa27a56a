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
TEST(RunPage, NoAccessIsSaid) {
  run_report r;
  r.kernels.resize(1);
  EXPECT_NE(to_html(r).find("no access to global or shared memory"), std::string::npos);
}
TEST(RunPage, AFileThatIsNotThere) { EXPECT_EQ(detail::source_excerpt("/nowhere/kernel.cpp", 3), ""); }

}  // namespace
