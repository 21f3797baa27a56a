// SPDX-License-Identifier: Apache-2.0
#include "launch_arguments.hpp"

#include "cuda_kernels.hpp"

namespace cosmati::cli {

namespace {

class reader {
 public:
  explicit reader(std::vector<cuda_token> const& tokens) : tokens_(tokens) {}

  launch_arguments read(std::size_t open, std::size_t close) {
    read_list(open + 1, close);
    if (!is_special_) return {"auto&... cosmati_a", "cosmati_a...", {}};
    return {parameters_, passed_, edits_};
  }

 private:
  bool is(std::size_t i, std::string_view what) const { return i < tokens_.size() && tokens_[i].is(what); }
  void replace(std::size_t first, std::size_t last, char const* by) {
    edits_.push_back({tokens_[first].begin, tokens_[last].end(), by});
  }

  /// The `>` of the template arguments that begin with the `<` at `i`; `i` if it is a comparison.
  std::size_t behind_template_arguments(std::size_t i, std::size_t end) const {
    int depth = 0;
    if (i == 0 || tokens_[i - 1].kind != cuda_token::kind_type::name) return i;
    for (std::size_t at = i; at < end; ++at) {
      if (is(at, "(") || is(at, "[") || is(at, "{")) {
        at = closing_bracket(tokens_, at);
      } else if (is(at, "<")) {
        ++depth;
      } else if (is(at, ">") && --depth == 0) {
        return is(at + 1, "(") || is(at + 1, "{") || is(at + 1, ":") ? at : i;
      }
    }
    return i;
  }

  /// The `,` behind the element that begins at `i`, or `end`.
  std::size_t element_end(std::size_t i, std::size_t end) const {
    for (; i < end && !is(i, ","); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{"))
        i = closing_bracket(tokens_, i);
      else if (is(i, "<"))
        i = behind_template_arguments(i, end);
    }
    return i < end ? i : end;
  }

  void read_list(std::size_t i, std::size_t end) {
    for (bool first = true; i < end; first = false) {
      std::size_t const behind = element_end(i, end);
      if (i == behind) break;
      if (!first) passed_ += ", ";
      read_element(i, behind);
      if (behind + 1 == end) replace(behind, behind, "");  // `{1, 2,}`
      i = behind + 1;
    }
  }

  /// @param end the token behind the element
  void read_element(std::size_t i, std::size_t end) {
    if (is(i, ".") && is(i + 2, "=")) {
      passed_ += "." + std::string(tokens_[i + 1].text) + " = ";
      replace(i, i + 2, "");
      i += 3;
    }
    bool const is_list = is(i, "{") && closing_bracket(tokens_, i) + 1 == end;
    bool const is_empty = is_list && i + 2 == end;
    bool const is_zero = is(i, "0") && i + 1 == end;
    if (is_list && !is_empty) {
      is_special_ = true;
      passed_ += "{";
      replace(i, i, "");
      read_list(i + 1, end - 1);
      replace(end - 1, end - 1, "");
      passed_ += "}";
      return;
    }
    bool const is_pack = end >= i + 4 && is(end - 1, ".") && is(end - 2, ".") && is(end - 3, ".");
    std::string const name = "cosmati_a" + std::to_string(count_++);
    if (!parameters_.empty()) parameters_ += ", ";
    parameters_ += is_pack ? "auto&... " : is_empty || is_zero ? "auto&" : "auto& ";
    if (!is_empty && !is_zero) parameters_ += name;
    passed_ += is_empty ? "{}" : is_zero ? "0" : is_pack ? name + "..." : name;
    if (is_empty) replace(i, end - 1, "0");
    is_special_ = is_special_ || is_empty || is_zero;
  }

  std::vector<cuda_token> const& tokens_;
  std::string parameters_, passed_;
  std::vector<text_edit> edits_;
  bool is_special_ = false;  // whether an element is a list or a literal 0
  int count_ = 0;
};

}  // namespace

launch_arguments launch_arguments_of(std::vector<cuda_token> const& tokens, std::size_t open, std::size_t close) {
  return reader(tokens).read(open, close);
}

}  // namespace cosmati::cli
