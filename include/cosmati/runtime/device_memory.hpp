// SPDX-License-Identifier: Apache-2.0
/// @file
/// Null, and memory of the host, that is handed to kernels inside of structs, where launches do not see it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Throws `error` where `p` is null, and on the simulated device where kernels may not go to it. On a GPU asking takes
/// longer than it may, and pinned and managed memory are legal.
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
