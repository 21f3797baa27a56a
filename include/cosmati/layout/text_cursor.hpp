// SPDX-License-Identifier: Apache-2.0
/// @file
/// A cursor that reads text character by character, and errors that point at a character.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/core/symbolic_integer.hpp>
#include <string>
#include <string_view>

namespace COSMATI_NAMESPACE {

/// The text and, below it, a caret under character `position`. A long text is cut around the position.
inline std::string caret_lines(std::string_view text, std::size_t position) {
  constexpr std::size_t width = 100;
  if (position > text.size()) position = text.size();
  std::size_t const first = position > width / 2 && text.size() > width ? position - width / 2 : 0;
  std::string out = first == 0 ? "  " : "  ...";
  std::size_t const indent = out.size() + (position - first);
  for (char const c : text.substr(first, width)) out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  if (first + width < text.size()) out += "...";
  out += '\n';
  out.append(indent, ' ');
  out += '^';
  return out;
}

/// The error for an unexpected token. `what()` has the sentence, the text, and a caret under the offending character.
class parse_error : public error {
 public:
  parse_error(std::string_view text, std::size_t position, std::string const& message)
      : error("%s\n%s", message.c_str(), caret_lines(text, position).c_str()),
        position_(position),
        length_(message.size() < 400 ? message.size() : 400) {}
  /// The index of the character, from 0. It is the text's length if the text ended too early.
  std::size_t position() const noexcept { return position_; }
  /// The sentence without the text and caret.
  std::string_view message() const noexcept { return {what(), length_}; }

 private:
  std::size_t position_;
  std::size_t length_;
};

/// A position in a text. Blanks between tokens are skipped.
struct text_cursor {
  char const* begin;
  char const* end;
  char const* at;

  explicit text_cursor(std::string_view text) : begin(text.data()), end(text.data() + text.size()), at(text.data()) {}

  /// The whole text.
  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
  /// Moves to the next character that is not a blank.
  void skip_blanks() {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) ++at;
  }
  /// The next character that is not a blank; 0 at the end.
  char peek() {
    skip_blanks();
    return at == end ? '\0' : *at;
  }
  bool accept(char c) {
    if (peek() != c || at == end) return false;
    ++at;
    return true;
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (static_cast<std::size_t>(end - at) < token.size() || std::string_view(at, token.size()) != token) return false;
    at += token.size();
    return true;
  }
  void expect(char c, char const* where) {
    if (accept(c)) return;
    std::string wanted = "expected '";
    wanted += c;
    wanted += "' ";
    fail_here(wanted + where);
  }

  /// The classes of characters.
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool is_name(char c) { return is_name_start(c) || is_digit(c); }
  /// The name or number that starts here. The cursor does not move.
  std::string_view word() {
    skip_blanks();
    char const* last = at;
    while (last != end && is_name(*last)) ++last;
    return {at, static_cast<std::size_t>(last - at)};
  }

  /// Reads digits as a number. An overflow is an error at the first digit.
  std::int64_t digits() {
    skip_blanks();
    char const* const start = at;
    if (at == end || !is_digit(*at)) fail_here("expected an integer");
    std::int64_t value = 0;
    for (; at != end && is_digit(*at); ++at) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) || __builtin_add_overflow(value, *at - '0', &value)) {
        fail_at(start, "this integer does not fit 64 bits");
      }
    }
    return value;
  }

  [[noreturn]] void fail_at(char const* place, std::string const& message) const {
    throw parse_error(text(), static_cast<std::size_t>(place - begin), message);
  }
  /// Throws `expected ... but found ...` for the next token.
  [[noreturn]] void fail_here(std::string message) {
    skip_blanks();
    if (at == end) {
      message += ", but the text ends here";
    } else if (static_cast<unsigned char>(*at) >= ' ' && static_cast<unsigned char>(*at) < 127) {
      message += ", but found '";
      message += *at;
      message += '\'';
    }
    fail_at(at, message);
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
