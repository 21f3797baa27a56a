// SPDX-License-Identifier: Apache-2.0
// Copy atoms: the bits of an instruction as values of each type.
#include <gtest/gtest.h>
#include <cosmati/atom/copy_atom.hpp>

#include "unit/tiled/text_of.hpp"

using namespace cosmati;

namespace {

template <class Atom>
std::string values() {
  return text_of(typename Atom::ValLayoutSrc{}) + " " + text_of(typename Atom::ValLayoutDst{}) + " " +
         text_of(typename Atom::ValLayoutRef{});
}

TEST(CopyAtom, ValuesOfEachType) {
  EXPECT_EQ((values<Copy_Atom<UniversalCopy<uint128_t>, half_t>>()), "(_1,_8):(_0,_1) (_1,_8):(_0,_1) (_1,_8):(_0,_1)");
  EXPECT_EQ((values<Copy_Atom<UniversalCopy<uint128_t>, double>>()), "(_1,_2):(_0,_1) (_1,_2):(_0,_1) (_1,_2):(_0,_1)");
  EXPECT_EQ((values<Copy_Atom<UniversalCopy<float>, float>>()), "(_1,_1):(_0,_1) (_1,_1):(_0,_1) (_1,_1):(_0,_1)");
  EXPECT_EQ((values<Copy_Atom<UniversalCopy<std::uint32_t>, int4_t>>()),
            "(_1,_8):(_0,_1) (_1,_8):(_0,_1) (_1,_8):(_0,_1)");
  EXPECT_EQ((values<Copy_Atom<AutoVectorizingCopy, float>>()), "(_1,_1):(_0,_0) (_1,_1):(_0,_0) (_1,_1):(_0,_0)");
}

TEST(CopyAtom, PartsAndSizes) {
  using Atom = Copy_Atom<UniversalCopy<std::uint64_t>, half_t>;
  static_assert(std::is_same_v<Atom::CopyOp, UniversalCopy<std::uint64_t>>);
  static_assert(std::is_same_v<Atom::ValType, half_t>);
  static_assert(Atom::NumValSrc::value == 4 && Atom::NumValDst::value == 4 && Atom::NumThr::value == 1);
  static_assert(std::is_empty_v<Atom>);
  EXPECT_EQ(text_of(Atom::ThrID{}) + " " + text_of(Atom::BitLayoutSrc{}), "_1:_0 (_1,_64):(_0,_1)");
}

TEST(CopyAtom, AnOperationMovesItsRegisters) {
  uint128_t const from{3, 4};
  uint128_t to{};
  UniversalCopy<uint128_t>::copy(from, to);
  EXPECT_TRUE(to == from);
}

}  // namespace
