// SPDX-License-Identifier: Apache-2.0
/// @file
/// `warpgroup_reg_alloc`, `warpgroup_reg_dealloc`. If CUTLASS's own header is later on the include path, this header
/// forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/arch/reg_reconfig.h>)
#include_next <cutlass/arch/reg_reconfig.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/arch/register_budget.hpp>

namespace cutlass::arch {

template <std::uint32_t registers>
CUTLASS_DEVICE void warpgroup_reg_alloc() {
  ::COSMATI_NAMESPACE::warpgroup_reg_alloc<static_cast<int>(registers)>();
}
template <std::uint32_t registers>
CUTLASS_DEVICE void warpgroup_reg_dealloc() {
  ::COSMATI_NAMESPACE::warpgroup_reg_dealloc<static_cast<int>(registers)>();
}

}  // namespace cutlass::arch

#include <cosmati/core/macros_end.hpp>

#endif
