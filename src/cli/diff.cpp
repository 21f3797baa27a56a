// SPDX-License-Identifier: Apache-2.0
// cosmati diff: what changed between two reports, of copies or of the simulated device.
#include "command.hpp"

#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

namespace cosmati::cli {

namespace {

struct options {
  std::string before, after;
  bool json = false;
};

nlohmann::json read(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw command_error(bad_input, fmt::format("{}: cannot be read", path));
  try {
    return nlohmann::json::parse(file);
  } catch (nlohmann::json::parse_error const& e) {
    throw command_error(bad_input, fmt::format("{}: no JSON: {}", path, e.what()));
  }
}

/// Hazards under names, not numbers: one that is new moves no other.
nlohmann::json with_named_hazards(nlohmann::json report) {
  if (!report.is_object() || !report.contains("hazards") || !report["hazards"].is_array()) return report;
  nlohmann::json named = nlohmann::json::object();
  for (nlohmann::json const& h : report["hazards"]) {
    if (!h.is_object()) return report;
    auto const text = [&](char const* key) {
      nlohmann::json const value = h.value(key, nlohmann::json());
      return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string("?") : value.dump();
    };
    std::string const file = text("file");
    std::string const name = fmt::format("{} in {} at {}:{} with line {}", text("kind"), text("kernel"),
                                         file.substr(file.rfind('/') + 1), text("line"), text("other_line"));
    std::string key = name;
    for (int n = 2; named.contains(key); ++n) key = fmt::format("{}, {}", name, n);
    named[key] = h;
  }
  report["hazards"] = std::move(named);
  return report;
}

std::string shown(nlohmann::json const& value) { return value.is_null() ? "-" : value.dump(); }

void run(options const& o) {
  nlohmann::json const before = with_named_hazards(read(o.before)), after = with_named_hazards(read(o.after));
  auto const a = before.flatten(), b = after.flatten();
  nlohmann::json changes = nlohmann::json::array();
  std::string text;
  auto const add = [&](std::string const& path, nlohmann::json const& was, nlohmann::json const& is) {
    changes.push_back({{"path", path}, {"before", was}, {"after", is}});
    text += fmt::format("{}: {} -> {}", path, shown(was), shown(is));
    if (was.is_number() && is.is_number() && was.get<double>() != 0)
      text += fmt::format(" ({:.2f}x)", is.get<double>() / was.get<double>());
    text += '\n';
  };
  for (auto const& [path, value] : a.items()) {
    auto const other = b.find(path);
    if (other == b.end())
      add(path, value, nullptr);
    else if (*other != value)
      add(path, value, *other);
  }
  for (auto const& [path, value] : b.items()) {
    if (a.find(path) == a.end()) add(path, nullptr, value);
  }
  write_output(o.json ? changes.dump() + '\n' : text);
  if (!changes.empty()) throw exit_status{failure};
}

}  // namespace

void add_diff_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("diff", "What changed between two reports in JSON");
  auto const o = std::make_shared<options>();
  command
      ->add_option(
          "before", o->before,
          "report.json of `cosmati report`, OUT of `cosmati sim --json OUT`, or what `cosmati check --json` says")
      ->required();
  command->add_option("after", o->after, "Another")->required();
  command->add_flag("--json", o->json, "Answer as JSON: a list of path, before, after");
  command->footer("Exit status: 0 nothing changed, 1 something did, 2 when a file cannot be read.");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
