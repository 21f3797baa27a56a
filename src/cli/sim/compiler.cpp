// SPDX-License-Identifier: Apache-2.0
#include "compiler.hpp"

#include "../command_end.hpp"
#include "compiler_output.hpp"
#include "words.hpp"

#include <fmt/format.h>
#include <cstdlib>

namespace cosmati::cli {

namespace {

/// The words of the compiler: the program, perhaps after ccache.
std::vector<std::string> find_compiler(std::string const& wanted) {
  std::vector<std::string> words;
  char const* const variable = std::getenv("CXX");
  std::string const from_user = !wanted.empty() ? wanted : variable != nullptr ? variable : "";
  append_words(words, from_user);
  if (!words.empty()) {
    if (!find_program(words[0]).empty()) return words;
    throw command_error(failure, fmt::format("sim: there is no compiler {}{}", words[0],
                                             wanted.empty() ? ", which CXX names; set it, or give --cxx" : ""));
  }
  for (char const* const name : {"g++", "clang++"}) {
    if (!find_program(name).empty()) return {name};
  }
  throw command_error(failure, "sim: neither g++ nor clang++ is in PATH; give --cxx");
}

}  // namespace

compiler::compiler(std::string const& wanted, temporary_folder const& folder, double seconds)
    : temporary_(folder), seconds_(seconds), words_(find_compiler(wanted)), is_clang_(ask_for_clang()) {}

process_end compiler::run(std::vector<std::string> const& words, captured_text& said) const {
  return run_process(words, {.environment = {{"TMPDIR", temporary_.path().string()}},
                             .output = &said,
                             .most_output = most_output,
                             .seconds = seconds_});
}

void compiler::check_room(std::string const& said) const {
  temporary_.check_room();
  for (char const* const words :
       {"No space left on device", "File size limit exceeded", "File too large", "Disk quota exceeded"}) {
    if (said.find(words) == std::string::npos) continue;
    throw command_error(failure, fmt::format("sim: the temporary folder {} has no room for the program: {}; TMPDIR "
                                             "names another",
                                             temporary_.path().parent_path().string(), words));
  }
}

bool compiler::ask_for_clang() const {
  captured_text macros;
  std::vector<std::string> words = words_;
  words.insert(words.end(), {"-dM", "-E", "-x", "c++", "/dev/null"});
  process_end const end = run(words, macros);
  if (end.timed_out) {
    throw command_error(bad_input, fmt::format("sim: {} did not say which compiler it is within {:g} s; "
                                               "--compile-timeout gives it more",
                                               words_[0], seconds_));
  }
  if (!end.clean()) {
    check_room(macros.text());
    throw command_error(failure, fmt::format("sim: {} is no compiler that is known here: it says\n{}", words_[0],
                                             cut_output(macros.text())));
  }
  return macros.text().find("#define __clang__ ") != std::string::npos;
}

}  // namespace cosmati::cli
