// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

namespace cosmati::cli {

void append_words(std::vector<std::string>& to, std::string const& text) {
  std::string word;
  bool inside = false;
  char quote = 0;
  for (char const c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside) to.push_back(word);
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) to.push_back(word);
}

std::vector<std::string> words_of(std::vector<std::string> const& texts) {
  std::vector<std::string> words;
  for (std::string const& t : texts) append_words(words, t);
  return words;
}

}  // namespace cosmati::cli
