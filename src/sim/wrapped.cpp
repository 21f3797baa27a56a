// SPDX-License-Identifier: Apache-2.0
// Functions of the C library that programs call through `-Wl,--wrap=NAME`. Copies are seen. A lane's printf prints
// whole lines in the order of the blocks. A lane's failed assertion is an error of the launch. The place where a lane
// throws is known.

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>

#include "formatted.hpp"
#include "raw_access.hpp"
#include "sites.hpp"

using cosmati_sim::quiet;
using cosmati_sim::raw_access;

#define PC __builtin_return_address(0)

namespace {

/// A copy of 2, 4, 8 or 16 bytes may be one instruction, whose alignment the sanitizer checks. Only bounds are checked
/// here.
void seen(void const* address, std::size_t bytes, int kind, void const* pc) {
  if (bytes != 0) raw_access(address, bytes, kind, 1, pc);
}

/// Checks the bytes of a copy by the host. They must not be device memory, unless the device itself moves them.
void host_copies(void const* address, std::size_t bytes, bool writes, void const* pc) {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  auto const& d = cosmati_sim::device_memory;
  auto const& h = cosmati_sim::host_memory_in_flight;
  if ((at - d.low >= d.bytes && at - h.low >= h.bytes) || bytes == 0 || cosmati_sim::this_worker != nullptr ||
      cosmati_sim::own_moves::any())
    return;
  cosmati_sim::host_dereferences(at, bytes, writes, pc);
}

int print(char const* format, va_list arguments) {
  quiet const hush;
  std::string& out = cosmati_sim::this_worker->output;
  va_list again;
  va_copy(again, arguments);
  int const needed = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (needed <= 0) return needed;
  std::size_t const before = out.size();
  out.resize(before + static_cast<std::size_t>(needed) + 1);
  std::vsnprintf(out.data() + before, static_cast<std::size_t>(needed) + 1, format, arguments);
  out.pop_back();
  return needed;
}

}  // namespace

extern "C" {

void* __real_memcpy(void* to, void const* from, std::size_t bytes);
void* __real_memmove(void* to, void const* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);
int __real_vprintf(char const* format, va_list arguments);
int __real_puts(char const* text);
int __real_putchar(int c);
[[noreturn]] void __real___cxa_throw(void* thrown, void* type, void (*destroy)(void*));
[[noreturn]] void __real___assert_fail(char const* condition, char const* file, unsigned line, char const* function);

void* __wrap_memcpy(void* to, void const* from, std::size_t bytes) {
  if (cosmati_sim_active != 0) {
    seen(from, bytes, 0, PC);
    seen(to, bytes, 1, PC);
  } else {
    host_copies(from, bytes, false, PC);
    host_copies(to, bytes, true, PC);
  }
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, void const* from, std::size_t bytes) {
  if (cosmati_sim_active != 0) {
    seen(from, bytes, 0, PC);
    seen(to, bytes, 1, PC);
  } else {
    host_copies(from, bytes, false, PC);
    host_copies(to, bytes, true, PC);
  }
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  if (cosmati_sim_active != 0) {
    seen(to, bytes, 1, PC);
  } else {
    host_copies(to, bytes, true, PC);
  }
  return __real_memset(to, value, bytes);
}

int __wrap_vprintf(char const* format, va_list arguments) {
  return cosmati_sim::in_a_lane() ? print(format, arguments) : __real_vprintf(format, arguments);
}
int __wrap_printf(char const* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int const printed = __wrap_vprintf(format, arguments);
  va_end(arguments);
  return printed;
}
int __wrap_puts(char const* text) {
  if (!cosmati_sim::in_a_lane()) return __real_puts(text);
  quiet const hush;
  cosmati_sim::this_worker->output.append(text).push_back('\n');
  return 1;
}
int __wrap_putchar(int c) {
  if (!cosmati_sim::in_a_lane()) return __real_putchar(c);
  quiet const hush;
  cosmati_sim::this_worker->output.push_back(static_cast<char>(c));
  return c;
}

void __wrap___cxa_throw(void* thrown, void* type, void (*destroy)(void*)) {
  if (cosmati_sim::in_a_lane()) {
    quiet const hush;
    cosmati_sim::worker& w = *cosmati_sim::this_worker;
    if (!std::exchange(w.thrown.by_library, false))
      w.thrown = {cosmati_sim::site_number(w, PC), cosmati_sim::hazard_kind::exception};
  }
  __real___cxa_throw(thrown, type, destroy);
}

void __wrap___assert_fail(char const* condition, char const* file, unsigned line, char const* function) {
  if (cosmati_sim::in_a_lane()) {
    std::string const text = cosmati_sim::formatted("assertion `{}` failed", condition);
    cosmati_sim_fail("assertion", text.c_str(), file, static_cast<int>(line));
  }
  __real___assert_fail(condition, file, line, function);
}

}  // extern "C"

/// A lane's clock counts about a GHz, as that of a GPU does. The host's counts microseconds of the processor.
extern "C" clock_t __real_clock(void) __attribute__((weak));
extern "C" clock_t __wrap_clock(void) {
  if (cosmati_sim_active == 0) return __real_clock();
  cosmati_sim_reads_clock();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<clock_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}
