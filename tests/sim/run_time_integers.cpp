// SPDX-License-Identifier: Apache-2.0
// Assumptions of the algebra about run-time integers are checked in the kernel, and the sentence has the numbers. The
// same kernels with other integers are correct.
#include <cosmati/cosmati.hpp>
//
#include <gtest/gtest.h>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void composes(int* out, int rows, int leading) {
  auto const matrix = make_tensor(make_gmem_ptr(out), make_shape(rows, _2{}), make_stride(_1{}, leading));
  auto const part = matrix.compose(Layout<Shape<_3, _2>, Stride<_2, _3>>{});
  for (int i = 0; i < size(part); ++i) part(i) = i + 1;
}
TEST(RunTimeIntegers, OfACompositionKeepItsLaw) {
  device_buffer<int> out(std::vector<int>(32));
  EXPECT_MESSAGE(launch(composes, {.block = 1}, out.data(), 6, 7), "add up to 7 in a left mode of extent 6");
  EXPECT_MESSAGE(launch(composes, {.block = 1}, out.data(), 7, 12), "add up to 7 in a left mode of extent 7");
  // Contiguous columns are one mode, in which nothing carries. Columns of 8 rows hold all elements.
  launch(composes, {.block = 1}, out.data(), 6, 6);
  launch(composes, {.block = 1}, out.data(), 8, 9);
  EXPECT_EQ(out.download()[7], 6);
}

__global__ void recasts(std::uint16_t* out, int extent, int stride) {
  auto const halves = make_tensor(make_gmem_ptr(out), make_shape(extent), make_stride(stride));
  auto const words = recast<std::uint32_t>(halves);
  for (int i = 0; i < size(words); ++i) words(i) = static_cast<std::uint32_t>(i + 1);
}
TEST(RunTimeIntegers, OfARecastAreComputedWith) {
  device_buffer<std::uint16_t> out(std::vector<std::uint16_t>(32));
  launch(recasts, {.block = 1}, out.data(), 16, 1);
  std::vector<std::uint16_t> const together = out.download();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(together[2 * i], i + 1) << i;
  EXPECT_EQ(together[16], 0);
  launch(recasts, {.block = 1}, out.data(), 8, 4);
  EXPECT_EQ(out.download()[28], 8);
  EXPECT_MESSAGE(launch(recasts, {.block = 1}, out.data(), 4, 3),
                 "no groups of 2 elements can be made of a mode of stride 3");
}

__global__ void recasts_rows(std::uint16_t* out, int leading) {
  auto const tile = make_tensor(make_gmem_ptr(out), Shape<_4, _8>{}, make_stride(leading, _1{}));
  auto const words = recast<std::uint32_t>(tile);
  static_assert(size(words) == 16);
  words(3, 3) = 1;
}
TEST(RunTimeIntegers, OfRowsAreMultiples) {
  device_buffer<std::uint16_t> out(std::vector<std::uint16_t>(64));
  launch(recasts_rows, {.block = 1}, out.data(), 10);
  EXPECT_EQ(out.download()[36], 1);
  EXPECT_MESSAGE(launch(recasts_rows, {.block = 1}, out.data(), 9), "groups of 2 elements meet a stride of 9");
  EXPECT_MESSAGE(launch(recasts_rows, {.block = 1}, out.data(), 15), "groups of 2 elements meet a stride of 15");
}

}  // namespace
