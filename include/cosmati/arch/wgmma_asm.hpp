// SPDX-License-Identifier: Apache-2.0
/// @file
/// The PTX of `wgmma.mma_async`: one statement for each number and type of D's registers; mnemonic and immediate
/// operands are pasted in.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/mma_asm.hpp>
#include <cosmati/atom/wgmma_instruction.hpp>

namespace COSMATI_NAMESPACE::detail {

#if defined(__CUDACC__)
// One line for each number of registers.
// clang-format off
// D's registers as operands of the statement.
#define COSMATI_R2_(c, d) c((d)[0]), c((d)[1])
#define COSMATI_R4_(c, d) COSMATI_R2_(c, d), COSMATI_R2_(c, (d) + 2)
#define COSMATI_R6_(c, d) COSMATI_R4_(c, d), COSMATI_R2_(c, (d) + 4)
#define COSMATI_R8_(c, d) COSMATI_R4_(c, d), COSMATI_R4_(c, (d) + 4)
#define COSMATI_R10_(c, d) COSMATI_R8_(c, d), COSMATI_R2_(c, (d) + 8)
#define COSMATI_R12_(c, d) COSMATI_R8_(c, d), COSMATI_R4_(c, (d) + 8)
#define COSMATI_R14_(c, d) COSMATI_R8_(c, d), COSMATI_R4_(c, (d) + 8), COSMATI_R2_(c, (d) + 12)
#define COSMATI_R16_(c, d) COSMATI_R8_(c, d), COSMATI_R8_(c, (d) + 8)
#define COSMATI_R18_(c, d) COSMATI_R16_(c, d), COSMATI_R2_(c, (d) + 16)
#define COSMATI_R20_(c, d) COSMATI_R16_(c, d), COSMATI_R4_(c, (d) + 16)
#define COSMATI_R22_(c, d) COSMATI_R16_(c, d), COSMATI_R4_(c, (d) + 16), COSMATI_R2_(c, (d) + 20)
#define COSMATI_R24_(c, d) COSMATI_R16_(c, d), COSMATI_R8_(c, (d) + 16)
#define COSMATI_R26_(c, d) COSMATI_R16_(c, d), COSMATI_R8_(c, (d) + 16), COSMATI_R2_(c, (d) + 24)
#define COSMATI_R28_(c, d) COSMATI_R16_(c, d), COSMATI_R8_(c, (d) + 16), COSMATI_R4_(c, (d) + 24)
#define COSMATI_R30_(c, d) \
  COSMATI_R16_(c, d), COSMATI_R8_(c, (d) + 16), COSMATI_R4_(c, (d) + 24), COSMATI_R2_(c, (d) + 28)
#define COSMATI_R32_(c, d) COSMATI_R16_(c, d), COSMATI_R16_(c, (d) + 16)
#define COSMATI_R34_(c, d) COSMATI_R32_(c, d), COSMATI_R2_(c, (d) + 32)
#define COSMATI_R36_(c, d) COSMATI_R32_(c, d), COSMATI_R4_(c, (d) + 32)
#define COSMATI_R38_(c, d) COSMATI_R32_(c, d), COSMATI_R4_(c, (d) + 32), COSMATI_R2_(c, (d) + 36)
#define COSMATI_R40_(c, d) COSMATI_R32_(c, d), COSMATI_R8_(c, (d) + 32)
#define COSMATI_R42_(c, d) COSMATI_R32_(c, d), COSMATI_R8_(c, (d) + 32), COSMATI_R2_(c, (d) + 40)
#define COSMATI_R44_(c, d) COSMATI_R32_(c, d), COSMATI_R8_(c, (d) + 32), COSMATI_R4_(c, (d) + 40)
#define COSMATI_R46_(c, d) \
  COSMATI_R32_(c, d), COSMATI_R8_(c, (d) + 32), COSMATI_R4_(c, (d) + 40), COSMATI_R2_(c, (d) + 44)
#define COSMATI_R48_(c, d) COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32)
#define COSMATI_R50_(c, d) COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32), COSMATI_R2_(c, (d) + 48)
#define COSMATI_R52_(c, d) COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32), COSMATI_R4_(c, (d) + 48)
#define COSMATI_R54_(c, d) \
  COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32), COSMATI_R4_(c, (d) + 48), COSMATI_R2_(c, (d) + 52)
