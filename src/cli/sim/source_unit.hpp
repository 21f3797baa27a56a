// SPDX-License-Identifier: Apache-2.0
/// @file
/// One source file of a program, and what kind of file it is.
#pragma once

#include "macros.hpp"

#include <filesystem>
#include <string>

namespace cosmati::cli {

/// Whether a file includes headers of CuTe or CUTLASS.
bool includes_cute(std::string const& text);
/// Whether a C++ file includes a header of CUDA's runtime, and none of the library.
bool includes_only_cuda(std::string const& text);

/// One source file of the program.
struct source_unit {
  enum class kind_type {
    cxx,        // a program of the library
    cuda,       // a CUDA file
    cuda_host,  // C++ beside CUDA files: CUDA's headers are there, and its syntax is not
    c
  };
  std::string path;
  kind_type kind = kind_type::cxx;
  std::filesystem::path stem;  // of the files that are made of it
  placed_macros macros = {};
  std::string assembly = {};  // its text
};

}  // namespace cosmati::cli
