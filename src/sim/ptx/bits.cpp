// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, and operations on the bits of integers.
#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

template <class F, class T>
void two_sources(thread& t, instruction const& i) {
  t.set<T>(i.operands[0], static_cast<T>(F::of(t.get<T>(i.operands[1]), t.get<T>(i.operands[2]))));
}
template <class F>
void two_predicates(thread& t, instruction const& i) {
  t.set<bool>(i.operands[0],
              (F::of(t.predicate(i.operands[1]) ? 1u : 0u, t.predicate(i.operands[2]) ? 1u : 0u) & 1u) != 0);
}
template <class F>
handler resolve_logic(instruction& i) {
  if (i.operands.size() != 3) return nullptr;
  if (i.type() == "pred") return two_predicates<F>;
  return for_integer(i.type(), [](auto x) -> handler { return two_sources<F, std::make_unsigned_t<decltype(x)>>; });
}
struct both {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct either {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct one_of {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

template <class T>
void complement(thread& t, instruction const& i) {
  t.set<T>(i.operands[0], static_cast<T>(~t.get<T>(i.operands[1])));
}
template <class T>
void is_zero(thread& t, instruction const& i) {
  t.set<T>(i.operands[0], static_cast<T>(t.get<T>(i.operands[1]) == 0 ? 1 : 0));
}
handler resolve_not(instruction& i) {
  if (i.operands.size() != 2) return nullptr;
  if (i.type() == "pred")
    return [](thread& t, instruction const& j) { t.set<bool>(j.operands[0], !t.predicate(j.operands[1])); };
  return for_integer(i.type(), [](auto x) -> handler { return complement<std::make_unsigned_t<decltype(x)>>; });
}
handler resolve_cnot(instruction& i) {
  if (i.operands.size() != 2) return nullptr;
  return for_integer(i.type(), [](auto x) -> handler { return is_zero<std::make_unsigned_t<decltype(x)>>; });
}

/// shl, shr: amounts of the width and more shift everything out.
template <class T, bool left>
void shift(thread& t, instruction const& i) {
  T const a = t.get<T>(i.operands[1]);
  auto const n = t.get<std::uint32_t>(i.operands[2]);
  constexpr unsigned width = 8 * sizeof(T);
  T x;
  if constexpr (left)
    x = n >= width ? T{0} : static_cast<T>(std::make_unsigned_t<T>(a) << n);
  else
    x = static_cast<T>(a >> (n < width ? n : width - 1));
  if (!left && n >= width && std::is_unsigned_v<T>) x = 0;
  t.set<T>(i.operands[0], x);
}
template <bool left>
handler resolve_shift(instruction& i) {
  if (i.operands.size() != 3) return nullptr;
  return for_integer(i.type(), [](auto x) -> handler { return shift<decltype(x), left>; });
}

/// shf.l and shf.r: the middle of {b, a} shifted; amounts wrap or are clamped.
void funnel(thread& t, instruction const& i) {
  std::uint64_t const both =
      std::uint64_t{t.get<std::uint32_t>(i.operands[2])} << 32 | t.get<std::uint32_t>(i.operands[1]);
  auto n = t.get<std::uint32_t>(i.operands[3]);
  n = i.has("wrap") ? n & 31u : n > 32u ? 32u : n;
  auto const x = i.has("l") ? static_cast<std::uint32_t>((both << n) >> 32) : static_cast<std::uint32_t>(both >> n);
  t.set<std::uint32_t>(i.operands[0], x);
}
handler resolve_funnel(instruction& i) { return i.operands.size() == 4 && i.type() == "b32" ? funnel : nullptr; }

/// bfe: `length` bits from `first` on; signed ones are extended by the last bit that is there.
template <class T>
void extract(thread& t, instruction const& i) {
  constexpr unsigned width = 8 * sizeof(T);
  T const a = t.get<T>(i.operands[1]);
  unsigned const first = t.get<std::uint32_t>(i.operands[2]) & 0xff,
                 length = t.get<std::uint32_t>(i.operands[3]) & 0xff;
  unsigned const last = first + length - 1 < width - 1 ? first + length - 1 : width - 1;
  bool const sign = std::is_signed_v<T> && length != 0 && (a >> last & 1) != 0;
  std::make_unsigned_t<T> x = 0;
  for (unsigned b = 0; b < width; ++b) {
    bool const bit = b < length && first + b < width ? (a >> (first + b) & 1) != 0 : sign;
    if (bit) x = static_cast<std::make_unsigned_t<T>>(x | std::make_unsigned_t<T>{1} << b);
  }
  t.set<T>(i.operands[0], static_cast<T>(x));
}
handler resolve_extract(instruction& i) {
  if (i.operands.size() != 4) return nullptr;
  return for_integer(i.type(), [](auto x) -> handler { return extract<decltype(x)>; });
}
/// bfi: the low `length` bits of a, put into b at `first`.
template <class T>
void insert(thread& t, instruction const& i) {
  T const a = t.get<T>(i.operands[1]);
  T x = t.get<T>(i.operands[2]);
  unsigned const first = t.get<std::uint32_t>(i.operands[3]) & 0xff,
                 length = t.get<std::uint32_t>(i.operands[4]) & 0xff;
  for (unsigned b = 0; b < length && first + b < 8 * sizeof(T); ++b) {
    T const bit = static_cast<T>(T{1} << (first + b));
    x = (a >> b & 1) != 0 ? static_cast<T>(x | bit) : static_cast<T>(x & ~bit);
  }
  t.set<T>(i.operands[0], x);
}
handler resolve_insert(instruction& i) {
  if (i.operands.size() != 5) return nullptr;
  if (i.type() == "b32") return insert<std::uint32_t>;
  return i.type() == "b64" ? insert<std::uint64_t> : nullptr;
}
/// bfind: the highest bit that differs from the sign; `shiftamt` counts from the top. ~0: there is none.
template <class T>
void find_bit(thread& t, instruction const& i) {
  T const a = t.get<T>(i.operands[1]);
  auto const x = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(a < 0 ? ~a : a));
  constexpr unsigned top = 8 * sizeof(T) - 1;
  unsigned const bit = x == 0 ? ~0u : 63u - static_cast<unsigned>(__builtin_clzll(x));
  t.set<std::uint32_t>(i.operands[0], x != 0 && i.has("shiftamt") ? top - bit : bit);
}
handler resolve_find(instruction& i) {
  if (i.operands.size() != 2) return nullptr;
  return for_integer(i.type(), [](auto x) -> handler { return find_bit<decltype(x)>; });
}
template <class T>
void reverse(thread& t, instruction const& i) {
  T a = t.get<T>(i.operands[1]), x = 0;
  for (std::size_t b = 0; b < 8 * sizeof(T); ++b, a = static_cast<T>(a >> 1)) x = static_cast<T>(x << 1 | (a & 1));
  t.set<T>(i.operands[0], x);
}
template <class T>
void count_ones(thread& t, instruction const& i) {
  t.set<std::uint32_t>(i.operands[0], static_cast<std::uint32_t>(__builtin_popcountll(t.get<T>(i.operands[1]))));
}
template <class T>
void count_leading_zeros(thread& t, instruction const& i) {
  std::uint64_t const a = t.get<T>(i.operands[1]);
  unsigned const n = a == 0 ? 64u : static_cast<unsigned>(__builtin_clzll(a));
  t.set<std::uint32_t>(i.operands[0], n - (64u - 8u * sizeof(T)));
}
#define COSMATI_OF_32_AND_64_(name, function)                     \
  handler name(instruction& i) {                                  \
    if (i.operands.size() != 2) return nullptr;                   \
    if (i.type() == "b32") return function<std::uint32_t>;        \
    return i.type() == "b64" ? function<std::uint64_t> : nullptr; \
  }
COSMATI_OF_32_AND_64_(resolve_reverse, reverse)
COSMATI_OF_32_AND_64_(resolve_popc, count_ones)
COSMATI_OF_32_AND_64_(resolve_clz, count_leading_zeros)
#undef COSMATI_OF_32_AND_64_

/// lop3: bit by bit, the table's entry at the three bits.
void logic_of_three(thread& t, instruction const& i) {
  auto const a = t.get<std::uint32_t>(i.operands[1]), b = t.get<std::uint32_t>(i.operands[2]),
             c = t.get<std::uint32_t>(i.operands[3]), entries = t.get<std::uint32_t>(i.operands[4]);
  std::uint32_t x = 0;
  for (unsigned entry = 0; entry < 8; ++entry) {
    if ((entries >> entry & 1) == 0) continue;
    x |= ((entry & 4) != 0 ? a : ~a) & ((entry & 2) != 0 ? b : ~b) & ((entry & 1) != 0 ? c : ~c);
  }
  t.set<std::uint32_t>(i.operands[0], x);
}
handler resolve_lop3(instruction& i) { return i.operands.size() == 5 && i.type() == "b32" ? logic_of_three : nullptr; }

/// prmt: four bytes of {b, a}, each by a selector of 4 bits, or by a mode and the low 2 bits.
void permute(thread& t, instruction const& i) {
  std::uint64_t const both =
      std::uint64_t{t.get<std::uint32_t>(i.operands[2])} << 32 | t.get<std::uint32_t>(i.operands[1]);
  auto selector = t.get<std::uint32_t>(i.operands[3]);
  if (i.type() != "b32") {
    unsigned const s = selector & 3u;
    std::uint32_t const base = s * 0x1111u;
    selector = i.type() == "f4e"   ? (0x3210u + base)
               : i.type() == "b4e" ? s | (((s - 1) & 7u) << 4) | (((s - 2) & 7u) << 8) | (((s - 3) & 7u) << 12)
               : i.type() == "rc8" ? base
               : i.type() == "ecl" ? (3u << 12 | (s > 2 ? s : 2u) << 8 | (s > 1 ? s : 1u) << 4 | s)
               : i.type() == "ecr" ? ((s < 3 ? s : 3u) << 12 | (s < 2 ? s : 2u) << 8 | (s < 1 ? s : 1u) << 4)
                                   : ((s & 1) != 0 ? 0x3232u : 0x1010u);
  }
  std::uint32_t x = 0;
  for (int n = 0; n < 4; ++n) {
    unsigned const nibble = selector >> (4 * n) & 0xf;
    std::uint32_t byte = static_cast<std::uint32_t>(both >> (8 * (nibble & 7))) & 0xff;
    if ((nibble & 8) != 0 && i.type() == "b32") byte = (byte & 0x80) != 0 ? 0xff : 0;
    x |= byte << (8 * n);
  }
  t.set<std::uint32_t>(i.operands[0], x);
}
handler resolve_prmt(instruction& i) { return i.operands.size() == 4 ? permute : nullptr; }

constexpr table_row table[] = {
    {"and", resolve_logic<both>},  {"or", resolve_logic<either>}, {"xor", resolve_logic<one_of>},
    {"not", resolve_not},          {"cnot", resolve_cnot},        {"shl", resolve_shift<true>},
    {"shr", resolve_shift<false>}, {"shf", resolve_funnel},       {"bfe", resolve_extract},
    {"bfi", resolve_insert},       {"bfind", resolve_find},       {"brev", resolve_reverse},
    {"popc", resolve_popc},        {"clz", resolve_clz},          {"lop3", resolve_lop3},
    {"prmt", resolve_prmt}};

}  // namespace

rows bit_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
