// SPDX-License-Identifier: Apache-2.0
// Casts of floating-point numbers that an integer does not hold. A GPU gives the nearest integer of the type, or of 32
// bits if the type is narrower, whose low bits remain. The host's processor gives others. `cosmati sim` lets signed
// casts of g++ ask here (src/cli/sim/float_casts.hpp). The others are notes, from the checks of
// -fsanitize=float-cast-overflow. These are weak, so a program that links the sanitizer's library uses that library's.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <cosmati/runtime/cuda_math.hpp>

#include "formatted.hpp"
#include "hazards.hpp"
#include "sites.hpp"

using namespace cosmati_sim;

/// Defined by the assembly that `cosmati sim` writes. The second one is there with AVX-512.
extern "C" int const cosmati_sim_casts_saturate __attribute__((weak));
extern "C" int const cosmati_sim_unsigned_casts_saturate __attribute__((weak));

namespace {

/// The integer that `cvt.rzi` of the PTX ISA gives. @tparam T a type of 32 or 64 bits
template <class T>
T converted(double x, bool of_double) {
  double const whole = std::trunc(x);
  return of_double ? cosmati_cuda::to_integer<double, T>(whole) : cosmati_cuda::to_integer<float, T>(whole);
}

/// The data of a cast.
struct cast {
  double number;
  bool of_double, is_signed;
  unsigned bits;  // of the integer
};

std::uint64_t on_gpu(cast const& c) {
  if (c.bits == 64) {
    return c.is_signed ? static_cast<std::uint64_t>(converted<long long>(c.number, c.of_double))
                       : converted<unsigned long long>(c.number, c.of_double);
  }
  return c.is_signed ? static_cast<std::uint64_t>(converted<int>(c.number, c.of_double))
                     : converted<unsigned>(c.number, c.of_double);
}

/// The processor's instruction.
template <class T>
std::uint64_t instruction(double x, bool of_double, bool saturates) {
  if (saturates || std::fabs(x) < std::ldexp(1.0, 8 * sizeof(T) - 1))
    return static_cast<std::uint64_t>(converted<T>(x, of_double));
  return std::uint64_t{1} << (8 * sizeof(T) - 1);
}

/// What the program computes. g++ and clang use an instruction of 32 bits where an integer of 32 bits can hold the
/// type.
std::uint64_t here(cast const& c, bool saturates) {
#if defined(__x86_64__)
  double const half = 0x1p63;
  if (!c.is_signed && c.bits >= 32 && &cosmati_sim_unsigned_casts_saturate != nullptr) return on_gpu(c);
  if (c.bits < 32 || (c.bits == 32 && c.is_signed)) return instruction<int>(c.number, c.of_double, saturates);
  if (c.bits == 64 && !c.is_signed && c.number >= half)
    return instruction<long long>(c.number - half, c.of_double, saturates) ^ std::uint64_t{1} << 63;
  return instruction<long long>(c.number, c.of_double, saturates);
#else  // the instructions of AArch64 are as a GPU's, except for NaNs
  static_cast<void>(saturates);
  return std::isnan(c.number) ? 0 : on_gpu(c);
#endif
}

std::string text_of(std::uint64_t value, cast const& c) {
  unsigned const above = 64 - c.bits;
  if (c.is_signed) return formatted("{}", static_cast<std::int64_t>(value << above) >> above);
  return formatted("{}", value << above >> above);
}

/// The word of CUDA that gives a GPU's number everywhere.
std::string remedy(cast const& c, std::string const& type) {
  char const* const to = c.bits == 64 ? (c.is_signed ? "ll" : "ull") : c.is_signed ? "int" : "uint";
  std::string const word = formatted("__{}2{}_rz(x)", c.of_double ? "double" : "float", to);
  return c.bits < 32 ? formatted("static_cast<{}>({})", type, word) : word;
}

// The sanitizer's interface fixes the layout of the arguments.
struct type_descriptor {
  std::uint16_t kind, info;
  char name[1];
};
struct cast_data {
  char const* file;
  std::uint32_t line, column;
  type_descriptor const *from, *to;
};

/// The type as people write it: "unsigned short" for g++'s "'short unsigned int'".
std::string name_of(type_descriptor const* type) {
  std::string name = type->name;
  std::erase(name, '\'');
  constexpr std::string_view unsigned_int = " unsigned int", plain_int = " int";
  if (name.ends_with(unsigned_int)) return "unsigned " + name.substr(0, name.size() - unsigned_int.size());
  if (name.ends_with(plain_int) && name != "unsigned int") name.resize(name.size() - plain_int.size());
  return name;
}

void out_of_range(cast_data const* data, std::uintptr_t value, void const* pc) {
  worker* const w = this_worker;
  if (cosmati_sim_active == 0 || !in_a_lane() || w->clocks == nullptr) return;
  constexpr std::uint16_t an_integer = 0, a_float = 1;
  // Bit 0 of info tells whether an integer is signed; the rest is log2 of its width. That of a float is its width.
  cast c{0, data->from->info == 64, (data->to->info & 1) != 0, 1u << (data->to->info >> 1)};
  if (data->from->kind != a_float || data->to->kind != an_integer || c.bits > 64) return;
  std::string shown;
  if (c.of_double) {
    std::memcpy(&c.number, &value, sizeof c.number);
  } else if (data->from->info == 32) {
    float x;
    std::memcpy(&x, &value, sizeof x);
    c.number = static_cast<double>(x);
  } else {
    return;
  }
  quiet const hush;
  bool const saturates = &cosmati_sim_casts_saturate != nullptr;
  // The results of g++ and clang differ there.
  bool const unknown = !saturates && c.bits == 64 && !c.is_signed && c.number >= 0x1p64;
  std::string const gpu = text_of(on_gpu(c), c), own = unknown ? "another number" : text_of(here(c, saturates), c);
  if (gpu == own) return;
  site const where = site_here(*w, data->file, static_cast<int>(data->line), pc, nullptr);
  if (!is_news(*w, hazard_kind::conversion, where.number, 0)) return;
  std::string const number = std::isnan(c.number) ? "a NaN"
                             : c.of_double        ? formatted("{}", c.number)
                                                  : formatted("{}", static_cast<float>(c.number));
  std::string const type = name_of(data->to);
  hazard h = hazard_here(*w, hazard_kind::conversion);
  h.site = where.number;
  h.where = where;
  h.message = formatted(
      "{} is cast to {}, which does not hold it: a GPU gives {}, this run gives {}, and what follows from it is not a "
      "GPU's; write {}, which gives a GPU's number here too; \1",
      number, type, gpu, own, remedy(c, type));
  add_note(*w, std::move(h));
}

}  // namespace

