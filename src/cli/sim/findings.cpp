// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"
#include "page.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <algorithm>
#include <cosmati/render/kernel_names.hpp>
#include <cstdlib>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

namespace cosmati::cli {

namespace {

using json = nlohmann::ordered_json;

std::string demangled(std::string const& name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 ? text : name;
  std::free(text);
  constexpr std::size_t most = 120;
  if (out.size() > most) out = out.substr(0, most - 3) + "...";
  return out;
}

std::string text_or_empty(json const& j, char const* key) {
  auto const found = j.find(key);
  return found != j.end() && found->is_string() ? found->get<std::string>() : std::string();
}
int integer_or_0(json const& j, char const* key) {
  auto const found = j.find(key);
  return found != j.end() && found->is_number_integer() ? found->get<int>() : 0;
}

std::string place_text(std::string const& file, int line) {
  return line != 0 ? fmt::format("{}:{}", file, line) : std::string();
}

/// The fields of cosmati_sim_instruction_counters, in the order of the report.
enum field : std::size_t {
  instructions = 0,
  requests = 1,
  sectors = 2,
  wavefronts = 7,
  bank_conflicts = 10,
  fields = 12
};

void add_counters(kernel_counters& k, json const& by_kind) {
  for (auto const& [kind, numbers] : by_kind.items()) {
    if (!numbers.is_array() || numbers.size() != fields) continue;
    auto const value = [&n = numbers](field f) { return n[f].get<std::uint64_t>(); };
    k.instructions[kind] += value(instructions);
    for (std::size_t i = 0; i < fields; ++i) k.all[kind][i] += numbers[i].get<std::uint64_t>();
    if (kind == "global_atomic" || kind == "shared_atomic" || kind.starts_with("bulk_") || kind == "wgmma")
      continue;  // as in the sums of cost_trace
    k.global_requests += value(requests);
    k.global_sectors += value(sectors);
    k.shared_wavefronts += value(wavefronts);
    k.shared_bank_conflicts += value(bank_conflicts);
  }
}

/// The place of a suspicion.
std::string place_of(json const& hazard) {
  return fmt::format("{} {}:{}", text_or_empty(hazard, "kernel"), text_or_empty(hazard, "file"),
                     integer_or_0(hazard, "line"));
}

using line_pair = std::pair<std::pair<std::string, int>, std::pair<std::string, int>>;

/// The two lines of a hazard, in one order.
line_pair lines_of(json const& h) {
  std::pair a(text_or_empty(h, "file"), integer_or_0(h, "line"));
  std::pair b(text_or_empty(h, "other_file"), integer_or_0(h, "other_line"));
  return a < b ? line_pair(a, b) : line_pair(b, a);
}

/// One barrier for two lines, whatever launch or kernel has met them: where accesses of different warps were, it is one
/// of the block.
void settle_barriers(std::vector<json>& hazards) {
  std::set<line_pair> across_warps;
  for (json const& h : hazards) {
    if (h.contains("across_warps")) across_warps.insert(lines_of(h));
  }
  std::set<std::string> known;
  std::erase_if(hazards, [&](json& h) {
    bool const names_barrier = h.contains("across_warps") || h.contains("message_across_warps");
    if (h.contains("message_across_warps") && across_warps.count(lines_of(h)) != 0)
      h["message"] = h["message_across_warps"];
    h.erase("across_warps");
    h.erase("message_across_warps");
    std::string const what = fmt::format("{} {} {} {}:{} {}", text_or_empty(h, "kernel"), text_or_empty(h, "kind"),
                                         text_or_empty(h, "severity"), text_or_empty(h, "file"),
                                         integer_or_0(h, "line"), integer_or_0(h, "other_line"));
    return names_barrier && !known.insert(what).second;
  });
}

/// Reads the report line by line.
class reader {
 public:
  reader(findings& f, std::vector<std::string> const& sources, suspicions const& suspected)
      : f_(f), suspected_(suspected) {
    std::error_code ignored;
    for (std::string const& s : sources) as_given_[std::filesystem::weakly_canonical(s, ignored)] = s;
  }

