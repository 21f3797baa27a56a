// SPDX-License-Identifier: Apache-2.0
/// @file
/// `initialize_barrier`, `wait_barrier`, `set_barrier_transaction_bytes`, `TmaDescriptor`, and how kernels change one.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/arch/tensor_map_update.hpp>
#include <cute/arch/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cute/arch/copy_sm90.hpp>
#include <cute/container/alignment.hpp>
#include <cute/container/array.hpp>
#include <cute/container/bit_field.hpp>
#include <cutlass/detail/number_names.hpp>

namespace COSMATI_NAMESPACE::TMA {

/// The bytes that a swizzle keeps together; those of sm_90 keep 16.
enum class SmemSwizzleBase : std::uint8_t {
  SWIZZLE_BASE_16B = 0,
  SWIZZLE_BASE_32B = 1,
  SWIZZLE_BASE_32B_FLIP_8B = 2,
  SWIZZLE_BASE_64B = 3
};
/// What a descriptor says beside the tensor and the box.
struct DescriptorAuxParams {
  OOBFill oobfill_ = OOBFill::ZERO;
  L2Promotion l2promo_ = L2Promotion::DISABLE;
};
/// The hints of sm_100 have the numbers of those of sm_90.
enum class CacheHintSm100 : std::uint64_t {
  EVICT_NORMAL = static_cast<std::uint64_t>(CacheHintSm90::EVICT_NORMAL),
  EVICT_FIRST = static_cast<std::uint64_t>(CacheHintSm90::EVICT_FIRST),
  EVICT_LAST = static_cast<std::uint64_t>(CacheHintSm90::EVICT_LAST)
};

/// @name Names of values; nullptr for a number that is none
/// @{
COSMATI_HD inline char const* to_string(OOBFill fill) {
  return fill == OOBFill::ZERO ? "ZERO" : fill == OOBFill::CONSTANT ? "CONSTANT" : nullptr;
}
COSMATI_HD inline char const* to_string(L2Promotion promotion) {
  char const* const names[] = {"DISABLE", "B64", "B128", "B256"};
  return promotion <= L2Promotion::B256 ? names[static_cast<int>(promotion)] : nullptr;
}
/// @}

}  // namespace COSMATI_NAMESPACE::TMA

#include <cosmati/core/macros_end.hpp>
