// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic.
#include <limits>

#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

template <class T>
using widened = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, word>,
    std::conditional_t<
        sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
        std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                           std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>>>>;
template <class T>
using unsigned_of = std::make_unsigned_t<T>;

/// A handler of two sources: `F::of(a, b)`.
template <class F, class T>
void two_sources(thread& t, instruction const& i) {
  t.set<T>(i.operands[0], F::of(t.get<T>(i.operands[1]), t.get<T>(i.operands[2])));
}
template <class F, class T>
void one_source(thread& t, instruction const& i) {
  t.set<T>(i.operands[0], F::of(t.get<T>(i.operands[1])));
}
template <class F>
handler resolve_two(instruction& i) {
  if (i.operands.size() != 3) return nullptr;
  return for_integer(i.type(), [](auto x) -> handler { return two_sources<F, decltype(x)>; });
}
template <class F>
handler resolve_one(instruction& i) {
  if (i.operands.size() != 2) return nullptr;
  return for_integer(i.type(), [](auto x) -> handler { return one_source<F, decltype(x)>; });
}

struct plus {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(unsigned_of<T>(a) + unsigned_of<T>(b));
  }
};
struct minus {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(unsigned_of<T>(a) - unsigned_of<T>(b));
  }
};
/// add.sat.s32 and sub.sat.s32.
template <bool subtracts>
void saturated(thread& t, instruction const& i) {
  std::int64_t const a = t.get<std::int32_t>(i.operands[1]), b = t.get<std::int32_t>(i.operands[2]);
  std::int64_t const x = subtracts ? a - b : a + b, most = std::numeric_limits<std::int32_t>::max();
  t.set<std::int32_t>(i.operands[0], static_cast<std::int32_t>(x > most ? most : x < -most - 1 ? -most - 1 : x));
}
/// add.u16x2 and kin: each half by itself.
template <class F, class T>
void two_halves(thread& t, instruction const& i) {
  auto const a = t.get<std::uint32_t>(i.operands[1]), b = t.get<std::uint32_t>(i.operands[2]);
  auto const half = [&](int shift) {
    return std::uint32_t{static_cast<std::uint16_t>(F::of(static_cast<T>(a >> shift), static_cast<T>(b >> shift)))};
  };
  t.set<std::uint32_t>(i.operands[0], half(0) | half(16) << 16);
}

/// The carry of add.cc and kin. A lane uses it before another lane runs.
thread_local bool carry = false;

/// @tparam reads, writes whether the instruction takes the carry in, and sets it
template <class T, bool subtracts, bool reads, bool writes>
void with_carry(thread& t, instruction const& i) {
  using U = unsigned_of<T>;
  using W = widened<U>;
  W const a = t.get<U>(i.operands[1]), b = t.get<U>(i.operands[2]), in = reads && carry ? 1 : 0;
  W const x = subtracts ? static_cast<W>(a - b - in) : static_cast<W>(a + b + in);
  if (writes) carry = (x >> (8 * sizeof(T)) & 1) != 0;
  t.set<U>(i.operands[0], static_cast<U>(x));
}
template <bool subtracts, bool reads>
handler resolve_carry(instruction& i) {
  if (i.operands.size() != 3) return nullptr;
  bool const writes = i.has("cc");
  if (!writes && !reads) return nullptr;
  return for_integer(i.type(), [writes](auto x) -> handler {
    using T = decltype(x);
    return writes ? with_carry<T, subtracts, reads, true> : with_carry<T, subtracts, reads, false>;
  });
}
template <class F, bool subtracts>
handler resolve_sum(instruction& i) {
  if (i.has("cc")) return resolve_carry<subtracts, false>(i);
  if (i.has("sat") && i.type() == "s32" && i.operands.size() == 3) return saturated<subtracts>;
  if (i.type() == "u16x2") return two_halves<F, std::uint16_t>;
  if (i.type() == "s16x2") return two_halves<F, std::int16_t>;
  return resolve_two<F>(i);
}

