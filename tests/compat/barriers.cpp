// SPDX-License-Identifier: Apache-2.0
// CUTLASS's barriers of clusters: bytes that a program takes back itself, arrays of barriers, and words of descriptors.
#include <cutlass/arch/barrier.h>
#include <cutlass/cutlass.h>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <sstream>
#include <string>

using namespace cute;

namespace {

using Transactions = cutlass::arch::ClusterTransactionBarrier;
using Arrivals = cutlass::arch::ClusterBarrier;

/// Each block takes 96 bytes from its own barrier, and 16 from that of the other block.
__global__ void take_bytes(int* out) {
  __shared__ std::uint64_t bytes[2], arrivals[2];
  if (threadIdx.x / 32 == 0) {
    cutlass::arch::detail::initialize_barrier_array_aligned<Transactions, 2>(&bytes[0], 1);
    cutlass::arch::detail::initialize_barrier_array_aligned<Arrivals, 2>(&arrivals[0], 2);
  }
  cutlass::arch::fence_barrier_init();
  cluster_arrive_relaxed();
  cluster_wait();
  auto const rank = block_rank_in_cluster();
  auto* const barrier = reinterpret_cast<Transactions*>(bytes);
  if (threadIdx.x == 0) {
    barrier[0].arrive_and_expect_tx(96);
    barrier[0].complete_transaction(32);
    Transactions::complete_transaction(&bytes[0], rank, 32);
    out[2 * rank] = static_cast<int>(barrier[0].try_wait(0));
    barrier[0].complete_transaction(rank, 32, 1);
    barrier[1].arrive_and_expect_tx(16);
    barrier[1].complete_transaction(rank ^ 1u, 16, 1u);
    barrier[1].complete_transaction(rank ^ 1u, 16, 0u);  // the predicate is false
  }
  barrier[0].wait(0);
  barrier[1].wait(0);
  if (threadIdx.x == 32) {
    Arrivals::arrive(&arrivals[0], 0u, 1u);
    Arrivals::arrive(&arrivals[0], 1u, 1u);
  }
  Arrivals::wait(&arrivals[0], 0);
  if (threadIdx.x == 0) out[2 * rank + 1] = Arrivals::test_wait(&arrivals[0], 0, 1) ? 2 : 1;
  cutlass::arch::fence_view_shared();
  cluster_sync();
}

TEST(CuteBarriers, BytesAreTakenBack) {
  cosmati::device_buffer<int> out(4);
  cosmati::launch(take_bytes, {.grid = 2, .block = 64, .cluster = 2}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{0, 2, 0, 2}));
}

__global__ void pairs(int* out) {
  __shared__ std::uint64_t full[3], empty[3];
  cutlass::arch::detail::initialize_barrier_array_pair_aligned<Transactions, Arrivals, 3>(&full[0], &empty[0], 1, 32);
  cutlass::arch::fence_barrier_init();
  __syncthreads();
  for (auto& barrier : empty) Arrivals::arrive(&barrier);
  if (threadIdx.x == 0)
    for (auto& barrier : full) Transactions::arrive(&barrier);
  for (int i = 0; i < 3; ++i) {
    Arrivals::wait(&empty[i], 0);
    Transactions::wait(&full[i], 0);
  }
  if (threadIdx.x == 0) *out = 1;
}

TEST(CuteBarriers, ArraysAreInitialisedByOneThreadOfAWarp) {
  cosmati::device_buffer<int> out(1);
  cosmati::launch(pairs, {.grid = 1, .block = 32}, out.data());
  EXPECT_EQ(out.download(), std::vector<int>{1});
}

TEST(CuteBarriers, WordsOfDescriptors) {
  EXPECT_STREQ(TMA::to_string(TMA::L2Promotion::B128), "B128");
  EXPECT_STREQ(TMA::to_string(TMA::OOBFill::CONSTANT), "CONSTANT");
  EXPECT_EQ(TMA::DescriptorAuxParams{}.l2promo_, TMA::L2Promotion::DISABLE);
  EXPECT_EQ(static_cast<int>(TMA::SmemSwizzleBase::SWIZZLE_BASE_64B), 3);
  std::ostringstream out;
  out << GMMA::LayoutType::B64;
  EXPECT_EQ(out.str(), GMMA::to_string(GMMA::LayoutType::B64));
  EXPECT_STREQ(cutlass::cutlassGetStatusString(cutlass::Status::kErrorNotSupported),
               "the kernel does not support the problem");

  alignas(1024) static half_t memory[64 * 64];
  auto const layout = tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, Shape<_64, _64>{});
  auto const chunks = recast<uint128_t const>(make_tensor(make_smem_ptr(&memory[0]), layout));
  EXPECT_EQ(GMMA::layout_type(chunks), GMMA::LayoutType::B64);
  GMMA::DescriptorIterator const first{GmmaDescriptor{0x100}};
  EXPECT_EQ(first[3].desc_, 0x103u);
}

/// The selectors give the types that the names stand for.
TEST(CuteBarriers, SelectedInstructionsHaveTheirNames) {
  using K = std::integral_constant<GMMA::Major, GMMA::Major::K>;
  using MN = std::integral_constant<GMMA::Major, GMMA::Major::MN>;
  static_assert(std::is_same_v<
                decltype(GMMA::ss_op_selector<half_t, half_t, float, Shape<_128, _256, _64>, K::value, MN::value>()),
                SM90_64x256x16_F32F16F16_SS<K::value, MN::value>>);
  static_assert(std::is_same_v<decltype(GMMA::ss_op_selector<int8_t, uint8_t, int32_t, Shape<_64, _128, _64>>()),
                               SM90_64x128x32_S32S8U8_SS_TN>);
  static_assert(std::is_same_v<decltype(GMMA::ss_op_selector_sparse<half_t, half_t, float, Shape<_64, _128, _64>>()),
                               SM90::GMMA::SPARSE::GMMA_64x128x32_F32F16F16_SS<K::value, K::value>>);
}

}  // namespace
