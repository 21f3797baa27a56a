// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions of CUDA's libraries that a program names and the simulated device has not.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cosmati::cli {

/// The functions of CUDA's libraries that a linker has not found, such as cublasCreate_v2.
/// @return nothing if it has missed anything else
std::set<std::string> absent_functions(std::string const& said);

/// Assembly that defines the functions. A call ends the program with a sentence that names the function.
/// Functions that only make or free a handle do nothing. A function of CUDA's runtime is called: C files name it as
/// CUDA does, and the library has it as `cosmati_sim_NAME`.
/// @param library the bytes of the simulated device's library
std::string definitions_of_absent(std::set<std::string> const& names, std::string_view library);

}  // namespace cosmati::cli