#define COSMATI_R56_(c, d) COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32), COSMATI_R8_(c, (d) + 48)
#define COSMATI_R58_(c, d) \
  COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32), COSMATI_R8_(c, (d) + 48), COSMATI_R2_(c, (d) + 56)
#define COSMATI_R60_(c, d) \
  COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32), COSMATI_R8_(c, (d) + 48), COSMATI_R4_(c, (d) + 56)
#define COSMATI_R62_(c, d)                                                                           \
  COSMATI_R32_(c, d), COSMATI_R16_(c, (d) + 32), COSMATI_R8_(c, (d) + 48), COSMATI_R4_(c, (d) + 56), \
      COSMATI_R2_(c, (d) + 60)
#define COSMATI_R64_(c, d) COSMATI_R32_(c, d), COSMATI_R32_(c, (d) + 32)
#define COSMATI_R68_(c, d) COSMATI_R64_(c, d), COSMATI_R4_(c, (d) + 64)
#define COSMATI_R72_(c, d) COSMATI_R64_(c, d), COSMATI_R8_(c, (d) + 64)
#define COSMATI_R76_(c, d) COSMATI_R64_(c, d), COSMATI_R8_(c, (d) + 64), COSMATI_R4_(c, (d) + 72)
#define COSMATI_R80_(c, d) COSMATI_R64_(c, d), COSMATI_R16_(c, (d) + 64)
#define COSMATI_R84_(c, d) COSMATI_R64_(c, d), COSMATI_R16_(c, (d) + 64), COSMATI_R4_(c, (d) + 80)
#define COSMATI_R88_(c, d) COSMATI_R64_(c, d), COSMATI_R16_(c, (d) + 64), COSMATI_R8_(c, (d) + 80)
#define COSMATI_R92_(c, d) \
  COSMATI_R64_(c, d), COSMATI_R16_(c, (d) + 64), COSMATI_R8_(c, (d) + 80), COSMATI_R4_(c, (d) + 88)
#define COSMATI_R96_(c, d) COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64)
#define COSMATI_R100_(c, d) COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64), COSMATI_R4_(c, (d) + 96)
#define COSMATI_R104_(c, d) COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64), COSMATI_R8_(c, (d) + 96)
#define COSMATI_R108_(c, d) \
  COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64), COSMATI_R8_(c, (d) + 96), COSMATI_R4_(c, (d) + 104)
#define COSMATI_R112_(c, d) COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64), COSMATI_R16_(c, (d) + 96)
#define COSMATI_R116_(c, d) \
  COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64), COSMATI_R16_(c, (d) + 96), COSMATI_R4_(c, (d) + 112)
#define COSMATI_R120_(c, d) \
  COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64), COSMATI_R16_(c, (d) + 96), COSMATI_R8_(c, (d) + 112)
#define COSMATI_R124_(c, d)                                                                            \
  COSMATI_R64_(c, d), COSMATI_R32_(c, (d) + 64), COSMATI_R16_(c, (d) + 96), COSMATI_R8_(c, (d) + 112), \
      COSMATI_R4_(c, (d) + 120)
