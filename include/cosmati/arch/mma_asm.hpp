// SPDX-License-Identifier: Apache-2.0
/// @file
/// The PTX of `mma.sync`. There is one asm statement for each number and type of registers; the mnemonic is inserted.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/target.hpp>
#include <cosmati/atom/mma_instruction.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class Op, int needed, int target>
struct target_lacks_the_matrix_instruction {
  static constexpr bool ok = target == 0 || target >= needed;
  static_assert(ok,
                "the GPU that is compiled for lacks this matrix instruction, target_lacks_the_matrix_instruction<OP, "
                "NEEDED, TARGET>: OP needs sm_NEEDED or newer, the target is sm_TARGET; compile with "
                "-arch=sm_NEEDED, or take an atom of TARGET's generation (or UniversalFMA)");
};

#if defined(__CUDACC__)
// Lists of operands: %n, %n + 1, ...
#define COSMATI_R2_(c, x) c(x[0]), c(x[1])
#define COSMATI_R4_(c, x) COSMATI_R2_(c, x), c(x[2]), c(x[3])
#define COSMATI_R8_(c, x) COSMATI_R4_(c, x), c(x[4]), c(x[5]), c(x[6]), c(x[7])
#define COSMATI_R1_(c, x) c(x[0])

/// d = a b + c. @param d, a, b, c the registers, of the operation's types DRegisters, ...
template <class Op, class D, class A, class B, class C_>
__device__ __forceinline__ void issue_mma_sync([[maybe_unused]] D* d, [[maybe_unused]] A const* a,
                                               [[maybe_unused]] B const* b, [[maybe_unused]] C_ const* c) {
#if defined(__CUDA_ARCH__)
  constexpr int nd = std::extent_v<typename Op::DRegisters>, na = std::extent_v<typename Op::ARegisters>;
  constexpr int nb = std::extent_v<typename Op::BRegisters>;
  constexpr bool f32 = std::is_same_v<D, float>, f64 = std::is_same_v<D, double>;
  [[maybe_unused]] constexpr bool f16_to_f32 = f32 && !std::is_same_v<C_, float>;
#define COSMATI_MMA_ASM_(text, nd, na, nb, nc, out, in, in_c)                                 \
  asm volatile(text                                                                           \
               : COSMATI_R##nd##_(out, d)                                                     \
               : COSMATI_R##na##_(in, a), COSMATI_R##nb##_(in, b), COSMATI_R##nc##_(in_c, c), \
                 "C"(mma_mnemonic<Op>::value))
  if constexpr (f16_to_f32)
    COSMATI_MMA_ASM_("%16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15};", 8, 2, 2, 4,
                     "=f", "r", "r");
  else if constexpr (f32 && nd == 8)
    COSMATI_MMA_ASM_(
        "%20 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};", 8, 2,
        2, 8, "=f", "r", "f");
  else if constexpr (f32 && na == 2)
    COSMATI_MMA_ASM_("%11 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};", 4, 2, 1, 4, "=f", "r", "f");
  else if constexpr (f32)
    COSMATI_MMA_ASM_("%14 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};", 4, 4, 2, 4, "=f", "r",
                     "f");
  else if constexpr (f64 && na == 1)
    COSMATI_MMA_ASM_("%6 {%0, %1}, {%2}, {%3}, {%4, %5};", 2, 1, 1, 2, "=d", "d", "d");
  else if constexpr (f64 && na == 2)
    COSMATI_MMA_ASM_("%11 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};", 4, 2, 1, 4, "=d", "d", "d");
  else if constexpr (f64 && na == 4)
    COSMATI_MMA_ASM_("%14 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};", 4, 4, 2, 4, "=d", "d",
                     "d");
  else if constexpr (f64)
    COSMATI_MMA_ASM_(
        "%20 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19};", 4, 8,
        4, 4, "=d", "d", "d");
  else if constexpr (nd == 2 && na == 1)
    COSMATI_MMA_ASM_("%6 {%0, %1}, {%2}, {%3}, {%4, %5};", 2, 1, 1, 2, "=r", "r", "r");
  else if constexpr (nd == 2 && na == 2)
    COSMATI_MMA_ASM_("%7 {%0, %1}, {%2, %3}, {%4}, {%5, %6};", 2, 2, 1, 2, "=r", "r", "r");
  else if constexpr (nd == 2)
    COSMATI_MMA_ASM_("%10 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};", 2, 4, 2, 2, "=r", "r", "r");
  else if constexpr (na == 2 && nb == 1)
    COSMATI_MMA_ASM_("%11 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};", 4, 2, 1, 4, "=r", "r", "r");
  else if constexpr (na == 2)
    COSMATI_MMA_ASM_("%12 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11};", 4, 2, 2, 4, "=r", "r", "r");
  else
    COSMATI_MMA_ASM_("%14 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};", 4, 4, 2, 4, "=r", "r",
                     "r");
#undef COSMATI_MMA_ASM_
#endif
}
#undef COSMATI_R1_
#undef COSMATI_R2_
#undef COSMATI_R4_
#undef COSMATI_R8_
#endif

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