  void line(std::string const& text) {
    json const j = json::parse(text, nullptr, false);
    if (!j.is_object()) return;  // the program ended in the middle of the line
    if (j.contains("begin")) running_ = text_or_empty(j, "begin");
    if (j.contains("unseen")) unseen(j);
    if (j.contains("launch")) launch(j);
    if (j.contains("refused")) hazards_of(j);
    if (j.contains("library")) ++f_.library_calls[text_or_empty(j, "library")];
  }
  /// The kernel in which the program ended, or nothing.
  std::string const& running() const { return running_; }
  std::vector<std::string> const& not_instrumented() const { return not_instrumented_; }
  std::vector<std::string> const& failures() const { return failures_; }
  /// The number of places whose suspicion no run has decided.
  std::size_t undecided() const { return undecided_.size(); }

 private:
  void unseen(json const& j) {
    unseen_code u = {text_or_empty(j, "unseen"), text_or_empty(j, "kernel"), named(text_or_empty(j, "file")),
                     integer_or_0(j, "line")};
    int const kind = integer_or_0(j, "kind");
    if (kind != 1) u.what = demangled(u.what);
    if (kind == 2) u.what = "function " + u.what + ", compiled without instrumentation";
    if (kind == 0) u.what = "call of " + u.what;
    f_.unseen.push_back(std::move(u));
  }
  void launch(json const& j) {
    running_.clear();
    ++f_.launches;
    std::string const kernel = text_or_empty(j, "launch");
    kernel_counters& k = f_.counters[kernel];
    ++k.launches;
    add_counters(k, j.value("counters", json::object()));
    for (run_timeline& t : timelines_of(j.value("timelines", json::array()))) {
      for (run_event& e : t.event) e.file = named(e.file);
      k.timelines.push_back(std::move(t));
    }
    std::vector<run_place> places = places_of(j.value("places", json::array()));
    for (run_place& p : places) p.file = named(p.file);
    add_places(k.places, places);
    if (!j.value("seen", false)) add_once(not_instrumented_, kernel);
    if (std::string const failed = text_or_empty(j, "failed"); !failed.empty()) add_once(failures_, failed);
    hazards_of(j);
  }
  void hazards_of(json const& j) {
    for (json h : j.value("hazards", json::array())) {
      std::string const place = place_of(h);
      for (char const* const key : {"file", "other_file"}) {
        if (std::string const file = text_or_empty(h, key); !file.empty()) h[key] = named(file);
      }
      if (!known_.insert(h.dump()).second) continue;
      if (h.erase("suspected") != 0) {
        if (suspected_.places.count(place) == 0) continue;
        if (suspected_.timed_out) {
          undecided_.insert(place);
          continue;
        }
        if (!suspected_.certain) h["severity"] = "review";
      }
      (text_or_empty(h, "severity") == "note" ? f_.notes : f_.hazards).push_back(h);
    }
  }
  /// Compilers write a source's name in full or as given.
  std::string named(std::string const& file) const {
    std::error_code ignored;
    if (file.empty()) return file;
    auto const found = as_given_.find(std::filesystem::weakly_canonical(file, ignored));
    return found != as_given_.end() ? found->second : file;
  }
  static void add_once(std::vector<std::string>& to, std::string const& text) {
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
  }

