// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cosmati/render/kernel_names.hpp>
#include <cosmati/render/run_page.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "formatted.hpp"
#include "report.hpp"

namespace cosmati_sim {
namespace {

std::map<std::string, std::string> texts_of_kernels(cosmati::run_report const& report) {
  std::set<std::string> names;
  for (cosmati::run_kernel const& k : report.kernels) names.insert(k.name);
  for (cosmati::run_hazard const& h : report.hazards) names.insert(h.kernel);
  return cosmati::detail::kernel_texts({names.begin(), names.end()});
}

std::string text_of_kernel(std::map<std::string, std::string> const& texts, std::string const& name) {
  auto const found = texts.find(name);
  return found != texts.end() ? found->second : name;
}

cosmati::run_report with_short_names(cosmati::run_report report) {
  std::map<std::string, std::string> const texts = texts_of_kernels(report);
  for (cosmati::run_kernel& k : report.kernels) k.name = text_of_kernel(texts, k.name);
  for (cosmati::run_hazard& h : report.hazards) h.kernel = text_of_kernel(texts, h.kernel);
  return report;
}

struct page {
  std::mutex mutex;
  cosmati::run_report report;
  std::vector<std::string> message_across_warps;  // of each hazard; "" where it names no barrier of a warp
  std::vector<std::string> not_instrumented, failures;
  pid_t process = getpid();  // a forked child does not write the page

  page() {
    std::atexit([] { the_page().write(); });
  }
  static page& the_page() {
    static auto* const one = new page;
    return *one;
  }

  void write() {
    if (process != getpid()) return;
    std::lock_guard const lock(mutex);
    judge();
    std::string const path = std::getenv("COSMATI_SIM_HTML");
    std::string const part = path + formatted(".{}.part", getpid());  // a temporary file, so that the page is complete
                                                                      // or absent
    std::FILE* const file = std::fopen(part.c_str(), "w");
    bool good = false;
    if (file != nullptr) {
      std::string const text = to_html(with_short_names(report));
      good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
      good = std::fclose(file) == 0 && good;
      good = good && std::rename(part.c_str(), path.c_str()) == 0;
    }
    if (good) return;
    int const why = errno;
    std::remove(part.c_str());
    std::fprintf(stderr, "cosmati: COSMATI_SIM_HTML: cannot write %s: %s\n", path.c_str(), std::strerror(why));
  }

  /// The barrier that another launch or kernel needs at the same lines is that of all of them.
  void add(found_hazard const& h) {
    auto const same_lines = [&](cosmati::run_hazard const& x) {
      return x.file == h.words.file && x.other_file == h.words.other_file && x.line == h.words.line &&
             x.other_line == h.words.other_line;
    };
    bool known = false;
    for (std::size_t i = 0; i < report.hazards.size() && h.names_barrier_of_block; ++i) {
      if (!same_lines(report.hazards[i]) || message_across_warps[i].empty()) continue;
      report.hazards[i].message = std::exchange(message_across_warps[i], {});
      known = known || report.hazards[i].kernel == h.words.kernel;
    }
    if (known) return;
    report.hazards.push_back(h.words);
    message_across_warps.push_back(h.message_across_warps);
  }

  void judge() {
    report.title = formatted("kernels of {}", program_invocation_short_name);
    report.reasons.clear();
    auto const of_severity = [&](char const* name) {
      return std::count_if(report.hazards.begin(), report.hazards.end(),
                           [&](auto const& h) { return h.severity == name; });
    };
    auto const errors = of_severity("error"), reviews = of_severity("review");
    bool const failed = errors != 0 || !failures.empty();
    bool const unseen = !not_instrumented.empty() || (report.kernels.empty() && !a_library_has_worked());
    report.verdict = failed ? "error" : unseen ? "incomplete" : reviews != 0 ? "review" : "clean";
    if (errors != 0) report.reasons.push_back(formatted("{} hazard{} found", errors, errors == 1 ? " was" : "s were"));
    for (std::string const& text : failures) report.reasons.push_back("a launch failed: " + text);
    std::map<std::string, std::string> const texts = texts_of_kernels(report);
    for (std::string const& kernel : not_instrumented)
      report.reasons.push_back(
          formatted("kernel {} was compiled without instrumentation", text_of_kernel(texts, kernel)));
    if (report.kernels.empty() && !a_library_has_worked()) report.reasons.push_back("no kernel ran");
    if (reviews != 0)
      report.reasons.push_back(formatted("{} place{} to be reviewed: the architecture's text is silent there", reviews,
                                         reviews == 1 ? " is" : "s are"));
  }
};

void add_costs(cosmati::run_kernel& kernel, counter_totals const& counters) {
  for (std::size_t i = 0; i < counted_kinds; ++i) {
    cosmati_sim_instruction_counters const& c = counters[i];
    if (c.instructions == 0) continue;
    auto at =
        std::find_if(kernel.costs.begin(), kernel.costs.end(), [&](auto const& x) { return x.kind == kind_name(i); });
    if (at == kernel.costs.end()) {
      at = kernel.costs.emplace(at);
      at->kind = kind_name(i);
    }
    at->instructions += c.instructions;
    at->requests += c.requests;
    at->sectors += c.sectors;
    at->ideal_sectors += c.ideal_sectors;
    at->lines += c.lines;
    at->bytes_used += c.bytes_used;
    at->bytes_moved += c.bytes_moved;
    at->wavefronts += c.wavefronts;
    at->wavefronts_floor += c.wavefronts_floor;
    at->wavefronts_ideal += c.wavefronts_ideal;
    at->bank_conflicts += c.bank_conflicts;
    at->inexact += c.inexact;
  }
}

void add_once(std::vector<std::string>& to, std::string const& text) {
  if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

}  // namespace

bool page_is_wanted() {
  static bool const wanted = [] {
    char const* const path = std::getenv("COSMATI_SIM_HTML");
    if (path == nullptr || path[0] == 0) return false;
    page::the_page();
    return true;
  }();
  return wanted;
}

void page_refused(found_hazard const& why) {
  page& p = page::the_page();
  {
    std::lock_guard const lock(p.mutex);
    p.add(why);
  }
  p.write();
}

void page_launch(std::string const& kernel, bool seen, std::string const& failed,
                 std::vector<found_hazard> const& hazards, counter_totals const& counters,
                 std::vector<cosmati::run_timeline> const& timelines, std::vector<cosmati::run_place> const& places) {
  page& p = page::the_page();
  bool const news = !hazards.empty() || !failed.empty();
  {
    std::lock_guard const lock(p.mutex);
    auto& all = p.report.kernels;
    auto at = std::find_if(all.begin(), all.end(), [&](auto const& k) { return k.name == kernel; });
    if (at == all.end()) {
      at = all.emplace(at);
      at->name = kernel;
    }
    ++at->launches;
    add_costs(*at, counters);
    cosmati::add_places(at->places, places);
    at->timelines.insert(at->timelines.end(), timelines.begin(), timelines.end());
    for (found_hazard const& h : hazards) p.add(h);
    if (!seen) add_once(p.not_instrumented, kernel);
    if (!failed.empty()) add_once(p.failures, failed);
  }
  if (news) p.write();
}

}  // namespace cosmati_sim
