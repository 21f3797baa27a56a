// SPDX-License-Identifier: Apache-2.0
// The scales of blocks as the kernel takes them, and the problems that have groups or scales.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper_problem.hpp>
#include <string>

using namespace cosmati;

namespace {

float memory[64];

TEST(HopperProblem, ScalesKeepTheirStrides) {
  auto const scales = make_tensor(make_gmem_ptr(memory), make_shape(5, 3, 2), make_stride(_1{}, 5, 15));
  auto const r = detail::make_block_scales<'A'>(scales, 5, 300);
  EXPECT_EQ(r.data, memory);
  EXPECT_EQ(r.along, 1);
  EXPECT_EQ(r.along_k, 5);
  EXPECT_EQ(r.along_batch, 15);
  EXPECT_EQ(detail::make_block_scales<'A'>(scales(_, _, 1), 5, 384).along_batch, 0);
}
TEST(HopperProblem, OtherExtentsAreAnError) {
  auto const scales = make_tensor(make_gmem_ptr(memory), make_shape(5, 3), make_stride(3, _1{}));
  auto const message = [&](int extent, int k) -> std::string {
    try {
      detail::make_block_scales<'B'>(scales, extent, k);
    } catch (error const& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_EQ(message(5, 257), "");
  EXPECT_NE(message(5, 256).find("the scales of B are (5, 3), not (5, 2)"), std::string::npos) << message(5, 256);
  EXPECT_NE(message(6, 384).find("not (6, 3)"), std::string::npos) << message(6, 384);
}
TEST(HopperProblem, PlainProblemsHaveNeither) {
  using Plain = gemm_problem<gemm_operand<half_t const, 1>, gemm_operand<half_t const, 1>, gemm_operand<float, 1>>;
  static_assert(!detail::hopper_grouped<Plain> && !detail::hopper_scaled<Plain>);
  static_assert(detail::hopper_grouped<detail::hopper_problem<Plain, true, false>>);
  static_assert(detail::hopper_scaled<detail::hopper_problem<Plain, false, true>>);
  static_assert(!detail::hopper_grouped<detail::hopper_problem<Plain, false, true>>);
}

}  // namespace
