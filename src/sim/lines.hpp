// SPDX-License-Identifier: Apache-2.0
/// @file
/// The source line of an instruction, from a program's DWARF.
#pragma once

#include <cstdint>
#include <string>

#include "elf_file.hpp"

namespace cosmati_sim {

struct found_line {
  std::string file;  ///< as the compiler was given it, with its folder
  int line = 0;      ///< 0: unknown
};

/// @param address as in the file, without the address that the program was loaded at
/// @param least, is_meant the last line of a file that is meant, of the instructions from `least` to `address`
found_line find_line(elf_file const& file, std::uint64_t address, std::uint64_t least = 0,
                     bool (*is_meant)(std::string const&) = nullptr);

}  // namespace cosmati_sim
