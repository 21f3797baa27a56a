// SPDX-License-Identifier: Apache-2.0
#include "review_formats.hpp"

#include <cosmati/core/config.hpp>

#include <fmt/format.h>
#include <set>
#include <string_view>

namespace cosmati::cli {

namespace {

using json = nlohmann::ordered_json;

std::string text_or_empty(json const& h, char const* key) {
  return h.contains(key) && h[key].is_string() ? h[key].get<std::string>() : std::string();
}
int line_or_0(json const& h, char const* key) { return h.contains(key) && h[key].is_number() ? h[key].get<int>() : 0; }
/// @param of_note the word of the format for a hazard that does not change the verdict
char const* level_of(json const& h, char const* of_note) {
  std::string const severity = text_or_empty(h, "severity");
  return severity == "note" ? of_note : severity == "review" ? "warning" : "error";
}

/// A path as a URI: relative, or of the scheme file.
std::string uri_of(std::string_view path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (char const c : path) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/._-~+").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

json location(std::string const& file, int line) {
  json place;
  place["artifactLocation"]["uri"] = uri_of(file);
  if (line > 0) place["region"]["startLine"] = line;
  json out;
  out["physicalLocation"] = std::move(place);
  return out;
}

json result_of(json const& h) {
  json out;
  out["ruleId"] = text_or_empty(h, "kind");
  out["level"] = level_of(h, "note");
  out["message"]["text"] = text_or_empty(h, "message");
  std::string const file = text_or_empty(h, "file");
  out["locations"] = json::array();
  if (!file.empty()) out["locations"].push_back(location(file, line_or_0(h, "line")));
  std::string const other = text_or_empty(h, "other_file");
  if (int const line = line_or_0(h, "other_line"); line > 0) {
    json related = location(other.empty() ? file : other, line);
    related["message"]["text"] = "the other access";
    out["relatedLocations"] = json::array({std::move(related)});
  }
  return out;
}

/// Text of an annotation. @param property whether it stands before the second `::`
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (char const c : text) {
    bool const special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

/// A run of one program.
json run_of(findings const& f) {
  json driver;
  driver["name"] = "cosmati";
  driver["version"] = fmt::format("{}.{}.{}", COSMATI_VERSION_MAJOR, COSMATI_VERSION_MINOR, COSMATI_VERSION_PATCH);
  std::set<std::string> kinds;
  for (auto const* const list : {&f.hazards, &f.notes}) {
    for (json const& h : *list) kinds.insert(text_or_empty(h, "kind"));
  }
  driver["rules"] = json::array();
  for (std::string const& kind : kinds) driver["rules"].push_back({{"id", kind}});
  json invocation;
  invocation["executionSuccessful"] = f.without_hazards == verdict::clean;
  invocation["toolExecutionNotifications"] = json::array();
  for (std::string const& reason : f.other_reasons)
    invocation["toolExecutionNotifications"].push_back({{"level", "error"}, {"message", {{"text", reason}}}});
  json run;
  run["tool"]["driver"] = std::move(driver);
  run["invocations"] = json::array({std::move(invocation)});
  run["results"] = json::array();
  for (auto const* const list : {&f.hazards, &f.notes}) {
    for (json const& h : *list) run["results"].push_back(result_of(h));
  }
  return run;
}

}  // namespace

json sarif_of(std::vector<findings> const& programs) {
  json out;
  out["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  out["version"] = "2.1.0";
  out["runs"] = json::array();
  for (findings const& f : programs) out["runs"].push_back(run_of(f));
  return out;
}

std::string annotations_of(findings const& f) {
  std::string out;
  std::vector<json> all = f.hazards;
  all.insert(all.end(), f.notes.begin(), f.notes.end());
  for (json const& h : all) {
    std::string const file = text_or_empty(h, "file"), kind = text_or_empty(h, "kind");
    std::string place = file.empty() ? "" : fmt::format("file={},", escaped(file, true));
    if (int const line = line_or_0(h, "line"); line > 0) place += fmt::format("line={},", line);
    out += fmt::format("::{} {}title={}::{}\n", level_of(h, "notice"), place, escaped(kind, true),
                       escaped(text_or_empty(h, "message"), false));
  }
  for (std::string const& reason : f.other_reasons) out += fmt::format("::error ::{}\n", escaped(reason, false));
  return out;
}

}  // namespace cosmati::cli
