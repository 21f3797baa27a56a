// SPDX-License-Identifier: Apache-2.0
// Fragments that nobody has written: a hazard if their content is stored, and no hazard otherwise. A program may hold
// the values that reveal them on purpose.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

char const* const hazard = "what comes from a fragment that nobody has written";

/// The product of one tile, with accumulators that are cleared or unwritten.
template <class Mma, class A, class C>
__global__ void product(A const* a, A const* b, C* c, Mma mma, int clears, int fills) {
  auto const mine = mma.get_slice(threadIdx.x);
  constexpr int m = decltype(tile_size<0>(mma))::value, n = decltype(tile_size<1>(mma))::value,
                k = decltype(tile_size<2>(mma))::value;
  auto const gA = make_tensor(make_gmem_ptr(a), Layout<Shape<Int<m>, Int<k>>, Stride<Int<k>, _1>>{});
  auto const gB = make_tensor(make_gmem_ptr(b), Layout<Shape<Int<n>, Int<k>>, Stride<Int<k>, _1>>{});
  auto gC = make_tensor(make_gmem_ptr(c), Layout<Shape<Int<m>, Int<n>>, Stride<Int<n>, _1>>{});
  auto rA = mine.partition_fragment_A(gA);
  auto rB = mine.partition_fragment_B(gB);
  auto rC = mine.partition_fragment_C(gC);
  if (fills != 0) copy(mine.partition_A(gA), rA);
  copy(mine.partition_B(gB), rB);
  if (clears != 0) clear(rC);
  gemm(mma, rA, rB, rC);
  auto tC = mine.partition_C(gC);
  for (int i = 0; i < size(rC); ++i) tC(i) = static_cast<C>(rC(i));
}
template <class Op, class A, class C>
void multiply(int clears, int fills) {
  auto const mma = make_tiled_mma(Op{});
  device_buffer<A> a(std::vector<A>(16 * 32, A(1))), b(std::vector<A>(8 * 32, A(1)));
  device_buffer<C> c(16 * 8);
  launch(product<decltype(make_tiled_mma(Op{})), A, C>, {.grid = 1, .block = 32}, a.data(), b.data(), c.data(), mma,
         clears, fills);
}
template <class Op, class A, class C>
void expect_products() {
  EXPECT_NO_THROW((multiply<Op, A, C>(1, 1)));
  EXPECT_MESSAGE((multiply<Op, A, C>(0, 1)), hazard);
  EXPECT_MESSAGE((multiply<Op, A, C>(1, 0)), hazard);
}
TEST(UnwrittenRegisters, AccumulatorsAndOperands) {
  NEEDS_INSTRUMENTATION();
  expect_products<SM80_16x8x16_F32F16F16F32_TN, half_t, float>();
  expect_products<SM80_16x8x16_F32F16F16F32_TN, half_t, half_t>();
  expect_products<SM80_16x8x16_F16F16F16F16_TN, half_t, half_t>();
  expect_products<SM80_16x8x16_F32BF16BF16F32_TN, bfloat16_t, float>();
  expect_products<SM80_16x8x32_S32S8S8S32_TN, std::int8_t, std::int32_t>();
  expect_products<SM80_8x8x4_F64F64F64F64_TN, double, double>();
}

enum class filled { not_at_all, cleared, stored_with_bounds };
/// A bounded copy into a fragment, and one from it.
template <class T, class Copy>
__global__ void edge(T const* in, T* out, int n, Copy tiled_copy, filled how) {
  auto const all = make_tensor(make_gmem_ptr(in), make_shape(n));
  auto const room = make_tensor(make_gmem_ptr(out), make_shape(_128{}));
  auto const part = make_tensor(make_gmem_ptr(out), make_shape(n));
  auto const mine = tiled_copy.get_slice(threadIdx.x);
  auto const from = mine.partition_S(local_tile(all, Shape<_128>{}, make_coord(0)));
  auto held = make_fragment_like(from);
  if (how == filled::cleared) clear(held);
  copy(tiled_copy, from, held, shape(all));
  if (how == filled::stored_with_bounds)
    copy(tiled_copy, held, mine.partition_D(local_tile(part, Shape<_128>{}, make_coord(0))), shape(part));
  else
    copy(tiled_copy, held, mine.partition_D(local_tile(room, Shape<_128>{}, make_coord(0))));
}
template <class T>
void expect_edges() {
  auto const by_four = make_tiled_copy(Copy_Atom<UniversalCopy<T>, T>{}, Layout<Shape<_32>>{}, Layout<Shape<_4>>{});
  device_buffer<T> in(std::vector<T>(98, T(1))), out(128);
  auto const run = [&](filled how) {
    launch(edge<T, std::remove_const_t<decltype(by_four)>>, {.grid = 1, .block = 32}, in.data(), out.data(), 98,
           by_four, how);
  };
  EXPECT_NO_THROW(run(filled::cleared));
  EXPECT_NO_THROW(run(filled::stored_with_bounds));
  EXPECT_MESSAGE(run(filled::not_at_all), hazard);
}
TEST(UnwrittenRegisters, ABoundedCopyFillsAPart) {
  NEEDS_INSTRUMENTATION();
  expect_edges<float>();
  expect_edges<half_t>();
  expect_edges<int>();
  expect_edges<double>();
  expect_edges<std::int8_t>();
}

