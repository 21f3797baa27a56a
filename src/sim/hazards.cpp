// SPDX-License-Identifier: Apache-2.0
#include "hazards.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "barrier_advice.hpp"
#include "formatted.hpp"
#include "report.hpp"
#include "sites.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

constexpr std::size_t most_hazards = 200;  // the limit of a program's hazards

constexpr char const* kind_names[] = {"none",
                                      "out_of_bounds",
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
                                      "invalid_argument",
                                      "invalid_launch",
                                      "assertion",
                                      "trap",
                                      "exception",
                                      "division_by_zero",
                                      "stack_overflow",
                                      "leak",
                                      "conversion"};

std::uint64_t news_key(hazard_kind kind, std::uint32_t site, std::uint32_t other_site) {
  return static_cast<std::uint64_t>(kind) << 56 ^ static_cast<std::uint64_t>(site) << 28 ^ other_site;
}

char const* severity_of(hazard const& h) { return is_note(h.kind) ? "note" : h.review ? "review" : "error"; }

/// The hazards that a report contains: kernel, kind, whether it is for review, line, other line, the ordinal, whether
/// it names a barrier of the block.
using known_hazards = std::set<std::tuple<std::string, hazard_kind, bool, std::string, int, int, int, bool>>;
known_hazards& reported() {
  static auto* const all = new known_hazards;
  return *all;
}

std::string number_or_null(int n) { return n != 0 ? std::to_string(n) : "null"; }
std::string text_or_null(std::string const& text) { return text.empty() ? "null" : quoted(text); }

void replace_all(std::string& text, char mark, std::string const& by) {
  for (std::size_t at; (at = text.find(mark)) != std::string::npos;) text.replace(at, 1, by);
}

struct finished {
  hazard h;
  int ordinal = 0;  // among the wrong addresses of its line
  program_line line, other;
  bool names_barrier_of_block = false;
  std::string message_across_warps;  // of one that names a barrier of a warp
};

finished with_lines(hazard&& h) {
  finished f;
  f.line = h.site != 0 ? line_of_site(h.site) : program_line{};
  if (h.site == 0 && h.where.file != nullptr) f.line = {h.where.file, h.where.line};
  if (h.other_site != 0) f.other = line_of_site(h.other_site);
  if (h.update && f.line.line == f.other.line && f.line.file == f.other.file) h.kind = hazard_kind::race;
  if (h.other_site == 0 && h.other_where.file != nullptr) f.other = {h.other_where.file, h.other_where.line};
  if (h.kind == hazard_kind::race) replace_all(h.message, '\4', "let one thread do it, or use an atomic");
  replace_all(h.message, '\1', line_text(f.line));
  replace_all(h.message, '\2', line_text(f.other));
  if (h.third_site != 0) replace_all(h.message, '\3', line_text(line_of_site(h.third_site)));
  f.h = std::move(h);
  return f;
}

void name_barrier(finished& f, barrier_advice const& advice) {
  if (f.h.message.find('\4') == std::string::npos) return;
  f.names_barrier_of_block = advice.is_of_block(f.line, f.other);
  if (!f.names_barrier_of_block) {
    f.message_across_warps = f.h.message;
    replace_all(f.message_across_warps, '\4', barrier_advice::words(true));
  }
  replace_all(f.h.message, '\4', barrier_advice::words(f.names_barrier_of_block));
}

/// What `cosmati sim` needs to name one barrier for all launches.
std::string barrier_as_json(finished const& f) {
  if (f.names_barrier_of_block) return ", \"across_warps\": true";
  if (f.message_across_warps.empty()) return {};
  return ", \"message_across_warps\": " + quoted(f.message_across_warps);
}

/// What `cosmati sim` needs to decide a suspicion.
char const* suspicion_as_json(hazard const& h) {
  if (!h.suspected) return "";
  return h.of_local ? ", \"suspected\": \"local\"" : ", \"suspected\": \"register\"";
}

std::string json_of(std::string const& kernel, finished const& f) {
  hazard const& h = f.h;
  std::string const thread = h.of_block ? "null" : formatted("[{}, {}, {}]", h.thread.x, h.thread.y, h.thread.z);
  return formatted(
      R"({{"kind": "{}", "severity": "{}", "kernel": {}, "block": [{}, {}, {}], "thread": {}, "file": {}, "line": {}, )"
      R"("other_file": {}, "other_line": {}, "tensor": {}, "coord": {}, "message": {}{}{}}})",
      name_of(h.kind), severity_of(h), quoted(kernel), h.block_index.x, h.block_index.y, h.block_index.z, thread,
      text_or_null(f.line.line != 0 ? f.line.file : ""), number_or_null(f.line.line),
      text_or_null(f.other.line != 0 ? f.other.file : ""), number_or_null(f.other.line), text_or_null(h.tensor),
      text_or_null(h.coord), quoted(h.message), suspicion_as_json(h), barrier_as_json(f));
}

