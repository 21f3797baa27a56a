// SPDX-License-Identifier: Apache-2.0
#include "named_files.hpp"

#include "command_end.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <cosmati/host/whole_file.hpp>
#include <filesystem>
#include <system_error>

namespace cosmati::cli {

namespace {

namespace fs = std::filesystem;

file_identity identity_of(struct stat const& status) {
  file_identity is;
  is.node = {status.st_dev, status.st_ino};
  is.loses_nothing = S_ISCHR(status.st_mode) && major(status.st_rdev) == 1;  // the devices null, zero and full
  return is;
}

file_identity identity_of(std::string const& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) return identity_of(status);
  file_identity is;
  std::error_code ignored;
  fs::path const in_full = fs::absolute(cosmati::detail::behind_links(path), ignored);
  is.place = fs::weakly_canonical(in_full, ignored).lexically_normal().string();
  if (is.place.empty()) is.place = path;
  return is;
}

std::string words_of(std::string const& option, std::string const& path) {
  return path.empty() ? option : option + " " + path;
}

}  // namespace

bool file_identity::same(file_identity const& other) const {
  if (loses_nothing || other.loses_nothing) return false;
  if (node.has_value() || other.node.has_value()) return node == other.node;
  return place == other.place;
}

void named_files::refuse(std::string const& text) const { throw command_error(bad_input, command_ + text); }

void named_files::add(named one) {
  for (named const& other : all_) {
    if ((!one.written && !other.written) || !one.is.same(other.is)) continue;
    named const& written = one.written ? one : other;
    named const& beside = one.written ? other : one;
    refuse(fmt::format("{} and {} are one file, and one of them would be lost; name another file",
                       words_of(written.option, written.path), words_of(beside.option, beside.path)));
  }
  all_.push_back(std::move(one));
}

void named_files::reads(std::string const& option, std::string const& path) {
  if (!path.empty()) add({option, path, identity_of(path), false});
}

void named_files::writes(std::string const& option, std::string const& path) {
  if (path.empty()) refuse(fmt::format("{}: the name of the file is empty", option));
  std::error_code error;
  fs::path const folder = fs::path(cosmati::detail::behind_links(path)).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    char const* const is = fs::exists(folder, error) ? "is no folder" : nullptr;
    refuse(is != nullptr
               ? fmt::format("{} {}: {} {}", option, path, folder.string(), is)
               : fmt::format("{} {}: there is no folder {}; make it, or name another", option, path, folder.string()));
  }
  if (fs::is_directory(path, error) || path.back() == '/')
    refuse(fmt::format("{} {} is a folder, not a file", option, path));
  add({option, path, identity_of(path), true});
}

void named_files::writes_in_new_folder(std::string const& option, std::string const& path) {
  add({option, path, identity_of(path), true});
}

void named_files::writes_standard_output(bool alone) {
  struct stat status = {};
  if (::fstat(STDOUT_FILENO, &status) == 0 && (alone || S_ISREG(status.st_mode)))
    add({"standard output", "", identity_of(status), true});
}

}  // namespace cosmati::cli
