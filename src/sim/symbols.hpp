// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the program's own ELF files say: names of functions, static `__shared__` arrays, source lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "state.hpp"

namespace cosmati_sim {

/// The demangled name of the function at this address, with all template arguments; "at 0x..." when unknown. Two
/// functions never have the same.
std::string kernel_name(void const* function);
/// The same for people: short, and different from those of the kernels asked for before.
std::string kernel_text(void const* function);
/// Whether the instruction before is in a module of the program, not in one of the system's libraries.
bool is_code_of_program(void const* pc);
/// Whether clang has compiled a part of the program.
bool has_code_of_clang();

/// How many bytes of code the function has; 0 when unknown.
std::size_t function_bytes(void const* function);

/// "stage" from the mangled name of a function's static variable.
std::string variable_name(char const* mangled);

/// The calling thread's copies of thread-local variables, static `__shared__` arrays among them, in order of
/// address, and the ranges of its thread-local storage that belong to modules with a symbol table.
void find_thread_locals(worker& w);

/// True when the address belongs to a loaded program or library: code, constants, `__device__` variables.
bool is_module_memory(std::uintptr_t address);

/// A variable of static storage that the program may write (a `__device__` one is among them); `low` is 0 for none.
struct module_variable {
  std::uintptr_t low = 0;
  std::size_t bytes = 0;
  char const* name = nullptr;  // mangled
  shadow_region* shadow = nullptr;
};
module_variable find_module_variable(std::uintptr_t address);

/// The source line of an instruction, from DWARF; file is null when unknown. Only for error messages.
site line_of(void const* pc);
/// The same; the last line before it in the same function of a file that is meant.
site line_before(void const* pc, bool (*is_meant)(std::string const&));

}  // namespace cosmati_sim
