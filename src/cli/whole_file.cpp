// SPDX-License-Identifier: Apache-2.0
#include "whole_file.hpp"

#include "command_end.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cosmati/host/whole_file.hpp>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cosmati::cli {

namespace {

/// @return whether all bytes were written; errno has the reason otherwise
bool write_all(int file, void const* from, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    ssize_t const n =
        ::write(file, static_cast<char const*>(from) + done, std::min<std::size_t>(count - done, 1 << 30));
    if (n < 0 && errno == EINTR && ending_signal == 0) continue;
    if (n < 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}
bool is_special(std::string const& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}
/// The pattern of a temporary name in the same folder. It is short, because the file's own name may have the maximum
/// length.
std::string beside(std::string const& target) {
  std::size_t const slash = target.find_last_of('/');
  return target.substr(0, slash == std::string::npos ? 0 : slash + 1) + ".cosmati.XXXXXX";
}
[[noreturn]] void cannot(std::string const& path, char const* doing) {
  int const why = errno;
  check_not_interrupted();
  errno = why;
  throw std::runtime_error(fmt::format("{}: {}: {}", path, doing, std::strerror(errno)));
}

}  // namespace

whole_file::whole_file(std::string path)
    : path_(std::move(path)), target_(cosmati::detail::behind_links(path_)), name_(beside(target_)) {
  if (is_special(path_)) {
    throw std::runtime_error(fmt::format("{}: cannot be written: it is there, and no ordinary file", path_));
  }
  file_ = ::mkostemp(name_.data(), O_CLOEXEC);
  if (file_ < 0) {
    name_.clear();
    refused("cannot be written");
  }
  ends_with_the_command_.emplace(name_);
}

whole_file::~whole_file() {
  if (file_ >= 0) ::close(file_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

void whole_file::refused(char const* doing) const { cannot(path_, doing); }

void whole_file::write(void const* from, std::size_t count) {
  if (!write_all(file_, from, count)) refused("cannot be written");
}

void whole_file::keep(unsigned rights) {
  mode_t const mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file_, rights & ~mask) != 0) refused("cannot be given its access rights");
  int const closed = ::close(file_);
  file_ = -1;
  if (closed != 0) refused("cannot be written");
  if (::rename(name_.c_str(), target_.c_str()) != 0) refused("cannot be written");
  name_.clear();
  ends_with_the_command_.reset();
}

void check_can_write(std::string const& path) {
  if (!is_special(path)) whole_file const tried(path);
}

void copy_program(std::string const& from, std::string const& to) {
  int const file = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) cannot(from, "cannot be read");
  whole_file out(to);
  std::vector<char> piece(1 << 20);
  ssize_t n = 0;
  while ((n = ::read(file, piece.data(), piece.size())) > 0) out.write(piece.data(), static_cast<std::size_t>(n));
  ::close(file);
  if (n < 0) cannot(from, "cannot be read");
  out.keep(0777);
}

void write_text(std::string const& path, std::string_view text) {
  if (is_special(path)) {
    int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    bool const done = file >= 0 && write_all(file, text.data(), text.size());
    int const why = errno;
    if (file >= 0) ::close(file);
    errno = why;
    if (!done) cannot(path, "cannot be written");
    return;
  }
  whole_file out(path);
  out.write(text.data(), text.size());
  out.keep();
}

}  // namespace cosmati::cli
