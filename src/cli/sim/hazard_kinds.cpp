// SPDX-License-Identifier: Apache-2.0
#include "hazard_kinds.hpp"

#include "../command_end.hpp"
#include "../near_names.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>

namespace cosmati::cli {

namespace {

constexpr std::string_view all_kinds[] = {"out_of_bounds",
                                          "misaligned",
                                          "race",
                                          "uninitialized",
                                          "missing_wait",
                                          "missing_commit",
                                          "missing_barrier",
                                          "missing_proxy_fence",
                                          "mbarrier",
                                          "deadlock",
                                          "divergence",
                                          "wrong_space",
                                          "invalid_launch",
                                          "invalid_argument",
                                          "trap",
                                          "assertion",
                                          "exception",
                                          "division_by_zero",
                                          "stack_overflow",
                                          "leak",
                                          "conversion"};

void append_kind(std::vector<std::string>& kinds, std::string_view name) {
  if (std::find(std::begin(all_kinds), std::end(all_kinds), name) == std::end(all_kinds)) {
    std::vector<std::string_view> const known(std::begin(all_kinds), std::end(all_kinds));
    std::string const hint = did_you_mean(name, known);
    throw command_error(bad_input,
                        fmt::format("sim: --fail-on: {} is no kind of hazard{}", name,
                                    hint.empty() ? fmt::format("; the kinds are {}", fmt::join(known, ", ")) : hint));
  }
  kinds.emplace_back(name);
}

}  // namespace

std::vector<std::string> hazard_kinds_of(std::vector<std::string> const& texts) {
  std::vector<std::string> kinds;
  for (std::string_view text : texts) {
    for (std::size_t comma; (comma = text.find(',')) != std::string_view::npos; text.remove_prefix(comma + 1))
      append_kind(kinds, text.substr(0, comma));
    append_kind(kinds, text);
  }
  return kinds;
}

verdict verdict_on(findings const& f, std::vector<std::string> const& kinds) {
  if (kinds.empty()) return f.verdict;
  verdict result = f.without_hazards;
  for (nlohmann::ordered_json const& h : f.notes) {
    if (std::find(kinds.begin(), kinds.end(), h.value("kind", "")) != kinds.end()) result = verdict::error;
  }
  for (nlohmann::ordered_json const& h : f.hazards) {
    if (std::find(kinds.begin(), kinds.end(), h.value("kind", "")) == kinds.end()) continue;
    result = std::max(result, h.value("severity", "") == "review" ? verdict::review : verdict::error);
  }
  return result;
}

}  // namespace cosmati::cli
