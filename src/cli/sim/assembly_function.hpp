// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a function of a compiler's assembly accesses without telling the simulated device.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assembly_lines.hpp"

namespace cosmati::cli {

/// The data of a function that are known at its end.
struct assembly_function {
  std::string_view name;
  std::size_t entry = 0;  // the index of the line after which a mark goes
  bool entry_is_final = false;
  bool instrumented = false;
  bool reported = false;  // whether the library has reported its accesses to the simulated device
  bool frame_pointer = false;
  bool takes_an_address = false;
  bool by_rbp = false, by_register = false, of_variable = false;
  // A function that returns a class gets the address of the result in %rdi, and returns it in %rax. The instrumentation
  // leaves out the stores to the result.
  std::vector<std::string> result_registers = {"%rdi"};  // those that hold the first argument now
  std::vector<std::string> inside_result;                // those that hold an address computed from it
  bool by_result = false, returns_argument = false;
};

/// Adds an instruction to what is known of its function.
void look_at(assembly_function& f, instruction const& i);
/// Whether the function has accesses that the simulated device does not see. It is asked at the function's end.
bool is_unseen(assembly_function const& f, bool avoids_instrumentation);

}  // namespace cosmati::cli
