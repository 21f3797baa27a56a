// SPDX-License-Identifier: Apache-2.0
// cosmati sim: runs a program's kernels on the simulated device, and reports their hazards and costs.
#include "command.hpp"
#include "interruption.hpp"
#include "named_files.hpp"
#include "number_range.hpp"
#include "sim/findings.hpp"
#include "sim/hazard_kinds.hpp"
#include "sim/page.hpp"
#include "sim/process.hpp"
#include "sim/program.hpp"
#include "sim/review_formats.hpp"
#include "sim/source_file.hpp"
#include "whole_file.hpp"

#include <fmt/format.h>
#include <cosmati/render/run_page.hpp>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

namespace cosmati::cli {

namespace {

namespace fs = std::filesystem;

struct options : program_options {
  std::vector<std::string> arguments;
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
  files.reads("FILE", o.source);
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
  std::string const text = pretty(json_of(found, o.source, o.seed)) + "\n";
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
process_end run_program(options const& o, program const& made, temporary_folder const& folder,
                        std::string const& report, captured_text* output = nullptr) {
  process_options how;
  how.environment = {{"COSMATI_SIM_REPORT", (folder.path() / report).string()},
                     {"COSMATI_SIM_SEED", fmt::to_string(o.seed)}};
  // One host thread runs the blocks in order. With two, a hazard between blocks would be found at different places in
  // each run.
  how.environment.emplace_back("COSMATI_THREADS", fmt::to_string(o.threads));
  if (!o.report.empty()) how.environment.emplace_back("COSMATI_SIM_TIMELINES", "1");
  if (made.local_byte != 0) how.environment.emplace_back("COSMATI_SIM_LOCALS", fmt::to_string(made.local_byte));
  how.fixed_addresses = true;
  how.output_to_error = o.json == "-";
  how.output = output;
  how.seconds = o.seconds;
  std::vector<std::string> words = {made.path.string()};
  words.insert(words.end(), o.arguments.begin(), o.arguments.end());
  process_end const end = run_process(words, how);
  folder.check_room();  // the program's report may be cut
  return end;
}

/// Decides the suspicions. The program is made and run again with zeros in its uninitialised local variables. A value
/// that is suspected in that run too is held on purpose.
suspicions settle(options const& o, program const& made, temporary_folder const& folder, suspicions&& found) {
  if (found.places.empty()) return std::move(found);
  try {
    program zeroed = build_program(o, folder, locals_begin::as_zero);
    zeroed.local_byte = made.local_byte;  // the byte that is searched
    captured_text printed;
    process_end const end = run_program(o, zeroed, folder, "report_of_zeros", &printed);
    for (std::string const& place : suspicions_in(folder.path() / "report_of_zeros").places) found.places.erase(place);
    found.certain = !end.timed_out;
  } catch (command_error const&) {
    check_not_interrupted();
  }
  return std::move(found);
}

int run(options const& o) {
  interruption const signals;
  std::vector<std::string> const kinds = hazard_kinds_of(o.fail_on);
  check_files(o, {});
  check_source(o.source);
  temporary_folder const folder;
  program const made = build(o, folder);
  check_files(o, made.inputs);
  if (!made.warnings.empty()) fmt::print(stderr, "{}", made.warnings);
  if (!o.keep.empty()) copy_program(made.path.string(), o.keep);
  process_end const end = run_program(o, made, folder, "report");
  fs::path const report = folder.path() / "report";
  suspicions const locals = settle(o, made, folder, suspicions_in(report));
  findings const found = find(report, o.source, made, end, o.seconds, locals);
  check_not_interrupted();
  write_json(o, found);
  if (!o.report.empty()) write_text(o.report, to_html(report_of(found, o.source, o.seed)));
  if (!o.sarif.empty()) write_text(o.sarif, pretty(sarif_of(found)) + "\n");
  if (!o.quiet && o.json != "-") write_output(text_of(found));
  if (o.annotations && o.json != "-") write_output(annotations_of(found));
  if (o.annotations && o.json == "-") fmt::print(stderr, "{}", annotations_of(found));
  check_not_interrupted();
  return exit_statuses[static_cast<int>(verdict_on(found, kinds))];
}

}  // namespace

void add_sim_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "sim", "Run a program's kernels on the simulated device, and say what is wrong and what they cost");
  auto const o = std::make_shared<options>();
  command
      ->add_option("FILE", o->source, "CUDA file (.cu), or C++ source of a program that includes cosmati/cosmati.hpp")
      ->required();
  command->add_option("ARGS", o->arguments, "Arguments of the program, after --");
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
  command->footer(
      "Exit status: 0 clean, 3 error, 4 review (the architecture's text is silent), 5 incomplete (not all accesses\n"
      "could be seen); 1 when something could not be done, 2 when the file does not exist or does not compile.\n"
      "The JSON holds verdict, reasons, hazards, counters by kernel, unseen, program.\n"
      "Example:\n"
      "  cosmati sim transpose.cpp --seed 7 --json found.json -- 1024 1024");
  command->callback([o] {
    if (int const status = run(*o); status != success) throw exit_status{status};
  });
}

}  // namespace cosmati::cli
