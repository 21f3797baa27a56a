// SPDX-License-Identifier: Apache-2.0
/// @file
/// The information in the program's own ELF files: names of functions, static `__shared__` arrays, source lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "state.hpp"

namespace cosmati_sim {

/// The demangled name of the function at this address, with all template arguments; "at 0x..." if unknown. Two
/// functions never have the same name.
std::string kernel_name(void const* function);
/// A short name for people, which differs from those of the kernels asked for before.
std::string kernel_text(void const* function);
/// Whether the instruction before this address is in a module of the program, not in a system library.
bool is_code_of_program(void const* pc);
/// Whether clang has compiled a part of the program.
bool has_code_of_clang();

/// The size of the function's code; 0 if unknown.
std::size_t function_bytes(void const* function);
/// The first byte of the function that contains the address; null if unknown.
void const* function_begin(void const* pc);

/// Gives "stage" for the mangled name of a function's static variable.
std::string variable_name(char const* mangled);

/// Finds the calling thread's copies of thread-local variables, including static `__shared__` arrays, in the order of
/// their addresses; and the ranges of its thread-local storage that belong to modules with a symbol table.
void find_thread_locals(worker& w);

/// Whether the address belongs to a loaded program or library: code, constants, `__device__` variables.
bool is_module_memory(std::uintptr_t address);

/// A variable of static storage that the program may write, such as a `__device__` one. `low` is 0 if there is none.
struct module_variable {
  std::uintptr_t low = 0;
  std::size_t bytes = 0;
  char const* name = nullptr;  // the mangled name
  shadow_region* shadow = nullptr;
};
module_variable find_module_variable(std::uintptr_t address);

/// The source line of an instruction, from DWARF. `file` is null if it is unknown. For error messages only.
site line_of(void const* pc);
/// The last source line up to the instruction, in the same function, whose file `is_meant` accepts.
site line_before(void const* pc, bool (*is_meant)(std::string const&));

}  // namespace cosmati_sim
