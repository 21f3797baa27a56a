// SPDX-License-Identifier: Apache-2.0
// Verdicts in words: each names its numbers.
#include <cosmati/analysis/words.hpp>

#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/analysis/verify.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

constexpr auto by_16 = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                       Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
constexpr auto by_4 = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{},
                                      Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
template <int m, int n, int pitch = n>
constexpr Layout<Shape<Int<m>, Int<n>>, Stride<Int<pitch>, _1>> rows{};
constexpr auto good = in_global(rows<16, 32>);

TEST(Words, Verdicts) {
  EXPECT_EQ(words_of(verify(by_16, good, good)),
            "every element of the destination is written once, from the source's of the same coordinate, in bounds and "
            "aligned");
  EXPECT_EQ(
      words_of(verify(by_16, in_global(rows<16, 36>), in_registers)),
      "along mode 1 tiles of 32 do not end where the 36 elements do: thread 1, value 4, element (0,36) is outside; "
      "copy with bounds, or choose a tile that divides 36");
  EXPECT_EQ(words_of(verify(by_16, good, in_global(rows<16, 32, 33>))),
            "misaligned: vectors of 4 values must start at a multiple of 4, but in the destination that of thread 8, "
            "value 0, element (1,0) starts at offset 33; pad the strides to multiples of 4, or take a narrower atom");
  EXPECT_EQ(words_of(verify(by_16, in_global(Layout<Shape<_16, _32>>{}), in_registers)),
            "not vectorizable: the atom moves 4 values of the source that lie side by side, but thread 0, value 1, "
            "element (0,1), lies 16 elements from value 0, not 1; let the value layout run along the mode of stride 1, "
            "or take a narrower atom");
  std::string const twice = words_of(verify(by_4, good, in_global(rows<16, 32, 31>)));
  EXPECT_NE(twice.find("offset 31 of the destination is written twice: by thread "), std::string::npos) << twice;
  EXPECT_EQ(words_of(verify(by_16, good, in_global(rows<32, 32>))),
            "along mode 0 the source has 16 elements, the destination 32: copy between tensors of one shape");
}

TEST(Words, Widths) {
  EXPECT_EQ(words_of(copy_cost_of(by_16, good, in_registers).vector, 32), "16 bytes are the widest access");
  EXPECT_EQ(words_of(copy_cost_of(by_4, good, in_registers).vector, 32),
            "the operation moves no more, the layouts would allow 16 bytes");
  EXPECT_EQ(words_of(copy_cost_of(by_16, in_global(Layout<Shape<_16, _32>>{}), in_registers).vector, 32),
            "in the source value 1 of a thread lies 16 elements from value 0, not 1");
  EXPECT_EQ(words_of(copy_cost_of(by_16, good, in_shared(rows<16, 32, 34>)).vector, 32),
            "in the destination vectors of 4 values would start at multiples of 2 elements");
  constexpr auto two = make_tiled_copy(Copy_Atom<AutoVectorizingCopy, float>{}, Layout<_32>{}, Layout<_2>{});
  EXPECT_EQ(words_of(copy_cost_of(two, in_global(Layout<_64>{}), in_registers).vector, 32),
            "the value layout gives 2 values side by side in the source");
}

}  // namespace