// mul and mad: `lo`, `hi` or `wide` of the product of double width.
enum class part { low, high, wide };
template <class T, part which, bool adds>
void product(thread& t, instruction const& i) {
  using W = widened<T>;
  using UW =
      std::conditional_t<sizeof(W) == 16, word, std::make_unsigned_t<std::conditional_t<sizeof(W) == 16, int, W>>>;
  auto const p =
      static_cast<W>(static_cast<UW>(W{t.get<T>(i.operands[1])}) * static_cast<UW>(W{t.get<T>(i.operands[2])}));
  if constexpr (which == part::wide) {
    auto x = static_cast<UW>(p);
    if constexpr (adds) x += static_cast<UW>(t.get<W>(i.operands[3]));
    t.set<W>(i.operands[0], static_cast<W>(x));
  } else {
    auto x = static_cast<unsigned_of<T>>(which == part::low ? p : p >> (8 * sizeof(T)));
    if constexpr (adds) x = static_cast<unsigned_of<T>>(x + t.get<unsigned_of<T>>(i.operands[3]));
    t.set<T>(i.operands[0], static_cast<T>(x));
  }
}
/// mad.lo.cc, madc.hi: with the carry of the sum.
template <class T, part which, bool reads, bool writes>
void product_with_carry(thread& t, instruction const& i) {
  using U = unsigned_of<T>;
  using W = widened<T>;
  W const p = static_cast<W>(W{t.get<T>(i.operands[1])} * W{t.get<T>(i.operands[2])});
  auto const a = static_cast<U>(which == part::low ? p : p >> (8 * sizeof(T)));
  auto const x =
      static_cast<widened<U>>(widened<U>{a} + widened<U>{t.get<U>(i.operands[3])} + (reads && carry ? 1 : 0));
  if (writes) carry = (x >> (8 * sizeof(T)) & 1) != 0;
  t.set<U>(i.operands[0], static_cast<U>(x));
}
template <bool adds>
handler resolve_product(instruction& i) {
  if (i.operands.size() != (adds ? 4u : 3u)) return nullptr;
  bool const low = i.has("lo"), high = i.has("hi"), wide = i.has("wide"), carries = i.has("cc"),
             reads = i.opcode == "madc";
  if (!low && !high && !wide) return nullptr;
  return for_integer(i.type(), [=](auto x) -> handler {
    using T = decltype(x);
    if constexpr (sizeof(T) >= 4 && adds) {
      if (reads && carries)
        return low ? product_with_carry<T, part::low, true, true> : product_with_carry<T, part::high, true, true>;
      if (reads)
        return low ? product_with_carry<T, part::low, true, false> : product_with_carry<T, part::high, true, false>;
      if (carries)
        return low ? product_with_carry<T, part::low, false, true> : product_with_carry<T, part::high, false, true>;
    }
    if constexpr (sizeof(T) <= 4) {
      if (wide) return product<T, part::wide, adds>;
    }
    return low ? product<T, part::low, adds> : high ? product<T, part::high, adds> : nullptr;
  });
}

/// mul24 and mad24: the low 24 bits of both factors, of the product bits 0 to 31 or 16 to 47.
template <class T, bool adds>
void product_24(thread& t, instruction const& i) {
  using W = widened<T>;
  auto const narrow = [](T x) { return static_cast<W>(static_cast<T>(static_cast<std::uint32_t>(x) << 8) >> 8); };
  W const p = narrow(t.get<T>(i.operands[1])) * narrow(t.get<T>(i.operands[2]));
  auto x = static_cast<std::uint32_t>(i.has("hi") ? p >> 16 : p);
  if constexpr (adds) x += t.get<std::uint32_t>(i.operands[3]);
  t.set<T>(i.operands[0], static_cast<T>(x));
}
template <bool adds>
handler resolve_24(instruction& i) {
  if (i.operands.size() != (adds ? 4u : 3u)) return nullptr;
  if (i.type() == "u32") return product_24<std::uint32_t, adds>;
  return i.type() == "s32" ? product_24<std::int32_t, adds> : nullptr;
}

