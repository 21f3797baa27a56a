// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction of the lists: named once, with the extents, types and architecture that its name says.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_operations.hpp>

#include <set>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaOperations, EachIsWhatItsNameSays) {
  std::set<std::string> names;
  mma_operations::for_each_operation([&]<class Op>(mma_operations::named<Op> const& op) {
    EXPECT_TRUE(names.insert(op.name).second) << op.name << " stands twice";
    if (std::string_view(op.name).substr(0, 5) != "SM61_") expect_what_the_name_says<Op, MMA_Traits>(op.name);
  });
  // 12 of Volta, 3 of Turing, 8 + 4 floating point, 24 of bytes, 24 of nibbles, 6 of bits, 8 of 8-bit floating point,
  // 5 complex, 2 dot products
  EXPECT_EQ(names.size(), 96u);
}

}  // namespace
