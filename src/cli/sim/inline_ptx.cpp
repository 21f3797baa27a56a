// SPDX-License-Identifier: Apache-2.0
#include "inline_ptx.hpp"

#include "cuda_kernels.hpp"

#include <algorithm>
#include <utility>

namespace cosmati::cli {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_of_word(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':' || c == '%' || c == '$' || c == '=';
}

/// The text without comments.
std::string without_comments(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::string_view const begin = text.substr(at, 2);
    if (begin == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (begin == "/*") {
      std::size_t const end = text.find("*/", at);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      out += text[at++];
    }
  }
  return out;
}

/// Whether a statement's first word is PTX's.
bool is_ptx_word(std::string_view word) {
  for (char const* const known : {"bra", ".reg", ".pred", ".pragma", "trap", "exit", "brkpt", "activemask"}) {
    if (word == known) return true;
  }
  if (word.empty() || !is_letter(word[0]) || word.starts_with("b.")) return false;  // b.eq is an AArch64 branch
  std::size_t const dot = word.find('.');
  if (dot == std::string_view::npos || dot + 1 == word.size()) return false;
  char const next = word[dot + 1];
  return is_letter(next) || (next >= '0' && next <= '9') || next == '%';  // a string of the constraint C
}

/// The characters that a string literal stands for. Unknown escapes stay as they are.
std::string characters_of(std::string_view literal) {
  std::size_t const quote = literal.find('"');
  if (quote == std::string_view::npos) return {};
  if (quote > 0 && literal[quote - 1] == 'R') {
    std::size_t const open = literal.find('('), close = literal.rfind(')');
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string out;
  for (std::size_t i = quote + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      out += literal[i];
      continue;
    }
    char const c = literal[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return out;
}

/// One asm statement.
class statement {
 public:
  statement(std::vector<cuda_token> const& tokens, std::size_t at) : tokens_(tokens), first_(at) {}

  std::vector<text_edit> call(int number) {
    std::size_t at = first_ + 1;
    for (; is_name(at, {"volatile", "__volatile__", "__volatile", "inline", "__inline__"}); ++at) replace(at, "");
    if (!is(at, "(")) return {};
    close_ = closing_bracket(tokens_, at);
    std::size_t const text = at + 1;
    std::string characters;
    for (at = text; is_string(at); ++at) characters += characters_of(tokens_[at].text);
    if (close_ >= tokens_.size() || at == text || (at != close_ && !is(at, ":"))) return {};
    std::size_t const operands = at;
    if (!read_operands(at)) return {};
    // An empty text with registers that x86 lacks keeps a value where it is.
    bool const is_empty = characters.find_first_not_of(" \t\r\n") == std::string::npos;
    if (is_empty ? constraints_.find_first_of("fhldCq") == std::string::npos : !is_ptx(characters)) return {};
    // The lines of the text stay, so that the compiler's messages name them.
    bool const later = characters.find("wgmma.mma_async") != std::string::npos;
    std::string const name = std::string("::cosmati_cuda::ptx_asm") + (later ? "_later<" : "<") +
                             std::to_string(number) + ", " + std::to_string(outputs_) + ">";
    replace(first_, name);
    std::size_t const begin = tokens_[text - 1].end(), end = tokens_[operands - 1].end();
    edits_.push_back({begin, begin, "__builtin_FILE(), __builtin_LINE(), "});
    edits_.insert(edits_.begin(), {end, end, ", \"" + constraints_ + "\""});
    return std::move(edits_);
  }

 private:
  bool is(std::size_t i, std::string_view what) const { return i < tokens_.size() && tokens_[i].is(what); }
  bool is_string(std::size_t i) const {
    return i < close_ && tokens_[i].kind == cuda_token::kind_type::string && tokens_[i].text.back() == '"';
  }
  bool is_name(std::size_t i, std::initializer_list<std::string_view> names) const {
    return std::any_of(names.begin(), names.end(), [&](std::string_view n) { return is(i, n); });
  }
  void replace(std::size_t i, std::string by) { edits_.push_back({tokens_[i].begin, tokens_[i].end(), std::move(by)}); }

  /// Outputs, inputs and clobbers, each behind a `:`. @return whether they are understood
  bool read_operands(std::size_t at) {
    for (int section = 0; at < close_; ++section) {
      if (!is(at, ":")) return false;
      replace(at++, "");
      if (section >= 2) {  // clobbers
        for (; at < close_; ++at) replace(at, "");
        return true;
      }
      while (at < close_ && !is(at, ":")) {
        if (!operand(at, section == 0)) return false;
        ++operands_;
        if (section == 0) ++outputs_;
        if (is(at, ",")) replace(at++, "");
      }
    }
    return true;
  }

  /// What takes the place of a constraint: a function that checks the type of the expression behind it.
  std::string function_of(std::string_view constraint, bool is_output) const {
    while (!constraint.empty() && std::string_view("=+&").find(constraint[0]) != std::string_view::npos)
      constraint.remove_prefix(1);
    bool const is_known =
        constraint.size() == 1 && std::string_view("hrlqfdn").find(constraint[0]) != std::string_view::npos;
    if (!is_known) return is_output ? ", " : ", ::cosmati_cuda::ptx_bits";
    return std::string(", ::cosmati_cuda::ptx_") + (is_output ? "output<" : "input<") + std::to_string(operands_) +
           ", '" + constraint[0] + "'>";
  }

  /// [name] "=r" (expression). The expression keeps its parentheses. @return whether it is one
  bool operand(std::size_t& at, bool is_output) {
    if (is(at, "[")) {
      for (std::size_t const end = closing_bracket(tokens_, at); at <= end && at < close_; ++at) replace(at, "");
    }
    if (!is_string(at)) return false;
    if (!constraints_.empty()) constraints_ += ',';
    std::size_t const first = at;
    std::string constraint;
    for (; is_string(at); ++at) constraint += characters_of(tokens_[at].text);
    for (std::size_t i = first; i < at; ++i) replace(i, i == first ? function_of(constraint, is_output) : "");
    constraints_ += constraint;
    if (!is(at, "(")) return false;
    at = closing_bracket(tokens_, at) + 1;
    return at <= close_;
  }

  std::vector<cuda_token> const& tokens_;
  std::size_t first_, close_ = 0;
  int outputs_ = 0, operands_ = 0;
  std::string constraints_;
  std::vector<text_edit> edits_;
};

}  // namespace

bool is_ptx(std::string_view given) {
  std::string const text = without_comments(given);
  if (text.size() < given.size() && text.find_first_not_of(" \t\r\n") == std::string::npos) return true;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && (is_blank(text[at]) || text[at] == '{' || text[at] == '}' || text[at] == ';')) ++at;
    if (at < text.size() && text[at] == '@') {  // a guard
      while (at < text.size() && !is_blank(text[at])) ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    std::string_view const word = std::string_view(text).substr(at, end - at);
    if (is_ptx_word(word)) return true;
    if (word.ends_with(':')) {  // a label
      at = end;
      continue;
    }
    at = std::min(text.find_first_of(";\n", at), text.size());
  }
  return false;
}

std::vector<text_edit> ptx_call(std::vector<cuda_token> const& tokens, std::size_t at, int number) {
  cuda_token const& t = tokens[at];
  if (!t.is("asm") && !t.is("__asm__") && !t.is("__asm")) return {};
  return statement(tokens, at).call(number);
}

}  // namespace cosmati::cli
