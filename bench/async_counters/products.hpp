// SPDX-License-Identifier: Apache-2.0
/// @file
/// One warpgroup matrix instruction a launch, whose operands are in shared memory.
#pragma once

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/cp_async.hpp>
#include <cosmati/arch/wgmma.hpp>
#include <cosmati/atom/wgmma_descriptor.hpp>
#include <cosmati/number/number_types.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

namespace async_counters {

using namespace cosmati;

/// An operand's place in shared memory.
struct operand {
  GMMA::LayoutType layout = GMMA::LayoutType::INTERLEAVE;
  unsigned address = 0, leading_bytes = 0, stride_bytes = 0;
};

/// A launch of `count` equal instructions.
struct product_case {
  int n = 0, element_bytes = 2;
  bool a_in_registers = false;
  GMMA::Major a_major = GMMA::Major::K, b_major = GMMA::Major::K;
  operand a, b;
  int count = 1;
  void (*start)(product_case const&, void* sums) = nullptr;
};

inline constexpr int product_stage_bytes = 53248, begin_of_b = 16384;

/// What the kernel takes of a case.
struct product_launch {
  operand a, b;
  int count;
  void* sums;  ///< where the sums go: without a use, ptxas issues another instruction in place of this one
};

template <class Op>
__global__ void __launch_bounds__(128) product_counted(product_launch const how) {
  unsigned char* const stage = dynamic_shared<unsigned char>();
  for (int i = 4 * static_cast<int>(threadIdx.x); i < product_stage_bytes; i += 512)
    *reinterpret_cast<unsigned*>(stage + i) = 0;
  fence_proxy_async_shared();
  __syncthreads();
  unsigned const base = cast_smem_ptr_to_uint(stage);
  auto const bits = [&](operand const& o) {
    return detail::encoded({base + o.address, o.leading_bytes, o.stride_bytes, 0, o.layout});
  };
  typename Op::DRegisters d = {};
  typename Op::ARegisters a = {};
  if constexpr (Op::source_of_A == detail::wgmma_source::shared) a[0] = bits(how.a);
  typename Op::BRegisters const b = {bits(how.b)};
  for (int i = 0; i < how.count; ++i) {
    warpgroup_arrive();
    wgmma<Op>(d, a, b);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
  }
  auto* const sums = static_cast<typename Op::DRegisters*>(how.sums) + threadIdx.x;
  for (int i = 0; i < static_cast<int>(std::extent_v<typename Op::DRegisters>); ++i) (*sums)[i] = d[i];
}

/// Every launch, in order.
std::vector<product_case> product_cases();

}  // namespace async_counters
