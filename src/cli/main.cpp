// SPDX-License-Identifier: Apache-2.0
// The `cosmati` command.
#include "command.hpp"
#include "interruption.hpp"
#include "near_names.hpp"
#include "sim/nvcc_options.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <algorithm>
#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cstdio>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>

namespace cosmati::cli {

namespace {

/// Treats `eval -7/2` as an expression, not as an option, and translates nvcc's options of `sim`.
std::vector<std::string> arguments_of(int count, char** text) {
  std::vector<std::string> out;
  bool escaped = false;
  for (int i = 1; i < count; ++i) {
    std::string const argument = text[i];
    escaped = escaped || argument == "--";
    bool const expression = argument.size() > 1 && argument[0] == '-' &&
                            std::string_view("0123456789(_~!+").find(argument[1]) != std::string_view::npos;
    if (expression && !escaped && !out.empty() && out[0] == "eval") {
      out.emplace_back("--");
      escaped = true;
    }
    out.push_back(argument);
  }
  if (!out.empty() && out[0] == "sim") {
    std::vector<std::string> const words = words_of_sim({out.begin() + 1, out.end()});
    out.resize(1);
    out.insert(out.end(), words.begin(), words.end());
  }
  return {out.rbegin(), out.rend()};  // the arguments in the order that CLI::App::parse needs
}

/// For an unknown word CLI11 says that a subcommand is required, without the word. This function names it.
void check_name(CLI::App const& app, std::string const& word) {
  std::vector<std::string> names;
  for (CLI::App const* const command : app.get_subcommands([](CLI::App const*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  throw command_error(bad_input, fmt::format("there is no command '{}'; the commands are {}{}", word,
                                             fmt::join(names, ", "), did_you_mean(word, {names.begin(), names.end()})));
}

/// "--atm: did you mean --atom?", a line for each option that is not there and is nearly one that is.
std::string near_options(CLI::App const& app, CLI::ExtrasError const& wrong) {
  std::string const said = wrong.what();
  std::string lines;
  for (CLI::App const* const command : app.get_subcommands()) {
    std::vector<std::string> names;
    for (CLI::Option const* const o : command->get_options()) {
      for (std::string const& name : o->get_lnames()) names.push_back("--" + name);
    }
    std::vector<std::string_view> const known(names.begin(), names.end());
    for (std::string word : command->remaining(true)) {
      word.erase(std::min(word.find('='), word.size()));
      if (!word.starts_with("--") || said.find(word) == std::string::npos) continue;
      if (std::string const hint = did_you_mean(word, known); !hint.empty())
        lines += fmt::format("cosmati: there is no option {}{}\n", word, hint);
    }
  }
  return lines;
}

/// Writes the text of --help or --version. @returns whether standard output accepts it
bool write_said(std::string const& text) {
  try {
    write_output(text);
    return true;
  } catch (command_error const& e) {
    fmt::print(stderr, "cosmati: {}\n", e.what());
    return false;
  }
}

/// Names the arguments of the call, with which its work grows, if memory is exhausted.
std::string too_large(int count, char** text) {
  std::string call;
  for (int i = 1; i < count && call.size() < 400; ++i) call += fmt::format("{}{:.80}", i == 1 ? "" : " ", text[i]);
  return fmt::format("memory does not hold what '{}' asks for; give smaller layouts or arrays", call);
}

int run(int count, char** text) {
  CLI::App app{"Tiled copies on GPUs: layouts, their algebra, and who copies what.", "cosmati"};
  app.set_version_flag("--version", fmt::format("cosmati {}.{}.{}", COSMATI_VERSION_MAJOR, COSMATI_VERSION_MINOR,
                                                COSMATI_VERSION_PATCH));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  cosmati layout '(4,(2,3)):(3,(12,1))'\n"
      "  cosmati eval 'zipped_divide((8,4):(1,8), (4:1, 2:2))'\n"
      "  cosmati tiled-copy --atom 'UniversalCopy<uint128_t>' --type half --thr '(8,4):(1,8)' --val '8:1'\n"
      "Exit status: 0, 1 when something could not be done, 2 when the input is wrong.");
  add_layout_command(app);
  add_eval_command(app);
  add_tiled_copy_command(app);
  add_tiled_mma_command(app);
  add_run_copy_command(app);
  add_gemm_command(app);
  add_count_command(app);
  add_check_command(app);
  add_sim_command(app);
  add_draw_command(app);
  add_report_command(app);
  add_diff_command(app);
  add_plan_command(app);
  try {
    if (count > 1 && text[1][0] != '-') check_name(app, text[1]);
    app.parse(arguments_of(count, text));
  } catch (CLI::ExtrasError const& e) {
    fmt::print(stderr, "{}", near_options(app, e));
    app.exit(e, std::cout, std::cerr);
    return bad_input;
  } catch (CLI::ParseError const& e) {
    std::ostringstream said;
    int const status = app.exit(e, said, std::cerr) == 0 ? success : bad_input;
    return write_said(said.str()) ? status : failure;
  } catch (exit_status const& e) {
    return e.status;
  } catch (command_error const& e) {
    fmt::print(stderr, "cosmati: {}\n", e.what());
    return e.status();
  } catch (error const& e) {
    fmt::print(stderr, "cosmati: {}\n", e.what());
    return bad_input;
  } catch (std::bad_alloc const&) {
    fmt::print(stderr, "cosmati: {}\n", too_large(count, text));
    return failure;
  } catch (std::length_error const&) {
    fmt::print(stderr, "cosmati: {}\n", too_large(count, text));
    return failure;
  } catch (std::exception const& e) {
    fmt::print(stderr, "cosmati: {}\n", e.what());
    return failure;
  }
  return success;
}

}  // namespace
}  // namespace cosmati::cli

int main(int argc, char** argv) {
  // A file beyond `ulimit -f` must be an error of the write. The signal is handled instead of ignored, because programs
  // that are run would inherit that.
  struct sigaction nothing = {};
  nothing.sa_handler = [](int) {};
  ::sigaction(SIGXFSZ, &nothing, nullptr);
  cosmati::cli::end_at_signals();
  return cosmati::cli::run(argc, argv);
}