#define COSMATI_R128_(c, d) COSMATI_R64_(c, d), COSMATI_R64_(c, (d) + 64)
// The names of these operands in the text, such as "%0, %1". COSMATI_Pn_(t) names n operands whose numbers begin with
// the digits t, COSMATI_TEN_(t) names ten, and COSMATI_Dn_ names all operands below 10 n.
#define COSMATI_P2_(t) "%" t "0, %" t "1"
#define COSMATI_P4_(t) COSMATI_P2_(t) ", %" t "2, %" t "3"
#define COSMATI_P6_(t) COSMATI_P4_(t) ", %" t "4, %" t "5"
#define COSMATI_P8_(t) COSMATI_P6_(t) ", %" t "6, %" t "7"
#define COSMATI_TEN_(t) COSMATI_P8_(t) ", %" t "8, %" t "9"
#define COSMATI_D1_ COSMATI_TEN_("")
#define COSMATI_D2_ COSMATI_D1_ ", " COSMATI_TEN_("1")
#define COSMATI_D3_ COSMATI_D2_ ", " COSMATI_TEN_("2")
#define COSMATI_D4_ COSMATI_D3_ ", " COSMATI_TEN_("3")
#define COSMATI_D5_ COSMATI_D4_ ", " COSMATI_TEN_("4")
#define COSMATI_D6_ COSMATI_D5_ ", " COSMATI_TEN_("5")
#define COSMATI_D7_ COSMATI_D6_ ", " COSMATI_TEN_("6")
#define COSMATI_D8_ COSMATI_D7_ ", " COSMATI_TEN_("7")
#define COSMATI_D9_ COSMATI_D8_ ", " COSMATI_TEN_("8")
#define COSMATI_D10_ COSMATI_D9_ ", " COSMATI_TEN_("9")
#define COSMATI_D11_ COSMATI_D10_ ", " COSMATI_TEN_("10")
#define COSMATI_D12_ COSMATI_D11_ ", " COSMATI_TEN_("11")
// clang-format on

/// Issues the instruction. @param d D's registers; the products are added to them unless `adds` is 0
/// @param a a descriptor or four registers, @param b a descriptor, @param e the metadata of a sparse product
template <class Op, class D, class A>
__device__ __forceinline__ void issue_wgmma([[maybe_unused]] D* d, [[maybe_unused]] A const* a,
                                            [[maybe_unused]] std::uint64_t const* b, [[maybe_unused]] int adds,
                                            [[maybe_unused]] std::uint32_t e = 0) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  constexpr int count = std::extent_v<typename Op::DRegisters>;
  constexpr bool f32 = std::is_same_v<D, float>, from_shared = Op::source_of_A == wgmma_source::shared;
  constexpr bool dense = wgmma_operation<Op>;
#define COSMATI_WGMMA_(n, list, c, i0, i1, i2, i3, i4, i5, i6, i7, i8)                                                 \
  if constexpr (dense && from_shared)                                                                                  \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #i2 ", 0;\n%" #i3 " {" list "}, %" #i0 ", %" #i1 ", p%" #i4      \
                 ";\n}"                                                                                                \
                 : COSMATI_R##n##_(c, d)                                                                               \
                 : "l"(a[0]), "l"(b[0]), "r"(adds), "C"(wgmma_mnemonic<Op>::value), "C"(wgmma_immediates<Op>::value)); \
  else if constexpr (dense)                                                                                            \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #i5 ", 0;\n%" #i6 " {" list "}, {%" #i0 ", %" #i1 ", %" #i2      \
                 ", %" #i3 "}, %" #i4 ", p%" #i7 ";\n}"                                                                \
                 : COSMATI_R##n##_(c, d)                                                                               \
                 : "r"(static_cast<std::uint32_t>(a[0])), "r"(static_cast<std::uint32_t>(a[1])),                       \
                   "r"(static_cast<std::uint32_t>(a[2])), "r"(static_cast<std::uint32_t>(a[3])), "l"(b[0]), "r"(adds), \
                   "C"(wgmma_mnemonic<Op>::value), "C"(wgmma_immediates<Op>::value));                                  \
  else if constexpr (from_shared)                                                                                      \
    asm volatile(                                                                                                      \
        "{\n.reg .pred p;\nsetp.ne.b32 p, %" #i2 ", 0;\n%" #i4 " {" list "}, %" #i0 ", %" #i1 ", %" #i3 "%" #i5 ";\n}" \
        : COSMATI_R##n##_(c, d)                                                                                        \
        : "l"(a[0]), "l"(b[0]), "r"(adds), "r"(e), "C"(wgmma_mnemonic<Op>::value), "C"(wgmma_immediates<Op>::value));  \
  else                                                                                                                 \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #i5 ", 0;\n%" #i7 " {" list "}, {%" #i0 ", %" #i1 ", %" #i2      \
                 ", %" #i3 "}, %" #i4 ", %" #i6 "%" #i8 ";\n}"                                                         \
                 : COSMATI_R##n##_(c, d)                                                                               \
                 : "r"(static_cast<std::uint32_t>(a[0])), "r"(static_cast<std::uint32_t>(a[1])),                       \
                   "r"(static_cast<std::uint32_t>(a[2])), "r"(static_cast<std::uint32_t>(a[3])), "l"(b[0]), "r"(adds), \
                   "r"(e), "C"(wgmma_mnemonic<Op>::value), "C"(wgmma_immediates<Op>::value))
