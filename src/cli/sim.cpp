// SPDX-License-Identifier: Apache-2.0
// cosmati sim: runs a program's kernels on the simulated device, and reports their hazards and costs.
#include "command.hpp"
#include "interruption.hpp"
#include "named_files.hpp"
#include "near_names.hpp"
#include "number_range.hpp"
#include "sim/findings.hpp"
#include "sim/hazard_kinds.hpp"
#include "sim/page.hpp"
#include "sim/process.hpp"
#include "sim/program.hpp"
#include "sim/review_formats.hpp"
#include "sim/source_file.hpp"
#include "sim/summary.hpp"
#include "whole_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cosmati/kernel/device_model.hpp>
#include <cosmati/render/run_page.hpp>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

namespace cosmati::cli {

namespace {

namespace fs = std::filesystem;

struct options : program_options {
  std::vector<std::string> words;      // the sources, and perhaps behind them the arguments of the program
  std::vector<std::string> more;       // further arguments of the program
  std::size_t program_words = 0;       // the number of arguments
  std::vector<std::string> arguments;  // of the program
  std::vector<std::string> notes;
  std::string device;
  bool each = false;
  std::uint64_t seed = 0;
  std::string json;    // a file, or - for standard output
  std::string report;  // the file of the page
  std::string keep;    // the file that receives the compiled program
  std::string sarif;   // the file of the findings in SARIF
  std::vector<std::string> fail_on;
  bool annotations = false;
  double seconds = 120;
  unsigned threads = 1;
  bool quiet = false;
};

constexpr int exit_statuses[] = {0, 4, 5, 3};  // the statuses of clean, review, incomplete and error

/// JSON with a line for each hazard and each kernel.
std::string pretty(nlohmann::ordered_json const& j) {
  auto const text = [](nlohmann::ordered_json const& x) {
    return x.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::string out = "{";
  char const* separator = "\n";
  for (auto const& [key, value] : j.items()) {
    out += fmt::format("{}  \"{}\": ", separator, key);
    separator = ",\n";
    if (!value.is_structured() || value.empty() || key == "program") {
      out += text(value);
      continue;
    }
    char const* inner = "\n    ";
    out += value.is_array() ? "[" : "{";
    for (auto const& [name, one] : value.items()) {
      out += inner + (value.is_array() ? "" : text(name) + ": ") + text(one);
      inner = ",\n    ";
    }
    out += value.is_array() ? "\n  ]" : "\n  }";
  }
  return out + "\n}";
}

/// An option that writes, with its file; "-" is standard output.
struct output {
  char const* option;
  std::string const& path;
};
std::vector<output> outputs_of(options const& o) {
  std::vector<output> all;
  for (output const& one :
       {output{"--json", o.json}, {"--report", o.report}, {"--sarif", o.sarif}, {"--program", o.keep}}) {
    if (!one.path.empty() && (one.path != "-" || &one.path != &o.json)) all.push_back(one);
  }
  return all;
}

/// Checks the output files before the run, which may take minutes. @param read the files that the compiler has read
void check_files(options const& o, std::vector<std::string> const& read) {
  named_files files("sim: ");
  for (std::string const& source : o.sources) files.reads("FILE", source);
  for (std::string const& name : read) files.reads("the included or linked file", name);
  std::error_code ignored;
  for (std::string const& word : o.arguments) {
    if (fs::is_regular_file(word, ignored)) files.reads("the program's argument", word);
  }
  if (!o.quiet || o.json == "-") files.writes_standard_output(o.json == "-");
  for (output const& one : outputs_of(o)) files.writes(one.option, one.path);
  for (output const& one : outputs_of(o)) check_can_write(one.path);
}

void write_json(options const& o, findings const& found) {
  std::string const text = pretty(json_of(found, o.name(), o.seed)) + "\n";
  if (o.json == "-") {
    write_output(text);
  } else if (!o.json.empty()) {
    write_text(o.json, text);
  }
}

/// Whether there is no file, or an earlier result. If a source does not compile, the headers that it reads are not
/// known.
bool may_be_replaced(std::string const& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) == 0) return true;
  return std::ifstream(path).get() == '{';
}

/// Builds the program. If that fails, the JSON is written too, and says that nothing was seen.
program build(options const& o, temporary_folder const& folder) {
  try {
    return build_program(o, folder);
  } catch (command_error const& e) {
    check_not_interrupted();
    findings nothing;
    nothing.verdict = verdict::incomplete;
    std::string const said = e.what();
    nothing.reasons = {said.substr(0, said.find('\n'))};
    nothing.program.exit = -1;
    if (may_be_replaced(o.json)) write_json(o, nothing);
    throw;
  }
}

/// @param report the file, in the folder, that the program writes
/// A run for the user, or one that tests suspicions, whose output is dropped.
enum class purpose { for_user, with_zeros, once_more };

process_end run_program(options const& o, program const& made, temporary_folder const& folder,
                        std::string const& report, purpose why = purpose::for_user) {
  captured_text dropped;
  process_options how;
  how.environment = {{"COSMATI_SIM_REPORT", (folder.path() / report).string()},
                     {"COSMATI_SIM_SEED", fmt::to_string(o.seed)}};
  // One host thread runs the blocks in order. With two, a hazard between blocks would be found at different places in
  // each run.
  how.environment.emplace_back("COSMATI_THREADS", fmt::to_string(o.threads));
  if (!o.report.empty()) how.environment.emplace_back("COSMATI_SIM_TIMELINES", "1");
  if (!o.device.empty()) how.environment.emplace_back("COSMATI_DEVICE_MODEL", o.device);
  if (made.local_byte != 0) how.environment.emplace_back("COSMATI_SIM_LOCALS", fmt::to_string(made.local_byte));
  how.fixed_addresses = true;
  how.output_to_error = o.json == "-";
  if (why == purpose::with_zeros) how.environment.emplace_back("COSMATI_SIM_UNWRITTEN", "zero");
  if (why != purpose::for_user) how.output = &dropped;
  how.seconds = o.seconds;
  std::vector<std::string> words = {made.path.string()};
  words.insert(words.end(), o.arguments.begin(), o.arguments.end());
  process_end const end = run_process(words, how);
  folder.check_room();  // the program's report may be cut
  return end;
}

/// Decides the suspicions. What a second run like the first does not see was a random number of the program. A third
/// run has zeros in the unwritten registers and, if local variables are suspected, in these, for which the program is
/// made again. A value that is seen in that run too is held on purpose.
suspicions settle(options const& o, program const& made, temporary_folder const& folder, suspicions&& found) {
  if (found.places.empty()) return std::move(found);
  try {
    // The zeroed program takes the place of this one, so it comes second.
    process_end const again = run_program(o, made, folder, "report_again", purpose::once_more);
    std::set<std::string> const seen = suspicions_in(folder.path() / "report_again").places;
    std::erase_if(found.places, [&](std::string const& place) { return !again.timed_out && seen.count(place) == 0; });
    if (found.places.empty()) return std::move(found);
    program zeroed = found.of_locals ? build_program(o, folder, locals_begin::as_zero) : made;
    zeroed.local_byte = made.local_byte;  // the byte that is searched
    process_end const end = run_program(o, zeroed, folder, "report_of_zeros", purpose::with_zeros);
    for (std::string const& place : suspicions_in(folder.path() / "report_of_zeros").places) found.places.erase(place);
    found.certain = true;
    found.timed_out = end.timed_out || again.timed_out;
  } catch (command_error const&) {
    check_not_interrupted();
  }
  return std::move(found);
}

/// Builds and runs one program, and judges it.
findings run_one(options const& o) {
  for (std::string const& source : o.sources) check_source(source);
  temporary_folder const folder;
  program const made = build(o, folder);
  check_files(o, made.inputs);
  if (!made.warnings.empty()) fmt::print(stderr, "{}", made.warnings);
  if (!o.keep.empty()) copy_program(made.path.string(), o.keep);
  process_end const end = run_program(o, made, folder, "report");
  fs::path const report = folder.path() / "report";
  suspicions const locals = settle(o, made, folder, suspicions_in(report));
  findings found = find(report, o.sources, made, end, o.seconds, locals);
  check_not_interrupted();
  return found;
}

void print_annotations(options const& o, std::string const& text) {
  if (!o.annotations) return;
  if (o.json == "-") {
    fmt::print(stderr, "{}", text);
  } else {
    write_output(text);
  }
}

int run_program_of_all(options const& o, std::vector<std::string> const& kinds) {
  findings const found = run_one(o);
  write_json(o, found);
  if (!o.report.empty()) write_text(o.report, to_html(report_of(found, o.name(), o.seed)));
  if (!o.sarif.empty()) write_text(o.sarif, pretty(sarif_of({found})) + "\n");
  if (!o.quiet && o.json != "-") write_output(text_of(found));
  print_annotations(o, annotations_of(found));
  check_not_interrupted();
  return exit_statuses[static_cast<int>(verdict_on(found, kinds))];
}

/// Runs each file as a program of its own. What does not compile is one of the outcomes.
int run_each(options const& o, std::vector<std::string> const& kinds) {
  std::vector<program_outcome> all;
  for (std::string const& source : o.sources) {
    program_outcome one = {source, {}, {}, 0};
    options of_one = o;
    of_one.sources = {source};
    of_one.json.clear();
    try {
      one.found = run_one(of_one);
      one.status = exit_statuses[static_cast<int>(verdict_on(one.found, kinds))];
      if (!o.quiet && o.json != "-") write_output(fmt::format("{}\n{}\n", source, text_of(one.found)));
      print_annotations(o, annotations_of(one.found));
    } catch (command_error const& e) {
      check_not_interrupted();
      one.failure = e.what();
      one.status = e.status();
      one.found.verdict = verdict::incomplete;
      one.found.program.exit = -1;
      fmt::print(stderr, "cosmati: {}\n", e.what());
    }
    all.push_back(std::move(one));
  }
  std::string const json = pretty(json_of_all(all, o.seed)) + "\n";
  if (!o.json.empty() && o.json != "-") write_text(o.json, json);
  if (!o.sarif.empty()) {
    std::vector<findings> found;
    found.reserve(all.size());
    for (program_outcome const& one : all) found.push_back(one.found);
    write_text(o.sarif, pretty(sarif_of(found)) + "\n");
  }
  write_output(o.json == "-" ? json : table_of(all));
  return worst_status(all);
}

void check_device(std::string const& name) {
  if (name.empty() || find_device_model(name.c_str()) != nullptr) return;
  std::vector<std::string_view> known;
  for (named_device_model const& one : device_models) known.emplace_back(one.name);
  throw command_error(bad_input, fmt::format("sim: --device {}: there is no such device; the devices are {}{}", name,
                                             fmt::join(known, ", "), did_you_mean(name, known)));
}

void check_each(options const& o) {
  if (!o.each) return;
  for (auto const& [option, given] : {std::pair{"--report", !o.report.empty()}, {"--program", !o.keep.empty()}}) {
    if (given)
      throw command_error(bad_input, fmt::format("sim: {} is for one program, and --each runs each file as its own; "
                                                 "give one of the two options",
                                                 option));
  }
}

int run(options& o) {
  interruption const signals;
  o.words.insert(o.words.end(), o.more.begin(), o.more.end());
  if (o.words.size() <= o.program_words)
    throw command_error(bad_input,
                        "sim: no source file is given; write cosmati sim FILE.cu, and arguments of the "
                        "program behind --");
  auto const end = o.words.end() - static_cast<std::ptrdiff_t>(o.program_words);
  o.sources.assign(o.words.begin(), end);
  o.arguments.assign(end, o.words.end());
  check_device(o.device);
  check_each(o);
  bool const has_cuda = std::any_of(o.sources.begin(), o.sources.end(),
                                    [](std::string const& s) { return fs::path(s).extension() == ".cu"; });
  if (named_device_model const* const card = find_device_model(o.device.c_str()); card != nullptr && has_cuda)
    o.defines.push_back(fmt::format("__CUDA_ARCH__={}0", card->model.compute_capability));
  std::vector<std::string> const kinds = hazard_kinds_of(o.fail_on);
  check_files(o, {});
  if (!o.quiet) {
    for (std::string const& note : o.notes) fmt::print(stderr, "cosmati: {}\n", note);
  }
  return o.each ? run_each(o, kinds) : run_program_of_all(o, kinds);
}

constexpr char const* sim_footer =
    "Exit status: 0 clean, 3 error, 4 review (the architecture's text is silent), 5 incomplete (not all accesses\n"
    "could be seen); 1 when something could not be done, 2 when the file does not exist or does not compile.\n"
    "The JSON holds verdict, reasons, hazards, notes, counters by kernel, unseen, program.\n"
    "Example:\n"
    "  cosmati sim transpose.cpp --seed 7 --json found.json -- 1024 1024\n"
    "  cosmati sim --each tests/*.cu";

}  // namespace

