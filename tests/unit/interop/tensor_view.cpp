// SPDX-License-Identifier: Apache-2.0
#include <cosmati/interop/tensor_view.hpp>

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

using namespace cosmati;

namespace {
// The members of std::mdspan, for compilers without it.
struct span_like {
  float* data;
  std::array<std::size_t, 2> extents, strides;
  static constexpr std::size_t rank() { return 2; }
  float* data_handle() const { return data; }
  std::size_t extent(std::size_t r) const { return extents[r]; }
  std::size_t stride(std::size_t r) const { return strides[r]; }
};

TEST(TensorView, OfAnMdspanLikeObject) {
  std::vector<float> memory(100);
  std::iota(memory.begin(), memory.end(), 0.f);
  span_like const span{memory.data(), {5, 7}, {10, 1}};
  auto t = make_tensor_view(span);
  EXPECT_EQ(size<0>(t), 5);
  EXPECT_EQ(size<1>(t), 7);
  EXPECT_EQ(t(3, 4), 34.f);
  t(2, 2) = -1.f;
  EXPECT_EQ(memory[22], -1.f);
}
TEST(TensorView, OfPointerExtentsAndStrides) {
  std::vector<int> memory(60);
  std::iota(memory.begin(), memory.end(), 0);
  int const extents[] = {3, 4, 5};
  std::int64_t const strides[] = {1, 3, 12};
  auto t = make_tensor_view<3>(memory.data(), extents, strides);
  EXPECT_EQ(t(2, 3, 4), 2 + 9 + 48);
  auto row_major = make_tensor_view<3>(memory.data(), extents);
  EXPECT_EQ(row_major(2, 3, 4), 2 * 20 + 3 * 5 + 4);
}
}  // namespace
