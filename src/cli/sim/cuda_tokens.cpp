// SPDX-License-Identifier: Apache-2.0
#include "cuda_tokens.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cosmati::cli {

namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c < 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_name(char c) { return begins_name(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

class lexer {
 public:
  explicit lexer(std::string_view text) : text_(text) {}

  std::vector<cuda_token> run() {
    bool line_begins = true;
    while (at_ < text_.size()) {
      char const c = text_[at_];
      if (c == '\n') line_begins = true;
      if (is_blank(c) || c == '\\') {
        ++at_;
      } else if (c == '#' && line_begins) {
        directive();
      } else if (starts("//")) {
        at_ = end_of_line(at_);
      } else if (starts("/*")) {
        std::size_t const end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        line_begins = false;
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  /// The end of the line, which continues after a backslash.
  std::size_t end_of_line(std::size_t from) const {
    for (;;) {
      std::size_t const end = std::min(text_.find('\n', from), text_.size());
      std::size_t last = end;
      if (last > from && last < text_.size() && text_[last - 1] == '\r') --last;
      if (end == text_.size() || last == 0 || text_[last - 1] != '\\') return end;
      from = end + 1;
    }
  }

  /// Passes a line of the preprocessor. `# 12 "file" 2 3` tells whether what follows is of a system header.
  void directive() {
    std::size_t const end = end_of_line(at_);
    std::string_view const line = text_.substr(at_, end - at_);
    std::size_t const number = line.find_first_not_of(" \t", 1);
    std::size_t const name_end = line.rfind('"');
    if (number != std::string_view::npos && is_digit(line[number]) && name_end != std::string_view::npos)
      in_system_header_ = line.find('3', name_end) != std::string_view::npos;
    at_ = end;
  }

  void add(cuda_token::kind_type kind, std::size_t end) {
    end = std::min(end, text_.size());
    std::string_view const token = text_.substr(at_, end - at_);
    if (!in_system_header_ || token == "__null") tokens_.push_back({kind, token, at_, end});
    at_ = end;
  }

  /// Adds `<%`, `%>`, `<:` or `:>`. In `<::`, the `<` stands alone unless `:` or `>` follows.
  bool add_digraph() {
    static constexpr std::pair<std::string_view, std::string_view> digraphs[] = {
        {"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}};
    for (auto const& [spelling, meaning] : digraphs) {
      if (!starts(spelling) || (starts("<::") && !starts("<:::") && !starts("<::>"))) continue;
      if (!in_system_header_) tokens_.push_back({cuda_token::kind_type::punctuator, meaning, at_, at_ + 2});
      at_ += 2;
      return true;
    }
    return false;
  }

  void token() {
    using kind = cuda_token::kind_type;
    char const c = text_[at_];
    if (begins_name(c)) {
      std::size_t end = at_;
      while (end < text_.size() && is_of_name(text_[end])) ++end;
      std::string_view const name = text_.substr(at_, end - at_);
      bool const is_prefix = name == "R" || name == "L" || name == "u" || name == "U" || name == "u8" || name == "LR" ||
                             name == "uR" || name == "UR" || name == "u8R";
      if (!is_prefix || end == text_.size() || (text_[end] != '"' && text_[end] != '\'')) return add(kind::name, end);
      return add(kind::string, name.back() == 'R' && text_[end] == '"' ? raw_string_end(end) : string_end(end));
    }
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])))
      return add(kind::number, number_end());
    if (c == '"' || c == '\'') return add(kind::string, string_end(at_));
    if (!add_digraph()) add(kind::punctuator, at_ + 1);
  }

  std::size_t string_end(std::size_t quote) const {
    std::size_t i = quote + 1;
    for (; i < text_.size() && text_[i] != text_[quote]; ++i) {
      if (text_[i] == '\\') ++i;
      if (i < text_.size() && text_[i] == '\n' && text_[i - 1] != '\\') return i;  // an apostrophe of other text
    }
    return i + 1;
  }

  std::size_t raw_string_end(std::size_t quote) const {
    std::size_t const open = text_.find('(', quote);
    if (open == std::string_view::npos) return text_.size();
    std::string close = ")";
    close += text_.substr(quote + 1, open - quote - 1);
    close += '"';
    std::size_t const end = text_.find(close, open);
    return end == std::string_view::npos ? text_.size() : end + close.size();
  }

  /// The end of a number, with digit separators and signed exponents: `1'000`, `1e-5f`, `0x1p+3`.
  std::size_t number_end() const {
    std::size_t i = at_;
    for (; i < text_.size(); ++i) {
      char const c = text_[i];
      if (is_of_name(c) || c == '.') continue;
      if (c == '\'' && i + 1 < text_.size() && is_of_name(text_[i + 1])) continue;
      bool const hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
      char const before = text_[i - 1];
      bool const exponent = hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
      if ((c == '+' || c == '-') && exponent) continue;
      break;
    }
    return i;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_system_header_ = false;
  std::vector<cuda_token> tokens_;
};

}  // namespace

std::vector<cuda_token> cuda_tokens(std::string_view text) { return lexer(text).run(); }

}  // namespace cosmati::cli
