// SPDX-License-Identifier: Apache-2.0
/// @file
/// A program's file, mapped for reading. It stays mapped.
#pragma once

#include <cstddef>

namespace cosmati_sim {

class elf_file {
 public:
  explicit elf_file(char const* path);
  struct section {
    char const* bytes = nullptr;
    std::size_t size = 0;
  };
  /// The uncompressed section of this name, or null.
  section find(char const* name) const;
  /// Whether the section with this number is data that a program may write while it runs.
  bool is_variable_data(unsigned index) const;
  /// Whether the section with this number has no bytes in the file, so that it is zero when the program begins.
  bool is_zeroed(unsigned index) const;

 private:
  char const* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cosmati_sim
