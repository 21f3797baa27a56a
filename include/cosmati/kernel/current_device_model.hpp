// SPDX-License-Identifier: Apache-2.0
/// @file
/// `device_model::of_current()`: asks the device once and remembers the answer.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <atomic>
#include <cosmati/kernel/device_model.hpp>
#include <cosmati/runtime/device.hpp>
#include <cstdlib>

namespace COSMATI_NAMESPACE {

namespace detail {

/// The number of devices that are remembered. A device with a higher number is asked each time.
inline constexpr int remembered_devices = 64;

/// The number of the current device.
inline int current_device_number() {
#if defined(__CUDACC__)
  int id = 0;
  check_cuda(cudaGetDevice(&id), "finding the current GPU");
  return id;
#else
  return 0;
#endif
}

#if defined(__CUDACC__)
/// Makes a model from the properties that the device reports.
inline device_model asked_device_model(int id) {
  auto const ask = [&](cudaDeviceAttr what) {
    int value = 0;
    check_cuda(cudaDeviceGetAttribute(&value, what, id), "reading a GPU's properties");
    return value;
  };
  device_model m;
  m.compute_capability = 10 * ask(cudaDevAttrComputeCapabilityMajor) + ask(cudaDevAttrComputeCapabilityMinor);
  m.multiprocessors = ask(cudaDevAttrMultiProcessorCount);
  m.cycles_per_us = 1e-3 * ask(cudaDevAttrClockRate) * kept_clock;
  // The bus transfers twice a cycle; the clock attribute is in kHz.
  m.bytes_per_us =
      2e-3 * ask(cudaDevAttrMemoryClockRate) * (ask(cudaDevAttrGlobalMemoryBusWidth) / 8) * kept_memory_rate;
  m.l2_bytes = ask(cudaDevAttrL2CacheSize) * kept_l2;
  m.block_bytes = ask(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  m.shared_bytes = ask(cudaDevAttrMaxSharedMemoryPerMultiprocessor) - 1024;
  if (m.bytes_per_us < 1e3) m.bytes_per_us = 1e6;  // a virtual machine may report no memory rate
  return m;
}
#else
inline device_model asked_device_model(int) {
  char const* const name = std::getenv("COSMATI_DEVICE_MODEL");
  if (name == nullptr || *name == 0) return {};
  named_device_model const* const found = find_device_model(name);
  if (found == nullptr)
    throw error(
        "COSMATI_DEVICE_MODEL is %.100s, which is no device; write h200, h100, a100, l40s, rtx4090, b200 or rtx5090",
        name);
  return found->model;
}
#endif

/// The models of the machine's devices.
struct device_model_table {
  struct entry {
    device_model model;
    std::atomic<int> state{0};  ///< 0 unknown, 1 being written, 2 known
  } of[remembered_devices];
};

}  // namespace detail

inline device_model const& device_model::of_current() {
  static detail::device_model_table table;
  int const id = detail::current_device_number();
  auto& entry = table.of[id < detail::remembered_devices ? id : detail::remembered_devices - 1];
  if (entry.state.load(std::memory_order_acquire) == 2) return entry.model;
  device_model const asked = detail::asked_device_model(id);
  int unknown = 0;
  if (entry.state.compare_exchange_strong(unknown, 1)) {
    entry.model = asked;
    entry.state.store(2, std::memory_order_release);
  }
  while (entry.state.load(std::memory_order_acquire) != 2) {
  }
  return entry.model;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
