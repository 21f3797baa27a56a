// SPDX-License-Identifier: Apache-2.0
/// @file
/// The lines of a compiler's assembly for x86-64: labels, mnemonics and operands.
#pragma once

#include <algorithm>
#include <string_view>

namespace cosmati::cli {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// The name that a text begins with. clang writes comments behind it.
inline std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t#,")); }

/// The label that a line defines, or nothing.
inline std::string_view label_of(std::string_view line) {
  std::size_t n = 0;
  while (n < line.size() && is_of_name(line[n])) ++n;
  return n != 0 && n < line.size() && line[n] == ':' ? line.substr(0, n) : std::string_view();
}

/// One instruction: its mnemonic and its operands.
struct instruction {
  std::string_view word, operands;
};
inline instruction instruction_of(std::string_view line) {
  std::string_view const text = trimmed(line.substr(0, std::min(line.find(" #"), line.find("\t#"))));
  if (text.empty() || text[0] == '.' || text[0] == '#') return {};
  std::size_t n = 0;
  while (n < text.size() && !is_blank(text[n])) ++n;
  return {text.substr(0, n), trimmed(text.substr(n))};
}

inline bool is_call_or_jump(std::string_view word) {
  return word == "call" || word == "callq" || word == "jmp" || word == "jmpq" || word == "bnd";
}

/// The function that a call or jump goes to, as written. It is empty for a local label or a pointer.
inline std::string_view called_function(instruction const& i) {
  std::string_view t = i.operands;
  bool const through_table = t.starts_with("*") && t.ends_with("@GOTPCREL(%rip)");
  if (through_table) t.remove_prefix(1);
  std::size_t n = 0;
  while (n < t.size() && is_of_name(t[n])) ++n;
  std::string_view const rest = t.substr(n);
  if (n == 0 || t.starts_with(".L") || !(rest.empty() || rest == "@PLT" || through_table)) return {};
  return t.substr(0, n);
}

}  // namespace cosmati::cli
