// SPDX-License-Identifier: Apache-2.0
// The parser of inline PTX: tokens, operands, scopes, branches, and what it refuses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ptx/program.hpp"
#include "ptx/tokens.hpp"

using namespace cosmati_sim::ptx;

namespace {

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> out;
  for (token const& t : tokens_of(text)) out.push_back(t.text);
  return out;
}

TEST(PtxTokens, NamesNumbersAndComments) {
  EXPECT_EQ(texts("@!p mov.u32 %0, %%tid.x; // the thread\n"),
            (std::vector<std::string>{"@", "!", "p", "mov.u32", "%0", ",", "%tid.x", ";"}));
  EXPECT_EQ(texts("ld.shared::cta.f32 f, [%rd1+-8]/* a \n comment */;"),
            (std::vector<std::string>{"ld.shared::cta.f32", "f", ",", "[", "%rd1", "+", "-", "8", "]", ";"}));
  EXPECT_EQ(texts("0x1Fu 0f3F800000 1.5e-3 L%=: _|p"),
            (std::vector<std::string>{"0x1Fu", "0f3F800000", "1.5e-3", "L0", ":", "_", "|", "p"}));
  EXPECT_EQ(tokens_of("add.s32 %12, 1, 2;")[1].statement_operand, 12);
}

TEST(PtxParser, OperandsOfEveryKind) {
  program const p = parse(
      "{.reg .b32 r<3>; .reg .pred q; mov.b64 {r0, r2}, %1; ld.v2.f32 {%0, _}, [%1 + 16 - 4], %2;\n"
      "setp.lt.s32 q|_, r1, -7; @!q fma.rn.f32 %0, 0f3F800000, 2.5, !q;}",
      3);
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.registers, 3 + 3 + 1);
  ASSERT_EQ(p.code.size(), 4u);
  instruction const& move = p.code[0];
  EXPECT_EQ(move.opcode, "mov");
  ASSERT_EQ(move.operands[0].parts.size(), 2u);
  EXPECT_EQ(move.operands[0].parts[0].index, 3);
  EXPECT_EQ(move.operands[0].parts[1].index, 5);
  instruction const& load = p.code[1];
  EXPECT_EQ(load.modifiers, (std::vector<std::string>{"v2", "f32"}));
  EXPECT_EQ(load.operands[0].parts[1].kind, operand_kind::nothing);
  EXPECT_EQ(load.operands[1].kind, operand_kind::address);
  EXPECT_EQ(load.operands[1].value, 12u);
  EXPECT_EQ(load.operands[1].parts[0].index, 1);
  instruction const& compare = p.code[2];
  EXPECT_TRUE(compare.operands[1].paired);
  EXPECT_TRUE(compare.operands[0].predicate);
  EXPECT_EQ(static_cast<std::int64_t>(compare.operands[3].value), -7);
  instruction const& add = p.code[3];
  EXPECT_EQ(add.guard, 6);
  EXPECT_TRUE(add.guard_negated);
  EXPECT_EQ(add.text, "@!q fma.rn.f32 %0, 0f3F800000, 2.5, !q");
  EXPECT_EQ(add.operands[1].kind, operand_kind::real_32);
  EXPECT_EQ(add.operands[1].value, 0x3f800000u);
  EXPECT_EQ(add.operands[2].kind, operand_kind::real);
  EXPECT_TRUE(add.operands[3].negated);
}

TEST(PtxParser, TheCoordinatesOfATensor) {
  program const p = parse("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];", 3);
  ASSERT_EQ(p.error, "");
  operand const& box = p.code[0].operands[0];
  ASSERT_EQ(box.more.size(), 1u);
  EXPECT_EQ(box.more[0].parts.size(), 2u);
  EXPECT_NE(p.code[0].run, nullptr);
}

TEST(PtxParser, ScopesHideNamesAndLabels) {
  program const p =
      parse("{ .reg .u32 a; AGAIN: mov.u32 a, 1; { .reg .u32 a; mov.u32 a, 2; bra AGAIN; } { AGAIN: bra AGAIN; } }", 0);
  ASSERT_EQ(p.error, "");
  EXPECT_EQ(p.registers, 2);
  EXPECT_EQ(p.code[0].operands[0].index, 0);
  EXPECT_EQ(p.code[1].operands[0].index, 1);
  EXPECT_EQ(p.code[2].target, 0);
  EXPECT_EQ(p.code[3].target, 3);
}

TEST(PtxParser, ErrorsNameWhatIsWrong) {
  EXPECT_NE(parse("mov.u32 %0, %2;", 2).error.find("%2 is no operand of the statement, which has 2"),
            std::string::npos);
  EXPECT_NE(parse("mov.u32 %0, %%nowhere;", 1).error.find("%nowhere"), std::string::npos);
  EXPECT_NE(parse("bra L;", 0).error.find("a label that the text does not have"), std::string::npos);
  EXPECT_NE(parse("add.u32 %0, {%1 %1};", 2).error.find("in braces"), std::string::npos);
  EXPECT_NE(parse("ld.u32 %0, [%1;", 2).error.find("instead of `]`"), std::string::npos);
  EXPECT_NE(parse(".shared .b32 x[4];", 0).error.find(".shared"), std::string::npos);
  EXPECT_NE(parse("add.u32 %0, %0, [other];", 1).error.find("other is no register"), std::string::npos);
  EXPECT_NE(parse("mov.u32 %0, {%0, other};", 1).error.find("other is no register"), std::string::npos);
  EXPECT_NE(parse("mov.u32 %0, 1", 1).error.find("`mov.u32 %0, 1` does not end with `;`"), std::string::npos);
  EXPECT_EQ(parse("frobnicate.u32 %0, other;", 1).error, "");  // a lane that comes there is told
  EXPECT_NE(parse("}", 0).error.find("closes nothing"), std::string::npos);
}

TEST(PtxTable, FormsThatDoNotExistHaveNoHandler) {
  for (char const* const text :
       {"add.s32 %0, %1;", "frobnicate.b32 %0, %1;", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}, [%1];",
        "mma.sync.aligned.m16n8k17.row.col.f32.f16.f16.f32 {%0}, {%1}, {%1}, {%1};",
        "cp.async.cg.shared.global [%0], [%1];", "shfl.up.b32 %0, %1, 1, 0;", "ld.global.v4.f32 {%0, %1}, [%1];",
        "st.f32 %0, %1;"}) {
    program const p = parse(text, 2);
    EXPECT_EQ(p.error, "") << text;
    ASSERT_EQ(p.code.size(), 1u) << text;
    EXPECT_EQ(p.code[0].run, nullptr) << text;
  }
}

}  // namespace
