// SPDX-License-Identifier: Apache-2.0
/// @file
/// Turns source files into one instrumented program for the simulated device.
#pragma once

#include "process.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cosmati::cli {

/// The compilation and its options.
struct program_options {
  /// The files of one program. If one is a CUDA file (.cu), all are compiled with CUDA's headers, as nvcc does.
  std::vector<std::string> sources;
  std::string compiler;               ///< --cxx; empty means $CXX, g++ or clang++
  std::vector<std::string> includes;  ///< the folders of -I
  std::vector<std::string> defines;   ///< the macros of -D
  std::string standard = "c++20";
  std::string optimization = "1";
  std::vector<std::string> compile_flags, link_flags;  ///< one word each, or several in one text
  double compile_seconds = 300;                        ///< the time limit of each run of the compiler; 0 for none
  /// The files as one text.
  std::string name() const {
    std::string all;
    for (std::string const& s : sources) all += (all.empty() ? "" : " ") + s;
    return all;
  }
};

/// The initial content of uninitialised local variables.
enum class locals_begin { as_pattern, as_zero };

/// The program, and how it was made.
struct program {
  std::filesystem::path path;
  std::string compiler;
  bool instrumented = true;         ///< false if the flags contain a sanitizer that excludes the instrumentation
  bool marked = true;               ///< whether a lane that reaches code without instrumentation reports it
  std::string warnings;             ///< the output of the compiler
  std::vector<std::string> inputs;  ///< files that the compiler and the linker have read
  int local_byte = 0;               ///< the byte of the pattern; 0 if the flags set another content
};

/// Compiles and links into `folder`.
/// @throws command_error: bad_input if the source is absent, is clearly no source, or does not compile, with the
///   compiler's output, cut; failure if there is no compiler, or Cosmati's own files are not found
program build_program(program_options const& options, temporary_folder const& folder,
                      locals_begin locals = locals_begin::as_pattern);

}  // namespace cosmati::cli
