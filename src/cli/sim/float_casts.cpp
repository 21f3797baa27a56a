// SPDX-License-Identifier: Apache-2.0
#include "float_casts.hpp"

#include <fmt/format.h>
#include <charconv>

namespace cosmati::cli {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// An operand of a source, once the stack pointer is `bytes` lower. It is empty for a form that is not known.
std::string below(std::string_view memory, int bytes) {
  std::size_t const open = memory.find("(%rsp");
  if (open == std::string_view::npos) return std::string(memory);
  int offset = 0;
  auto const [end, error] = std::from_chars(memory.data(), memory.data() + open, offset);
  if (open != 0 && (error != std::errc() || end != memory.data() + open)) return {};
  return fmt::format("{}{}", offset + bytes, memory.substr(open));
}

/// Such as cvttss2sil, cvttsd2siq and vcvtss2si.
struct cast {
  bool is_cast = false, of_double = false;
};
cast cast_of(std::string_view word) {
  if (word.starts_with("v")) word.remove_prefix(1);
  for (std::string_view const name : {"cvttss2si", "cvttsd2si", "cvtss2si", "cvtsd2si"}) {
    if (!word.starts_with(name)) continue;
    std::string_view const suffix = word.substr(name.size());
    return {suffix.empty() || suffix == "l" || suffix == "q", name[name.size() - 4] == 'd'};
  }
  return {};
}

}  // namespace

std::string saturating_cast(std::string_view word, std::string_view operands) {
  cast const c = cast_of(word);
  std::size_t const comma = operands.rfind(',');
  if (!c.is_cast || comma == std::string_view::npos) return {};
  std::string_view const source = trimmed(operands.substr(0, comma)), target = trimmed(operands.substr(comma + 1));
  if (target.size() < 3 || !target.starts_with('%')) return {};
  std::string wide(target);  // %rax for %eax, %r8 for %r8d
  bool const is_32_bits = target[1] == 'e' || target.back() == 'd';
  if (wide[1] == 'e') wide[1] = 'r';
  if (wide.back() == 'd') wide.pop_back();

  bool const in_register = source.starts_with("%xmm");
  if (in_register && source.size() > 6) return {};
  // The stack pointer is lower by the 128 bytes that a leaf function may use, and by %rcx.
  std::string const number = in_register ? std::string(source) : below(source, 136);
  if (number.empty()) return {};
  std::string out =
      fmt::format("\tleaq\t-128(%rsp), %rsp\n\tpushq\t%rcx\n\t{}\t{}, {}\n\tpushq\t%rcx\n\t{}\t{}, {}\n\tpushq\t{}\n",
                  c.of_double   ? "movq"
                  : in_register ? "movd"
                                : "movl",
                  number, c.of_double ? "%rcx" : "%ecx", word, in_register ? source : "(%rsp)", target, wide);
  // %rcx becomes zero if the result is the lowest integer.
  if (is_32_bits) {
    out += fmt::format("\tleal\t-2147483648({}), %ecx\n", wide);
  } else {
    out += fmt::format("\tmovq\t{}, %rcx\n\tbswapq\t%rcx\n\tleaq\t-128(%rcx), %rcx\n", wide);
  }
  std::string_view const restored = wide == "%rcx" ? "" : "\tmovq\t8(%rsp), %rcx\n";
  return out + fmt::format(
                   "\tjrcxz\t771f\n770:\n\tpopq\t{}\n{}\tleaq\t144(%rsp), %rsp\n\tjmp\t772f\n"
                   "771:\n\tcall\tcosmati_sim_saturate_{}_{}@PLT\n\tjmp\t770b\n772:\n",
                   wide, restored, c.of_double ? "double" : "float", is_32_bits ? 32 : 64);
}

std::string saturating_function(std::string_view name) {
  for (std::string_view const one : {"lrint", "lround", "llrint", "llround"}) {
    if (name.starts_with(one) && (name.size() == one.size() || name.substr(one.size()) == "f"))
      return fmt::format("cosmati_sim_{}", name);
  }
  return {};
}

std::string_view announcement_of_saturating_casts() {
  return "\t.section\t.rodata\n\t.weak\tcosmati_sim_casts_saturate\n\t.type\tcosmati_sim_casts_saturate, @object\n"
         "\t.size\tcosmati_sim_casts_saturate, 4\n\t.align 4\ncosmati_sim_casts_saturate:\n\t.long\t1\n";
}

}  // namespace cosmati::cli
