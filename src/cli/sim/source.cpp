// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cosmati::cli {

namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The begin of the declaration's specifiers before `at`: `extern`, `static` and similar words.
std::size_t declaration_begin(std::string const& text, std::size_t at) {
  for (;;) {
    std::size_t end = at;
    while (end > 0 && is_blank(text[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_of_name(text[begin - 1])) --begin;
    std::string_view const word = std::string_view(text).substr(begin, end - begin);
    if (word != "extern" && word != "static" && word != "inline" && word != "const" && word != "volatile") return at;
    at = begin;
  }
}

}  // namespace

std::string with_alignment_first(std::string text) {
  constexpr std::string_view shared = "__shared__", alignment = "alignas";
  for (std::size_t at = text.find(shared); at != std::string::npos; at = text.find(shared, at + 1)) {
    if (at > 0 && is_of_name(text[at - 1])) continue;
    std::size_t begin = at + shared.size();
    while (begin < text.size() && is_blank(text[begin])) ++begin;
    if (text.compare(begin, alignment.size(), alignment) != 0) continue;
    std::size_t end = begin + alignment.size();
    while (end < text.size() && is_blank(text[end])) ++end;
    if (end == text.size() || text[end] != '(') continue;
    for (int depth = 0; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    if (end == text.size()) break;
    std::string const words = text.substr(begin, end + 1 - begin);
    if (words.find('\n') != std::string::npos) continue;
    text.erase(begin, words.size());
    text.insert(declaration_begin(text, at), words + " ");
    at += words.size() + 1;
  }
  return text;
}

}  // namespace cosmati::cli
