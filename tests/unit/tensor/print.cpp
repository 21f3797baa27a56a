// SPDX-License-Identifier: Apache-2.0
// What `print` writes of pointers and tensors, and `print_tensor` of elements: CuTe's text.
#include <gtest/gtest.h>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/tensor/print.hpp>

#include <vector>

#include "unit/printed.hpp"

using namespace cosmati;

namespace {

TEST(Print, PointersAndTensors) {
  auto* const p = reinterpret_cast<float*>(0x1000);
  EXPECT_EQ(printed(p), "ptr[32b](0x1000)");
  EXPECT_EQ(printed(make_gmem_ptr(p)), "gmem_ptr[32b](0x1000)");
  EXPECT_EQ(printed(make_smem_ptr(p) + 1), "smem_ptr[32b](0x1004)");
  EXPECT_EQ(printed(make_rmem_ptr(p)), "ptr[32b](0x1000)");
  EXPECT_EQ(printed(make_gmem_ptr<int4_t>(static_cast<void*>(p))), "gmem_subptr[4b](0x1000.0)");
  EXPECT_EQ(printed(make_smem_ptr(p, Swizzle<3, 4, 3>{})), "Sw<3,4,3>_smem_ptr[32b](0x1000)");
  EXPECT_EQ(printed(counting_iterator<int>{3}), "counting_iter(3)");
  EXPECT_EQ(printed(make_tensor(make_gmem_ptr(p), Layout<Shape<_2, _2>>{})), "gmem_ptr[32b](0x1000) o (_2,_2):(_1,_2)");
  EXPECT_EQ(printed(half_t(1.5f)), "1.500000");
  EXPECT_EQ(printed(make_identity_tensor(make_shape(3, _4{}))), "ArithTuple(_0,_0) o (3,_4):(_1@0,_1@1)");
}

template <class T, class S>
std::string elements(std::initializer_list<double> values, S const& shape) {
  std::vector<T> data;
  for (double const x : values) data.push_back(static_cast<T>(x));
  return written([&] { print_tensor(make_tensor(data.data(), shape), false); });
}

TEST(PrintTensor, ElementsOfEveryType) {
  EXPECT_EQ(elements<std::int8_t>({-5, 100}, make_shape(1, 2)), "  -5  100\n");
  EXPECT_EQ(elements<std::int16_t>({-5, 100}, make_shape(1, 2)), "  -5  100\n");
  EXPECT_EQ(elements<int>({-5, 100}, make_shape(1, 2)), "   -5  100\n");
  EXPECT_EQ(elements<std::int64_t>({2, -4000000000.0}, make_shape(1, 2)), "    2-4000000000\n");
  EXPECT_EQ(elements<half_t>({1.5, -1000}, make_shape(1, 2)), "    1.50-1000.00\n");
  EXPECT_EQ(elements<bfloat16_t>({1.5, -3}, make_shape(1, 2)), "    1.50   -3.00\n");
  EXPECT_EQ(elements<float_e4m3_t>({1.5, -3}, make_shape(1, 2)), "    1.50   -3.00\n");
  EXPECT_EQ(elements<tfloat32_t>({1.5, -3}, make_shape(1, 2)), "  1.50e+00 -3.00e+00\n");
  EXPECT_EQ(elements<float>({1.5e20, -2.5, 100.25, 0}, make_shape(2, 2)),
            "  1.50e+20  1.00e+02\n -2.50e+00  0.00e+00\n");
  EXPECT_EQ(elements<double>({1.5, 2.25, 1e10, -3}, make_shape(2, 2)),
            "  1.500e+00  1.000e+10\n  2.250e+00 -3.000e+00\n");
  EXPECT_EQ(written([] { print_tensor(make_identity_tensor(make_shape(1, 2)), false); }), "  (0,0)  (0,1)\n");
}

TEST(PrintTensor, EveryRank) {
  EXPECT_EQ(elements<int>({1, 2}, make_shape(2)), "    1\n    2\n");
  EXPECT_EQ(elements<int>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, make_shape(2, 3, 2)),
            "    0    2    4\n    1    3    5\n---------------\n    6    8   10\n    7    9   11\n");
  EXPECT_EQ(elements<int>({0, 1, 2, 3, 4, 5, 6, 7}, make_shape(2, 1, 2, 2)),
            "    0\n    1\n-----\n    2\n    3\n=====\n    4\n    5\n-----\n    6\n    7\n");
  EXPECT_NE(elements<int>({0, 1, 2, 3}, make_shape(1, 1, 2, 1, 2)).find("    3\n"), std::string::npos);
  EXPECT_EQ(elements<int>({0, 1, 2, 3, 4, 5, 6, 7}, make_shape(2, make_shape(2, 2))),
            "    0    2    4    6\n    1    3    5    7\n");
  float one[1] = {2};
  EXPECT_EQ(written([&] { print_tensor(make_tensor(make_gmem_ptr(&one[0]), Layout<_1>{})); }).substr(0, 14),
            "gmem_ptr[32b](");
}

}  // namespace
