// SPDX-License-Identifier: Apache-2.0
// CUDA's atomic functions: what each returns and leaves behind, by the CUDA programming guide; and among many blocks.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/cuda_atomic.hpp>
#include <cosmati/runtime/launch.hpp>

using namespace cosmati;

namespace {

/// The value behind, after the old one was returned as it was.
template <class T, class F>
T left(T before, F const& atomic) {
  T x = before;
  EXPECT_EQ(atomic(&x), before);
  return x;
}

TEST(CudaAtomic, EachFunction) {
  EXPECT_EQ(left(5, [](int* p) { return atomicAdd(p, -7); }), -2);
  EXPECT_EQ(left(5u, [](unsigned* p) { return atomicSub(p, 7); }), 0xfffffffeu);
  EXPECT_EQ(left(5, [](int* p) { return atomicMin(p, -7); }), -7);
  EXPECT_EQ(left(5u, [](unsigned* p) { return atomicMax(p, 0xfffffff9u); }), 0xfffffff9u);
  EXPECT_EQ(left(6, [](int* p) { return atomicAnd(p, 3); }), 2);
  EXPECT_EQ(left(6, [](int* p) { return atomicOr(p, 3); }), 7);
  EXPECT_EQ(left(6ull, [](unsigned long long* p) { return atomicXor(p, 3); }), 5ull);
  EXPECT_EQ(left(6.5f, [](float* p) { return atomicExch(p, 1); }), 1.f);
  EXPECT_EQ(left(1.5, [](double* p) { return atomicAdd(p, 1); }), 2.5);
  EXPECT_EQ(left(5, [](int* p) { return atomicCAS(p, 5, 9); }), 9);
  EXPECT_EQ(left(5, [](int* p) { return atomicCAS(p, 4, 9); }), 5);
}

// ((old >= value) ? 0 : old + 1), (old == 0 || old > value) ? value : old - 1
TEST(CudaAtomic, IncrementsAndDecrementsWrapAtTheValue) {
  EXPECT_EQ(left(3u, [](unsigned* p) { return atomicInc(p, 4); }), 4u);
  EXPECT_EQ(left(4u, [](unsigned* p) { return atomicInc(p, 4); }), 0u);
  EXPECT_EQ(left(9u, [](unsigned* p) { return atomicInc(p, 4); }), 0u);
  EXPECT_EQ(left(3u, [](unsigned* p) { return atomicDec(p, 4); }), 2u);
  EXPECT_EQ(left(0u, [](unsigned* p) { return atomicDec(p, 4); }), 4u);
  EXPECT_EQ(left(9u, [](unsigned* p) { return atomicDec(p, 4); }), 4u);
}

TEST(CudaAtomic, ScopesComputeTheSame) {
  EXPECT_EQ(left(5, [](int* p) { return atomicAdd_block(p, 2); }), 7);
  EXPECT_EQ(left(5, [](int* p) { return atomicMax_system(p, 2); }), 5);
  EXPECT_EQ(left(5ll, [](long long* p) { return atomicCAS_system(p, 5, 1); }), 1ll);
}

__global__ void tickets(int* counter, int* taken) { atomicAdd(taken + atomicAdd(counter, 1), 1); }
TEST(CudaAtomic, AreAtomicAmongBlocks) {
  device_buffer<int> counter(std::vector<int>{0}), taken(std::vector<int>(2048, 0));
  launch(tickets, {.grid = 32, .block = 64}, counter.data(), taken.data());
  EXPECT_EQ(counter.download()[0], 2048);
  EXPECT_EQ(taken.download(), std::vector<int>(2048, 1)) << "each ticket once";
}

}  // namespace
