// SPDX-License-Identifier: Apache-2.0
// What `print` writes of MMA atoms, tiled MMAs and their threads: CuTe's text.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_sm80.hpp>
#include <cosmati/layout/operations.hpp>
#include <cosmati/tiled/mma_print.hpp>

#include "unit/printed.hpp"

using namespace cosmati;

namespace {

constexpr char const* atom = R"(MMA_Atom
  ThrID:      _32:_1
  Shape_MNK:  (_16,_8,_16)
  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))
  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))
  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))
)";

TEST(MmaPrint, AnAtom) { EXPECT_EQ(printed(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}), atom); }

TEST(MmaPrint, ATiledMmaAndAThread) {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _1>>{}, Tile<_32, _16, _16>{});
  std::string const tiled = printed(mma);
  EXPECT_EQ(tiled.substr(0, 9), "TiledMMA\n");
  EXPECT_NE(tiled.find("PermutationMNK: (_32,_16,_16)\n"), std::string::npos) << tiled;
  EXPECT_NE(tiled.find("ThrLayoutVMNK:  (_32,_2,_1,_1):(_1,_32,"), std::string::npos) << tiled;
  EXPECT_EQ(tiled.substr(tiled.size() - std::string(atom).size()), atom);
  std::string const thread = printed(mma.get_slice(37));
  EXPECT_EQ(thread.substr(0, 7), "ThrMMA\n");
  EXPECT_NE(thread.find("Thr VMNK: (5,1,"), std::string::npos) << "37 = 5 + 32: " << thread;
  EXPECT_EQ(thread.substr(thread.size() - tiled.size()), tiled);
}

}  // namespace
