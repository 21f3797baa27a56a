// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tags of architectures.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/arch/arch.h>)
#include_next <cutlass/arch/arch.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>

namespace cutlass::arch {

/// sm_50.
struct Sm50 {
  static constexpr int kMinComputeCapability = 50;
};
/// sm_60.
struct Sm60 {
  static constexpr int kMinComputeCapability = 60;
};
/// sm_61.
struct Sm61 {
  static constexpr int kMinComputeCapability = 61;
};
/// sm_70.
struct Sm70 {
  static constexpr int kMinComputeCapability = 70;
};
/// sm_72.
struct Sm72 {
  static constexpr int kMinComputeCapability = 72;
};
/// sm_75.
struct Sm75 {
  static constexpr int kMinComputeCapability = 75;
};
/// sm_80.
struct Sm80 {
  static constexpr int kMinComputeCapability = 80;
};
/// sm_86.
struct Sm86 {
  static constexpr int kMinComputeCapability = 86;
};
/// sm_89.
struct Sm89 {
  static constexpr int kMinComputeCapability = 89;
};
/// sm_90.
struct Sm90 {
  static constexpr int kMinComputeCapability = 90;
};

}  // namespace cutlass::arch

#include <cosmati/core/macros_end.hpp>

#endif
