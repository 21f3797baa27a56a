// SPDX-License-Identifier: Apache-2.0
#include "macros.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

namespace cosmati::cli {

namespace {

namespace fs = std::filesystem;

std::string_view without_blanks(std::string_view text) {
  std::size_t const n = text.find_first_not_of(" \t");
  return n == std::string_view::npos ? std::string_view() : text.substr(n);
}

/// The text after `# word`; empty if the line is another directive.
std::string_view behind_directive(std::string_view line, std::string_view word) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return {};
  line = without_blanks(line.substr(1));
  if (!line.starts_with(word)) return {};
  return without_blanks(line.substr(word.size()));
}

/// Reads what a program defines for the library before it includes it.
class reader {
 public:
  explicit reader(std::vector<std::string> const& folders) : folders_(folders) {}

  void read(fs::path const& path) {
    std::error_code error;
    fs::path const whole = fs::weakly_canonical(path, error);
    if (!seen_.insert(whole.string()).second || !fs::is_regular_file(whole, error)) return;
    std::ifstream file(whole, std::ios::binary);
    bool in_comment = false;
    for (std::string line; std::getline(file, line);) {
      bool const was_in_comment = in_comment;
      look_for_comments(line, in_comment);
      if (!was_in_comment) read_line(whole, line);
    }
  }

  std::string const& text() const { return text_; }
  bool includes_the_library() const { return includes_; }

 private:
  /// Finds out whether a block comment continues after the line.
  static void look_for_comments(std::string const& line, bool& in_comment) {
    for (std::size_t at = 0; at != std::string::npos;) {
      if (in_comment) {
        at = line.find("*/", at);
        if (at == std::string::npos) return;
        in_comment = false;
        at += 2;
      } else {
        std::size_t const block = line.find("/*", at), rest = line.find("//", at);
        if (block == std::string::npos || rest < block) return;
        in_comment = true;
        at = block + 2;
      }
    }
  }

  void read_line(fs::path const& file, std::string const& line) {
    if (std::string_view const macro = behind_directive(line, "define"); macro.starts_with("COSMATI_")) {
      if (!line.ends_with('\\')) text_ += fmt::format("#define {}\n", macro);
      return;
    }
    std::string_view const include = behind_directive(line, "include");
    if (include.empty() || (include[0] != '<' && include[0] != '"')) return;
    std::size_t const end = include.find(include[0] == '<' ? '>' : '"', 1);
    if (end == std::string_view::npos) return;
    std::string const name(include.substr(1, end - 1));
    if (name.starts_with("cosmati/")) {
      includes_ = true;
      text_ += fmt::format("#include <{}>\n", name);
      return;
    }
    if (include[0] == '"') read(file.parent_path() / name);
    for (std::string const& folder : folders_) read(fs::path(folder) / name);
  }

  std::vector<std::string> const& folders_;
  std::set<std::string> seen_;
  std::string text_;
  bool includes_ = false;
};

/// Whether headers test this macro: those of the library and the standard library, and NDEBUG.
bool is_for_headers(std::string_view macro) {
  return macro.starts_with('_') || macro.starts_with("COSMATI_") || macro == "NDEBUG" || macro.starts_with("NDEBUG=");
}

/// The definition of a `-D`, under this name in the compiler's messages.
std::string definition(std::string const& macro) {
  std::string quoted;
  for (char const c : macro) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  std::size_t const equals = macro.find('=');
  return fmt::format("#line 1 \"-D {}\"\n#define {} {}\n", quoted, macro.substr(0, equals),
                     equals == std::string::npos ? "1" : macro.substr(equals + 1));
}

}  // namespace

placed_macros place_macros(fs::path const& source, std::vector<std::string> const& folders,
                           std::vector<std::string> const& defines) {
  placed_macros placed;
  std::vector<std::string> behind;
  for (std::string const& d : defines) {
    // `-D _` is a single letter like the others; the library uses this name.
    (is_for_headers(d) && d != "_" && !d.starts_with("_=") ? placed.before : behind).push_back(d);
  }
  if (behind.empty()) return placed;
  reader program(folders);
  program.read(source);
  if (!program.includes_the_library()) {
    placed.before = defines;
    return placed;
  }
  placed.text = program.text();
  for (std::string const& d : behind) placed.text += definition(d);
  return placed;
}

placed_macros place_letters(std::vector<std::string> const& defines) {
  placed_macros placed;
  for (std::string const& d : defines) {
    bool const is_letter = d.substr(0, d.find('=')).size() == 1;
    if (is_letter) {
      placed.text += definition(d);
    } else {
      placed.before.push_back(d);
    }
  }
  return placed;
}

std::vector<std::string> take_macros(std::vector<std::string>& words, std::vector<std::string>& folders) {
  std::vector<std::string> macros, others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string const& w = words[i];
    bool const alone = (w == "-D" || w == "-I") && i + 1 < words.size();
    if (w.starts_with("-I")) folders.push_back(alone ? words[i + 1] : w.substr(2));
    if (w.starts_with("-D")) {
      macros.push_back(alone ? words[++i] : w.substr(2));
    } else {
      others.push_back(w);
      if (alone) others.push_back(words[++i]);
    }
  }
  words = std::move(others);
  return macros;
}

}  // namespace cosmati::cli
