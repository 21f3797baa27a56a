// SPDX-License-Identifier: Apache-2.0
#include "assembly_function.hpp"
#include "starts_with.hpp"

#include <algorithm>

namespace cosmati::cli {

namespace {

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
void follow_result(assembly_function& f, instruction const& i) {
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
void look_at_operands(assembly_function& f, std::string_view operands) {
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

}  // namespace

void look_at(assembly_function& f, instruction const& i) {
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
    std::string_view const t = called_function(i);
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

bool is_unseen(assembly_function const& f, bool avoids_instrumentation) {
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

}  // namespace cosmati::cli
