// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue `ldmatrix`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/exchange.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/atom/ldmatrix.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// A report that names no tensor.
struct row_of_no_tensor {
  char const* file;
  int line;
  /// Reports the 16 bytes at `row` as one access.
  COSMATI_HD void operator()([[maybe_unused]] access_kind kind, [[maybe_unused]] void const* row,
                             [[maybe_unused]] char const* name) const {
    note_access(kind, row, 16, 16, no_description{}, nullptr, name, file, line);
  }
};

/// One ldmatrix. @param row this lane's row in shared memory
/// @param registers one for each matrix
/// @param report receives the access, on the simulated device
template <int matrices, bool transposed, class Report>
COSMATI_HD inline void load_matrices([[maybe_unused]] void const* row, [[maybe_unused]] std::uint32_t* registers,
                                     [[maybe_unused]] Report const& report) {
  static_assert(target_lacks_the_instruction<instruction::ldmatrix, 75 + 0 * matrices, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
  std::uint32_t const address = cast_smem_ptr_to_uint(row);
  if constexpr (matrices == 1 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(registers[0]) : "r"(address));
  else if constexpr (matrices == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(registers[0]), "=r"(registers[1])
                 : "r"(address));
  else if constexpr (!transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
                 : "r"(address));
  else if constexpr (matrices == 1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(registers[0]) : "r"(address));
  else if constexpr (matrices == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(registers[0]), "=r"(registers[1])
                 : "r"(address));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
                 : "r"(address));
#elif defined(COSMATI_SIMULATED)
  using Op = ldmatrix_operation<matrices, transposed>;
  char const* const name = Op::instruction.name;
  // The rows are read when all lanes have arrived.
  if (matrices == 4 || cosmati_sim_lane() < 8 * matrices) report(access_kind::load, row, name);
  exchange<typename Copy_Traits<Op>::SrcLayout, typename Copy_Traits<Op>::DstLayout>(row, registers, name, report.file,
                                                                                     report.line);
#endif
}

template <int matrices, bool transposed>
template <class... Register>
COSMATI_HD void ldmatrix_operation<matrices, transposed>::copy(uint128_t const& row, Register&... registers) {
  static_assert(sizeof...(Register) == matrices, "ldmatrix: one register a matrix");
  std::uint32_t held[std::size_t{matrices}];
  load_matrices<matrices, transposed>(&row, held, row_of_no_tensor{nullptr, 0});
  int j = 0;
  ((registers = held[j++]), ...);
}

}  // namespace detail

/// Loads `matrices` (1, 2 or 4) 8x8 matrices of 16-bit elements from shared memory into one register each. The whole
/// warp calls it. Lane 8 j + r passes the address of row r of matrix j, which has 16 bytes; the addresses of other
/// lanes are not used.
template <std::size_t matrices, bool transposed = false>
COSMATI_HD inline void ldmatrix(std::uint32_t (&registers)[matrices], void const* row COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(COSMATI_SIMULATED)
  detail::load_matrices<int{matrices}, transposed>(row, registers, detail::row_of_no_tensor{file, line});
#else
  detail::load_matrices<int{matrices}, transposed>(row, registers, detail::row_of_no_tensor{nullptr, 0});
#endif
}

/// @name Loads into an object of 4, 8 or 16 bytes, one matrix for each word
/// @{
namespace detail {
/// The number of 32-bit words of a fragment of one, two or four matrices.
template <class T>
struct words_of_matrices {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "copy_ldsm, copy_stsm: the object in registers must have 4, 8 or 16 bytes, a word a matrix");
  static constexpr int value = static_cast<int>(sizeof(T) / 4);
};
template <bool transposed, class T>
COSMATI_HD inline void load_matrices_into(uint128_t const* row, T* fragment) {
  std::uint32_t held[words_of_matrices<T>::value];
  load_matrices<words_of_matrices<T>::value, transposed>(row, held, row_of_no_tensor{nullptr, 0});
  __builtin_memcpy(static_cast<void*>(fragment), held, sizeof(T));
}
}  // namespace detail
template <class T>
COSMATI_HD inline void copy_ldsm(uint128_t const* row, T* fragment) {
  detail::load_matrices_into<false>(row, fragment);
}
template <class T>
COSMATI_HD inline void copy_ldsm_trans(uint128_t const* row, T* fragment) {
  detail::load_matrices_into<true>(row, fragment);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
