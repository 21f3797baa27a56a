// SPDX-License-Identifier: Apache-2.0
// setp, set, selp, slct.
#include <cmath>

#include "floats.hpp"

namespace cosmati_sim::ptx {
namespace {

enum relation { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan, relations };
constexpr std::string_view relation_names[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                               "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
enum combination { alone, with_and, with_or, with_xor };

int relation_of(instruction const& i) {
  for (int r = 0; r < relations; ++r) {
    if (!i.modifiers.empty() && i.modifiers[0] == relation_names[r]) return r;
  }
  return -1;
}

template <class T>
bool holds(T a, T b, int r) {
  bool unordered = false;
  if constexpr (std::is_floating_point_v<T>) unordered = std::isnan(a) || std::isnan(b);
  if (unordered) return r == ne ? false : (r >= equ && r != num);
  switch (r) {
    case eq:
    case equ:
      return a == b;
    case ne:
    case neu:
      return a != b;
    case lt:
    case lo:
    case ltu:
      return a < b;
    case le:
    case ls:
    case leu:
      return a <= b;
    case gt:
    case hi:
    case gtu:
      return a > b;
    case num:
      return true;
    case nan:
      return false;
    default:
      return a >= b;
  }
}

/// The result of the comparison, combined with the predicate of the last operand.
bool combined(thread const& t, instruction const& i, bool result, std::size_t last) {
  if (i.count == alone) return result;
  bool const c = t.predicate(i.operands[last]);
  return i.count == with_and ? result && c : i.count == with_or ? result || c : result != c;
}

template <class T>
auto value(thread const& t, operand const& o, int code) {
  T const x = t.get<T>(o);
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>) {
    return x;
  } else {
    float const f = static_cast<float>(x);
    return (code & flushes) != 0 ? flushed(f) : f;
  }
}

/// setp.lt.s32 p|q, a, b{, c}: q gets the opposite.
template <class T>
void set_predicate(thread& t, instruction const& i) {
  std::size_t const a = i.operands[1].paired ? 2 : 1;
  bool const result = holds(value<T>(t, i.operands[a], i.code), value<T>(t, i.operands[a + 1], i.code), i.bytes);
  bool const p = combined(t, i, result, a + 2), q = combined(t, i, !result, a + 2);
  t.set<bool>(i.operands[0], p);
  if (a == 2) t.set<bool>(i.operands[1], q);
}
/// setp.lt.f16x2 p|q, a, b: a predicate for each half.
template <class T>
void set_two_predicates(thread& t, instruction const& i) {
  struct two {
    T low, high;
  };
  bool const pair = i.operands[1].paired;
  std::size_t const first = pair ? 2 : 1;
  two const a = t.get<two>(i.operands[first]), b = t.get<two>(i.operands[first + 1]);
  t.set<bool>(i.operands[0], combined(t, i, holds(float(a.low), float(b.low), i.bytes), first + 2));
  if (pair) t.set<bool>(i.operands[1], combined(t, i, holds(float(a.high), float(b.high), i.bytes), first + 2));
}
/// set.lt.u32.f32 d, a, b{, c}: all ones, or 1.0 in a float.
template <class T>
void set_number(thread& t, instruction const& i) {
  bool const yes =
      combined(t, i, holds(value<T>(t, i.operands[1], i.code), value<T>(t, i.operands[2], i.code), i.bytes), 3);
  std::string_view const to = i.type_before();
  std::uint32_t const one = to == "f32"                  ? 0x3f800000u
                            : to == "f16"                ? 0x3c00u
                            : to == "bf16"               ? 0x3f80u
                            : to == "u16" || to == "s16" ? 0xffffu
                                                         : ~0u;
  t.set<std::uint32_t>(i.operands[0], yes ? one : 0u);
}
template <class T>
void set_two_numbers(thread& t, instruction const& i) {
  struct two {
    T low, high;
  };
  two const a = t.get<two>(i.operands[1]), b = t.get<two>(i.operands[2]);
  std::string_view const to = i.type_before();
  std::uint32_t const one = to == "f16x2" ? 0x3c00u : to == "bf16x2" ? 0x3f80u : 0xffffu;
  std::uint32_t const low = combined(t, i, holds(float(a.low), float(b.low), i.bytes), 3) ? one : 0;
  std::uint32_t const high = combined(t, i, holds(float(a.high), float(b.high), i.bytes), 3) ? one : 0;
  t.set<std::uint32_t>(i.operands[0], low | high << 16);
}

/// The relation goes to `bytes`, the combination to `count`.
bool read_modifiers(instruction& i) {
  i.bytes = relation_of(i);
  i.count = i.has("and") ? with_and : i.has("or") ? with_or : i.has("xor") ? with_xor : alone;
  i.code = float_modifiers(i);
  return i.bytes >= 0;
}
handler resolve_setp(instruction& i) {
  if (!read_modifiers(i)) return nullptr;
  std::size_t const needed =
      3u + (i.operands.size() > 1 && i.operands[1].paired ? 1u : 0u) + (i.count != alone ? 1u : 0u);
  if (i.operands.size() != needed) return nullptr;
  std::string_view const type = i.type();
  if (type == "f32") return set_predicate<float>;
  if (type == "f64") return set_predicate<double>;
  if (type == "f16") return set_predicate<half_t>;
  if (type == "bf16") return set_predicate<bfloat16_t>;
  if (type == "f16x2") return set_two_predicates<half_t>;
  if (type == "bf16x2") return set_two_predicates<bfloat16_t>;
  return for_integer(type, [](auto x) -> handler { return set_predicate<decltype(x)>; });
}
handler resolve_set(instruction& i) {
  if (!read_modifiers(i) || i.operands.size() != 3u + (i.count != alone ? 1u : 0u)) return nullptr;
  std::string_view const type = i.type();
  if (type == "f32") return set_number<float>;
  if (type == "f64") return set_number<double>;
  if (type == "f16") return set_number<half_t>;
  if (type == "bf16") return set_number<bfloat16_t>;
  if (type == "f16x2") return set_two_numbers<half_t>;
  if (type == "bf16x2") return set_two_numbers<bfloat16_t>;
  return for_integer(type, [](auto x) -> handler { return set_number<decltype(x)>; });
}

/// selp d, a, b, p.
handler resolve_selp(instruction& i) {
  i.bytes = bytes_of_type(i.type());
  if (i.operands.size() != 4 || i.bytes == 0) return nullptr;
  return [](thread& t, instruction const& j) {
    word const x = t.bits(j.operands[t.predicate(j.operands[3]) ? 1 : 2], static_cast<std::size_t>(j.bytes));
    t.set<word>(j.operands[0], x);
  };
}
/// slct d, a, b, c: a where c is not negative.
handler resolve_slct(instruction& i) {
  i.bytes = bytes_of_type(i.type_before());
  if (i.operands.size() != 4 || i.bytes == 0) return nullptr;
  return [](thread& t, instruction const& j) {
    bool const first = j.type() == "f32" ? t.get<float>(j.operands[3]) >= 0.f : t.get<std::int32_t>(j.operands[3]) >= 0;
    t.set<word>(j.operands[0], t.bits(j.operands[first ? 1 : 2], static_cast<std::size_t>(j.bytes)));
  };
}

constexpr table_row table[] = {
    {"setp", resolve_setp}, {"set", resolve_set}, {"selp", resolve_selp}, {"slct", resolve_slct}};

}  // namespace

rows comparison_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
