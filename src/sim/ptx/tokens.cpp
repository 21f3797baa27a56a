// SPDX-License-Identifier: Apache-2.0
#include "tokens.hpp"

#include <algorithm>

namespace cosmati_sim::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

/// The end of a comment that begins at `at`, or `at`.
std::size_t comment_end(std::string_view text, std::size_t at) {
  std::string_view const begin = text.substr(at, 2);
  if (begin == "//") return std::min(text.find('\n', at), text.size());
  if (begin != "/*") return at;
  std::size_t const end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

/// A name with dots, `::` and `%`. @return its end
std::size_t read_name(std::string_view text, std::size_t at, std::string& out) {
  while (at < text.size()) {
    char const c = text[at], next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == '%' && next == '=') {
      out += '0';
      at += 2;
    } else if (c == '%' && (next == '%' || (out.empty() && is_of_name(next)))) {
      out += '%';
      at += next == '%' ? 2 : 1;
    } else if (c == ':' && next == ':') {
      out += "::";
      at += 2;
    } else if (is_of_name(c) || (c == '.' && (is_of_name(next) || next == '%'))) {
      out += c;
      ++at;
    } else {
      break;
    }
  }
  return at;
}

/// A number: 16, 0x1F, 1.5, 2e-3, 0f3F800000. @return its end
std::size_t read_number(std::string_view text, std::size_t at, std::string& out) {
  bool const hexadecimal =
      text[at] == '0' && at + 1 < text.size() && is_of_name(text[at + 1]) && !is_digit(text[at + 1]);
  for (; at < text.size(); ++at) {
    char const c = text[at];
    bool const exponent_sign =
        (c == '+' || c == '-') && !hexadecimal && !out.empty() && (out.back() == 'e' || out.back() == 'E');
    if (!is_of_name(c) && c != '.' && !exponent_sign) break;
    out += c;
  }
  // An unsigned number may end in U, which strtoull passes over.
  return at;
}

}  // namespace

std::vector<token> tokens_of(std::string_view text) {
  std::vector<token> out;
  for (std::size_t at = 0; at < text.size();) {
    char const c = text[at], next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\') {
      ++at;
      continue;
    }
    if (std::size_t const end = comment_end(text, at); end != at) {
      at = end;
      continue;
    }
    token t = {{}, at};
    if (c == '%' && is_digit(next)) {
      t.statement_operand = 0;
      for (++at; at < text.size() && is_digit(text[at]); ++at)
        t.statement_operand = 10 * t.statement_operand + (text[at] - '0');
      t.text = std::string(text.substr(t.begin, at - t.begin));
    } else if (is_digit(c)) {
      at = read_number(text, at, t.text);
    } else if (is_of_name(c) || ((c == '.' || c == '%') && (is_of_name(next) || next == '%' || next == '='))) {
      at = read_name(text, at, t.text);
    } else {
      t.text = std::string(1, c);
      ++at;
    }
    out.push_back(std::move(t));
  }
  return out;
}

}  // namespace cosmati_sim::ptx
