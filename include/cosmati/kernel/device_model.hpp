// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the planners know of a device: at most twenty named numbers, asked of the device that copies, or a row of this
/// file.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// A device as the costs of copies see it. The default is an H200.
struct device_model {
  int compute_capability = 90;       ///< times ten: which instructions there are
  double multiprocessors = 132;      ///< a count
  double cycles_per_us = 1755;       ///< of a multiprocessor, at the clock that it keeps
  double bytes_per_us = 4.3e6;       ///< of global memory, read and written together, that a contiguous copy reaches
  double l2_bytes = 40e6;            ///< of the source that L2 holds, beside what is written
  double shared_bytes = 227 * 1024;  ///< of a multiprocessor, for all its blocks
  double block_bytes = 227 * 1024;   ///< of shared memory that one block may have
  double launch_us = 2.5;            ///< from a kernel's start to its end where it does nothing

  /// Whether there are bulk copies and the barriers that wait for them.
  constexpr bool has_bulk_copies() const { return compute_capability >= 90; }

  /// The device that kernels started now run on, asked once and remembered. On the simulated device it is the model
  /// that `COSMATI_DEVICE_MODEL` names, an H200 where it names none. Throws `error` where a GPU does not answer or the
  /// name is unknown.
  static device_model const& of_current();

  friend constexpr bool operator==(device_model const&, device_model const&) = default;
};

/// A device by its name.
struct named_device_model {
  char const* name;
  device_model model;
  bool measured;  ///< its rates were measured; else they are nine tenths of the data sheet's
};
/// The devices that `cosmati plan --device` knows. Rates of those that were measured are a contiguous copy's.
inline constexpr named_device_model device_models[] = {
    {"h200", {}, true},
    {"h100", {90, 132, 1755, 2.9e6, 40e6, 227 * 1024, 227 * 1024, 2.5}, true},
    {"a100", {80, 108, 1410, 1.84e6, 32e6, 163 * 1024, 163 * 1024, 2.5}, false},
    {"l40s", {89, 142, 2520, 0.78e6, 77e6, 99 * 1024, 99 * 1024, 2.5}, false},
    {"rtx4090", {89, 128, 2520, 0.91e6, 58e6, 99 * 1024, 99 * 1024, 2.5}, false},
    {"b200", {100, 148, 1965, 7.2e6, 100e6, 227 * 1024, 227 * 1024, 2.5}, false},
    {"rtx5090", {120, 170, 2407, 1.61e6, 77e6, 99 * 1024, 99 * 1024, 2.5}, false},
};

namespace detail {
/// What of its nominal figures a device keeps, where it was not measured: of the memory's rate, of the clock, of L2.
inline constexpr double kept_memory_rate = 0.9, kept_clock = 0.9, kept_l2 = 0.8;

constexpr bool is_same_word(char const* a, char const* b) {
  for (; *a != 0 && *a == *b; ++a) ++b;
  return *a == *b;
}
}  // namespace detail

/// The row of this name, or null where there is none.
constexpr named_device_model const* find_device_model(char const* name) {
  for (named_device_model const& one : device_models)
    if (detail::is_same_word(one.name, name)) return &one;
  return nullptr;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
