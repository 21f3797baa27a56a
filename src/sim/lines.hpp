// SPDX-License-Identifier: Apache-2.0
/// @file
/// The source line of an instruction, from a program's DWARF.
#pragma once

#include <cstdint>
#include <string>

#include "elf_file.hpp"

namespace cosmati_sim {

struct found_line {
  std::string file;  ///< the file as it was given to the compiler, with its folder
  int line = 0;      ///< 0 if it is unknown
};

/// @param address an address in the file, without the program's load address
/// @param least, is_meant select the last line of a wanted file among the instructions from `least` to `address`
found_line find_line(elf_file const& file, std::uint64_t address, std::uint64_t least = 0,
                     bool (*is_meant)(std::string const&) = nullptr);

}  // namespace cosmati_sim