extern "C" {

__attribute__((weak)) void __ubsan_handle_float_cast_overflow(void* data, std::uintptr_t value) {
  out_of_range(static_cast<cast_data*>(data), value, __builtin_return_address(0));
}
__attribute__((weak)) void __ubsan_handle_float_cast_overflow_abort(void* data, std::uintptr_t value) {
  out_of_range(static_cast<cast_data*>(data), value, __builtin_return_address(0));
  std::abort();
}

/// The result of a conversion whose instruction gave the lowest integer, or the largest unsigned one. @param source the
/// bits of the number @param kind bit 0: it is a double; bit 1: the integer has 64 bits; bit 2: it is unsigned
std::uint64_t cosmati_sim_saturated(std::uint64_t source, std::uint64_t lowest, int kind) {
  if (!in_a_lane()) return lowest;
  bool const of_double = (kind & 1) != 0;
  double number = 0;
  if (of_double) {
    std::memcpy(&number, &source, sizeof number);
  } else {
    float x;
    std::memcpy(&x, &source, sizeof x);
    number = static_cast<double>(x);
  }
  bool const is_signed = (kind & 4) == 0;
  if ((kind & 2) != 0) return on_gpu({number, of_double, is_signed, 64});
  return on_gpu({number, of_double, is_signed, 32}) & 0xffffffffu;  // as the instruction clears the upper half
}

// The C library's functions give the lowest integer for every number that does not fit.
#define COSMATI_ROUNDED(name, T, R)                                                          \
  R cosmati_sim_##name(T x) {                                                                \
    R const near = ::name(x);                                                                \
    return in_a_lane() && x >= T(0x1p63) ? static_cast<R>(~(std::uint64_t{1} << 63)) : near; \
  }
COSMATI_ROUNDED(lrint, double, long)
COSMATI_ROUNDED(lrintf, float, long)
COSMATI_ROUNDED(llrint, double, long long)
COSMATI_ROUNDED(llrintf, float, long long)
COSMATI_ROUNDED(lround, double, long)
COSMATI_ROUNDED(lroundf, float, long)
COSMATI_ROUNDED(llround, double, long long)
COSMATI_ROUNDED(llroundf, float, long long)

}  // extern "C"

#if defined(__x86_64__)
// Called in the middle of a program that expects all registers unchanged. The stack has the instruction's result, which
// is replaced, and above it the bits of the number.
asm(R"(
  .text
  .macro cosmati_saturate name, kind
  .globl \name
  .type \name, @function
\name:
  pushq $\kind
  jmp .Lcosmati_saturate
  .size \name, .-\name
  .endm
  cosmati_saturate cosmati_sim_saturate_float_s32, 0
  cosmati_saturate cosmati_sim_saturate_double_s32, 1
  cosmati_saturate cosmati_sim_saturate_float_s64, 2
  cosmati_saturate cosmati_sim_saturate_double_s64, 3
  cosmati_saturate cosmati_sim_saturate_float_u32, 4
  cosmati_saturate cosmati_sim_saturate_double_u32, 5
  cosmati_saturate cosmati_sim_saturate_float_u64, 6
  cosmati_saturate cosmati_sim_saturate_double_u64, 7
  .type .Lcosmati_saturate, @function
.Lcosmati_saturate:
  pushq %rbp
  movq %rsp, %rbp
  pushfq
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  movq 32(%rbp), %rdi
  movq 24(%rbp), %rsi
  movq 8(%rbp), %rdx
  subq $512, %rsp
  andq $-16, %rsp
  fxsave64 (%rsp)
  cld
  call cosmati_sim_saturated@PLT
  fxrstor64 (%rsp)
  movq %rax, 24(%rbp)
  leaq -80(%rbp), %rsp
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  popfq
  popq %rbp
  leaq 8(%rsp), %rsp
  ret
)");
#endif
