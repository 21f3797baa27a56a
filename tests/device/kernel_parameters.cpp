// SPDX-License-Identifier: Apache-2.0
// Whatever describes a copy goes to a kernel by value, static or not: nvcc refuses parameters without a single member.
#include <cosmati/cosmati.hpp>

#include <gtest/gtest.h>

#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {
template <class... Parameters>
__global__ void sum_of(long long* out, Parameters... p) {
  long long total = 0;
  ((total += static_cast<long long>(size(p))), ...);
  *out = total;
}
template <class... Parameters>
long long sum_on_device(Parameters... p) {
  device_buffer<long long> out(1);
  launch(sum_of<Parameters...>, {.grid = 1, .block = 1}, out.data(), p...);
  return out.download()[0];
}

TEST(KernelParameters, StaticOnes) {
  COSMATI_REQUIRE_DEVICE();
  EXPECT_EQ(sum_on_device(Shape<_8, _4>{}), 32);
  EXPECT_EQ(sum_on_device(Shape<Shape<_2, _3>, _4>{}), 24);
  EXPECT_EQ(sum_on_device(_8{}), 8);
  EXPECT_EQ(sum_on_device(Layout<Shape<_8, _4>, Stride<_4, _1>>{}), 32);
  EXPECT_EQ(sum_on_device(Layout<_8, _1>{}), 8);
  EXPECT_EQ(sum_on_device(composition(Swizzle<3, 2, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{})), 256);
  EXPECT_EQ(sum_on_device(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{},
                                          Layout<Shape<_4, _1>>{})),
            32);
}
TEST(KernelParameters, MixedOnes) {
  COSMATI_REQUIRE_DEVICE();
  EXPECT_EQ(sum_on_device(make_shape(7, _4{})), 28);
  EXPECT_EQ(sum_on_device(make_shape(make_shape(_2{}, 3), _4{}, 5)), 120);
  EXPECT_EQ(sum_on_device(make_layout(make_shape(7, _4{}), make_stride(_1{}, 9))), 28);
  EXPECT_EQ(sum_on_device(make_layout(make_shape(_8{}, _4{}), make_stride(3, _1{}))), 32);
  EXPECT_EQ(sum_on_device(composition(Swizzle<2, 0, 2>{}, make_layout(make_shape(8, _4{})))), 32);
}
TEST(KernelParameters, SeveralInOneCall) {
  COSMATI_REQUIRE_DEVICE();
  EXPECT_EQ(sum_on_device(Layout<Shape<_8, _4>>{}, make_shape(5, 6), Shape<_2>{}, make_layout(make_shape(3, _3{}))),
            32 + 30 + 2 + 9);
}
}  // namespace
