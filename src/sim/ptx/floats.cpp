// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic and functions.
#include "floats.hpp"

#include <cfenv>

namespace cosmati_sim::ptx {

int float_modifiers(instruction const& i) {
  int code = 0;
  if (i.has("ftz")) code |= flushes;
  if (i.has("sat")) code |= saturates;
  if (i.has("relu")) code |= is_relu;
  if (i.has("NaN")) code |= keeps_nan;
  if (i.has("xorsign")) code |= is_xorsign;
  int const r = i.has("rz") || i.has("rzi")   ? to_zero
                : i.has("rm") || i.has("rmi") ? down
                : i.has("rp") || i.has("rpi") ? up
                : i.has("rna")                ? ties_away
                                              : to_nearest;
  return code | r << rounding_shift;
}

rounding_scope::rounding_scope(rounding r) : changed_(r == to_zero || r == down || r == up) {
  if (!changed_) return;
  saved_ = std::fegetround();
  std::fesetround(r == to_zero ? FE_TOWARDZERO : r == down ? FE_DOWNWARD : FE_UPWARD);
}
rounding_scope::~rounding_scope() {
  if (changed_) std::fesetround(saved_);
}

namespace {

/// The compiler may not move arithmetic out of a rounding_scope, so it passes through here.
template <class T>
T kept(T x) {
  asm volatile("" : "+m"(x));
  return x;
}

struct sum {
  static constexpr std::size_t sources = 2;
  template <class T>
  static T of(T a, T b, T, int) {
    return a + b;
  }
};
struct difference {
  static constexpr std::size_t sources = 2;
  template <class T>
  static T of(T a, T b, T, int) {
    return a - b;
  }
};
struct times {
  static constexpr std::size_t sources = 2;
  template <class T>
  static T of(T a, T b, T, int) {
    return a * b;
  }
};
struct over {
  static constexpr std::size_t sources = 2;
  template <class T>
  static T of(T a, T b, T, int) {
    return a / b;
  }
};
struct times_plus {
  static constexpr std::size_t sources = 3;
  template <class T>
  static T of(T a, T b, T c, int) {
    return std::fma(a, b, c);
  }
};
/// min and max give the other operand if one is a NaN, with .NaN the NaN. -0 is below +0.
template <bool greatest>
struct extreme {
  static constexpr std::size_t sources = 2;
  template <class T>
  static T of(T a, T b, T, int code) {
    if ((code & keeps_nan) != 0 && (std::isnan(a) || std::isnan(b))) return std::isnan(a) ? a : b;
    bool const negative = std::signbit(a) != std::signbit(b);
    if ((code & is_xorsign) != 0) a = std::fabs(a), b = std::fabs(b);
    T x;
    if (std::isnan(a) || std::isnan(b))
      x = std::isnan(a) ? b : a;
    else if (a == b)
      x = std::signbit(a) == greatest ? b : a;
    else
      x = (a < b) == greatest ? b : a;
    return (code & is_xorsign) != 0 ? std::copysign(x, negative ? T{-1} : T{1}) : x;
  }
};
struct magnitude {
  static constexpr std::size_t sources = 1;
  template <class T>
  static T of(T a, T, T, int) {
    return std::fabs(a);
  }
};
struct opposite {
  static constexpr std::size_t sources = 1;
  template <class T>
  static T of(T a, T, T, int) {
    return -a;
  }
};
struct sign_of {
  static constexpr std::size_t sources = 2;
  template <class T>
  static T of(T a, T b, T, int) {
    return std::copysign(b, a);
  }
};
#define COSMATI_FUNCTION_(name, expression)   \
  struct name {                               \
    static constexpr std::size_t sources = 1; \
    template <class T>                        \
    static T of(T a, T, T, int) {             \
      return expression;                      \
    }                                         \
  };
COSMATI_FUNCTION_(reciprocal, T{1} / a)
COSMATI_FUNCTION_(root, std::sqrt(a))
COSMATI_FUNCTION_(reciprocal_root, T{1} / std::sqrt(a))
COSMATI_FUNCTION_(sine, std::sin(a))
COSMATI_FUNCTION_(cosine, std::cos(a))
COSMATI_FUNCTION_(power_of_2, std::exp2(a))
COSMATI_FUNCTION_(logarithm, std::log2(a))
COSMATI_FUNCTION_(tangent, std::tanh(a))
#undef COSMATI_FUNCTION_

template <class T>
T adjusted(T x, int code) {
  if ((code & flushes) != 0) x = flushed(x);
  if ((code & saturates) != 0) x = std::isnan(x) || x <= 0 ? T{0} : x > 1 ? T{1} : x;
  if ((code & is_relu) != 0 && x <= 0) x = T{0};
  return x;
}

/// One number. @param a, b, c what the sources hold
template <class F, class T>
T computed_value(T a, T b, T c, instruction const& i) {
  using W = computed<T>;
  using X = typename W::type;
  X x = kept(W::from(a)), y = F::sources > 1 ? kept(W::from(b)) : X{0}, z = F::sources > 2 ? kept(W::from(c)) : X{0};
  if ((i.code & flushes) != 0 && sizeof(T) == 4) x = flushed(x), y = flushed(y), z = flushed(z);
  X result;
  {
    rounding_scope const rounded(rounding_of(i));
    result = kept(F::of(x, y, z, i.code));
  }
  return W::to(adjusted(result, i.code));
}

template <class F, class T>
void scalar(thread& t, instruction const& i) {
  T const a = t.get<T>(i.operands[1]);
  T const b = F::sources > 1 ? t.get<T>(i.operands[2]) : T{}, c = F::sources > 2 ? t.get<T>(i.operands[3]) : T{};
  t.set<T>(i.operands[0], computed_value<F, T>(a, b, c, i));
}
template <class T>
struct two_numbers {
  T low, high;
};
/// f16x2 and bf16x2.
template <class F, class T>
void packed(thread& t, instruction const& i) {
  using P = two_numbers<T>;
  P const a = t.get<P>(i.operands[1]);
  P const b = F::sources > 1 ? t.get<P>(i.operands[2]) : P{}, c = F::sources > 2 ? t.get<P>(i.operands[3]) : P{};
  t.set<P>(i.operands[0],
           {computed_value<F, T>(a.low, b.low, c.low, i), computed_value<F, T>(a.high, b.high, c.high, i)});
}
/// .f32x2, in a register of 64 bits.
template <class F>
handler handler_of(std::string_view type) {
  if (type == "f32") return scalar<F, float>;
  if (type == "f64") return scalar<F, double>;
  if (type == "f16") return scalar<F, half_t>;
  if (type == "bf16") return scalar<F, bfloat16_t>;
  if (type == "f16x2") return packed<F, half_t>;
  if (type == "bf16x2") return packed<F, bfloat16_t>;
  return type == "f32x2" ? packed<F, float> : nullptr;
}
template <class F>
handler resolve_float(instruction& i) {
  if (i.operands.size() != F::sources + 1) return nullptr;
  i.code = float_modifiers(i);
  return handler_of<F>(i.type());
}
/// min and max of three numbers.
template <bool greatest>
handler resolve_extreme(instruction& i) {
  if (i.operands.size() != 4 || i.type() != "f32") return resolve_float<extreme<greatest>>(i);
  i.code = float_modifiers(i);
  return [](thread& t, instruction const& j) {
    using F = extreme<greatest>;
    float const a = t.get<float>(j.operands[1]), b = t.get<float>(j.operands[2]), c = t.get<float>(j.operands[3]);
    t.set<float>(j.operands[0], F::of(F::of(a, b, 0.f, j.code), c, 0.f, j.code));
  };
}
/// neg and abs change only the sign, also of a NaN in 16 bits.
template <class F>
handler resolve_sign(instruction& i) {
  return resolve_float<F>(i);
}

/// testp.finite p, a.
template <class T>
void test_property(thread& t, instruction const& i) {
  T const a = t.get<T>(i.operands[1]);
  bool const yes = i.has("finite")       ? std::isfinite(a)
                   : i.has("infinite")   ? std::isinf(a)
                   : i.has("number")     ? !std::isnan(a)
                   : i.has("notanumber") ? std::isnan(a)
                   : i.has("normal")     ? std::isnormal(a)
                                         : std::fpclassify(a) == FP_SUBNORMAL;
  t.set<bool>(i.operands[0], yes);
}
handler resolve_test(instruction& i) {
  if (i.operands.size() != 2) return nullptr;
  if (i.type() == "f32") return test_property<float>;
  return i.type() == "f64" ? test_property<double> : nullptr;
}

constexpr table_row table[] = {{"add", resolve_float<sum>},          {"sub", resolve_float<difference>},
                               {"mul", resolve_float<times>},        {"div", resolve_float<over>},
                               {"fma", resolve_float<times_plus>},   {"mad", resolve_float<times_plus>},
                               {"min", resolve_extreme<false>},      {"max", resolve_extreme<true>},
                               {"abs", resolve_sign<magnitude>},     {"neg", resolve_sign<opposite>},
                               {"copysign", resolve_float<sign_of>}, {"rcp", resolve_float<reciprocal>},
                               {"sqrt", resolve_float<root>},        {"rsqrt", resolve_float<reciprocal_root>},
                               {"sin", resolve_float<sine>},         {"cos", resolve_float<cosine>},
                               {"ex2", resolve_float<power_of_2>},   {"lg2", resolve_float<logarithm>},
                               {"tanh", resolve_float<tangent>},     {"testp", resolve_test}};

}  // namespace

rows float_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
