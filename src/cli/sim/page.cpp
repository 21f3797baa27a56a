// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <fmt/format.h>

namespace cosmati::cli {

namespace {

using json = nlohmann::ordered_json;

template <class T>
T value_or(json const& j, char const* key, T const& otherwise) {
  auto const found = j.find(key);
  return found != j.end() && !found->is_null() ? found->get<T>() : otherwise;
}

std::string index_of(json const& j, char const* key) {
  auto const found = j.find(key);
  if (found == j.end() || !found->is_array()) return {};
  return fmt::format("({})", fmt::join(found->get<std::vector<unsigned>>(), ","));
}

run_hazard hazard_of(json const& j) {
  run_hazard h;
  h.kind = value_or<std::string>(j, "kind", "");
  h.severity = value_or<std::string>(j, "severity", "");
  h.kernel = value_or<std::string>(j, "kernel", "");
  h.block = index_of(j, "block");
  h.thread = index_of(j, "thread");
  h.file = value_or<std::string>(j, "file", "");
  h.other_file = value_or<std::string>(j, "other_file", "");
  h.line = value_or(j, "line", 0);
  h.other_line = value_or(j, "other_line", 0);
  h.tensor = value_or<std::string>(j, "tensor", "");
  if (std::string const at = value_or<std::string>(j, "coord", ""); !at.empty()) h.tensor += " at " + at;
  h.message = value_or<std::string>(j, "message", "");
  return h;
}

run_costs costs_of(std::string const& kind, kernel_counters::numbers const& n) {
  run_costs c;
  c.kind = kind;
  std::uint64_t* const to[] = {
      &c.instructions, &c.requests,   &c.sectors,          &c.ideal_sectors,    &c.lines,          &c.bytes_used,
      &c.bytes_moved,  &c.wavefronts, &c.wavefronts_floor, &c.wavefronts_ideal, &c.bank_conflicts, &c.inexact};
  for (std::size_t i = 0; i < n.size(); ++i) *to[i] = n[i];
  return c;
}

}  // namespace

std::vector<run_timeline> timelines_of(json const& list) {
  std::vector<run_timeline> out;
  for (json const& one : list) {
    run_timeline t;
    t.why = value_or<std::string>(one, "why", "");
    t.block = value_or(one, "block", t.block);
    t.threads = value_or(one, "threads", 0u);
    t.dropped = value_or<std::uint64_t>(one, "dropped", 0);
    auto const files = value_or<std::vector<std::string>>(one, "files", {});
    for (auto const& n : value_or<std::vector<std::vector<std::uint64_t>>>(one, "events", {})) {
      if (n.size() != 11 || n[0] >= run_event_kinds || n[9] >= files.size()) continue;
      run_event e;
      e.kind = static_cast<run_event_kind>(n[0]);
      e.warp = static_cast<std::uint32_t>(n[1]);
      e.lanes = static_cast<std::uint32_t>(n[2]);
      e.object = static_cast<std::uint32_t>(n[3]);
      e.first = n[4];
      e.last = n[5];
      e.until = n[6];
      e.amount = n[7];
      e.bytes = n[8];
      e.file = files[n[9]];
      e.line = static_cast<int>(n[10]);
      t.event.push_back(std::move(e));
    }
    out.push_back(std::move(t));
  }
  return out;
}

std::vector<run_place> places_of(json const& list) {
  std::vector<run_place> out;
  for (json const& one : list) {
    auto const n = value_or<std::vector<std::uint64_t>>(one, "numbers", {});
    if (n.size() != 5) continue;
    out.push_back({value_or<std::string>(one, "kind", ""), value_or<std::string>(one, "file", ""),
                   value_or(one, "line", 0), n[0], n[1], n[2], n[3], n[4], value_or<std::string>(one, "remedy", "")});
  }
  return out;
}

run_report report_of(findings const& f, std::string const& source, std::uint64_t seed) {
  run_report r;
  r.title = fmt::format("kernels of {}, seed {}", source, seed);
  r.verdict = verdict_names[static_cast<int>(f.verdict)];
  r.reasons = f.reasons;
  for (auto const* const list : {&f.hazards, &f.notes}) {
    for (json const& h : *list) {
      r.hazards.push_back(hazard_of(h));
      r.hazards.back().kernel = f.kernel_text(r.hazards.back().kernel);
    }
  }
  for (auto const& [name, k] : f.counters) {
    run_kernel kernel;
    kernel.name = f.kernel_text(name);
    kernel.launches = k.launches;
    for (auto const& [kind, numbers] : k.all) kernel.costs.push_back(costs_of(kind, numbers));
    kernel.places = k.places;
    kernel.timelines = k.timelines;
    r.kernels.push_back(std::move(kernel));
  }
  for (unseen_code const& u : f.unseen) {
    r.unseen.push_back(fmt::format("{} in kernel {}{}", u.what, f.kernel_text(u.kernel),
                                   u.line != 0 ? fmt::format(" at {}:{}", u.file, u.line) : std::string()));
  }
  return r;
}

}  // namespace cosmati::cli
