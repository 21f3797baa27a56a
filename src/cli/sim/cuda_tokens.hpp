// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tokens of C++ and CUDA text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace cosmati::cli {

/// One token. A punctuator is a single character; `<<<` is three tokens. A digraph has the text that it stands for.
struct cuda_token {
  enum class kind_type : unsigned char { name, number, string, punctuator };
  kind_type kind;
  std::string_view text;
  std::size_t begin;      ///< the offset of the first character
  std::size_t past_last;  ///< the offset behind the last one
  std::size_t end() const { return past_last; }
  bool is(std::string_view what) const { return text == what && kind != kind_type::string; }
};

/// Splits a text into tokens. Comments and the lines of the preprocessor are left out, and so is the text of system
/// headers: what follows `# 1 "FILE" 1 3` of a preprocessor's output. `__null` is kept: a program's `NULL` stands there
/// as text of a system header. A string or a comment without an end reaches to the end of the text.
std::vector<cuda_token> cuda_tokens(std::string_view text);

}  // namespace cosmati::cli
