// SPDX-License-Identifier: Apache-2.0
// Streams write the same text for tensors as `print`.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/tensor/stream.hpp>
#include <string>

#include "unit/streamed.hpp"

using namespace cosmati;

namespace {
template <class T>
std::string printed(T const& x) {
  testing::internal::CaptureStdout();
  print(x);
  fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

TEST(Stream, WritesTensorsAsPrintDoes) {
  auto* const p = reinterpret_cast<float*>(0x1000);  // never read
  auto const g = make_tensor(make_gmem_ptr(p), Layout<Shape<_4, _2>>{});
  EXPECT_EQ(streamed(g), "gmem_ptr[32b](0x1000) o (_4,_2):(_1,_4)");
  EXPECT_EQ(streamed(g.data()), "gmem_ptr[32b](0x1000)");
  int const n = 6;
  auto const s = make_tensor(make_smem_ptr(p), make_shape(n, _2{}));
  auto const nibbles = make_tensor(recast_ptr<uint4_t>(reinterpret_cast<std::uint8_t*>(p)), Layout<_8>{});
  auto const swizzled = make_tensor(make_smem_ptr(p), composition(Swizzle<1, 2, 3>{}, Layout<_64>{}));
  auto const rows = make_identity_tensor(Shape<_4, _2>{});
  EXPECT_EQ(streamed(rows), "ArithTuple(_0,_0) o (_4,_2):(_1@0,_1@1)");
  EXPECT_EQ(streamed(s), printed(s));
  EXPECT_EQ(streamed(nibbles), printed(nibbles));
  EXPECT_EQ(streamed(swizzled), printed(swizzled));
  EXPECT_EQ(streamed(g(_, 1)), printed(g(_, 1)));
  auto fragment = make_tensor<half_t>(Shape<_2, _2>{});
  EXPECT_EQ(streamed(fragment), printed(fragment));
}
}  // namespace
