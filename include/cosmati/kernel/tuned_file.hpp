// SPDX-License-Identifier: Apache-2.0
/// @file
/// The file in which `tune_copy` and `tune_gemm` keep what they have measured: a JSON object that maps a device, with
/// the library's version, and a problem to the winner. Several programs may share it. This header needs nlohmann-json.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cosmati/host/file_lock.hpp>
#include <cosmati/host/whole_file.hpp>
#include <cosmati/runtime/device.hpp>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

namespace COSMATI_NAMESPACE::detail {

/// Reads the file that the function `who` keeps: winners by device and problem. If there is no file, the result is an
/// empty object. Throws `error` if the file cannot be read, or holds something else.
inline nlohmann::json read_tuned(char const* who, std::string const& path, std::string const& device) {
  struct stat there = {};
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))  // some of these have no end
    throw error("%s: %s is no ordinary file; name one, or one that is not there yet", who, path.c_str());
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr && errno == ENOENT) return nlohmann::json::object();
  std::string text;
  bool read = file != nullptr;
  char part[4096];
  while (read) {
    std::size_t const n = std::fread(part, 1, sizeof part, file);
    text.append(part, n);
    if (n == sizeof part) continue;
    read = std::ferror(file) == 0;
    break;
  }
  int const reason = errno;
  if (file != nullptr) std::fclose(file);
  if (!read)
    throw error("%s: %s cannot be read: %s; name a JSON file that can, or one that is not there yet", who, path.c_str(),
                std::strerror(reason));
  nlohmann::json all = nlohmann::json::parse(text, nullptr, false);
  if (!all.is_object()) throw error("%s: %s is no JSON object; remove it, or name another file", who, path.c_str());
  if (auto const of_device = all.find(device); of_device != all.end() && !of_device->is_object())
    throw error("%s: %s: what it holds of \"%s\" is no JSON object; remove it from there, or name another file", who,
                path.c_str(), device.c_str());
  return all;
}

/// Throws `error` if `keep_tuned` would, so that the error comes before plans are measured.
inline void check_can_keep_tuned(char const* who, std::string const& path) {
  std::string const target = behind_links(path);
  struct stat there = {};
  if (::stat(target.c_str(), &there) == 0) {
    if ((there.st_mode & 0222) == 0 || ::access(target.c_str(), W_OK) != 0)
      throw error("%s: %s is read-only; make it writable, or name another file", who, path.c_str());
  }
  std::size_t const slash = target.find_last_of('/');
  std::string const folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  if (::stat(folder.c_str(), &there) != 0 || !S_ISDIR(there.st_mode))
    throw error("%s: %s cannot be written: there is no folder %s; make it, or name another file", who, path.c_str(),
                folder.c_str());
  file_lock const lock(who, target);
}

/// Adds a winner to the current content of the file, because other programs may have added theirs since it was read.
inline void keep_tuned(char const* who, std::string const& path, std::string const& device, std::string const& problem,
                       nlohmann::json const& winner) {
  file_lock const lock(who, behind_links(path));
  nlohmann::json all = read_tuned(who, path, device);
  all[device][problem] = winner;
  write_whole_file(who, path, all.dump(1) + "\n");
}

/// The key of the stored plans: the device and the version of the library. Another version may have other kernels.
inline std::string tuned_device() {
  return std::string(current_device().name) + ", cosmati " + std::to_string(COSMATI_VERSION_MAJOR) + "." +
         std::to_string(COSMATI_VERSION_MINOR) + "." + std::to_string(COSMATI_VERSION_PATCH);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
