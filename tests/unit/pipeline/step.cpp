// SPDX-License-Identifier: Apache-2.0
#include <cosmati/pipeline/step.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

TEST(PipelineStep, StagesFollowEachOtherInARing) {
  int stage = 0;
  for (int tile = 0; tile < 20; ++tile, stage = detail::stage_behind<3>(stage)) EXPECT_EQ(stage, tile % 3);
  EXPECT_EQ(detail::stage_behind<16>(15), 0);
  auto const [tile, of_tile] = pipeline_step{7, 1};
  EXPECT_EQ(tile + of_tile, 8);
}

}  // namespace
