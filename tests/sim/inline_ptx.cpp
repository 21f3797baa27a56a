// SPDX-License-Identifier: Apache-2.0
// Inline PTX that needs a tensor's descriptor, and mbarriers' transactions, through the call that `cosmati sim` makes
// of an asm statement.
#include <gtest/gtest.h>

#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/cuda/ptx.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <cosmati/tma.hpp>
#include <numeric>
#include <string>
#include <vector>

using namespace cosmati;

namespace {

using cosmati_cuda::ptx_asm;
using cosmati_cuda::ptx_bits;

/// An asm statement without outputs.
template <int number, class... Operand>
void ptx(char const* text, Operand... operand) {
  ptx_asm<number, 0>(__FILE__, __LINE__, text, "l,l,l,l,l,l", ptx_bits(operand)...);
}

unsigned place(void const* shared) { return cast_smem_ptr_to_uint(shared) & 0x3ffffu; }

/// A box of 4 rows and 8 columns at (x, y): loaded, doubled, stored to `out` and added to `sums`.
__global__ void move_box(TmaDescriptor const __grid_constant__ in, TmaDescriptor const __grid_constant__ out,
                         TmaDescriptor const __grid_constant__ sums, int x, int y) {
  __shared__ std::uint64_t full;
  auto* const box = dynamic_shared<float>();
  if (threadIdx.x == 0) {
    ptx<0>("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;", place(&full));
    ptx<1>("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1; mbarrier.arrive.shared::cta.b64 _, [%0];",
           place(&full), 128);
    ptx<2>(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];",
        place(box), &in, x, y, place(&full));
    ptx<3>("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra W; }", place(&full));
    for (int i = 0; i < 32; ++i) box[i] *= 2;
    ptx<4>("fence.proxy.async.shared::cta;");
    ptx<5>("prefetch.tensormap [%0]; cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];", &out,
           x, y, place(box));
    ptx<6>("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];", &sums, x, y,
           place(box));
    ptx<7>("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
  }
}

TmaDescriptor descriptor_of(device_buffer<float>& memory) {
  tensor_map_config config;
  config.data = memory.data();
  config.type = tensor_map_type::f32;
  config.rank = 2;
  config.swizzle = TMA::SmemSwizzleBits::DISABLE;
  config.extent[0] = 16, config.stride[0] = 1, config.box[0] = 8;
  config.extent[1] = 6, config.stride[1] = 16, config.box[1] = 4;
  return make_tma_descriptor(config);
}

TEST(InlinePtx, BoxesOfTensors) {
  std::vector<float> numbers(6 * 16);
  std::iota(numbers.begin(), numbers.end(), 1.f);
  device_buffer<float> in(numbers), out(std::vector<float>(96)), sums(std::vector<float>(96, 5.f));
  TmaDescriptor const a = descriptor_of(in), b = descriptor_of(out), c = descriptor_of(sums);
  launch(move_box, {.grid = 1, .block = 32, .shared_bytes = 128}, a, b, c, 8, 4);
  auto const stored = out.download(), added = sums.download();
  for (int i = 0; i < 96; ++i) {
    bool const inside = i % 16 >= 8 && i / 16 >= 4;
    EXPECT_EQ(stored[static_cast<std::size_t>(i)], inside ? 2.f * static_cast<float>(i + 1) : 0.f) << i;
    EXPECT_EQ(added[static_cast<std::size_t>(i)], inside ? 2.f * static_cast<float>(i + 1) + 5.f : 5.f) << i;
  }
}

__global__ void add_numbers(int* sums, bool fences) {
  auto* const mine = dynamic_shared<int>();
  mine[threadIdx.x] = static_cast<int>(threadIdx.x) - 8;
  if (fences) ptx<8>("fence.proxy.async.shared::cta;");
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx<9>("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], %2;", sums, place(mine), 128);
  ptx<10>("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;");
}

TEST(InlinePtx, ReductionsOfManyBytes) {
  device_buffer<int> sums(std::vector<int>(32, 3));
  launch(add_numbers, {.grid = 2, .block = 32, .shared_bytes = 128}, sums.data(), true);
  auto const result = sums.download();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(result[static_cast<std::size_t>(i)], std::max(i - 8, 3));
}

__global__ void drop(int* phases) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx<11>("mbarrier.init.shared.b64 [%0], 33;", place(&barrier));
  __syncthreads();
  if (threadIdx.x == 0)
    ptx<12>("mbarrier.arrive_drop.shared.b64 _, [%0]; mbarrier.expect_tx.shared.b64 [%0], 16;", place(&barrier));
  __syncwarp();
  ptx<13>("mbarrier.arrive.shared.b64 _, [%0];", place(&barrier));
  unsigned over = 0;
  ptx_asm<14, 1>(__FILE__, __LINE__,
                 "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }", "=r,r",
                 over, ptx_bits(place(&barrier)));
  phases[threadIdx.x] = static_cast<int>(over);
  __syncwarp();
  if (threadIdx.x == 0) ptx<15>("mbarrier.complete_tx.shared.b64 [%0], 16;", place(&barrier));
  __syncwarp();
  wait_barrier(barrier, 0);
  ptx<16>("mbarrier.arrive.shared.b64 _, [%0];", place(&barrier));  // 32 are enough now
  wait_barrier(barrier, 1);
}

TEST(InlinePtx, ArrivalsThatAreDroppedAndTransactions) {
  device_buffer<int> phases(32);
  launch(drop, {.grid = 1, .block = 32}, phases.data());
  EXPECT_EQ(phases.download(), std::vector<int>(32, 0));
}

__global__ void goes_wrong(int* out, int what) {
  if (what == 0) ptx<20>("st.global.u32 [%0+4], 1;", out);
  if (what == 1) ptx<21>("st.global.u64 [%0+4], 1;", out - 1);
  if (what == 2) ptx<22>("tcgen05.alloc.b32 [%0], 32;", out);
  if (what == 3) ptx<23>("trap;");
  if (what == 4) ptx<24>("ld.shared.u32 _, [%0];", 0x20000);
}

std::string said(int what) {
  device_buffer<int> out(1);
  try {
    launch(goes_wrong, {.grid = 1, .block = 1}, out.data(), what);
  } catch (error const& e) {
    return e.what();
  }
  return "";
}

TEST(InlinePtx, MistakesNameTheInstruction) {
  EXPECT_NE(said(0).find("store (st.global.u32) of 4 bytes"), std::string::npos) << said(0);
  EXPECT_NE(said(0).find("just past the end"), std::string::npos);
  EXPECT_NE(said(1).find("(st.global.u64)"), std::string::npos) << said(1);
  EXPECT_NE(said(2).find("the PTX instruction `tcgen05.alloc.b32 [%0], 32` is not on the simulated device"),
            std::string::npos)
      << said(2);
  EXPECT_NE(said(3).find("trap was executed"), std::string::npos) << said(3);
  EXPECT_NE(said(4).find("out of bounds"), std::string::npos) << said(4);
}

}  // namespace
