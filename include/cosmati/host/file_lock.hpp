// SPDX-License-Identifier: Apache-2.0
/// @file
/// One program at a time at a file that is read, changed and written again. For hosts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cosmati/core/error.hpp>
#include <cstring>
#include <string>

namespace COSMATI_NAMESPACE::detail {

/// Waits until nobody else has the lock of `path`, and has it until it is destroyed. The lock is a file beside `path`,
/// since `path` itself is replaced. Where the file system has no locks, this does not wait.
class file_lock {
 public:
  /// Throws `error` where no file can be made beside `path`. @param who the function that the error names
  file_lock(char const* who, std::string const& path) : name_(path + ".lock") {
    for (;;) {
      file_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
      if (file_ < 0)
        throw error(
            "%s: %s cannot be written: %s cannot be made beside it: %s; make the folder writable, or name another", who,
            path.c_str(), name_.c_str(), std::strerror(errno));
      while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
      }
      struct stat mine = {}, there = {};
      if (::fstat(file_, &mine) == 0 && ::stat(name_.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
          mine.st_ino == there.st_ino)
        return;
      ::close(file_);  // who had it has removed it since
    }
  }
  file_lock(file_lock const&) = delete;
  file_lock& operator=(file_lock const&) = delete;
  ~file_lock() {
    ::unlink(name_.c_str());  // first: nobody else may have it then
    ::close(file_);
  }

 private:
  std::string name_;
  int file_ = -1;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
