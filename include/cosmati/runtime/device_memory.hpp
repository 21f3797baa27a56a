// SPDX-License-Identifier: Apache-2.0
/// @file
/// A check for addresses in structs that kernels get. They must not be null or host memory. Without this check only the
/// kernel's access is wrong, and its line is the library's.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Throws `error` if `p` is null, and on the simulated device if kernels may not access it. On a GPU the query would
/// take too long, and pinned and managed memory are legal.
/// @param who, what the function and the argument that the error names
inline void expect_device_memory(char const* who, char const* what, void const* p) {
  if (p == nullptr)
    throw error("%s: %s is null, and there are elements to move; use a device_buffer of that many", who, what);
#if defined(COSMATI_SIMULATED)
  if (cosmati_sim_is_host_memory(p))
    throw error("%s: %s, at %p, is memory of the host; use a device_buffer", who, what, p);
#endif
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
