// SPDX-License-Identifier: Apache-2.0
// Functions that code compiled with -fsanitize=alignment,bounds,unreachable calls if a pointer's alignment or an
// array's index is wrong, or __builtin_unreachable() is executed. They are weak, so a program that links the
// sanitizer's library uses that library's functions.

#include <cstdio>
#include <cstdlib>

#include "formatted.hpp"
#include "sites.hpp"

using namespace cosmati_sim;

namespace {

// The sanitizer's interface (version 1) fixes the layout of the arguments.
struct source_location {
  char const* file;
  std::uint32_t line, column;
};
struct type_descriptor {
  std::uint16_t kind, info;
  char name[1];
};
struct type_mismatch {
  source_location where;
  type_descriptor const* type;
  unsigned char log_alignment;
  unsigned char check;
};
struct out_of_bounds {
  source_location where;
  type_descriptor const* array;
  type_descriptor const* index;
};

char const* const checks[] = {
    "load of",      "store to",     "reference to", "member access in", "member call on", "constructor call on",
    "cast down of", "cast down of", "cast up of",   "cast of"};

/// In a lane, the report ends the launch. Elsewhere it is written to stderr, as the sanitizer would.
/// @param pc the address after the call; it leads to the library's caller if `where` is a line of the library
void report(std::string const& sentence, source_location const& where, void const* pc, hazard_kind kind) {
  if (in_a_lane()) {
    cosmati_sim_active = 0;
    site const line = site_here(*this_worker, where.file, static_cast<int>(where.line), pc, nullptr);
    fail_lane(formatted("{}; {}", sentence, to_text(line)), kind, line);
  }
  std::fprintf(stderr, "%s:%u:%u: %s\n", where.file, where.line, where.column, sentence.c_str());
}

void mismatch(type_mismatch const* data, std::uintptr_t address, void const* pc) {
  char const* const doing = data->check < 10 ? checks[data->check] : "use of";
  if (address == 0) {
    report(formatted("{} {} through a null pointer", doing, data->type->name), data->where, pc,
           hazard_kind::out_of_bounds);
    return;
  }
  std::uintptr_t const alignment = std::uintptr_t{1} << data->log_alignment;
  if (address % alignment == 0) return;
  report(formatted("{} {} at {:#x} is misaligned: it needs an address that is a multiple of {}, this one is {} bytes "
                   "past one",
                   doing, data->type->name, address, alignment, address % alignment),
         data->where, pc, hazard_kind::misaligned);
}

void beyond(out_of_bounds const* data, std::uintptr_t index, void const* pc) {
  // Bit 0 of info tells whether it is signed; the rest is log2 of the width in bits.
  bool const is_signed = (data->index->info & 1) != 0;
  unsigned const above = 64 - (1u << (data->index->info >> 1) <= 64 ? 1u << (data->index->info >> 1) : 64);
  auto const extended = static_cast<std::intptr_t>(index << above) >> above;
  std::string const value = is_signed ? formatted("{}", extended) : formatted("{}", index);
  report(formatted("index {} is out of bounds of an array of type {}", value, data->array->name), data->where, pc,
         hazard_kind::out_of_bounds);
}

}  // namespace

extern "C" {

__attribute__((weak)) void __ubsan_handle_type_mismatch_v1(void* data, std::uintptr_t address) {
  mismatch(static_cast<type_mismatch*>(data), address, __builtin_return_address(0));
}
__attribute__((weak)) void __ubsan_handle_type_mismatch_v1_abort(void* data, std::uintptr_t address) {
  mismatch(static_cast<type_mismatch*>(data), address, __builtin_return_address(0));
  std::abort();
}
__attribute__((weak)) void __ubsan_handle_out_of_bounds(void* data, std::uintptr_t index) {
  beyond(static_cast<out_of_bounds*>(data), index, __builtin_return_address(0));
}
__attribute__((weak)) void __ubsan_handle_out_of_bounds_abort(void* data, std::uintptr_t index) {
  beyond(static_cast<out_of_bounds*>(data), index, __builtin_return_address(0));
  std::abort();
}
/// `data` begins with the place.
[[noreturn]] __attribute__((weak)) void __ubsan_handle_builtin_unreachable(void* data) {
  report("__builtin_unreachable() was executed", *static_cast<source_location*>(data), __builtin_return_address(0),
         hazard_kind::trap);
  std::abort();
}

}  // extern "C"