  findings& f_;
  suspicions const& suspected_;
  std::map<std::filesystem::path, std::string> as_given_;  // the sources by their whole paths
  std::string running_;
  std::vector<std::string> not_instrumented_, failures_;
  std::set<std::string> known_, undecided_;
};

/// Short texts for the names of all reported kernels.
std::map<std::string, std::string> texts_of_kernels(findings const& f, std::string const& running) {
  std::set<std::string> names;
  for (auto const& [kernel, k] : f.counters) names.insert(kernel);
  for (unseen_code const& u : f.unseen) names.insert(u.kernel);
  for (json const& h : f.hazards) names.insert(text_or_empty(h, "kernel"));
  names.insert(running);
  return detail::kernel_texts({names.begin(), names.end()});
}

void judge(findings& f, reader const& r, program const& made, double seconds) {
  auto const of_hazards = [&](verdict v, std::string sentence) {
    f.verdict = std::max(f.verdict, v);
    f.reasons.push_back(std::move(sentence));
  };
  auto const at_least = [&](verdict v, std::string const& sentence) {
    f.without_hazards = std::max(f.without_hazards, v);
    f.other_reasons.push_back(sentence);
    of_hazards(v, sentence);
  };
  auto const of_severity = [&](char const* name) {
    return std::count_if(f.hazards.begin(), f.hazards.end(),
                         [&](json const& h) { return text_or_empty(h, "severity") == name; });
  };
  if (auto const n = of_severity("error"); n != 0)
    of_hazards(verdict::error, fmt::format("{} hazard{} found", n, n == 1 ? " was" : "s were"));
  for (std::string const& text : r.failures()) at_least(verdict::error, "a launch failed: " + text);
  std::string const in_kernel = r.running().empty() ? "" : ", in kernel " + f.kernel_text(r.running());
  if (f.program.timed_out) {
    at_least(verdict::incomplete,
             fmt::format("the program had not ended after {:g} s{} (--timeout gives it more)", seconds, in_kernel));
  } else if (f.program.signal != 0) {
    at_least(verdict::error, fmt::format("the program was ended by {}{}", signal_text(f.program.signal), in_kernel));
  } else if (f.program.exit != 0) {
    at_least(verdict::error, fmt::format("the program ended with the exit status {}", f.program.exit));
  }
  if (r.undecided() != 0) {
    at_least(verdict::incomplete,
             fmt::format("{} place{} may use values that nobody has written, and the run that decides had not ended "
                         "after {:g} s (--timeout gives it more)",
                         r.undecided(), r.undecided() == 1 ? "" : "s", seconds));
  }
  if (!made.instrumented) {
    at_least(
        verdict::incomplete,
        "the flags bring a sanitizer that excludes the instrumentation: only the library's own accesses were seen");
  } else {
    for (std::string const& kernel : r.not_instrumented())
      at_least(verdict::incomplete,
               fmt::format("kernel {} was compiled without instrumentation", f.kernel_text(kernel)));
  }
  for (unseen_code const& u : f.unseen) {
    std::string const place = place_text(u.file, u.line);
    at_least(verdict::incomplete, fmt::format("what a lane of kernel {} touched was not seen: {}{}",
                                              f.kernel_text(u.kernel), u.what, place.empty() ? "" : " at " + place));
  }
  if (f.launches == 0 && f.library_calls.empty() && r.running().empty()) at_least(verdict::incomplete, "no kernel ran");
  if (auto const n = of_severity("review"); n != 0)
    of_hazards(verdict::review, fmt::format("{} place{} to be reviewed: the architecture's text is silent there", n,
                                            n == 1 ? " is" : "s are"));
  auto const casts = std::count_if(f.notes.begin(), f.notes.end(),
                                   [](json const& h) { return text_or_empty(h, "kind") == "conversion"; });
  if (casts != 0)
    f.reasons.push_back(fmt::format("{} cast{} another number than on a GPU: what follows from {} is not a GPU's",
                                    casts, casts == 1 ? " gave" : "s gave", casts == 1 ? "it" : "them"));
}

std::string index_text(json const& index) {
  if (!index.is_array() || index.size() != 3) return {};
  return fmt::format("({},{},{})", index[0].get<unsigned>(), index[1].get<unsigned>(), index[2].get<unsigned>());
}

std::string hazard_text(findings const& f, json const& h) {
  std::string out = text_or_empty(h, "kind");
  if (text_or_empty(h, "severity") == "review") out += " (to be reviewed)";
  std::string const place = place_text(text_or_empty(h, "file"), integer_or_0(h, "line"));
  if (!place.empty()) out += " at " + place;
  std::string const other =
      place_text(h.contains("other_file") ? text_or_empty(h, "other_file") : text_or_empty(h, "file"),
                 integer_or_0(h, "other_line"));
  if (!other.empty() && other != place) out += ", with " + other;
  std::string const kernel = text_or_empty(h, "kernel");
  if (kernel == "code of the host") return out + "\n  " + text_or_empty(h, "message") + "\n";
  out += fmt::format("\n  kernel {}", f.kernel_text(kernel));
  if (std::string const block = index_text(h.value("block", json())); !block.empty()) out += ", block " + block;
  if (std::string const thread = index_text(h.value("thread", json())); !thread.empty()) out += ", thread " + thread;
  out += "\n  " + text_or_empty(h, "message") + "\n";
  std::string const tensor = text_or_empty(h, "tensor");
  if (!tensor.empty() && text_or_empty(h, "message").find(tensor) == std::string::npos) {
    std::string const coord = text_or_empty(h, "coord");
    out += fmt::format("  {}{}\n", tensor, coord.empty() ? "" : " at " + coord);
  }
  return out;
}

}  // namespace

std::string findings::kernel_text(std::string const& name) const {
  auto const found = texts.find(name);
  return found != texts.end() ? found->second : name;
}

suspicions suspicions_in(std::filesystem::path const& report) {
  suspicions found;
  std::ifstream file(report);
  for (std::string line; std::getline(file, line);) {
    json const j = json::parse(line, nullptr, false);
    if (!j.is_object() || !j.contains("launch")) continue;
    for (json const& h : j.value("hazards", json::array())) {
      std::string const of = text_or_empty(h, "suspected");
      if (!of.empty()) found.places.insert(place_of(h));
      found.of_locals = found.of_locals || of == "local";
    }
  }
  return found;
}

findings find(std::filesystem::path const& report, std::vector<std::string> const& sources, program const& made,
              process_end const& end, double seconds, suspicions const& suspected) {
  findings f;
  f.program = end;
  reader r(f, sources, suspected);
  std::ifstream file(report);
  for (std::string line; std::getline(file, line);) r.line(line);
  settle_barriers(f.hazards);
  f.texts = texts_of_kernels(f, r.running());
  judge(f, r, made, seconds);
  return f;
}

json json_of(findings const& f, std::string const& source, std::uint64_t seed) {
  json out;
  out["verdict"] = verdict_names[static_cast<int>(f.verdict)];
  out["reasons"] = f.reasons;
  out["hazards"] = f.hazards;
  out["notes"] = f.notes;
  json counters = json::object();
  for (auto const& [kernel, k] : f.counters) {
    json& c = counters[kernel];
    c["launches"] = k.launches;
    c["instructions"] = json(k.instructions);
    c["global_requests"] = k.global_requests;
    c["global_sectors"] = k.global_sectors;
    c["shared_wavefronts"] = k.shared_wavefronts;
    c["shared_bank_conflicts"] = k.shared_bank_conflicts;
  }
  out["counters"] = std::move(counters);
  json unseen = json::array();
  for (unseen_code const& u : f.unseen) {
    json one;
    one["what"] = u.what;
    one["kernel"] = u.kernel;
    one["file"] = u.line != 0 ? json(u.file) : json();
    one["line"] = u.line != 0 ? json(u.line) : json();
    unseen.push_back(std::move(one));
  }
  out["unseen"] = std::move(unseen);
  json& p = out["program"];
  p["source"] = source;
  p["seed"] = seed;
  p["exit"] = f.program.exit >= 0 ? json(f.program.exit) : json();
  p["signal"] = f.program.signal != 0 ? json(f.program.signal) : json();
  p["timed_out"] = f.program.timed_out;
  return out;
}

std::string text_of(findings const& f) {
  std::string out;
  for (json const& h : f.hazards) out += hazard_text(f, h) + "\n";
  for (json const& h : f.notes) out += "note: " + hazard_text(f, h) + "\n";
  for (auto const& [kernel, k] : f.counters) {
    out += fmt::format("kernel {}, {} launch{}\n", f.kernel_text(kernel), k.launches, k.launches == 1 ? "" : "es");
    for (auto const& [kind, n] : k.instructions) out += fmt::format("  {:<22}{:>12}\n", kind, n);
    out += fmt::format("  {:<22}{:>12}\n  {:<22}{:>12}\n", "global requests", k.global_requests, "global sectors",
                       k.global_sectors);
    out += fmt::format("  {:<22}{:>12}\n  {:<22}{:>12}\n", "shared wavefronts", k.shared_wavefronts,
                       "shared bank conflicts", k.shared_bank_conflicts);
  }
  for (auto const& [function, calls] : f.library_calls)
    out += fmt::format("function {}, {} call{}\n", function, calls, calls == 1 ? "" : "s");
  if (!f.counters.empty() || !f.library_calls.empty()) out += "\n";
  out += fmt::format("verdict: {}\n", verdict_names[static_cast<int>(f.verdict)]);
  for (std::string const& reason : f.reasons) out += fmt::format("  {}\n", reason);
  return out;
}

}  // namespace cosmati::cli