void add_sim_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "sim", "Run a program's kernels on the simulated device, and say what is wrong and what they cost");
  auto const o = std::make_shared<options>();
  command
      ->add_option("FILE", o->words,
                   "CUDA files (.cu) and C++ files of one program, or a C++ source that includes cosmati/cosmati.hpp")
      ->required();
  command->add_option("ARGS", o->more, "Arguments of the program, after --");
  command->add_option("--program-words", o->program_words)->group("");  // main.cpp counts them
  command->add_option("--note", o->notes)->allow_extra_args(false)->group("");
  command->add_flag("--each", o->each, "Run each file as its own program, and end with one table");
  command->add_option("--device", o->device, "The simulated card: h200, h100, a100, l40s, rtx4090, b200, rtx5090");
  command
      ->add_option("--seed", o->seed,
                   "When asynchronous copies complete: 0 as late as is legal, 1 at once, others at random")
      ->check(integer_in<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command->add_option("--json", o->json, "Write the whole result to this file; - is standard output");
  command->add_option("--report", o->report, "Write a page of HTML to this file: hazards, costs, time lines");
  command->add_option("--sarif", o->sarif, "Write the findings to this file in SARIF, for tools that review code");
  command->add_flag("--annotations", o->annotations,
                    "Print the findings as GitHub Actions shows them beside the source");
  command
      ->add_option("--fail-on", o->fail_on,
                   "Only hazards of this kind change the exit status, such as race,deadlock; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--cxx", o->compiler, "Compiler: g++ or clang++ (default: $CXX, g++, clang++)");
  command->add_option("-I", o->includes, "Folder of headers; may be repeated")->allow_extra_args(false);
  command->add_option("-D", o->defines, "Macro; may be repeated")->allow_extra_args(false);
  command->add_option("-O", o->optimization, "Optimization level")->capture_default_str();
  command->add_option("--std", o->standard, "C++ standard")->capture_default_str();
  command->add_option("--compile-flags", o->compile_flags, "More flags for the compiler: --compile-flags='-Wall -g'")
      ->allow_extra_args(false);
  command->add_option("--link-flags", o->link_flags, "More flags for the linker")->allow_extra_args(false);
  command->add_option("--timeout", o->seconds, "Seconds that the program may take; 0: no limit")
      ->check(seconds_or_0())
      ->capture_default_str();
  command
      ->add_option("--compile-timeout", o->compile_seconds,
                   "Seconds that each run of the compiler may take; 0: no limit")
      ->check(seconds_or_0())
      ->capture_default_str();
  command
      ->add_option("--threads", o->threads,
                   "Host threads; with more than one, the hazard that is reported first may vary")
      ->check(integer_in(1, 1024))
      ->capture_default_str();
  command->add_option("--program", o->keep, "Keep the program under this name, for gdb");
  command->add_flag("--quiet", o->quiet, "Print only the program's own output");
  command->footer(sim_footer);
  command->callback([o] {
    if (int const status = run(*o); status != success) throw exit_status{status};
  });
}

}  // namespace cosmati::cli
