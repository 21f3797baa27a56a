// SPDX-License-Identifier: Apache-2.0
#include "foreign_calls.hpp"
#include "starts_with.hpp"

#include <algorithm>
#include <map>

namespace cosmati::cli {

namespace {

/// Functions of numbers, in double. The suffixes `f` and `l` are allowed.
constexpr std::string_view arithmetic[] = {
    "acos",  "acosh",     "asin",    "asinh", "atan",      "atan2",   "atanh",  "cbrt",   "ceil",      "copysign",
    "cos",   "cosh",      "erf",     "erfc",  "exp",       "exp2",    "exp10",  "expm1",  "fabs",      "fdim",
    "floor", "fma",       "fmax",    "fmin",  "fmod",      "hypot",   "ilogb",  "ldexp",  "lgamma",    "llrint",
    "log",   "log10",     "llround", "log1p", "log2",      "logb",    "lrint",  "lround", "nearbyint", "nextafter",
    "pow",   "remainder", "rint",    "round", "roundeven", "scalbln", "scalbn", "sin",    "sinh",      "sqrt",
    "tan",   "tanh",      "tgamma",  "trunc", "j0",        "j1",      "jn",     "y0",     "y1",        "yn",
    "cabs",  "cacos",     "carg",    "casin", "catan",     "ccos",    "ccosh",  "cexp",   "clog",      "cpow",
    "cproj", "csin",      "csinh",   "csqrt", "ctan",      "ctanh"};
/// Other functions that access no memory of the caller.
constexpr std::string_view harmless[] = {
    "abort",   "exit",    "_exit",   "_Exit",       "malloc",           "calloc",
    "free",    "rand",    "srand",   "realloc",     "__stack_chk_fail", "__errno_location",
    "clock",   "sleep",   "usleep",  "sched_yield", "pthread_self",     "toupper",
    "tolower", "isalpha", "isdigit", "isspace",     "fegetround",       "fesetround",
    "abs",     "labs",    "llabs"};
/// Functions that the simulated device sees through the linker's --wrap.
constexpr std::string_view wrapped[] = {"memcpy", "memmove", "memset",  "printf",
                                        "puts",   "putchar", "vprintf", "__assert_fail"};

/// Prefixes of names of the simulated device and of the C++ run time.
constexpr std::string_view run_time[] = {"cosmati_sim_",
                                         "__tsan_",
                                         "__sanitizer_cov_",
                                         "__ubsan_",
                                         "__asan_",
                                         "__cxa_",
                                         "_Unwind_",
                                         "__gxx_",
                                         "__clang_",
                                         "__tls_",
                                         "_ZTW",
                                         "_ZTH",
                                         "_Znw",
                                         "_Zna",
                                         "_Zdl",
                                         "_Zda",
                                         "_ZSt9terminate",
                                         "_ZNSt9exception",
                                         "_ZNSt13runtime_error",
                                         "_ZNSt11logic_error"};

/// The number of arguments of these functions that may be addresses.
std::map<std::string_view, int> const& known_functions() {
  static std::map<std::string_view, int> const all = {
      {"memcmp", 2},       {"bcmp", 2},         {"memchr", 1},        {"memrchr", 1},      {"rawmemchr", 1},
      {"mempcpy", 2},      {"memccpy", 2},      {"bzero", 1},         {"strlen", 1},       {"strnlen", 1},
      {"strcmp", 2},       {"strncmp", 2},      {"strcpy", 2},        {"strncpy", 2},      {"stpcpy", 2},
      {"strcat", 2},       {"strncat", 2},      {"strchr", 1},        {"strrchr", 1},      {"strstr", 2},
      {"strtol", 2},       {"strtoul", 2},      {"strtod", 2},        {"strtof", 2},       {"atoi", 1},
      {"atof", 1},         {"qsort", 1},        {"bsearch", 2},       {"modf", 1},         {"modff", 1},
      {"frexp", 1},        {"frexpf", 1},       {"sincos", 2},        {"sincosf", 2},      {"remquo", 1},
      {"remquof", 1},      {"lgamma_r", 1},     {"lgammaf_r", 1},     {"snprintf", 6},     {"sprintf", 6},
      {"vsnprintf", 3},    {"vsprintf", 2},     {"fprintf", 6},       {"fputs", 1},        {"fwrite", 1},
      {"fputc", 0},        {"putc", 0},         {"fflush", 0},        {"write", 2},        {"time", 1},
      {"nan", 1},          {"nanf", 1},         {"clock_gettime", 2}, {"__memcpy_chk", 2}, {"__memmove_chk", 2},
      {"__memset_chk", 1}, {"__printf_chk", 6}, {"__snprintf_chk", 6}};
  return all;
}

/// Conversions and arithmetic of the compilers' own library: __udivti3, __extendhfsf2, ...
bool is_compiler_arithmetic(std::string_view name) {
  if (!name.starts_with("__") || name.size() < 6 || name.back() < '0' || name.back() > '9') return false;
  name.remove_prefix(2);
  return starts_with_one_of(
      name, {"add", "ashl", "ashr", "clz", "cmp", "ctz", "div", "eq",     "extend",   "ffs", "fix", "float", "ge",
             "gt",  "le",   "lshr", "lt",  "mod", "mul", "ne",  "parity", "popcount", "pow", "sub", "trunc", "u"});
}

}  // namespace

foreign_call what_is_called(std::string_view name) {
  constexpr foreign_call unwatched = {false, 0};
  if (starts_with_one_of(name, run_time)) return unwatched;
  if (name.starts_with("_ZSt") && name.find("__throw_") != std::string_view::npos) return unwatched;
  auto const is_in = [](auto const& names, std::string_view n) {
    return std::find(std::begin(names), std::end(names), n) != std::end(names);
  };
  if (is_in(wrapped, name) || is_in(harmless, name) || is_compiler_arithmetic(name)) return unwatched;
  if (is_in(arithmetic, name)) return unwatched;
  if (!name.empty() && (name.back() == 'f' || name.back() == 'l') && is_in(arithmetic, name.substr(0, name.size() - 1)))
    return unwatched;
  auto const known = known_functions().find(name);
  if (known != known_functions().end()) return {known->second != 0, known->second};
  return {};
}

}  // namespace cosmati::cli
