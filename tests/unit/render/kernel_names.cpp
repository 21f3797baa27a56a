// SPDX-License-Identifier: Apache-2.0
// Names of kernels for people: short ones as they are, long ones cut, and what tells two apart stays.
#include <gtest/gtest.h>
#include <cosmati/render/kernel_names.hpp>

#include <set>

using namespace cosmati;

namespace {

using names = std::vector<std::string>;

TEST(KernelNames, ShortOnesAreAsTheyAre) {
  names const all = {"copy", "copy<float>", "f<" + std::string(57, 'x') + ">"};  // 59 characters of arguments and <
  EXPECT_EQ(detail::short_kernel_names(all), all);
  EXPECT_EQ(detail::short_kernel_names({}), names{});
}

TEST(KernelNames, ALongOneIsCut) {
  std::string const arguments = "<cosmati::TiledCopy<cosmati::Copy_Atom<cosmati::UniversalCopy<float>, float>, int>>";
  auto const cut = detail::short_kernel_names({"kernel" + arguments});
  EXPECT_EQ(cut[0], "kernel" + arguments.substr(0, 40) + "...>");
}

TEST(KernelNames, WhatTellsTwoApartStays) {
  std::string const same(60, 'a'), more(80, 'b');
  auto const two =
      detail::short_kernel_names({"k<" + same + ", 16, " + more + ">", "k<" + same + ", 32, " + more + ">"});
  EXPECT_NE(two[0], two[1]);
  EXPECT_NE(two[0].find("16"), std::string::npos) << two[0];
  EXPECT_NE(two[1].find("32"), std::string::npos) << two[1];
  EXPECT_LT(two[0].size(), 120u);
  // One name begins as another does, and ends there.
  auto const prefix = detail::short_kernel_names({"k<" + same + more, "k<" + same + more + "c"});
  EXPECT_NE(prefix[0], prefix[1]);
}

// However alike they are, as many texts as names.
TEST(KernelNames, TextsDifferWhereNamesDo) {
  names all;
  for (int k = 0; k < 64; ++k) {
    std::string name = "kernel<";
    for (int bit = 0; bit < 6; ++bit) name += std::string(50, static_cast<char>((k >> bit & 1) != 0 ? 'x' : 'y')) + ",";
    all.push_back(name + ">");
  }
  auto const texts = detail::kernel_texts(all);
  std::set<std::string> different;
  for (auto const& [name, text] : texts) different.insert(text);
  EXPECT_EQ(different.size(), 64u);
}

}  // namespace
