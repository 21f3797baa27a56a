// SPDX-License-Identifier: Apache-2.0
// Instructions by their names: each once, and the name says what it is.
#include <gtest/gtest.h>
#include <cosmati/analysis/instruction_names.hpp>

#include <cstdlib>
#include <string>

using namespace cosmati;

namespace {

TEST(InstructionNames, AreUnique) {
  for (named_instruction const& n : named_instructions) EXPECT_EQ(find_instruction(n.name), &n);
  EXPECT_EQ(find_instruction("LDS3"), nullptr);
}

// The letters say what it does, the number how wide it is, or how many matrices.
TEST(InstructionNames, SayWhatTheyAre) {
  for (named_instruction const& n : named_instructions) {
    std::string const name(n.name), letters = name.substr(0, name.find_first_of("0123456789"));
    int const number = std::atoi(name.c_str() + letters.size());
    memory_instruction const i = n.instruction;
    bool const matrices = letters == "LDSM" || letters == "STSM";
    EXPECT_EQ(i.moves_matrices(), matrices) << name;
    EXPECT_EQ(matrices ? i.lanes / 8 : i.bytes, number) << name;
    EXPECT_EQ(i.touches_global(), letters == "LDG" || letters == "STG" || letters[0] == 'C') << name;
    EXPECT_EQ(i.touches_shared(), letters[2] == 'S' || letters[0] == 'C') << name;
    bool const stores = letters[0] == 'S';
    EXPECT_EQ(i.operation == memory_operation::store_shared || i.operation == memory_operation::store_global ||
                  i.operation == memory_operation::store_matrix,
              stores)
        << name;
    EXPECT_EQ(name.back() == 'T', matrices && name.size() > letters.size() + 1) << name;
  }
  EXPECT_EQ(find_instruction(""), nullptr);
  EXPECT_EQ(find_instruction("lds4"), nullptr) << "letters are capital";
}

}  // namespace
