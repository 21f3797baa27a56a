// SPDX-License-Identifier: Apache-2.0
// The configuration that gemm_hopper takes for a shape, on a device of 132 multiprocessors, and the model behind it.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper_choice.hpp>

using namespace cosmati;
using detail::choose_hopper_config;
using detail::hopper_clocks;

namespace {

hopper_config chosen(int m, int n, int k) {
  return detail::hopper_configs[choose_hopper_config(m, n, k, 1, 2, 132).config];
}

TEST(HopperChoice, LargeProductsTakeLargeTiles) {
  for (int const extent : {4096, 8192}) {
    hopper_config const c = chosen(extent, extent, extent);
    EXPECT_GE(c.tile_m * c.tile_n, 128 * 192);
    EXPECT_EQ(c.split, 1);
  }
}
TEST(HopperChoice, ManySmallTilesNeedTooMuchOfL2) {
  hopper_config const c = chosen(8192, 10240, 8192);
  EXPECT_GE(c.tile_m * c.tile_n, 128 * 192);
}
TEST(HopperChoice, FewRowsAreTurned) {
  EXPECT_TRUE(chosen(1, 4096, 4096).turned);
  EXPECT_TRUE(chosen(16, 28672, 4096).turned);
  EXPECT_EQ(chosen(16, 4096, 4096).tile_n, 16);
}
TEST(HopperChoice, FewTilesSplitK) {
  EXPECT_GE(choose_hopper_config(16, 2112, 7168, 1, 2, 132).split, 2);
  EXPECT_GE(choose_hopper_config(64, 4096, 14336, 1, 2, 132).split, 2);
  EXPECT_EQ(choose_hopper_config(8192, 8192, 8192, 1, 2, 132).split, 1);
}
TEST(HopperChoice, TakesUsableConfigurationsOnly) {
  for (unsigned i = 0; i < static_cast<unsigned>(detail::hopper_config_count); ++i)
    EXPECT_EQ(choose_hopper_config(16, 4096, 4096, 1, 2, 132, 1u << i).config, static_cast<int>(i));
}
/// C along M: the kernel's rows go along N for every configuration.
TEST(HopperChoice, ColumnsOfCCountAsRows) {
  auto const of = [](int m, int n, bool along_n) {
    auto const r = choose_hopper_config(m, n, 4096, 1, 2, 132, 7u, along_n);
    return r.config * 10 + r.split;
  };
  EXPECT_EQ(of(300, 5000, true), of(5000, 300, false));
}
TEST(HopperChoice, ClustersOfTheDevice) {
  EXPECT_EQ(detail::hopper_clusters(132, 1), 132);
  EXPECT_EQ(detail::hopper_clusters(132, 2), 66);
  EXPECT_EQ(detail::hopper_clusters(132, 4), 32);
  EXPECT_EQ(detail::hopper_clusters(132, 8), 16);
  EXPECT_EQ(detail::hopper_clusters(4, 8), 1);
}
TEST(HopperChoice, TheModelGrowsWithTheProduct) {
  hopper_config const c{};
  double before = 0;
  for (double extent = 512; extent <= 16384; extent *= 2) {
    double const now = hopper_clocks(c, 1, 2, extent, extent, 4096, 1, 132);
    EXPECT_GE(now, before);
    before = now;
  }
  // 8192^3 at most at the rate of the instruction: 4096 multiply-adds of bytes a clock and multiprocessor
  EXPECT_GE(hopper_clocks(c, 1, 2, 8192, 8192, 8192, 1, 132), 8192.0 * 8192 * 8192 * 2 / 4096 / 132);
}

}  // namespace