cosmati::run_hazard words_of(std::string const& kernel, finished const& f) {
  hazard const& h = f.h;
  cosmati::run_hazard out;
  out.kind = name_of(h.kind);
  out.severity = severity_of(h);
  out.kernel = kernel;
  out.block = to_text(h.block_index);
  if (!h.of_block) out.thread = to_text(h.thread);
  out.file = f.line.file;
  out.line = f.line.line;
  out.other_file = f.other.file;
  out.other_line = f.other.line;
  if (!h.tensor.empty()) out.tensor = h.coord.empty() ? h.tensor : h.tensor + " at " + h.coord;
  out.message = h.message;
  return out;
}

}  // namespace

char const* name_of(hazard_kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

hazard_kind kind_of_name(char const* name) {
  for (std::size_t i = 1; i < std::size(kind_names); ++i) {
    if (std::strcmp(kind_names[i], name) == 0) return static_cast<hazard_kind>(i);
  }
  return hazard_kind::invalid_argument;
}

bool checks_are_on() {
  char const* const text = std::getenv("COSMATI_SIM_CHECKS");
  return text == nullptr || std::strcmp(text, "0") != 0;
}

bool is_news(worker& w, hazard_kind kind, std::uint32_t site, std::uint32_t other_site) {
  return w.news.insert(news_key(kind, site, other_site)).second;
}
bool is_old(worker const& w, hazard_kind kind, std::uint32_t site, std::uint32_t other_site) {
  return w.news.count(news_key(kind, site, other_site)) != 0;
}

hazard hazard_here(worker const& w, hazard_kind kind) {
  hazard h;
  h.kind = kind;
  h.block = w.block;
  h.block_index = w.block_index;
  h.thread = w.threads[w.current];
  return h;
}

void note_hazard(worker& w, hazard const& h) {
  index3 const extent = w.running->block;
  unsigned const lane = h.of_block ? 0 : h.thread.x + extent.x * (h.thread.y + extent.y * h.thread.z);
  site where = h.where;
  where.number = h.site;
  w.timeline->hazard(lane, static_cast<int>(h.kind), where);
}

void add_hazard(worker& w, hazard&& h) {
  if (w.timeline != nullptr) note_hazard(w, h);
  w.hazards.push_back(std::move(h));
  ++w.found;
}

void add_note(worker& w, hazard&& h) {
  if (w.timeline != nullptr) note_hazard(w, h);
  w.hazards.push_back(std::move(h));
}

void describe_into(hazard& h, std::string const& phrase) {
  std::size_t const at = phrase.rfind(" at ");
  if (at == std::string::npos) {
    h.tensor = phrase;
    return;
  }
  h.tensor = phrase.substr(0, at);
  h.coord = phrase.substr(at + 4);
  if (std::size_t const comma = h.coord.rfind(", offset"); comma != std::string::npos) h.coord.resize(comma);
}

/// Puts the hazard that ended the launch in its place among the others: behind what its lane had found
/// before, as that is more likely to be the cause.
static void insert_failure(job& j) {
  unsigned of_block = 0;
  auto after = std::find_if(j.hazards.begin(), j.hazards.end(), [&](hazard const& h) {
    return h.block > j.failure->block ||
           (h.block == j.failure->block && !is_note(h.kind) && (j.failure->first || of_block++ >= j.failure->causes));
  });
  j.hazards.insert(after, *j.failure);
}

/// Drops a read of what nobody has written yet where the write that it should have waited for is found to be unordered,
/// and the first read of an atomic update.
static void drop_consequences(job& j) {
  auto const orders = [](hazard_kind k) { return k == hazard_kind::missing_barrier || k == hazard_kind::race; };
  std::set<std::uint32_t> unordered;
  for (hazard const& h : j.hazards) {
    if (orders(h.kind)) unordered.insert({h.site, h.other_site});
  }
  std::erase_if(j.hazards, [&](hazard const& h) {
    // `old = *p; while (...) old = atomicCAS(p, ...)`: that the first read may be of an old value does not matter.
    if (h.may_be_first_step && (j.first_steps.count(h.site) != 0 || j.first_steps.count(h.other_site) != 0))
      return true;
    return h.kind == hazard_kind::uninitialized && unordered.count(h.site) != 0;
  });
}

/// The hazards with their lines, each pair of lines once, and with the barrier that the fix names.
static std::vector<finished> hazards_by_line(job& j) {
  std::vector<finished> all;
  std::set<std::tuple<hazard_kind, bool, std::string, int, int, access_target>> known;
  std::map<std::pair<std::string, int>, int> wrong_addresses;  // their number by line
  barrier_advice advice;
  for (hazard& h : j.hazards) {
    finished f = with_lines(std::move(h));
    if (f.h.across_warps) advice.met_across_warps(f.line, f.other);
    if (all.size() < most_hazards &&
        known.insert({f.h.kind, f.h.review, f.line.file, f.line.line, f.other.line, f.h.target}).second) {
      if (f.h.kind == hazard_kind::out_of_bounds) f.ordinal = wrong_addresses[{f.line.file, f.line.line}]++;
      all.push_back(std::move(f));
    }
  }
  for (finished& f : all) name_barrier(f, advice);
  return all;
}

/// In a loop without its barrier, rounds meet: a store meets itself, and what it meets at its own line is what another
/// round reads. Drops the stores that meet themselves.
static void drop_races_of_rounds(std::vector<finished>& all) {
  std::set<std::pair<std::string, int>> rounds_meet;
  for (finished const& f : all) {
    if (f.h.kind == hazard_kind::missing_barrier && f.line.line == f.other.line && f.line.file == f.other.file)
      rounds_meet.insert({f.line.file, f.line.line});
  }
  std::erase_if(all, [&](finished const& f) {
    return f.h.kind == hazard_kind::race && (f.h.same_place || f.h.update) &&
           rounds_meet.count({f.line.file, f.line.line}) != 0;
  });
}

static bool is_first_note(finished const& f) {
  static auto* const known = new std::set<std::tuple<hazard_kind, std::string, int>>;
  return known->insert({f.h.kind, f.line.file, f.line.line}).second;
}

/// Returns what the launch throws: the first hazard of the lowest block. A failure that is no hazard comes after what
/// its block had found. Prints what is to be reviewed, and each note once. @param failed why the launch ended, or empty
static std::string first_sentence(job const& j, std::vector<finished> const& all, std::string const& failed) {
  std::string text;
  unsigned errors = 0;
  std::uint64_t block = j.failed_block;
  for (finished const& f : all) {
    if (f.h.block > block) break;
    std::string place = formatted("kernel {}, block {}", j.kernel_text, to_text(f.h.block_index));
    if (!f.h.of_block) place += ", thread " + to_text(f.h.thread);
    std::string const sentence = formatted("{}: {}: {}", place, name_of(f.h.kind), f.h.message);
    if (is_note(f.h.kind)) {
      if (is_first_note(f)) std::fprintf(stderr, "cosmati: note: %s\n", sentence.c_str());
      continue;
    }
    if (f.h.review) {
      std::fprintf(stderr, "cosmati: to be reviewed: %s\n", sentence.c_str());
      continue;
    }
    if (errors++ == 0) text = f.h.fatal ? failed : sentence;
    block = f.h.block;
  }
  if (errors == 0) return failed;
  if (errors > 1) text += formatted(" (and {} more)", errors - 1);
  return text;
}

static std::atomic<hazard_kind> last_failure = hazard_kind::none;

hazard_kind kind_of_last_failure() { return last_failure.load(); }

std::string finish_hazards(job& j, std::string const& failed, std::vector<found_hazard>* found, bool for_report) {
  bool const failed_by_hazard = !failed.empty() && j.failure != nullptr;
  last_failure = failed_by_hazard ? j.failure->kind : hazard_kind::none;
  std::stable_sort(j.hazards.begin(), j.hazards.end(), [](auto const& a, auto const& b) { return a.block < b.block; });
  if (failed_by_hazard) insert_failure(j);
  drop_consequences(j);
  std::vector<finished> all = hazards_by_line(j);
  drop_races_of_rounds(all);
  if (found != nullptr) {
    // A reader, and `cosmati sim`'s status, begin with what is certain.
    std::stable_partition(all.begin(), all.end(), [](finished const& f) { return !f.h.review && !is_note(f.h.kind); });
    for (finished const& f : all) {
      if (reported().size() >= most_hazards) break;
      auto const key = [&](bool of_block) {
        return known_hazards::value_type{j.kernel,    f.h.kind,     f.h.review, f.line.file,
                                         f.line.line, f.other.line, f.ordinal,  of_block};
      };
      if (reported().count(key(true)) != 0 || !reported().insert(key(f.names_barrier_of_block)).second) continue;
      found->push_back(
          {f.h.block, json_of(j.kernel, f), words_of(j.kernel, f), f.names_barrier_of_block, f.message_across_warps});
    }
    if (for_report) return failed_by_hazard ? std::string() : failed;
  }
  return first_sentence(j, all, failed);
}

}  // namespace cosmati_sim
