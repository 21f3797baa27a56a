// SPDX-License-Identifier: Apache-2.0
#include "assembly.hpp"
#include "assembly_function.hpp"
#include "assembly_lines.hpp"
#include "float_casts.hpp"
#include "foreign_calls.hpp"
#include "starts_with.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cosmati::cli {

namespace {

struct mark {
  std::string what;
  int kind, pointers;
};

/// In bytes; a multiple of 128, so that the banks of arrays stay the same.
constexpr int behind_arrays = 1024;

class marker {
 public:
  marker(std::string_view text, bool avoids_instrumentation, std::string_view headers,
         std::set<std::string> const& elsewhere, bool saturates)
      : avoids_(avoids_instrumentation), saturates_(saturates), headers_(headers), elsewhere_(elsewhere) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t const end = std::min(text.find('\n', at), text.size());
      lines_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    behind_.resize(lines_.size(), -1);
  }

  marked_text run() {
    find_definitions();
    go_through();
    std::string out;
    bool thread_local_variables = false;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      auto const r = replaced_.find(i);
      out += r != replaced_.end() ? r->second : std::string(lines_[i]);
      out += '\n';
      std::string_view const text = trimmed(lines_[i]);
      if (text.starts_with(".section")) thread_local_variables = text.find(".tbss") != std::string_view::npos;
      if (text == ".text" || text == ".data" || text == ".bss") thread_local_variables = false;
      // Unused memory follows each `__shared__` array, so that an access beyond its end is found.
      if (thread_local_variables && text.starts_with(".zero")) out += fmt::format("\t.zero\t{}\n", behind_arrays);
      if (behind_[i] >= 0) append_mark(out, behind_[i]);
    }
    append_tables(out);
    if (saturates_) out += announcement_of_saturating_casts(out);
    return {
        std::move(out), {extern_shared_.begin(), extern_shared_.end()}, {initialisers_.begin(), initialisers_.end()}};
  }

 private:
  /// Whether compiled code of the program defines the name.
  bool is_defined(std::string_view name) const {
    return defined_.count(name) != 0 || elsewhere_.count(std::string(name)) != 0;
  }

  static bool assembly_begins(std::string_view line) { return trimmed(line) == "#APP"; }
  static bool assembly_ends(std::string_view line) { return trimmed(line) == "#NO_APP"; }

  /// Finds the names that compiled code of this file defines. Names that file-level assembly defines count as foreign.
  void find_definitions() {
    bool assembly = false;
    for (std::string_view const line : lines_) {
      if (assembly_begins(line)) assembly = true;
      if (assembly_ends(line)) assembly = false;
      if (assembly || line.empty()) continue;
      std::string_view const label = label_of(line);
      if (!label.empty()) defined_.insert(label);
      std::string_view const text = trimmed(line);
      if (!text.starts_with(".set") || text.size() < 6 || !is_blank(text[4])) continue;
      std::string_view const name = trimmed(text.substr(5));
      defined_.insert(name.substr(0, name.find(',')));
    }
  }

  void go_through() {
    assembly_function f;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string_view const line = lines_[i];
      if (assembly_begins(line)) {
        i = assembly(i, f);
        continue;
      }
      std::string_view const label = label_of(line);
      if (!label.empty() && !label.starts_with(".L")) {
        f = assembly_function();
        f.name = label;
        f.entry = i;
        continue;
      }
      std::string_view const text = trimmed(line);
      look_at_place(text);
      if (text.starts_with(".cfi_startproc") && !f.entry_is_final) {
        f.entry = i;
        f.entry_is_final = true;
      }
      if (text.starts_with(".size") || text.starts_with(".cfi_endproc")) {
        if (is_unseen(f, avoids_)) behind_[f.entry] = number_of({std::string(f.name), 2, -1});
        f = assembly_function();
        continue;
      }
      if (f.name.empty()) continue;
      find_extern_shared(line);
      instruction const in = instruction_of(line);
      look_at(f, in);
      if (is_call_or_jump(in.word)) call(i, in);
      if (!saturates_) continue;
      if (std::string text = saturating_cast(in.word, in.operands); !text.empty()) replaced_[i] = std::move(text);
    }
  }

  /// Handles a block of inline assembly. The library's own lines end in a comment. @returns the index of its last line
  std::size_t assembly(std::size_t i, assembly_function& f) {
    std::size_t const begin = i;
    bool does_something = false;
    for (++i; i < lines_.size() && !assembly_ends(lines_[i]); ++i) {
      if (lines_[i].ends_with("# cosmati")) continue;
      f.reported = f.reported || lines_[i].ends_with("# cosmati: reported");  // algorithm/copy/access.hpp
      std::string_view const word = instruction_of(lines_[i]).word;
      does_something = does_something || !(word.empty() || word.starts_with("nop") || word == "pause");
    }
    if (!f.name.empty() && does_something && begin > 0) behind_[begin - 1] = number_of({"inline assembly", 1, -1});
    return i;
  }

  /// Reads ".file 3 "/usr/include/string.h"" and ".loc 3 21 7", which tell the file of the following code.
  void look_at_place(std::string_view text) {
    bool const file = text.starts_with(".file"), place = text.starts_with(".loc");
    if ((!file && !place) || text.size() < 7) return;
    text = trimmed(text.substr(file ? 5 : 4));
    int number = 0;
    std::size_t n = 0;
    for (; n < text.size() && text[n] >= '0' && text[n] <= '9'; ++n) number = 10 * number + (text[n] - '0');
    if (n == 0) return;
    if (place) {
      in_headers_ = files_of_headers_.count(number) != 0;
    } else if (text.find(headers_) != std::string_view::npos || text.find("\"/usr/") != std::string_view::npos) {
      files_of_headers_.insert(number);
    }
  }

  void call(std::size_t i, instruction const& in) {
    std::string_view const name = called_function(in);
    if (in_headers_ && name.starts_with("__sanitizer_cov_")) {
      replaced_[i] = "";
      return;
    }
    if (name.empty() || is_defined(name)) return;
    if (std::string const other = saturating_function(name); saturates_ && !other.empty()) {
      replaced_[i] = fmt::format("\t{}\t{}@PLT", in.word, other);
      return;
    }
    if (name.starts_with("_ZTH")) initialisers_.insert(name);
    std::size_t const dot = name.find('.');
    if (dot != std::string_view::npos && defined_.count(name.substr(0, dot)) != 0) return;
    foreign_call const c = what_is_called(name);
    if (!c.watched) return;
    int const number = number_of({std::string(name), 0, c.pointers});
    calls_[number] = std::string(in.operands);
    replaced_[i] = fmt::format("\t{}\t.Lcosmati_call{}", in.word, number);
  }

  /// `extern __shared__ T name[]` is a thread-local variable that no file defines.
  void find_extern_shared(std::string_view line) {
    std::size_t at = std::string_view::npos;
    for (char const* const relocation : {"@gottpoff", "@GOTTPOFF", "@tpoff", "@TPOFF", "@tlsgd", "@TLSGD"})
      at = std::min(at, line.find(relocation));
    if (at == std::string_view::npos) return;
    std::size_t from = at;
    while (from > 0 && is_of_name(line[from - 1])) --from;
    std::string_view name = line.substr(from, at - from);
    if (name.starts_with("$")) name.remove_prefix(1);  // an immediate operand
    if (name.empty() || (name[0] >= '0' && name[0] <= '9') || is_defined(name) || name == "threadIdx" ||
        name == "blockIdx" || starts_with_one_of(name, {"cosmati_sim_", "_ZSt", "_ZNSt", "__tls_"})) {
      return;
    }
    extern_shared_.insert(name);
  }

  int number_of(mark&& m) {
    std::string const key = fmt::format("{} {}", m.kind, m.what);
    auto const [place, is_new] = numbers_.insert({key, static_cast<int>(marks_.size())});
    if (is_new) marks_.push_back(std::move(m));
    return place->second;
  }

  /// Keeps all registers, the flags, and the data of a leaf function below the stack pointer.
  static void append_mark(std::string& out, int number) {
    out += fmt::format(
        "\tleaq\t-128(%rsp), %rsp\n\tpushfq\n\tpushq\t%r11\n\tleaq\t.Lcosmati_mark{}(%rip), %r11\n"
        "\tcall\tcosmati_sim_before_unseen@PLT\n\tpopq\t%r11\n\tpopfq\n\tleaq\t128(%rsp), %rsp\n",
        number);
  }

  void append_tables(std::string& out) const {
    if (marks_.empty()) return;
    out += "\t.text\n";
    for (auto const& [number, target] : calls_) {
      out += fmt::format(
          ".Lcosmati_call{0}:\n\t.cfi_startproc\n\tleaq\t.Lcosmati_mark{0}(%rip), %r11\n"
          "\tcall\tcosmati_sim_before_unseen@PLT\n\tjmp\t{1}\n\t.cfi_endproc\n",
          number, target);
    }
    out += "\t.section\t.data.rel.local.cosmati,\"aw\",@progbits\n\t.align 8\n";
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      out += fmt::format(".Lcosmati_mark{0}:\n\t.quad\t.Lcosmati_name{0}\n\t.long\t{1}\n\t.long\t{2}\n", i,
                         marks_[i].kind, marks_[i].pointers);
    }
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      out += fmt::format(".Lcosmati_name{}:\n\t.string\t\"{}\"\n", i, marks_[i].what);
    }
  }

  bool avoids_, saturates_;
  std::string_view headers_;
  std::set<std::string> const& elsewhere_;
  std::set<int> files_of_headers_;
  bool in_headers_ = false;
  std::vector<std::string_view> lines_;
  std::vector<int> behind_ = {};  // the mark after each line, or -1
  std::map<std::size_t, std::string> replaced_;
  std::set<std::string_view> defined_;
  std::set<std::string_view> extern_shared_, initialisers_;
  std::vector<mark> marks_;
  std::map<std::string, int> numbers_;
  std::map<int, std::string> calls_;
};

}  // namespace