#define COSMATI_WGMMA_OF_(n, list, i0, i1, i2, i3, i4, i5, i6, i7, i8) \
  if constexpr (count == n && f32) {                                   \
    COSMATI_WGMMA_(n, list, "+f", i0, i1, i2, i3, i4, i5, i6, i7, i8); \
  } else if constexpr (count == n) {                                   \
    COSMATI_WGMMA_(n, list, "+r", i0, i1, i2, i3, i4, i5, i6, i7, i8); \
  }
  // clang-format off
  COSMATI_WGMMA_OF_(2, COSMATI_P2_(""), 2, 3, 4, 5, 6, 7, 8, 9, 10)
  COSMATI_WGMMA_OF_(4, COSMATI_P4_(""), 4, 5, 6, 7, 8, 9, 10, 11, 12)
  COSMATI_WGMMA_OF_(6, COSMATI_P6_(""), 6, 7, 8, 9, 10, 11, 12, 13, 14)
  COSMATI_WGMMA_OF_(8, COSMATI_P8_(""), 8, 9, 10, 11, 12, 13, 14, 15, 16)
  COSMATI_WGMMA_OF_(10, COSMATI_D1_, 10, 11, 12, 13, 14, 15, 16, 17, 18)
  COSMATI_WGMMA_OF_(12, COSMATI_D1_ ", " COSMATI_P2_("1"), 12, 13, 14, 15, 16, 17, 18, 19, 20)
  COSMATI_WGMMA_OF_(14, COSMATI_D1_ ", " COSMATI_P4_("1"), 14, 15, 16, 17, 18, 19, 20, 21, 22)
  COSMATI_WGMMA_OF_(16, COSMATI_D1_ ", " COSMATI_P6_("1"), 16, 17, 18, 19, 20, 21, 22, 23, 24)
  COSMATI_WGMMA_OF_(18, COSMATI_D1_ ", " COSMATI_P8_("1"), 18, 19, 20, 21, 22, 23, 24, 25, 26)
  COSMATI_WGMMA_OF_(20, COSMATI_D2_, 20, 21, 22, 23, 24, 25, 26, 27, 28)
  COSMATI_WGMMA_OF_(22, COSMATI_D2_ ", " COSMATI_P2_("2"), 22, 23, 24, 25, 26, 27, 28, 29, 30)
  COSMATI_WGMMA_OF_(24, COSMATI_D2_ ", " COSMATI_P4_("2"), 24, 25, 26, 27, 28, 29, 30, 31, 32)
  COSMATI_WGMMA_OF_(26, COSMATI_D2_ ", " COSMATI_P6_("2"), 26, 27, 28, 29, 30, 31, 32, 33, 34)
  COSMATI_WGMMA_OF_(28, COSMATI_D2_ ", " COSMATI_P8_("2"), 28, 29, 30, 31, 32, 33, 34, 35, 36)
  COSMATI_WGMMA_OF_(30, COSMATI_D3_, 30, 31, 32, 33, 34, 35, 36, 37, 38)
  COSMATI_WGMMA_OF_(32, COSMATI_D3_ ", " COSMATI_P2_("3"), 32, 33, 34, 35, 36, 37, 38, 39, 40)
  COSMATI_WGMMA_OF_(34, COSMATI_D3_ ", " COSMATI_P4_("3"), 34, 35, 36, 37, 38, 39, 40, 41, 42)
  COSMATI_WGMMA_OF_(36, COSMATI_D3_ ", " COSMATI_P6_("3"), 36, 37, 38, 39, 40, 41, 42, 43, 44)
  COSMATI_WGMMA_OF_(38, COSMATI_D3_ ", " COSMATI_P8_("3"), 38, 39, 40, 41, 42, 43, 44, 45, 46)
  COSMATI_WGMMA_OF_(40, COSMATI_D4_, 40, 41, 42, 43, 44, 45, 46, 47, 48)
  COSMATI_WGMMA_OF_(42, COSMATI_D4_ ", " COSMATI_P2_("4"), 42, 43, 44, 45, 46, 47, 48, 49, 50)
  COSMATI_WGMMA_OF_(44, COSMATI_D4_ ", " COSMATI_P4_("4"), 44, 45, 46, 47, 48, 49, 50, 51, 52)
  COSMATI_WGMMA_OF_(46, COSMATI_D4_ ", " COSMATI_P6_("4"), 46, 47, 48, 49, 50, 51, 52, 53, 54)
  COSMATI_WGMMA_OF_(48, COSMATI_D4_ ", " COSMATI_P8_("4"), 48, 49, 50, 51, 52, 53, 54, 55, 56)
  COSMATI_WGMMA_OF_(50, COSMATI_D5_, 50, 51, 52, 53, 54, 55, 56, 57, 58)
  COSMATI_WGMMA_OF_(52, COSMATI_D5_ ", " COSMATI_P2_("5"), 52, 53, 54, 55, 56, 57, 58, 59, 60)
  COSMATI_WGMMA_OF_(54, COSMATI_D5_ ", " COSMATI_P4_("5"), 54, 55, 56, 57, 58, 59, 60, 61, 62)
  COSMATI_WGMMA_OF_(56, COSMATI_D5_ ", " COSMATI_P6_("5"), 56, 57, 58, 59, 60, 61, 62, 63, 64)
  COSMATI_WGMMA_OF_(58, COSMATI_D5_ ", " COSMATI_P8_("5"), 58, 59, 60, 61, 62, 63, 64, 65, 66)
  COSMATI_WGMMA_OF_(60, COSMATI_D6_, 60, 61, 62, 63, 64, 65, 66, 67, 68)
  COSMATI_WGMMA_OF_(62, COSMATI_D6_ ", " COSMATI_P2_("6"), 62, 63, 64, 65, 66, 67, 68, 69, 70)
  COSMATI_WGMMA_OF_(64, COSMATI_D6_ ", " COSMATI_P4_("6"), 64, 65, 66, 67, 68, 69, 70, 71, 72)
  COSMATI_WGMMA_OF_(68, COSMATI_D6_ ", " COSMATI_P8_("6"), 68, 69, 70, 71, 72, 73, 74, 75, 76)
  COSMATI_WGMMA_OF_(72, COSMATI_D7_ ", " COSMATI_P2_("7"), 72, 73, 74, 75, 76, 77, 78, 79, 80)
  COSMATI_WGMMA_OF_(76, COSMATI_D7_ ", " COSMATI_P6_("7"), 76, 77, 78, 79, 80, 81, 82, 83, 84)
  COSMATI_WGMMA_OF_(80, COSMATI_D8_, 80, 81, 82, 83, 84, 85, 86, 87, 88)
  COSMATI_WGMMA_OF_(84, COSMATI_D8_ ", " COSMATI_P4_("8"), 84, 85, 86, 87, 88, 89, 90, 91, 92)
  COSMATI_WGMMA_OF_(88, COSMATI_D8_ ", " COSMATI_P8_("8"), 88, 89, 90, 91, 92, 93, 94, 95, 96)
  COSMATI_WGMMA_OF_(92, COSMATI_D9_ ", " COSMATI_P2_("9"), 92, 93, 94, 95, 96, 97, 98, 99, 100)
  COSMATI_WGMMA_OF_(96, COSMATI_D9_ ", " COSMATI_P6_("9"), 96, 97, 98, 99, 100, 101, 102, 103, 104)
  COSMATI_WGMMA_OF_(100, COSMATI_D10_, 100, 101, 102, 103, 104, 105, 106, 107, 108)
  COSMATI_WGMMA_OF_(104, COSMATI_D10_ ", " COSMATI_P4_("10"), 104, 105, 106, 107, 108, 109, 110, 111, 112)
  COSMATI_WGMMA_OF_(108, COSMATI_D10_ ", " COSMATI_P8_("10"), 108, 109, 110, 111, 112, 113, 114, 115, 116)
  COSMATI_WGMMA_OF_(112, COSMATI_D11_ ", " COSMATI_P2_("11"), 112, 113, 114, 115, 116, 117, 118, 119, 120)
  COSMATI_WGMMA_OF_(116, COSMATI_D11_ ", " COSMATI_P6_("11"), 116, 117, 118, 119, 120, 121, 122, 123, 124)
  COSMATI_WGMMA_OF_(120, COSMATI_D12_, 120, 121, 122, 123, 124, 125, 126, 127, 128)
  COSMATI_WGMMA_OF_(124, COSMATI_D12_ ", " COSMATI_P4_("12"), 124, 125, 126, 127, 128, 129, 130, 131, 132)
  COSMATI_WGMMA_OF_(128, COSMATI_D12_ ", " COSMATI_P8_("12"), 128, 129, 130, 131, 132, 133, 134, 135, 136)
  // clang-format on
