// SPDX-License-Identifier: Apache-2.0
// cosmati report: a tiled copy on one page, with pictures, verdict and costs. DIR/report.json has the numbers, for
// `diff`.
#include "check/report.hpp"
#include "check/examine.hpp"
#include "command.hpp"
#include "figures.hpp"
#include "named_files.hpp"
#include "whole_file.hpp"

#include <fmt/format.h>
#include <cosmati/layout/text_tree.hpp>
#include <cosmati/render/cost.hpp>
#include <cosmati/render/html.hpp>
#include <filesystem>
#include <memory>
#include <sstream>

namespace cosmati::cli {

namespace {

struct options : check_texts {
  std::string out;
};

/// The parts of the page. Long lines of words are wrapped, and continue below their subject.
struct page {
  std::string body =
      "<style>.words{white-space:pre-wrap;overflow-wrap:anywhere}"
      ".words span{display:block;padding-left:14ch;text-indent:-14ch}</style>\n";

  void heading(std::string const& text) { body += fmt::format("<h2>{}</h2>\n", cosmati::detail::xml(text)); }
  void words(std::string const& text) {
    std::istringstream in(text);
    body += "<pre class=\"words\">";
    for (std::string line; std::getline(in, line);) body += fmt::format("<span>{}</span>", cosmati::detail::xml(line));
    body += "</pre>\n";
  }
  /// @param height the limit in pixels; the page of an ordinary copy has three screens
  void draw(figure const& f, int height) {
    body += fmt::format("<figure>\n{}</figure>\n", to_svg(f, {picture_size().width, height}));
  }
};

nlohmann::json describe(check_findings const& f) {
  nlohmann::json j;
  j["atom"] = f.copy.atom.name;
  j["type"] = f.copy.type->name;
  j["tiler"] = tuple_text(f.copy.tiler);
  j["layout_tv"] = layout_text(f.copy.layout_tv);
  j["threads"] = f.copy.threads;
  j["values"] = f.copy.values;
  return j;
}

void check_files(options const& o) {
  if (o.out.empty()) throw command_error(bad_input, "report: --out: the name of the folder is empty");
  std::error_code ignored;
  if (std::filesystem::exists(o.out, ignored) && !std::filesystem::is_directory(o.out, ignored))
    throw command_error(bad_input, fmt::format("report: --out {} is a file, not a folder", o.out));
  named_files files("report: ");
  for (char const* const name : {"report.html", "report.json"})
    files.writes_in_new_folder("--out", (std::filesystem::path(o.out) / name).string());
  files.writes_standard_output();
}

void run(options const& o) {
  check_files(o);
  page p;
  nlohmann::json data;
  examined found;
  bool const has_tensors = !o.src.empty() || !o.dst.empty();
  if (has_tensors) {
    found = examine(o);
  } else {
    evaluator evaluate;
    found.findings.copy = read_copy(evaluate, o);
  }
  check_findings const& f = found.findings;
  data["copy"] = describe(f);
  if (has_tensors) {
    data["check"] = report_json(f, {}, found.notes);
    p.heading("Verdict and costs");
    p.words(report_text(f, {}, found.notes));
    std::vector<figure> const costs = picture_cost(values_of(f.copy, f.operation), f.tensor(true), f.tensor(false));
    for (figure const& cost : costs) p.draw(cost, 440);
  }
  p.heading("Who moves what");
  p.draw(blamed_on("--thr, --val", [&] { return figure_of(f.copy); }), 640);
  if (has_tensors) {
    p.heading("The tensors");
    for (auto const& side : f.sides) {
      figure const drawn = first_tile(f, *side);
      if (!drawn.grid.empty()) p.draw(drawn, 400);
    }
  }
  std::filesystem::path const folder = o.out;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw command_error(failure, fmt::format("--out: cannot make the folder {}: {}", o.out, failed.message()));
  std::string const title =
      fmt::format("{} of {}, tile {}", f.copy.atom.name, f.copy.type->name, tuple_text(f.copy.tiler));
  for (char const* const name : {"report.html", "report.json"}) check_can_write((folder / name).string());
  write_text((folder / "report.json").string(), data.dump(2) + '\n');
  write_text((folder / "report.html").string(), html_page(title, p.body));
  write_output(fmt::format("{}\n{}\n", (folder / "report.html").string(), (folder / "report.json").string()));
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("report", "Show a tiled copy on one page of HTML: pictures, verdict, costs");
  auto const o = std::make_shared<options>();
  add_check_options(*command, *o);
  command->add_option("--out", o->out, "The folder for report.html and report.json; it is created if it does not exist")
      ->required();
  command->footer(
      "Example:\n"
      "  cosmati report --out copy --atom 'UniversalCopy<uint128_t>' --type half --thr '(8,4):(1,8)' --val '8:1' \\\n"
      "      --src '(64,4):(1,64)' --dst 'Sw<3,3,3> o 0 o (64,4):(1,64)'");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
