// SPDX-License-Identifier: Apache-2.0
/// @file
/// A source file becomes a program for the simulated device, instrumented.
#pragma once

#include "process.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cosmati::cli {

/// What is compiled, and how.
struct program_options {
  std::string source;
  std::string compiler;               ///< --cxx; empty: $CXX, g++ or clang++
  std::vector<std::string> includes;  ///< -I
  std::vector<std::string> defines;   ///< -D
  std::string standard = "c++20";
  std::string optimization = "1";
  std::vector<std::string> compile_flags, link_flags;  ///< words, or several in one text
  double compile_seconds = 300;                        ///< that each run of the compiler may take; 0: any time
};

/// What local variables begin with that the program gives no value.
enum class locals_begin { as_pattern, as_zero };

/// How it was made.
struct program {
  std::filesystem::path path;
  std::string compiler;
  bool instrumented = true;         ///< false when the flags bring a sanitizer that excludes the instrumentation
  bool marked = true;               ///< code that is not instrumented says so when a lane comes to it
  std::string warnings;             ///< what the compiler said
  std::vector<std::string> inputs;  ///< files that the compiler and the linker have read
  int local_byte = 0;               ///< that the pattern consists of; 0: the flags say something else of it
};

/// Compiles and links into `folder`.
/// @throws command_error: bad_input when the source is not there, clearly is no source, or does not compile, with what
/// the compiler printed, cut; failure when there is no compiler or Cosmati's own files are not found
program build_program(program_options const& options, temporary_folder const& folder,
                      locals_begin locals = locals_begin::as_pattern);

}  // namespace cosmati::cli
