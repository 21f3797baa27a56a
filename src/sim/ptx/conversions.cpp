// SPDX-License-Identifier: Apache-2.0
// cvt between all numeric types, and cvt.pack.
#include <limits>

#include "floats.hpp"

namespace cosmati_sim::ptx {
namespace {

using cosmati::float_e4m3_t;
using cosmati::float_e5m2_t;

/// Rounds to 16 bits or fewer in another direction than to nearest, from the nearest number of T.
template <class T>
T rounded_narrow(double x, rounding r) {
  T nearest(x);
  double const y = static_cast<double>(static_cast<float>(nearest));
  if (r == to_nearest || std::isnan(x) || y == x) return nearest;
  bool const too_far = r == to_zero ? std::fabs(y) > std::fabs(x) : r == down ? y > x : r == up ? y < x : false;
  if (!too_far) return nearest;
  // The neighbour in the right direction: bits are ordered as magnitudes.
  auto bits = nearest.storage;
  bool const larger_magnitude = std::fabs(y) > std::fabs(x);
  bits = static_cast<decltype(bits)>(larger_magnitude ? bits - 1 : bits + 1);
  T out;
  out.storage = bits;
  return out;
}

/// A number of any type on its way: integers exactly, others as a double.
struct number {
  bool is_integer;
  __int128 integer;
  double real;
  bool of_double = false;
};

template <class T>
number read(thread const& t, operand const& o, int code) {
  T const x = t.get<T>(o);
  if constexpr (std::is_integral_v<T>) {
    return {true, x, 0};
  } else if constexpr (std::is_same_v<T, float>) {
    return {false, 0, static_cast<double>((code & flushes) != 0 ? flushed(x) : x)};
  } else if constexpr (std::is_same_v<T, double>) {
    return {false, 0, x, true};
  } else {
    return {false, 0, static_cast<double>(static_cast<float>(x))};
  }
}

double rounded_to_integer(double x, rounding r) {
  switch (r) {
    case to_zero:
      return std::trunc(x);
    case down:
      return std::floor(x);
    case up:
      return std::ceil(x);
    default:
      return std::nearbyint(x);
  }
}

/// An integer that does not fit loses its upper bits, unless it saturates. A real is always clamped.
template <class T>
T to_integer(number const& n, int code) {
  using limits = std::numeric_limits<T>;
  __int128 x = n.integer;
  if (!n.is_integer) {
    // The value of a NaN is of the PTX ISA's section on cvt.
    if (std::isnan(n.real))
      return sizeof(T) == 8 || n.of_double ? static_cast<T>(std::uint64_t{1} << (8 * sizeof(T) - 1)) : T{0};
    double const y = rounded_to_integer(n.real, static_cast<rounding>(code >> rounding_shift));
    if (y >= std::ldexp(1.0, limits::digits)) return limits::max();
    if (y <= static_cast<double>(limits::min())) return limits::min();
    return static_cast<T>(y);
  }
  if ((code & saturates) != 0) {
    if (x > limits::max()) return limits::max();
    if (x < limits::min()) return limits::min();
  }
  return static_cast<T>(x);
}

template <class T>
T to_real(number const& n, int code) {
  auto const r = static_cast<rounding>(code >> rounding_shift);
  T x;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    rounding_scope const rounded(r);
    double volatile const real = n.real;
    std::int64_t volatile const integer = static_cast<std::int64_t>(n.integer);
    std::uint64_t volatile const large = static_cast<std::uint64_t>(n.integer);
    T volatile const y = !n.is_integer   ? static_cast<T>(real)
                         : n.integer < 0 ? static_cast<T>(integer)
                                         : static_cast<T>(large);
    x = y;
    if ((code & flushes) != 0 && sizeof(T) == 4) x = flushed(x);
  } else {
    x = rounded_narrow<T>(n.is_integer ? static_cast<double>(n.integer) : n.real, r);
  }
  double const value = static_cast<double>(x);
  if ((code & saturates) != 0) return std::isnan(value) || value <= 0 ? T(0.f) : value > 1 ? T(1.f) : x;
  return (code & is_relu) != 0 && value <= 0 ? T(0.f) : x;
}

template <class To, class From>
void convert(thread& t, instruction const& i) {
  number n = read<From>(t, i.operands[1], i.code);
  // cvt.rni.f32.f32 and kin round to an integer that stays a float.
  if (i.count != 0) n.real = rounded_to_integer(n.real, rounding_of(i));
  int const code = i.count != 0 ? i.code & ((1 << rounding_shift) - 1) : i.code;
  if constexpr (std::is_integral_v<To>)
    t.set<To>(i.operands[0], to_integer<To>(n, i.code));
  else
    t.set<To>(i.operands[0], to_real<To>(n, code));
}

template <class From>
handler to_type(std::string_view to) {
  if (to == "f32") return convert<float, From>;
  if (to == "f64") return convert<double, From>;
  if (to == "f16") return convert<half_t, From>;
  if (to == "bf16") return convert<bfloat16_t, From>;
  return for_integer(to, [](auto x) -> handler { return convert<decltype(x), From>; });
}

/// cvt.rna.tf32.f32: 10 bits of the fraction stay.
void to_tf32(thread& t, instruction const& i) {
  float const x = t.get<float>(i.operands[1]);
  auto bits = __builtin_bit_cast(std::uint32_t, x);
  rounding const r = rounding_of(i);
  if (std::isfinite(x)) {
    if (r == ties_away) bits += 0x1000u;
    if (r == to_nearest) bits += 0xfffu + (bits >> 13 & 1u);
  }
  bits = std::isnan(x) ? 0x7fffffffu : bits & ~0x1fffu;
  if ((i.code & is_relu) != 0 && bits >> 31 != 0) bits = 0;
  if (i.has("satfinite") && std::isinf(x)) bits = (bits & 0x80000000u) | 0x7f7fe000u;
  t.set<std::uint32_t>(i.operands[0], bits);
}

/// The two numbers of an operand pair: `cvt.rn.f16x2.f32 d, high, low` or one packed source.
template <class From>
void two_of(thread const& t, instruction const& i, double (&low_high)[2]) {
  if constexpr (std::is_same_v<From, float>) {
    low_high[0] = static_cast<double>(t.get<float>(i.operands[2]));
    low_high[1] = static_cast<double>(t.get<float>(i.operands[1]));
  } else {
    struct two {
      From low, high;
    };
    two const x = t.get<two>(i.operands[1]);
    low_high[0] = static_cast<double>(static_cast<float>(x.low));
    low_high[1] = static_cast<double>(static_cast<float>(x.high));
  }
}
template <class To, class From>
void convert_two(thread& t, instruction const& i) {
  double x[2];
  two_of<From>(t, i, x);
  struct two {
    To low, high;
  } out;
  auto const one = [&](double v) {
    if ((i.code & is_relu) != 0 && v <= 0) v = 0;
    auto const most = static_cast<double>(static_cast<float>(std::numeric_limits<To>::max()));
    if (i.has("satfinite") && std::fabs(v) > most) v = std::copysign(most, v);
    return rounded_narrow<To>(v, rounding_of(i));
  };
  out.low = one(x[0]);
  out.high = one(x[1]);
  t.set<two>(i.operands[0], out);
}

template <class To>
handler from_pair(instruction const& i) {
  std::string_view const from = i.type();
  bool const two = i.operands.size() == 3;
  if (from == "f32" && two) return convert_two<To, float>;
  if (two) return nullptr;
  if (from == "f16x2") return convert_two<To, half_t>;
  if (from == "bf16x2") return convert_two<To, bfloat16_t>;
  if (from == "e4m3x2") return convert_two<To, float_e4m3_t>;
  return from == "e5m2x2" ? convert_two<To, float_e5m2_t> : nullptr;
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: the numbers a and b clamped, below them c shifted up.
void pack(thread& t, instruction const& i) {
  std::string const& to = i.modifiers[i.modifiers.size() - (i.operands.size() == 4 ? 3 : 2)];
  int const bits = std::atoi(to.c_str() + 1);
  bool const is_signed = to[0] == 's';
  std::int64_t const most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  auto const clamped = [&](operand const& o) {
    std::int64_t const x = t.get<std::int32_t>(o);
    return static_cast<std::uint64_t>(x > most ? most : x < least ? least : x) & ((std::uint64_t{1} << bits) - 1);
  };
  std::uint64_t const two = clamped(i.operands[1]) << bits | clamped(i.operands[2]);
  std::uint64_t const c = i.operands.size() == 4 ? t.get<std::uint32_t>(i.operands[3]) : 0;
  t.set<std::uint32_t>(i.operands[0], static_cast<std::uint32_t>(c << (2 * bits) | two));
}

handler resolve_cvt(instruction& i) {
  if (i.modifiers.size() < 2 || i.operands.size() < 2) return nullptr;
  i.code = float_modifiers(i);
  if (i.has("pack")) return i.operands.size() >= 3 ? pack : nullptr;
  std::string_view const from = i.type(), to = i.type_before();
  if (to == "tf32") return to_tf32;
  if (to == "f16x2") return from_pair<half_t>(i);
  if (to == "bf16x2") return from_pair<bfloat16_t>(i);
  if (to == "e4m3x2") return from_pair<float_e4m3_t>(i);
  if (to == "e5m2x2") return from_pair<float_e5m2_t>(i);
  if (i.operands.size() != 2) return nullptr;
  i.count = i.has("rni") || i.has("rzi") || i.has("rmi") || i.has("rpi") ? 1 : 0;
  if (from == "f32") return to_type<float>(to);
  if (from == "f64") return to_type<double>(to);
  if (from == "f16") return to_type<half_t>(to);
  if (from == "bf16") return to_type<bfloat16_t>(to);
  return for_integer(from, [to](auto x) -> handler { return to_type<decltype(x)>(to); });
}

constexpr table_row table[] = {{"cvt", resolve_cvt}};

}  // namespace

rows conversion_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
