// SPDX-License-Identifier: Apache-2.0
/// @file
/// Memory of the host that is handed to kernels inside of structs, where launches do not see it.
#pragma once

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Throws `error` on the simulated device where kernels may not go to `p`. On a GPU asking takes longer than it may,
/// and pinned and managed memory are legal.
/// @param who, what the function and the argument that the error names
inline void expect_device_memory([[maybe_unused]] char const* who, [[maybe_unused]] char const* what,
                                 [[maybe_unused]] void const* p) {
#if defined(COSMATI_SIMULATED)
  if (cosmati_sim_is_host_memory(p))
    throw error("%s: %s, at %p, is memory of the host; use a device_buffer", who, what, p);
#endif
}

}  // namespace COSMATI_NAMESPACE::detail