__global__ void some_set(float* out, unsigned threads, unsigned stored) {
  auto held = make_tensor<float>(Shape<_2>{});
  if (threadIdx.x < threads) held(0) = held(1) = 1;
  float const sum = held(0) + 2 * held(1);
  if (threadIdx.x < stored) out[threadIdx.x] = sum;
}
TEST(UnwrittenRegisters, SomeThreadsSetTheirs) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(32);
  EXPECT_NO_THROW(launch(some_set, {.grid = 1, .block = 32}, out.data(), 32u, 32u));
  EXPECT_NO_THROW(launch(some_set, {.grid = 1, .block = 32}, out.data(), 16u, 16u));
  EXPECT_MESSAGE(launch(some_set, {.grid = 1, .block = 32}, out.data(), 16u, 32u), hazard);
}

constexpr unsigned patterns[] = {0x7FFD7FFDu, 0xFFFD7FFDu, 0x7FFFA000u, 0xFFFFA000u, 0x7FFD0000u, 0xFFFD0000u};

/// Counts up to the value, so that no memory holds it before.
__global__ void computes(unsigned* out, float* f, unsigned long long* wide, unsigned below) {
  out[threadIdx.x] = below + threadIdx.x;
  f[threadIdx.x] = __uint_as_float(below + threadIdx.x);
  wide[threadIdx.x] = (static_cast<unsigned long long>(below + threadIdx.x) << 32) | (below + threadIdx.x);
  atomicMax(&out[32], below + threadIdx.x);
  atomicExch(&wide[32], static_cast<unsigned long long>(below + threadIdx.x));
}
TEST(UnwrittenRegisters, NumbersThatAKernelWithoutFragmentsComputes) {
  NEEDS_INSTRUMENTATION();
  for (unsigned const pattern : patterns) {
    device_buffer<unsigned> out(std::vector<unsigned>(33, 0u));
    device_buffer<float> f(33);
    device_buffer<unsigned long long> wide(std::vector<unsigned long long>(33, 0u));
    EXPECT_NO_THROW(launch(computes, {.grid = 1, .block = 32}, out.data(), f.data(), wide.data(), pattern - 5));
    EXPECT_EQ(out.download()[5], pattern);
  }
}

/// A copy through fragments, and a sum of two of them.
template <class T>
__global__ void copies(T const* in, T* out, T* sums) {
  auto held = make_tensor<T>(Shape<_4>{});
  copy(make_tensor(make_gmem_ptr(in + 4 * threadIdx.x), Shape<_4>{}), held);
  copy(held, make_tensor(make_gmem_ptr(out + 4 * threadIdx.x), Shape<_4>{}));
  auto twice = make_tensor<T>(Shape<_4>{});
  clear(twice);
  axpby(T(2), held, T(1), twice);
  copy(twice, make_tensor(make_gmem_ptr(sums + 4 * threadIdx.x), Shape<_4>{}));
}
TEST(UnwrittenRegisters, NumbersThatFragmentsCopy) {
  NEEDS_INSTRUMENTATION();
  for (unsigned const pattern : patterns) {
    std::vector<int> const numbers(128, static_cast<int>(pattern));
    device_buffer<int> in(numbers), out(128), sums(128);
    EXPECT_NO_THROW(launch(copies<int>, {.grid = 1, .block = 32}, in.data(), out.data(), sums.data()));
    EXPECT_EQ(out.download(), numbers);
    EXPECT_EQ(sums.download(), std::vector<int>(128, static_cast<int>(2u * pattern)));
  }
}

/// One product of 16 x 8 x 32 signed bytes, whose registers of A all hold the pattern.
TEST(UnwrittenRegisters, AProductOfBytesThatHoldThePattern) {
  NEEDS_INSTRUMENTATION();
  using Mma = decltype(make_tiled_mma(SM80_16x8x32_S32S8S8S32_TN{}));
  std::vector<std::int8_t> bytes(16 * 32);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::int8_t>(i % 2 == 0 ? -3 : 127);
  device_buffer<std::int8_t> a(bytes), b(std::vector<std::int8_t>(8 * 32, 1));
  device_buffer<std::int32_t> c(16 * 8);
  EXPECT_NO_THROW(launch(product<Mma, std::int8_t, std::int32_t>, {.grid = 1, .block = 32}, a.data(), b.data(),
                         c.data(), Mma{}, 1, 1));
  EXPECT_EQ(c.download(), std::vector<std::int32_t>(128, 16 * (127 - 3)));
}

}  // namespace