/// A divisor of zero gives all ones, as the hardware's sequence does; PTX leaves the result open.
struct quotient {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return minus::of(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};
struct remainder {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct least {
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct greatest {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};
template <class F>
handler resolve_extreme(instruction& i) {
  if (i.operands.size() != 3) return nullptr;
  if (i.type() == "u16x2") return two_halves<F, std::uint16_t>;
  if (i.type() == "s16x2") return two_halves<F, std::int16_t>;
  if (i.has("relu") && i.type() == "s32") {
    return [](thread& t, instruction const& j) {
      std::int32_t const x = F::of(t.get<std::int32_t>(j.operands[1]), t.get<std::int32_t>(j.operands[2]));
      t.set<std::int32_t>(j.operands[0], x < 0 ? 0 : x);
    };
  }
  return resolve_two<F>(i);
}
struct magnitude {
  template <class T>
  static T of(T a) {
    return a < 0 ? minus::of(T{0}, a) : a;
  }
};
struct opposite {
  template <class T>
  static T of(T a) {
    return minus::of(T{0}, a);
  }
};

template <class T>
void absolute_difference(thread& t, instruction const& i) {
  using U = unsigned_of<T>;
  T const a = t.get<T>(i.operands[1]), b = t.get<T>(i.operands[2]);
  U const d = a < b ? static_cast<U>(U(b) - U(a)) : static_cast<U>(U(a) - U(b));
  t.set<T>(i.operands[0], static_cast<T>(d + t.get<U>(i.operands[3])));
}
handler resolve_sad(instruction& i) {
  if (i.operands.size() != 4) return nullptr;
  return for_integer(i.type(), [](auto x) -> handler { return absolute_difference<decltype(x)>; });
}

/// dp4a.atype.btype d, a, b, c: four products of bytes. dp2a: two of 16 bits with bytes of the lower or upper half.
void dot_product(thread& t, instruction const& i) {
  auto const a = t.get<std::uint32_t>(i.operands[1]), b = t.get<std::uint32_t>(i.operands[2]);
  auto sum = t.get<std::uint32_t>(i.operands[3]);
  bool const signed_a = i.type_before() == "s32", signed_b = i.type() == "s32", wide = i.opcode == "dp2a";
  auto const byte = [](std::uint32_t x, int n, bool is_signed) {
    std::uint32_t const v = x >> (8 * n) & 0xff;
    return is_signed ? static_cast<std::int64_t>(static_cast<std::int8_t>(v)) : std::int64_t{v};
  };
  for (int n = 0; n < (wide ? 2 : 4); ++n) {
    std::uint32_t const half = a >> (16 * (n % 2)) & 0xffff;
    std::int64_t const x = !wide      ? byte(a, n, signed_a)
                           : signed_a ? static_cast<std::int64_t>(static_cast<std::int16_t>(half))
                                      : std::int64_t{half};
    sum += static_cast<std::uint32_t>(x * byte(b, wide && i.has("hi") ? n + 2 : n, signed_b));
  }
  t.set<std::uint32_t>(i.operands[0], sum);
}
handler resolve_dot(instruction& i) { return i.operands.size() == 4 ? dot_product : nullptr; }

// vadd4.dtype.atype.btype{.sat|.add} d, a, b, c and kin: each of 4 bytes or 2 halves by itself. With `.add` d is c plus
// the sum of the results.
template <class F>
void each_part(thread& t, instruction const& i) {
  int const bits = i.opcode.back() == '4' ? 8 : 16;
  auto const a = t.get<std::uint32_t>(i.operands[1]), b = t.get<std::uint32_t>(i.operands[2]);
  auto const n = i.modifiers.size();
  std::size_t const first = n - (i.has("sat") || i.has("add") ? 4 : 3);
  bool const signed_d = i.modifiers[first] == "s32", signed_a = i.modifiers[first + 1] == "s32",
             signed_b = i.modifiers[first + 2] == "s32";
  auto const part = [bits](std::uint32_t x, int shift, bool is_signed) {
    std::uint32_t const v = x << (32 - bits - shift);
    return is_signed ? std::int64_t{static_cast<std::int32_t>(v) >> (32 - bits)} : std::int64_t{v >> (32 - bits)};
  };
  std::uint32_t parts = 0, sum = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    std::int64_t x = F::of(part(a, shift, signed_a), part(b, shift, signed_b));
    sum += static_cast<std::uint32_t>(x);
    if (i.has("sat")) {
      std::int64_t const most = (std::int64_t{1} << (signed_d ? bits - 1 : bits)) - 1,
                         lowest = signed_d ? -most - 1 : 0;
      x = x > most ? most : x < lowest ? lowest : x;
    }
    parts |= (static_cast<std::uint32_t>(x) & ((1u << bits) - 1)) << shift;
  }
  t.set<std::uint32_t>(i.operands[0], i.has("add") ? sum + t.get<std::uint32_t>(i.operands[3]) : parts);
}
struct distance {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b - a : a - b;
  }
};
template <class F>
handler resolve_parts(instruction& i) {
  bool const is_known = i.operands.size() == 4 && i.modifiers.size() == (i.has("sat") || i.has("add") ? 4u : 3u);
  return is_known ? each_part<F> : nullptr;
}

constexpr table_row table[] = {{"add", resolve_sum<plus, false>},
                               {"sub", resolve_sum<minus, true>},
                               {"addc", resolve_carry<false, true>},
                               {"subc", resolve_carry<true, true>},
                               {"mul", resolve_product<false>},
                               {"mad", resolve_product<true>},
                               {"madc", resolve_product<true>},
                               {"mul24", resolve_24<false>},
                               {"mad24", resolve_24<true>},
                               {"div", resolve_two<quotient>},
                               {"rem", resolve_two<remainder>},
                               {"min", resolve_extreme<least>},
                               {"max", resolve_extreme<greatest>},
                               {"abs", resolve_one<magnitude>},
                               {"neg", resolve_one<opposite>},
                               {"sad", resolve_sad},
                               {"vadd4", resolve_parts<plus>},
                               {"vadd2", resolve_parts<plus>},
                               {"vsub4", resolve_parts<minus>},
                               {"vsub2", resolve_parts<minus>},
                               {"vmin4", resolve_parts<least>},
                               {"vmin2", resolve_parts<least>},
                               {"vmax4", resolve_parts<greatest>},
                               {"vmax2", resolve_parts<greatest>},
                               {"vabsdiff4", resolve_parts<distance>},
                               {"vabsdiff2", resolve_parts<distance>},
                               {"dp4a", resolve_dot},
                               {"dp2a", resolve_dot}};

}  // namespace

rows integer_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
