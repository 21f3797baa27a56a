// SPDX-License-Identifier: Apache-2.0
// The objects that describe a copy are passed to kernels by value, static or not. nvcc refuses kernel parameters
// without members.
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
// Every integer arrives at the offset at which the host put it. Static integers take no space on either side.
template <class T>
__global__ void integers_of(T x, long long* out) {
  for_each(flatten_to_tuple(x), [&](auto const& n) { *out++ = static_cast<long long>(n); });
}
template <class L>
__global__ void integers_of_layout(int, L l, long long* out) {
  for_each(flatten_to_tuple(make_tuple(l.shape(), l.stride())),
           [&](auto const& n) { *out++ = static_cast<long long>(n); });
}
template <class T>
__global__ void integers_of_tensor(T t, long long* out) {
  for_each(flatten_to_tuple(make_tuple(t.shape(), t.stride())),
           [&](auto const& n) { *out++ = static_cast<long long>(n); });
  *out = static_cast<long long>(t(1, 1));
}
template <class T>
void expect_integers(T const& x, std::vector<long long> const& wanted) {
  device_buffer<long long> out(std::vector<long long>(wanted.size(), -1));
  if constexpr (requires { x.engine(); })
    launch(integers_of_tensor<T>, {.grid = 1, .block = 1}, x, out.data());
  else if constexpr (requires { x.stride(); })
    launch(integers_of_layout<T>, {.grid = 1, .block = 1}, 77, x, out.data());
  else
    launch(integers_of<T>, {.grid = 1, .block = 1}, x, out.data());
  EXPECT_EQ(out.download(), wanted);
}
TEST(KernelParameters, StaticIntegersLast) {
  COSMATI_REQUIRE_DEVICE();
  expect_integers(make_shape(make_shape(3, _4{}), 5), {3, 4, 5});
  expect_integers(make_shape(make_shape(3, 6, _4{}), 5, _2{}), {3, 6, 4, 5, 2});
  expect_integers(make_shape(make_shape(3, _4{}), make_shape(5, _6{}), make_shape(7, _8{})), {3, 4, 5, 6, 7, 8});
  expect_integers(make_shape(make_shape(3LL, _4{}), 5LL, _1{}), {3, 4, 5, 1});
  expect_integers(make_shape(make_shape(3LL, 5, _4{}), 6, make_shape(7LL, _9{}), 8), {3, 5, 4, 6, 7, 9, 8});
  expect_integers(make_layout(make_shape(3, _4{}), make_stride(5, _1{})), {3, 4, 5, 1});
  expect_integers(make_layout(make_shape(3, 4, _4{}), make_stride(5LL, 6LL, _1{})), {3, 4, 4, 5, 6, 1});
  expect_integers(make_layout(make_shape(make_shape(3, _2{}), 7, _4{}), make_stride(make_stride(5LL, _8{}), 9, _1{})),
                  {3, 2, 7, 4, 5, 8, 9, 1});
  expect_integers(make_layout(make_shape(3, 4), make_stride(_1{}, _8{})), {3, 4, 1, 8});
}
TEST(KernelParameters, TensorsOfRunTimeLayouts) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<long long> data(std::vector<long long>{0, 1, 2, 3, 4, 5, 6, 7});
  auto const tensor = [&](auto const& layout) { return make_tensor(make_gmem_ptr(data.data()), layout); };
  expect_integers(tensor(make_layout(make_shape(2, _4{}), make_stride(4, _1{}))), {2, 4, 4, 1, 5});
  expect_integers(tensor(make_layout(make_shape(2, _2{}), make_stride(3LL, _1{}))), {2, 2, 3, 1, 4});
}
// Layouts in tuples store only their integers, and host and device agree on the offsets of these.
template <class T>
__global__ void integers_of_layouts(T t, int last, long long* out) {
  out[0] = get<0>(t).template shape<0>();
  out[1] = get<2>(t).template stride<1>();
  out[2] = last;
}
TEST(KernelParameters, LayoutsInTuples) {
  COSMATI_REQUIRE_DEVICE();
  auto const rows = make_layout(make_shape(3, _4{}), make_stride(_4{}, _1{}));
  auto const pitched = make_layout(make_shape(_3{}, _4{}), make_stride(_1{}, 5));
  auto const t = make_tuple(rows, _1{}, pitched, _1{});
  static_assert(sizeof(t) == 8);
  device_buffer<long long> out(3);
  launch(integers_of_layouts<std::remove_const_t<decltype(t)>>, {.grid = 1, .block = 1}, t, 7, out.data());
  EXPECT_EQ(out.download(), (std::vector<long long>{3, 5, 7}));
}
// Integers of 4 and 8 bytes together with static integers: nvcc must not use the padding of such structures for other
// members.
TEST(KernelParameters, IntegersOfBothSizes) {
  COSMATI_REQUIRE_DEVICE();
  auto const mixed = make_shape(3LL, 5, _2{});
  EXPECT_EQ(sum_on_device(make_shape(mixed, make_shape(2LL, 2LL, _4{}))), 30 * 16);
  EXPECT_EQ(sum_on_device(make_layout(mixed, make_stride(10LL, 2, _1{})), mixed), 60);
  EXPECT_EQ(sum_on_device(make_shape(mixed, mixed, 7)), 30 * 30 * 7);
}

__global__ void reach_of_a_tile(int* out, int a, int b, int c) {
  auto const t = make_tensor(make_gmem_ptr(out), make_layout(make_shape(a, b, c), LayoutRight{}));
  auto const tiles = local_tile(t, Shape<_2, _8, _16>{}, make_coord(blockIdx.x, blockIdx.y, _));
  tiles(threadIdx.x % 2, threadIdx.x / 2 % 8, threadIdx.x / 16, 1) = static_cast<int>(threadIdx.x);
}
TEST(KernelParameters, TilesOfARowMajorTensorOfThreeModes) {
  COSMATI_REQUIRE_DEVICE();
  int const a = 4, b = 16, c = 32;
  device_buffer<int> out(std::vector<int>(static_cast<std::size_t>(a * b * c), -1));
  launch(reach_of_a_tile, {.grid = dim3(2, 2), .block = 256}, out.data(), a, b, c);
  std::vector<int> const got = out.download();
  for (int i = 0; i < a; ++i) {
    for (int j = 0; j < b; ++j) {
      for (int k = 0; k < c; ++k) {
        int const wanted = k < 16 ? -1 : i % 2 + j % 8 * 2 + (k - 16) * 16;
        EXPECT_EQ(got[static_cast<std::size_t>((i * b + j) * c + k)], wanted) << i << ' ' << j << ' ' << k;
      }
    }
  }
}
}  // namespace