#undef COSMATI_WGMMA_OF_
#undef COSMATI_WGMMA_
#endif
}
#undef COSMATI_R2_
#undef COSMATI_R4_
#undef COSMATI_R6_
#undef COSMATI_R8_
#undef COSMATI_R10_
#undef COSMATI_R12_
#undef COSMATI_R14_
#undef COSMATI_R16_
#undef COSMATI_R18_
#undef COSMATI_R20_
#undef COSMATI_R22_
#undef COSMATI_R24_
#undef COSMATI_R26_
#undef COSMATI_R28_
#undef COSMATI_R30_
#undef COSMATI_R32_
#undef COSMATI_R34_
#undef COSMATI_R36_
#undef COSMATI_R38_
#undef COSMATI_R40_
#undef COSMATI_R42_
#undef COSMATI_R44_
#undef COSMATI_R46_
#undef COSMATI_R48_
#undef COSMATI_R50_
#undef COSMATI_R52_
#undef COSMATI_R54_
#undef COSMATI_R56_
#undef COSMATI_R58_
#undef COSMATI_R60_
#undef COSMATI_R62_
#undef COSMATI_R64_
#undef COSMATI_R68_
#undef COSMATI_R72_
#undef COSMATI_R76_
#undef COSMATI_R80_
#undef COSMATI_R84_
#undef COSMATI_R88_
#undef COSMATI_R92_
#undef COSMATI_R96_
#undef COSMATI_R100_
#undef COSMATI_R104_
#undef COSMATI_R108_
#undef COSMATI_R112_
#undef COSMATI_R116_
#undef COSMATI_R120_
#undef COSMATI_R124_
#undef COSMATI_R128_
#undef COSMATI_P2_
#undef COSMATI_P4_
#undef COSMATI_P6_
#undef COSMATI_P8_
#undef COSMATI_D1_
#undef COSMATI_D2_
#undef COSMATI_D3_
#undef COSMATI_D4_
#undef COSMATI_D5_
#undef COSMATI_D6_
#undef COSMATI_D7_
#undef COSMATI_D8_
#undef COSMATI_D9_
#undef COSMATI_D10_
#undef COSMATI_D11_
#undef COSMATI_D12_
#undef COSMATI_TEN_
#endif

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
