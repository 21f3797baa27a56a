// SPDX-License-Identifier: Apache-2.0
// What `print` writes of one thread of a tiled copy: CuTe's text.
#include <gtest/gtest.h>
#include <cosmati/tiled/print.hpp>

#include "unit/printed.hpp"

using namespace cosmati;

namespace {

TEST(Print, OneThreadOfATiledCopy) {
  auto const tc = make_tiled_copy(Copy_Atom<AutoVectorizingCopy, float>{}, Layout<Shape<_2, _3>, Stride<_3, _1>>{},
                                  Layout<Shape<_2, _3>>{});
  EXPECT_EQ(printed(tc.get_slice(5)), R"(ThrCopy
  ThrIdx: 5
TiledCopy
  Tiler_MN:       (_4,_9)
  TiledLayout_TV: ((_3,_2),(_2,_3)):((_12,_2),(_1,_4))
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_1):(_0,_0)
  ValLayoutDst: (_1,_1):(_0,_0)
  ValLayoutRef: (_1,_1):(_0,_0)
  ValueType:    32b
)");
}

}  // namespace
