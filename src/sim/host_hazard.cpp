// SPDX-License-Identifier: Apache-2.0
#include "host_hazard.hpp"

#include <execinfo.h>

#include <cstdio>
#include <utility>

#include "hazards.hpp"
#include "page.hpp"
#include "report.hpp"
#include "sites.hpp"
#include "symbols.hpp"

namespace cosmati_sim {

namespace {

void report(hazard_kind kind, std::string&& message, program_line const& line, std::uint32_t other_site = 0) {
  if (!report_is_wanted()) {
    if (std::size_t const at = message.find('\2'); at != std::string::npos)
      message.replace(at, 1, line_text(line_of_site(other_site)));
    std::fprintf(stderr, "cosmati: error: %s: %s (%s)\n", name_of(kind), message.c_str(), line_text(line).c_str());
    return;
  }
  job j;
  j.kernel = "code of the host";
  hazard h;
  h.kind = kind;
  h.of_block = true;
  h.where = {line.file.empty() ? nullptr : line.file.c_str(), line.line};
  h.other_site = other_site;
  h.message = std::move(message);
  j.hazards.push_back(std::move(h));
  std::vector<found_hazard> found;
  finish_hazards(j, {}, &found, true);
  for (found_hazard const& f : found) report_refused(j.kernel, f);
}

}  // namespace

std::vector<void const*> calls_of_program() {
  void* calls[64];
  int const depth = backtrace(calls, 64);
  std::vector<void const*> of_program;
  for (int i = 1; i < depth; ++i) {
    if (is_code_of_program(calls[i])) of_program.push_back(calls[i]);
  }
  return of_program;
}

program_line line_of_calls(std::vector<void const*> const& calls) {
  site_info info;
  for (void const* const call : calls) info.calls.push_back(const_cast<void*>(call));
  return line_of_site(info);
}

void report_host_hazard_of(hazard_kind kind, std::string message, std::vector<void const*> const& calls) {
  if (checks_are_on()) report(kind, std::move(message), line_of_calls(calls));
}

void report_host_hazard_with(hazard_kind kind, std::string message, std::vector<void const*> const& calls,
                             std::uint32_t other_site) {
  if (checks_are_on()) report(kind, std::move(message), line_of_calls(calls), other_site);
}

void report_host_hazard(hazard_kind kind, std::string message) {
  if (checks_are_on()) report_host_hazard_of(kind, std::move(message), calls_of_program());
}

void report_host_hazard_at(hazard_kind kind, std::string message, void const* pc) {
  if (!checks_are_on()) return;
  site_info info;
  info.pc = pc;
  report(kind, std::move(message), line_of_site(info));
}

}  // namespace cosmati_sim
