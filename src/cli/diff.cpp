// SPDX-License-Identifier: Apache-2.0
// cosmati diff: the differences between two reports, of copies or of the simulated device.
#include "command.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

namespace cosmati::cli {

namespace {

struct options {
  std::string before, after;
  bool json = false;
};

/// A report's folder means its report.json.
nlohmann::json read(std::string path) {
  if (std::filesystem::is_directory(path)) path = (std::filesystem::path(path) / "report.json").string();
  std::ifstream file(path);
  if (!file) throw command_error(bad_input, fmt::format("{}: cannot be read", path));
  // The code that visits the values recurses for each level.
  auto const not_too_deep = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    constexpr int deepest = 200;
    if (depth > deepest)
      throw command_error(bad_input, fmt::format("{}: its values are nested more than {} deep, and those of no report "
                                                 "are",
                                                 path, deepest));
    return true;
  };
  try {
    return nlohmann::json::parse(file, not_too_deep);
  } catch (nlohmann::json::exception const& e) {  // a number may be out of range too
    std::string const why = e.what();             // the text is, for example, "[json.exception.parse_error.101] parse
                                                  // error at line 1, ..."
    throw command_error(bad_input, fmt::format("{}: no JSON: {}", path, why.substr(why.find("] ") + 2)));
  }
}

/// The kind of a file; null if it is unknown.
char const* kind_of(nlohmann::json const& report) {
  auto const has = [&](char const* key) { return report.is_object() && report.contains(key); };
  if (has("check") && has("copy")) return "a report of a tiled copy";
  if (has("verify") && has("tiler")) return "what `cosmati check` says of one";
  if (has("verdict") && has("hazards")) return "a run on the simulated device";
  return nullptr;
}
/// Requires both to be of one kind, or of unknown kinds. For a report and a check, the checks are compared.
void make_alike(options const& o, nlohmann::json& before, nlohmann::json& after) {
  char const *const a = kind_of(before), *const b = kind_of(after);
  if (a == nullptr || b == nullptr || a == b) return;
  for (auto* const one : {&before, &after}) {
    if (!one->contains("check")) continue;
    nlohmann::json const check = (*one)["check"];
    *one = check;
  }
  char const *const c = kind_of(before), *const d = kind_of(after);
  if (c != d)
    throw command_error(bad_input, fmt::format("{} is {}, {} is {}: give two of one kind", o.before, a, o.after, b));
}

/// Gives hazards names instead of numbers, so that a new one does not shift the others.
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

struct comparison {
  nlohmann::json changes = nlohmann::json::array();
  std::string text;

  /// @param was, is null if there is no such key
  void add(std::string const& path, nlohmann::json const* was, nlohmann::json const* is) {
    auto const shown = [](nlohmann::json const* value) { return value == nullptr ? std::string("-") : value->dump(); };
    auto const value_or_null = [](nlohmann::json const* value) { return value == nullptr ? nlohmann::json() : *value; };
    changes.push_back({{"path", path}, {"before", value_or_null(was)}, {"after", value_or_null(is)}});
    text += fmt::format("{}: {} -> {}", path, shown(was), shown(is));
    if (was != nullptr && is != nullptr && was->is_number() && is->is_number() && was->get<double>() != 0)
      text += fmt::format(" ({:.2f}x)", is->get<double>() / was->get<double>());
    text += '\n';
  }
  /// If only one side is a list or an object, each of its members has a line as new, or as gone.
  void compare(std::string const& path, nlohmann::json const* was, nlohmann::json const* is) {
    if (was != nullptr && is != nullptr && *was == *is) return;
    auto const filled = [](nlohmann::json const* value) {
      return value != nullptr && value->is_structured() && !value->empty();
    };
    bool const alike = was == nullptr || is == nullptr || was->type() == is->type();
    if (!alike || (!filled(was) && !filled(is))) return add(path, was, is);
    auto const member = [](nlohmann::json const* of, std::string const& key) -> nlohmann::json const* {
      if (of == nullptr || (of->is_object() && !of->contains(key))) return nullptr;
      if (of->is_object()) return &(*of)[key];
      std::size_t const at = std::stoul(key);
      return at < of->size() ? &(*of)[at] : nullptr;
    };
    for (auto const& one : {was, is}) {
      if (one == nullptr) continue;
      for (auto const& [key, value] : one->items()) {
        if (one == is && member(was, key) != nullptr) continue;  // was compared already
        compare(fmt::format("{}/{}", path, key), member(was, key), member(is, key));
      }
    }
  }
};

void run(options const& o) {
  nlohmann::json before = read(o.before), after = read(o.after);
  make_alike(o, before, after);
  before = with_named_hazards(std::move(before));
  after = with_named_hazards(std::move(after));
  comparison found;
  found.compare("", &before, &after);
  write_output(o.json ? found.changes.dump() + '\n' : found.text);
  if (!found.changes.empty()) throw exit_status{failure};
}

}  // namespace

void add_diff_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("diff", "Say what changed between two reports in JSON");
  auto const o = std::make_shared<options>();
  command
      ->add_option("before", o->before,
                   "report.json of `cosmati report`, or its folder; OUT of `cosmati sim --json OUT`; or the output of "
                   "`cosmati check --json`")
      ->required();
  command->add_option("after", o->after, "Another one, to compare with it")->required();
  command->add_flag("--json", o->json, "Answer as JSON: a list of path, before, after");
  command->footer(
      "Prints a line for each number or text that differs, with - for a missing one.\n"
      "Exit status: 0 nothing changed, 1 something did, 2 when a file cannot be read or the two are of different "
      "kinds.");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
