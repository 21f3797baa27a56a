// SPDX-License-Identifier: Apache-2.0
#include "assembly.hpp"
#include "float_casts.hpp"
#include "foreign_calls.hpp"
#include "starts_with.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cosmati::cli {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// The name that a text begins with. clang writes comments behind it.
std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t#,")); }

/// The label that a line defines, or nothing.
std::string_view label_of(std::string_view line) {
  std::size_t n = 0;
  while (n < line.size() && is_of_name(line[n])) ++n;
  return n != 0 && n < line.size() && line[n] == ':' ? line.substr(0, n) : std::string_view();
}

/// One instruction: its mnemonic and its operands.
struct instruction {
  std::string_view word, operands;
};
instruction instruction_of(std::string_view line) {
  std::string_view const text = trimmed(line.substr(0, std::min(line.find(" #"), line.find("\t#"))));
  if (text.empty() || text[0] == '.' || text[0] == '#') return {};
  std::size_t n = 0;
  while (n < text.size() && !is_blank(text[n])) ++n;
  return {text.substr(0, n), trimmed(text.substr(n))};
}

bool is_call_or_jump(std::string_view word) {
  return word == "call" || word == "callq" || word == "jmp" || word == "jmpq" || word == "bnd";
}

/// The function that a call or jump goes to, as written. It is empty for a local label or a pointer.
std::string_view target_of(instruction const& i) {
  std::string_view t = i.operands;
  bool const through_table = t.starts_with("*") && t.ends_with("@GOTPCREL(%rip)");
  if (through_table) t.remove_prefix(1);
  std::size_t n = 0;
  while (n < t.size() && is_of_name(t[n])) ++n;
  std::string_view const rest = t.substr(n);
  if (n == 0 || t.starts_with(".L") || !(rest.empty() || rest == "@PLT" || through_table)) return {};
  return t.substr(0, n);
}

/// The data of a function that are known at its end.
struct function {
  std::string_view name;
  std::size_t entry = 0;  // the index of the line after which a mark goes
  bool entry_is_final = false;
  bool instrumented = false;
  bool reported = false;  // whether the library has reported its accesses to the simulated device
  bool frame_pointer = false;
  bool takes_an_address = false;
  bool by_rbp = false, by_register = false, of_variable = false;
  // A function that returns a class gets the address of the result in %rdi, and returns it in %rax. The instrumentation
  // leaves out the stores to the result.
  std::vector<std::string> result_registers = {"%rdi"};  // those that hold the first argument now
  std::vector<std::string> inside_result;                // those that hold an address computed from it
  bool by_result = false, returns_argument = false;
};

/// The 64-bit register that an operand is a part of: `%rdi` for `%edi`, `%r8` for `%r8d`. Empty if it is no register.
std::string whole_register(std::string_view operand) {
  if (operand.size() < 3 || operand[0] != '%') return {};
  std::string name(operand);
  if (name[1] == 'e') name[1] = 'r';
  bool const is_numbered = name[1] == 'r' && name[2] >= '0' && name[2] <= '9';
  if (is_numbered && (name.back() == 'd' || name.back() == 'w' || name.back() == 'b')) name.pop_back();
  return name;
}
bool has(std::vector<std::string> const& registers, std::string_view name) {
  return std::find(registers.begin(), registers.end(), name) != registers.end();
}
/// Follows the first argument through moves between registers, and through sums.
void follow_result(function& f, instruction const& i) {
  std::size_t const comma = i.operands.rfind(',');
  std::string_view const last = comma == std::string_view::npos ? i.operands : i.operands.substr(comma + 1);
  std::string const to = whole_register(trimmed(last));
  if (to.empty() || starts_with_one_of(i.word, {"cmp", "test", "push"})) return;
  std::string_view const from = comma == std::string_view::npos ? "" : trimmed(i.operands.substr(0, comma));
  bool const moves = i.word == "movq" || i.word == "mov";
  bool const copies = moves && has(f.result_registers, from), adds = i.word.starts_with("add") && to == trimmed(last);
  bool inside =
      (moves && has(f.inside_result, from)) || (adds && (has(f.result_registers, to) || has(f.inside_result, to)));
  if (i.word.starts_with("lea")) {
    std::size_t const open = from.find("(%");
    std::string_view const base = open == std::string_view::npos ? "" : from.substr(open + 1, 4);
    for (auto const* all : {&f.result_registers, &f.inside_result})
      inside = inside || std::any_of(all->begin(), all->end(), [&](auto const& r) { return base == r.substr(0, 4); });
  }
  std::erase(f.result_registers, to);
  std::erase(f.inside_result, to);
  if (inside) f.inside_result.push_back(to);
  if (!copies) return;
  f.result_registers.push_back(to);
  if (to == "%rax") f.returns_argument = true;
}

