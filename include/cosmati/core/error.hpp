// SPDX-License-Identifier: Apache-2.0
/// @file
/// The report of a broken precondition: one exception type on the host, a trap on the device.
///
/// A check calls a `[[noreturn]]` function that is *not* `constexpr` and whose name is the diagnosis. In constant
/// evaluation the compiler stops at that call and prints its name and arguments. At run time the function throws
/// `cosmati::error` with a whole sentence (host) or traps (device).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>
#include <cstdio>
#include <exception>

namespace COSMATI_NAMESPACE {

/// The exception that the host throws when a precondition fails. `what()` is one sentence with the thing, the numbers
/// and the fix.
class error : public std::exception {
 public:
  /// @param format a format of printf
  /// @param arguments its arguments. Text beyond 1023 bytes is cut.
  template <class... Arguments>
  explicit error(char const* format, Arguments... arguments) noexcept {
    unseen_scope const unseen;  // the text is not the program's memory
    if constexpr (sizeof...(Arguments) == 0) {
      std::snprintf(text_, sizeof text_, "%s", format);
    } else {
      std::snprintf(text_, sizeof text_, format, arguments...);
    }
  }
  char const* what() const noexcept override { return text_; }

 private:
  char text_[1024];
};

/// Ends a failed check: throws `error` on the host, prints and traps on the device.
/// @param kind the kind of hazard that the simulated device reports
template <class... Arguments>
[[noreturn]] COSMATI_HD void fail_as([[maybe_unused]] char const* kind, char const* format, Arguments... arguments) {
#if defined(__CUDA_ARCH__)
#if !defined(NDEBUG)
  printf(format, arguments...);
  printf("\n");
#endif
  __trap();
#else
#if defined(COSMATI_SIMULATED)
  if (cosmati_sim_active != 0) cosmati_sim_throws(kind);
#endif
  throw error(format, arguments...);
#endif
}
/// Fails with the kind "invalid_argument": no call can accept the argument.
template <class... Arguments>
[[noreturn]] COSMATI_HD void fail(char const* format, Arguments... arguments) {
  fail_as("invalid_argument", format, arguments...);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
