// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>

namespace cosmati::cli {

namespace {

using json = nlohmann::ordered_json;

std::string outcome_of(program_outcome const& one) {
  if (one.failure.empty()) return verdict_names[static_cast<int>(one.found.verdict)];
  return one.failure.find("cannot be compiled") != std::string::npos ? "not compiled" : "not run";
}

/// "2 race, 1 uninitialized, 1 conversion", or the first reason.
std::string findings_text(program_outcome const& one) {
  if (!one.failure.empty()) return one.failure.substr(0, one.failure.find('\n'));
  std::map<std::string, int> numbers;
  for (json const& h : one.found.hazards) ++numbers[h.value("kind", "")];
  for (json const& h : one.found.notes) {
    if (h.value("kind", "") == "conversion") ++numbers["conversion"];
  }
  std::string text;
  for (auto const& [kind, number] : numbers) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, kind);
  if (text.empty() && !one.found.other_reasons.empty()) text = one.found.other_reasons.front();
  return text;
}

}  // namespace

std::string table_of(std::vector<program_outcome> const& all) {
  std::size_t width = 4;
  for (program_outcome const& one : all) width = std::max(width, one.source.size());
  std::string out = fmt::format("{:<{}}  {:<12}  findings\n", "file", width, "outcome");
  std::size_t clean = 0;
  for (program_outcome const& one : all) {
    std::string const line = fmt::format("{:<{}}  {:<12}  {}", one.source, width, outcome_of(one), findings_text(one));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    clean += one.status == 0 ? 1 : 0;
  }
  return out + fmt::format("{} of {} programs pass\n", clean, all.size());
}

json json_of_all(std::vector<program_outcome> const& all, std::uint64_t seed) {
  json out;
  verdict worst = verdict::clean;
  for (program_outcome const& one : all) worst = std::max(worst, one.found.verdict);
  out["verdict"] = verdict_names[static_cast<int>(worst)];
  out["programs"] = json::array();
  for (program_outcome const& one : all) {
    json of_one = json_of(one.found, one.source, seed);
    if (!one.failure.empty()) of_one["reasons"] = {one.failure.substr(0, one.failure.find('\n'))};
    of_one["status"] = one.status;
    out["programs"].push_back(std::move(of_one));
  }
  return out;
}

int worst_status(std::vector<program_outcome> const& all) {
  constexpr int order[] = {0, 4, 5, 2, 1, 3};
  auto const rank = [&](int status) {
    return std::find(std::begin(order), std::end(order), status) - std::begin(order);
  };
  int worst = 0;
  for (program_outcome const& one : all) {
    if (rank(one.status) > rank(worst)) worst = one.status;
  }
  return worst;
}

}  // namespace cosmati::cli
