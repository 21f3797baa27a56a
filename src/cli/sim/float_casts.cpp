// SPDX-License-Identifier: Apache-2.0
#include "float_casts.hpp"
#include "assembly_lines.hpp"

#include <fmt/format.h>
#include <charconv>

namespace cosmati::cli {

namespace {

/// An operand of a source, once the stack pointer is `bytes` lower. It is empty for a form that is not known.
std::string below(std::string_view memory, int bytes) {
  std::size_t const open = memory.find("(%rsp");
  if (open == std::string_view::npos) return std::string(memory);
  int offset = 0;
  auto const [end, error] = std::from_chars(memory.data(), memory.data() + open, offset);
  if (open != 0 && (error != std::errc() || end != memory.data() + open)) return {};
  return fmt::format("{}{}", offset + bytes, memory.substr(open));
}

/// Such as cvttss2sil, cvttsd2siq, vcvtss2si, and vcvttss2usi of AVX-512.
struct cast {
  bool is_cast = false, of_double = false, is_signed = true;
};
cast cast_of(std::string_view word) {
  if (word.starts_with("v")) word.remove_prefix(1);
  for (std::string_view const name : {"cvttss2", "cvttsd2", "cvtss2", "cvtsd2"}) {
    if (!word.starts_with(name)) continue;
    std::string_view suffix = word.substr(name.size());
    bool const is_signed = !suffix.starts_with("u");
    if (!is_signed) suffix.remove_prefix(1);
    return {suffix == "si" || suffix == "sil" || suffix == "siq", name[name.size() - 2] == 'd', is_signed};
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

  bool const in_register = source.starts_with("%xmm"), is_avx = word.starts_with("v");
  // The stack pointer is lower by the 128 bytes that a leaf function may use, and by %rcx.
  std::string const number = in_register ? std::string(source) : below(source, 136);
  if (number.empty() || source.starts_with("{")) return {};
  std::string_view const move = !in_register  ? c.of_double ? "movq" : "movl"
                                : c.of_double ? is_avx ? "vmovq" : "movq"
                                : is_avx      ? "vmovd"
                                              : "movd";
  std::string out =
      fmt::format("\tleaq\t-128(%rsp), %rsp\n\tpushq\t%rcx\n\t{}\t{}, {}\n\tpushq\t%rcx\n\t{}\t{}, {}\n\tpushq\t{}\n",
                  move, number, c.of_double ? "%rcx" : "%ecx", word, in_register ? source : "(%rsp)", target, wide);
  // %rcx becomes zero if the result is that of a number that does not fit: the lowest integer, or the largest unsigned.
  if (!c.is_signed) {
    out += fmt::format("\tlea{}\t1({}), {}\n", is_32_bits ? "l" : "q", wide, is_32_bits ? "%ecx" : "%rcx");
  } else if (is_32_bits) {
    out += fmt::format("\tleal\t-2147483648({}), %ecx\n", wide);
  } else {
    out += fmt::format("\tmovq\t{}, %rcx\n\tbswapq\t%rcx\n\tleaq\t-128(%rcx), %rcx\n", wide);
  }
  std::string_view const restored = wide == "%rcx" ? "" : "\tmovq\t8(%rsp), %rcx\n";
  return out + fmt::format(
                   "\tjrcxz\t771f\n770:\n\tpopq\t{}\n{}\tleaq\t144(%rsp), %rsp\n\tjmp\t772f\n"
                   "771:\n\tcall\tcosmati_sim_saturate_{}_{}{}@PLT\n\tjmp\t770b\n772:\n",
                   wide, restored, c.of_double ? "double" : "float", c.is_signed ? "s" : "u", is_32_bits ? 32 : 64);
}

std::string saturating_function(std::string_view name) {
  for (std::string_view const one : {"lrint", "lround", "llrint", "llround"}) {
    if (name.starts_with(one) && (name.size() == one.size() || name.substr(one.size()) == "f"))
      return fmt::format("cosmati_sim_{}", name);
  }
  return {};
}

std::string announcement_of_saturating_casts(std::string_view assembly) {
  std::string out = "\t.section\t.rodata\n";
  for (char const* const name : {"cosmati_sim_casts_saturate", "cosmati_sim_unsigned_casts_saturate"}) {
    out += fmt::format("\t.weak\t{0}\n\t.type\t{0}, @object\n\t.size\t{0}, 4\n\t.align 4\n{0}:\n\t.long\t1\n", name);
    if (assembly.find("2usi\t") == std::string_view::npos) break;
  }
  return out;
}

}  // namespace cosmati::cli
