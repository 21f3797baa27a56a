// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files that are written whole or not at all. For hosts.
#pragma once

#include <cerrno>
#include <cosmati/core/error.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

namespace COSMATI_NAMESPACE::detail {

/// Whole or not at all: other programs may read the file, or write it at the same time, and what was there stays when
/// this fails. Throws `error`. @param who the function that the error names
inline void write_whole_file(char const* who, std::string const& path, std::string const& text) {
  std::string const beside = path + "." + std::to_string(std::random_device{}()) + ".new";
  errno = 0;
  bool written = false;
  {
    std::ofstream file(beside);
    file << text << std::flush;
    written = file.good();
  }
  if (!written || std::rename(beside.c_str(), path.c_str()) != 0) {
    char const* const why = errno != 0 ? std::strerror(errno) : "the file is not whole";
    std::remove(beside.c_str());
    throw error("%s: %s cannot be written: %s", who, path.c_str(), why);
  }
}

}  // namespace COSMATI_NAMESPACE::detail
