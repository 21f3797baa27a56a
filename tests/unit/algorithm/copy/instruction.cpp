// SPDX-License-Identifier: Apache-2.0
// How `copy` issues an atom's instruction: which atoms have one, registers of 32 bits taken and put where a fragment's
// elements stand, and a warp's ldmatrix and stmatrix, there and back.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/instruction.hpp>
#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <numeric>

using namespace cosmati;

namespace {

static_assert(detail::has_instruction<Copy_Atom<SM75_U32x4_LDSM_N, half_t>>);
static_assert(detail::has_instruction<Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>>);
static_assert(detail::has_instruction<Copy_Atom<StreamingLoad<float>, float>>);
static_assert(detail::has_instruction<Copy_Atom<SM90_BULK_COPY_AUTO, float>>);
static_assert(!detail::has_instruction<Copy_Atom<UniversalCopy<float>, float>>);
static_assert(!detail::has_instruction<Copy_Atom<DefaultCopy, float>>);

// Values of 16 bits, two a register, the pairs in reverse order.
TEST(CopyInstruction, RegistersStandWhereTheirFirstElementDoes) {
  alignas(4) std::uint16_t memory[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  auto t = make_tensor(make_rmem_ptr(&memory[0]) + 6, Layout<Shape<_2, _4>, Stride<_1, Int<-2>>>{});
  std::uint32_t held[3];
  detail::take_registers(t, 2, held);
  EXPECT_EQ(held[0], 0x00050004u);
  EXPECT_EQ(held[2], 0x00010000u);
  std::uint32_t const given[1] = {0xbbbbaaaau};
  detail::put_registers(t, 4, given);
  EXPECT_EQ(memory[2], 0xaaaa);
  EXPECT_EQ(memory[3], 0xbbbb);
  EXPECT_EQ(memory[4], 4);
}

TEST(CopyInstruction, WithoutOneByLoadsAndStores) {
  float from[8], to[8] = {};
  std::iota(from, from + 8, 1.f);
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<Shape<_2, _4>>{});
  auto dst = make_tensor(make_gmem_ptr(&to[0]), Layout<Shape<_2, _4>, Stride<_4, _1>>{});
  detail::copy_by_instruction(Copy_Atom<UniversalCopy<float>, float>{}, src, dst);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(to[i % 2 * 4 + i / 2], from[i]);
}

/// Four matrices through registers: what ldmatrix took apart, stmatrix puts together.
__global__ void there_and_back(std::uint16_t const* in, std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t from[256];
  __shared__ __align__(16) std::uint16_t to[256];
  for (int i = 0; i < 8; ++i) from[8 * threadIdx.x + i] = in[8 * threadIdx.x + i];
  __syncthreads();
  auto const row = make_tensor(make_smem_ptr(&from[8 * threadIdx.x]), Layout<_8>{});
  auto back = make_tensor(make_smem_ptr(&to[8 * threadIdx.x]), Layout<_8>{});
  auto held = make_tensor<std::uint16_t>(Layout<_8>{});
  detail::copy_by_instruction(Copy_Atom<SM75_U32x4_LDSM_N, std::uint16_t>{}, row, held);
  detail::copy_by_instruction(Copy_Atom<SM90_U32x4_STSM_N, std::uint16_t>{}, held, back);
  __syncthreads();
  for (int i = 0; i < 8; ++i) out[8 * threadIdx.x + i] = to[8 * threadIdx.x + i];
}
TEST(CopyInstruction, LdmatrixAndStmatrixAreInverse) {
  std::vector<std::uint16_t> host(256);
  std::iota(host.begin(), host.end(), std::uint16_t{1});
  device_buffer<std::uint16_t> in(host), out(host.size());
  launch(there_and_back, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(out.download(), host);
}

}  // namespace
