// SPDX-License-Identifier: Apache-2.0
/// @file
/// The planners' knowledge of a device: at most twenty named numbers. They come from the device that copies, or from a
/// row of this file.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// A device for the costs of copies. The default is an H200.
struct device_model {
  int compute_capability = 90;       ///< times ten; it decides which instructions exist
  double multiprocessors = 132;      ///< the number of multiprocessors
  double cycles_per_us = 1755;       ///< the cycles of a multiprocessor, at its sustained clock
  double bytes_per_us = 4.3e6;       ///< the rate of global memory, reads plus writes, in a contiguous copy
  double l2_bytes = 40e6;            ///< the part of the source that L2 holds besides the written data
  double shared_bytes = 227 * 1024;  ///< the shared memory of a multiprocessor, for all its blocks
  double block_bytes = 227 * 1024;   ///< the limit of shared memory of one block
  double launch_us = 2.5;            ///< the time from start to end of an empty kernel

  /// Whether the device has bulk copies and their barriers.
  constexpr bool has_bulk_copies() const { return compute_capability >= 90; }

  /// The current device, which is asked once and remembered. On the simulated device it is the model that
  /// `COSMATI_DEVICE_MODEL` names, by default an H200. Throws `error` if a GPU does not answer, or if the name is
  /// unknown.
  static device_model const& of_current();

  friend constexpr bool operator==(device_model const&, device_model const&) = default;
};

/// A device with its name.
struct named_device_model {
  char const* name;
  device_model model;
  bool measured;  ///< whether its rates were measured; otherwise they are nine tenths of the data sheet's
};
/// The devices that `cosmati plan --device` knows. Measured rates are those of a contiguous copy.
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
/// The fractions of the nominal memory rate, clock and L2 size that a device keeps, if it was not measured.
inline constexpr double kept_memory_rate = 0.9, kept_clock = 0.9, kept_l2 = 0.8;

constexpr bool is_same_word(char const* a, char const* b) {
  for (; *a != 0 && *a == *b; ++a) ++b;
  return *a == *b;
}
}  // namespace detail

/// The row of this name, or null if there is none.
constexpr named_device_model const* find_device_model(char const* name) {
  for (named_device_model const& one : device_models)
    if (detail::is_same_word(one.name, name)) return &one;
  return nullptr;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