/// Whether a memory operand has a base or index register other than those of the stack and the program.
void look_at_operands(function& f, std::string_view operands) {
  for (std::size_t open = operands.find('('); open != std::string_view::npos; open = operands.find('(', open + 1)) {
    std::size_t const close = operands.find(')', open);
    if (close == std::string_view::npos) return;
    std::string_view const inside = operands.substr(open + 1, close - open - 1);
    std::size_t from = open;
    while (from > 0 && operands[from - 1] != ',' && !is_blank(operands[from - 1])) --from;
    std::string_view const before = operands.substr(from, open - from);
    if (before.starts_with("%fs:")) {  // a thread-local variable, of the device or of this file
      f.of_variable = f.of_variable || before.find('@') != std::string_view::npos;
    } else if (inside.starts_with("%rip")) {
      bool const stored = close + 1 == operands.size();
      f.of_variable =
          f.of_variable || (stored && !before.starts_with(".L") && before.find('@') == std::string_view::npos);
    } else if (inside.starts_with("%rsp")) {
    } else if (inside.starts_with("%rbp")) {
      f.by_rbp = true;
    } else if (has(f.result_registers, inside) || has(f.inside_result, inside)) {
      f.by_result = true;
    } else {
      f.by_register = true;
    }
  }
}

void look_at(function& f, instruction const& i) {
  if (i.word.empty()) return;
  if (i.word.starts_with("lea")) {
    follow_result(f, i);
    // The arguments of the checks of alignment and bounds do not count.
    if (i.operands.starts_with(".Lubsan_") || i.operands.starts_with(".L__unnamed_")) return;
    for (char const* const base : {"(%rsp", "(%rbp", "(%rip"}) {
      if (i.operands.find(base) != std::string_view::npos) f.takes_an_address = true;
    }
    return;
  }
  if (i.word.starts_with("mov") && i.operands.starts_with("%rsp,")) {
    if (i.operands.ends_with("%rbp")) {
      f.frame_pointer = true;
    } else {
      f.takes_an_address = true;
    }
    return;
  }
  if (is_call_or_jump(i.word)) {
    // A call keeps the values of the other registers.
    if (i.word.starts_with("call")) {
      for (auto* const all : {&f.result_registers, &f.inside_result}) {
        std::erase_if(*all, [](std::string_view r) {
          return !starts_with_one_of(r, {"%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15"});
        });
      }
    }
    std::string_view const t = target_of(i);
    if (t.starts_with("__tsan_") && !t.starts_with("__tsan_func") && t != "__tsan_init") f.instrumented = true;
    return;
  }
  if (i.word.starts_with("nop") || i.word.starts_with("prefetch") || i.word.starts_with("push") ||
      i.word.starts_with("pop")) {
    return;
  }
  if (i.word.starts_with("rep")) f.by_register = true;
  look_at_operands(f, i.operands);
  follow_result(f, i);
}

bool is_unseen(function const& f, bool avoids_instrumentation) {
  if (f.name.empty() || f.instrumented || f.reported || f.name.ends_with(".cold")) return false;
  if (starts_with_one_of(f.name,
                         {"_ZTW", "_ZTH", "_GLOBAL__", "__cxx_global", "__tls_init", "__clang_", "_Z41__static_init"}))
    return false;
  bool const by_result = f.by_result && (avoids_instrumentation || !f.returns_argument);
  bool const by_register = f.by_register || by_result || (f.by_rbp && !f.frame_pointer);
  // A function's own arrays and tables of constants are accessed through a register too. The instrumentation leaves
  // them out.
  if (by_register && (!f.takes_an_address || avoids_instrumentation)) return true;
  return f.of_variable && avoids_instrumentation;
}

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
    function f;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string_view const line = lines_[i];
      if (assembly_begins(line)) {
        i = assembly(i, f);
        continue;
      }
      std::string_view const label = label_of(line);
      if (!label.empty() && !label.starts_with(".L")) {
        f = function();
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
        f = function();
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
  std::size_t assembly(std::size_t i, function& f) {
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
    std::string_view const name = target_of(in);
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
