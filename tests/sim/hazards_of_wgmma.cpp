// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions on the simulated device: what a missing fence, commit or wait makes wrong is said, and
// the right program is clean.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/wgmma.hpp>
#include <cosmati/cosmati.hpp>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

using Op = detail::wgmma_async<8, float, half_t, half_t, detail::wgmma_source::shared>;

enum class fault { none, no_proxy_fence, overwritten_early, no_commit, one_group_pending, read_early, outside };

/// Two products of ones, one group each: the sum of every element is 32. Then the operands are overwritten.
__global__ void two_products(float* out, fault what) {
  auto* const a = dynamic_shared<half_t>();  // (64, 16) as blocks of 8 rows and 16 bytes
  half_t* const b = a + 64 * 16;             // (8, 16)
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 72 * 16; i += 128) a[i] = half_t(1.f);
  if (what != fault::no_proxy_fence) fence_proxy_async_shared();
  __syncthreads();
  auto const descriptor = [](void const* p, std::uint32_t shift) {
    return detail::encoded({(cast_smem_ptr_to_uint(p) & 0x3ffffu) + shift, 128, 256, 0, GMMA::LayoutType::INTERLEAVE});
  };
  std::uint64_t const in_a[1] = {descriptor(a, what == fault::outside ? 0x20000u : 0u)}, in_b[1] = {descriptor(b, 0)};
  Op::DRegisters sums = {};
  warpgroup_arrive();
  wgmma<Op>(sums, in_a, in_b, GMMA::ScaleOut::Zero);
  if (what != fault::no_commit) warpgroup_commit_batch();
  wgmma<Op>(sums, in_a, in_b);
  if (what != fault::no_commit) warpgroup_commit_batch();
  if (what == fault::read_early) out[512 + thread] = sums[0];
  if (what == fault::one_group_pending)
    warpgroup_wait<1>();
  else if (what != fault::overwritten_early)
    warpgroup_wait<0>();
  __syncthreads();
  for (int i = thread; i < 72 * 16; i += 128) a[i] = half_t(2.f);
  if (what == fault::overwritten_early) warpgroup_wait<0>();
  for (int v = 0; v < 4; ++v) out[4 * thread + v] = sums[v];
}

void run(device_buffer<float>& out, fault what) {
  launch(two_products, {.grid = 1, .block = 128, .shared_bytes = 72 * 16 * 2}, out.data(), what);
}

TEST(HazardsOfWgmma, TheRightProgramIsClean) {
  device_buffer<float> out(512);
  testing::internal::CaptureStderr();
  EXPECT_NO_THROW(run(out, fault::none));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(out.download(), std::vector<float>(512, 32.f));
}
TEST(HazardsOfWgmma, OperandsWrittenWithoutAProxyFence) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::no_proxy_fence), "missing_proxy_fence");
}
TEST(HazardsOfWgmma, OperandsOverwrittenBeforeTheWait) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::overwritten_early), "missing_wait");
  EXPECT_MESSAGE(run(out, fault::overwritten_early), "overwrites the source of a matrix instruction in flight");
  EXPECT_MESSAGE(run(out, fault::overwritten_early), "wgmma.wait_group by thread");
  EXPECT_MESSAGE(run(out, fault::one_group_pending), "missing_wait");
  EXPECT_MESSAGE(run(out, fault::no_commit), "commit the group");
}
TEST(HazardsOfWgmma, SumsAreNotThereBeforeTheWait) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(640);
  EXPECT_MESSAGE(run(out, fault::read_early), "uninitialized");
  EXPECT_MESSAGE(run(out, fault::read_early), "the sums of a wgmma are there after warpgroup_wait");
}
TEST(HazardsOfWgmma, ADescriptorOutsideOfSharedMemory) {
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::outside), "a descriptor's address is not in the block's shared memory");
}

}  // namespace
