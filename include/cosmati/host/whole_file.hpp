// SPDX-License-Identifier: Apache-2.0
/// @file
/// Files that are written completely or not at all. For hosts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cosmati/core/error.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

namespace COSMATI_NAMESPACE::detail {

/// The target of the links at `path`, or `path` itself. Writing to the target keeps the links.
inline std::string behind_links(std::string path) {
  for (int links = 0; links < 40; ++links) {
    char to[4096];
    auto const length = ::readlink(path.c_str(), to, sizeof to);
    if (length <= 0 || static_cast<std::size_t>(length) == sizeof to) break;
    std::size_t const from = to[0] == '/' ? 0 : path.find_last_of('/') + 1;
    path.replace(from, std::string::npos, to, static_cast<std::size_t>(length));
  }
  return path;
}

/// Writes a file completely or not at all. Other programs may read or write the file at the same time. If the write
/// fails, the old content stays. Links and permissions stay in any case. Throws `error`. @param who the function that
/// the error names
inline void write_whole_file(char const* who, std::string const& path, std::string const& text) {
  std::string const target = behind_links(path);
  struct stat before = {};
  bool const replaces = ::stat(target.c_str(), &before) == 0;
  if (replaces && !S_ISREG(before.st_mode))
    throw error("%s: %s cannot be written: it is there, and no ordinary file; name another", who, path.c_str());
  std::string const temporary_path = target + "." + std::to_string(std::random_device{}()) + ".new";
  errno = 0;
  bool written = false;
  {
    std::ofstream file(temporary_path);
    file << text << std::flush;
    written = file.good();
  }
  if (written && replaces) written = ::chmod(temporary_path.c_str(), before.st_mode & 07777) == 0;
  if (!written || std::rename(temporary_path.c_str(), target.c_str()) != 0) {
    int const reason = errno;
    std::remove(temporary_path.c_str());
    throw error("%s: %s cannot be written: %s", who, path.c_str(),
                reason != 0 ? std::strerror(reason) : "the file is not whole");
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
