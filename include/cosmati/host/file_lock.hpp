// SPDX-License-Identifier: Apache-2.0
/// @file
/// A lock for files that are read, changed and written again, so that one program at a time does so. For hosts.
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

/// Waits for the lock of `path`, and holds it until the object is destroyed. The lock is a second file next to `path`,
/// because `path` itself is replaced. If the file system has no locks, the constructor does not wait.
class file_lock {
 public:
  /// Throws `error` if no file can be made next to `path`. @param who the function that the error names
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
      ::close(file_);  // the previous owner has removed the file in the meantime
    }
  }
  file_lock(file_lock const&) = delete;
  file_lock& operator=(file_lock const&) = delete;
  ~file_lock() {
    ::unlink(name_.c_str());  // removes the name before closing, while no other program can hold the lock
    ::close(file_);
  }

 private:
  std::string name_;
  int file_ = -1;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