std::set<std::string> definitions_of(std::string_view text) {
  std::set<std::string> names, labels;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    std::string_view const whole = text.substr(at, end - at), line = trimmed(whole);
    at = end + 1;
    if (std::string_view const label = label_of(whole); !label.empty() && !label.starts_with(".L"))
      labels.emplace(label);
    for (std::string_view const word : {".globl", ".weak"}) {
      if (line.starts_with(word) && line.size() > word.size() && is_blank(line[word.size()]))
        names.emplace(first_word(trimmed(line.substr(word.size()))));
    }
  }
  std::erase_if(names, [&](std::string const& n) { return labels.count(n) == 0; });  // weak references
  return names;
}

marked_text with_marks(std::string_view text, bool avoids_instrumentation, std::string_view headers,
                       std::set<std::string> const& elsewhere, bool saturates) {
  return marker(text, avoids_instrumentation, headers, elsewhere, saturates).run();
}

std::string definitions_of_extern_shared(std::set<std::string> const& arrays,
                                         std::set<std::string> const& initialisers) {
  if (arrays.empty()) return {};
  // A page to recognise small offsets, 227 KB, another page.
  std::string out = "\t.section\t.tbss.cosmati,\"awT\",@nobits\n\t.balign 4096\n\t.zero 4096\n";
  for (std::string const& name : arrays) out += fmt::format("\t.globl\t{0}\n{0}:\n", name);
  out += fmt::format(
      "\t.zero {}\n\t.text\n\t.globl\tcosmati_sim_extern_shared\n\t.type\tcosmati_sim_extern_shared, @function\n"
      "cosmati_sim_extern_shared:\n\tmovq\t%fs:0, %rax\n\taddq\t{}@gottpoff(%rip), %rax\n\tret\n"
      "\t.size\tcosmati_sim_extern_shared, .-cosmati_sim_extern_shared\n",
      58 * 4096, *arrays.begin());
  // g++ may call a variable's initialisation without a test whether there is one.
  for (std::string const& name : initialisers) {
    out += fmt::format("\t.weak\t{0}\n\t.type\t{0}, @function\n{0}:\n\tret\n\t.size\t{0}, .-{0}\n", name);
  }
  return out;
}

}  // namespace cosmati::cli
