// SPDX-License-Identifier: Apache-2.0
// A program opens `namespace cute` for instructions and traits of its own.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

namespace own {

/// A copy that adds one.
struct copy_and_count {
  using SRegisters = uint32_t[1];
  using DRegisters = uint32_t[1];
  CUTE_HOST_DEVICE static void copy(uint32_t const& source, uint32_t& destination) { destination = source + 1; }
};
/// A copy whose traits say how a vector is unpacked, with an argument of their own.
struct copy_and_scale {};
/// A difference instead of a sum.
struct multiply_and_subtract {
  using DRegisters = float[1];
  using ARegisters = float[1];
  using BRegisters = float[1];
  using CRegisters = float[1];
  CUTE_HOST_DEVICE static void fma(float& d, float const& a, float const& b, float const& c) { d = a * b - c; }
};

}  // namespace own

namespace cute {

template <>
struct Copy_Traits<own::copy_and_count> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, _32>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};
template <>
struct Copy_Traits<own::copy_and_scale> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, _64>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
  int factor = 1;
  template <class TS, class SLayout, class TD, class DLayout>
  CUTE_HOST_DEVICE friend constexpr void copy_unpack(Copy_Traits const& traits, Tensor<TS, SLayout> const& source,
                                                     Tensor<TD, DLayout>& destination) {
    static_assert(decltype(size(source))::value == 2 && decltype(size(destination))::value == 2);
    destination(0) = source(1) * traits.factor;
    destination(1) = source(0) * traits.factor;
  }
};
template <>
struct MMA_Traits<own::multiply_and_subtract> {
  using ValTypeD = float;
  using ValTypeA = float;
  using ValTypeB = float;
  using ValTypeC = float;
  using Shape_MNK = Shape<_1, _1, _1>;
  using ThrID = Layout<_1>;
  using ALayout = Layout<Shape<_1, _1>>;
  using BLayout = Layout<Shape<_1, _1>>;
  using CLayout = Layout<Shape<_1, _1>>;
};

}  // namespace cute

namespace {

using namespace cute;

__global__ static void count_once(uint32_t const* in, uint32_t* out) {
  auto tiled = make_tiled_copy(Copy_Atom<own::copy_and_count, uint32_t>{}, Layout<_32>{}, Layout<_2>{});
  auto thread = tiled.get_slice(threadIdx.x);
  copy(tiled, thread.partition_S(make_tensor(make_gmem_ptr(in), Layout<_128>{})),
       thread.partition_D(make_tensor(make_gmem_ptr(out), Layout<_128>{})));
}

TEST(CuteOwnAtoms, ACopy) {
  std::vector<uint32_t> host(128), expected(128);
  for (uint32_t i = 0; i < 128; ++i) {
    host[i] = 3 * i;
    expected[i] = 3 * i + 1;
  }
  cosmati::device_buffer<uint32_t> in(host), out(host.size());
  cosmati::launch(count_once, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(out.download(), expected);
}

/// Pairs change places, and are multiplied.
TEST(CuteOwnAtoms, TraitsThatUnpack) {
  int from[8], to[8] = {};
  for (int i = 0; i < 8; ++i) from[i] = i;
  Copy_Atom<own::copy_and_scale, int> atom;
  atom.factor = 10;
  copy(atom, make_tensor(&from[0], Layout<Shape<_2, _4>>{}), make_tensor(&to[0], Layout<Shape<_2, _4>>{}));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(to[i], 10 * (i ^ 1));
}

/// 100 elements by tiles of 64: the second tile reaches beyond the tensor, and is copied by the operation all the same.
__global__ static void count_within(uint32_t const* in, uint32_t* out) {
  auto tiled = make_tiled_copy(Copy_Atom<own::copy_and_count, uint32_t>{}, Layout<_32>{}, Layout<_2>{});
  auto thread = tiled.get_slice(threadIdx.x);
  auto all = make_layout(100);
  for (int tile = 0; tile < 2; ++tile) {
    auto source = local_tile(make_tensor(make_gmem_ptr(in), all), Shape<_64>{}, make_coord(tile));
    auto target = local_tile(make_tensor(make_gmem_ptr(out), all), Shape<_64>{}, make_coord(tile));
    cosmati::copy(tiled, thread.partition_S(source), thread.partition_D(target), make_shape(100));
  }
}

TEST(CuteOwnAtoms, ACopyWithinBounds) {
  std::vector<uint32_t> host(100), expected(128, 7);
  for (uint32_t i = 0; i < 100; ++i) {
    host[i] = 3 * i;
    expected[i] = 3 * i + 1;
  }
  cosmati::device_buffer<uint32_t> in(host), out(std::vector<uint32_t>(128, 7));
  cosmati::launch(count_within, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(out.download(), expected);
}

/// Two registers a call, which stand apart in the destination; half of the vectors.
__global__ static void count_some(uint32_t const* in, uint32_t* out) {
  Copy_Atom<own::copy_and_count, uint16_t> const atom;
  Tensor source = make_tensor(make_gmem_ptr(reinterpret_cast<uint16_t const*>(in)), Layout<Shape<_2, _8>>{});
  Tensor target = make_tensor(make_gmem_ptr(reinterpret_cast<uint16_t*>(out)), Layout<Shape<_2, _8>, Stride<_1, _4>>{});
  Tensor predicate = make_tensor<bool>(Shape<_1, _8>{}, Stride<_0, _1>{});
  CUTE_UNROLL
  for (int i = 0; i < 8; ++i) predicate(i) = i % 2 == 0;
  copy_if(atom, predicate, source, target);
}

TEST(CuteOwnAtoms, ACopyWithPredicates) {
  std::vector<uint32_t> const host{10, 20, 30, 40, 50, 60, 70, 80}, zeros(16);
  cosmati::device_buffer<uint32_t> in(host), out(zeros);
  cosmati::launch(count_some, {.grid = 1, .block = 1}, in.data(), out.data());
  EXPECT_EQ(out.download(), (std::vector<uint32_t>{11, 0, 0, 0, 31, 0, 0, 0, 51, 0, 0, 0, 71, 0, 0, 0}));
}

TEST(CuteOwnAtoms, AnMma) {
  auto mma = make_tiled_mma(own::multiply_and_subtract{}, Layout<Shape<_1, _1>>{});
  auto thread = mma.get_slice(0);
  float a[2] = {2, 3}, b[2] = {5, 7};
  Tensor A = make_tensor(&a[0], Shape<_2, _1>{});
  Tensor B = make_tensor(&b[0], Shape<_2, _1>{});
  Tensor rA = thread.make_fragment_A(thread.partition_A(A));
  Tensor rB = thread.make_fragment_B(thread.partition_B(B));
  copy(thread.partition_A(A), rA);
  copy(thread.partition_B(B), rB);
  Tensor rC = partition_fragment_C(mma, Shape<_2, _2>{});
  fill(rC, 1.0f);
  gemm(mma, rA, rB, rC);
  EXPECT_EQ(rC(0), 9);
  EXPECT_EQ(rC(1), 14);
  EXPECT_EQ(rC(2), 13);
  EXPECT_EQ(rC(3), 20);
}

}  // namespace
