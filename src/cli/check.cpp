// SPDX-License-Identifier: Apache-2.0
// cosmati check: the cost and the correctness of a tiled copy.
#include "check/boxes.hpp"
#include "check/examine.hpp"
#include "check/report.hpp"
#include "command.hpp"
#include "number_range.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <memory>

namespace cosmati::cli {

namespace {

struct options : check_texts {
  std::int64_t max_conflicts = -1;
  double min_efficiency = -1;
  bool json = false;
};

std::vector<budget> judge(options const& o, check_findings const& f) {
  std::vector<budget> budgets;
  if (o.max_conflicts >= 0) {
    std::int64_t found = 0;
    for (auto const& s : f.sides) found += s->cost.bank_conflicts;
    budgets.push_back({"--max-conflicts", static_cast<double>(o.max_conflicts), static_cast<double>(found),
                       found <= o.max_conflicts});
  }
  if (o.min_efficiency >= 0) {
    double found = 1;
    for (auto const& s : f.sides) found = std::min(found, efficiency_of(*s));
    budgets.push_back({"--min-efficiency", o.min_efficiency, found, found >= o.min_efficiency});
  }
  return budgets;
}

/// A tensor copy, which no threads and values describe.
void run_boxes(options const& o) {
  box_findings const f = examine_boxes(o);
  std::vector<budget> budgets;
  if (o.max_conflicts >= 0) budgets.push_back({"--max-conflicts", static_cast<double>(o.max_conflicts), 0, true});
  if (o.min_efficiency >= 0)
    budgets.push_back(
        {"--min-efficiency", o.min_efficiency, f.cost.efficiency(), f.cost.efficiency() >= o.min_efficiency});
  write_output(o.json ? report_json(f, budgets).dump() + '\n' : report_text(f, budgets));
  bool kept = f.verdict.ok();
  for (budget const& b : budgets) kept = kept && b.kept;
  if (!kept) throw exit_status{failure};
}

void run(options const& o) {
  if (names_tensor_copy(o.atom)) return run_boxes(o);
  examined const found = examine(o);
  check_findings const& f = found.findings;
  std::vector<budget> const budgets = judge(o, f);
  write_output(o.json ? report_json(f, budgets, found.notes).dump() + '\n' : report_text(f, budgets, found.notes));
  bool kept = f.right();
  for (budget const& b : budgets) kept = kept && b.kept;
  if (!kept) throw exit_status{failure};
}

}  // namespace

void add_check_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("check", "Say what a tiled copy costs, and whether it is right");
  auto const o = std::make_shared<options>();
  add_check_options(*command, *o);
  command->add_option("--max-conflicts", o->max_conflicts, "Exit with 1 if there are more bank conflicts than this")
      ->check(integer_in<std::int64_t>(0, std::numeric_limits<std::int64_t>::max()));
  command
      ->add_option("--min-efficiency", o->min_efficiency,
                   "Exit with 1 if less than this share (0 to 1) of the moved bytes is used, or of the wavefronts "
                   "is needed")
      ->check(number_in(0, 1).description("0 to 1, for example 0.8 for 80 %"));
  command->add_flag("--json", o->json, "Answer as JSON");
  command->footer(
      "Exit status: 0 if the copy is right and within the budgets, 1 if not, 2 when the input is wrong.\n"
      "Example:\n"
      "  cosmati check --atom 'UniversalCopy<uint16_t>' --type half --thr '(16,8):(8,1)' --val '(1,4)' \\\n"
      "      --src '(4096,4096):(4096,1)'");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
