// SPDX-License-Identifier: Apache-2.0
// Reading text character by character: blanks, words and digits, and errors that point at the character.
#include <gtest/gtest.h>
#include <cosmati/layout/text_cursor.hpp>

using namespace cosmati;

namespace {

TEST(TextCursor, BlanksCountAsNothing) {
  text_cursor in(" \t(\n 12 _a9)");
  EXPECT_EQ(in.peek(), '(');
  EXPECT_TRUE(in.accept('('));
  EXPECT_FALSE(in.accept(')'));
  EXPECT_EQ(in.word(), "12") << "without moving";
  EXPECT_EQ(in.digits(), 12);
  EXPECT_EQ(in.word(), "_a9");
  EXPECT_FALSE(in.accept("_a9x")) << "the text ends before";
  EXPECT_TRUE(in.accept("_a"));
  EXPECT_EQ(in.digits(), 9);
  in.expect(')', "at the end");
  EXPECT_EQ(in.peek(), '\0');
  EXPECT_FALSE(in.accept('\0')) << "the end is no character";
}

TEST(TextCursor, LettersDigitsAndNames) {
  EXPECT_TRUE(text_cursor::is_name_start('_') && text_cursor::is_name_start('Z') && !text_cursor::is_name_start('7'));
  EXPECT_TRUE(text_cursor::is_name('7') && !text_cursor::is_name('-') && !text_cursor::is_digit('a'));
}

template <class F>
parse_error error_of(F const& f) {
  try {
    f();
  } catch (parse_error const& e) {
    return e;
  }
  ADD_FAILURE() << "no error";
  return parse_error("", 0, "");
}

TEST(TextCursor, ErrorsPointAtTheNextToken) {
  auto const e = error_of([] {
    text_cursor in("12   x");
    in.digits();
    in.expect(')', "behind the number");
  });
  EXPECT_EQ(e.position(), 5u);
  EXPECT_EQ(e.message(), "expected ')' behind the number, but found 'x'");
  EXPECT_STREQ(e.what(), "expected ')' behind the number, but found 'x'\n  12   x\n       ^");
  auto const end = error_of([] { text_cursor("  ").digits(); });
  EXPECT_EQ(end.position(), 2u);
  EXPECT_EQ(end.message(), "expected an integer, but the text ends here");
  auto const unprintable = error_of([] { text_cursor("\x01").digits(); });
  EXPECT_EQ(unprintable.message(), "expected an integer");
}

TEST(TextCursor, IntegersFit64Bits) {
  EXPECT_EQ(text_cursor("9223372036854775807").digits(), INT64_MAX);
  auto const e = error_of([] { text_cursor(" 9223372036854775808").digits(); });
  EXPECT_EQ(e.position(), 1u) << "the first digit";
  EXPECT_EQ(e.message(), "this integer does not fit 64 bits");
}

TEST(TextCursor, LongTextsAreCutAroundTheCaret) {
  EXPECT_EQ(caret_lines("abc", 1), "  abc\n   ^");
  EXPECT_EQ(caret_lines("abc", 99), "  abc\n     ^") << "no further than the end";
  EXPECT_EQ(caret_lines("a\tb", 2), "  a b\n    ^") << "a tab takes one column";
  std::string const text(150, 'a');
  EXPECT_EQ(caret_lines(text, 0), "  " + std::string(100, 'a') + "...\n  ^");
  EXPECT_EQ(caret_lines(text, 120), "  ..." + std::string(80, 'a') + "\n" + std::string(5 + 50, ' ') + "^");
}

}  // namespace
