// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue `stmatrix`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/atom/stmatrix.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// One stmatrix. @param row this lane's row in shared memory, @param registers one for each matrix
template <int matrices, bool transposed, class Report>
COSMATI_HD inline void store_matrices([[maybe_unused]] std::uint32_t const* registers, [[maybe_unused]] void* row,
                                      [[maybe_unused]] Report const& report) {
  static_assert(target_lacks_the_instruction<instruction::stmatrix, 90 + 0 * matrices, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  std::uint32_t const address = cast_smem_ptr_to_uint(row);
  if constexpr (matrices == 1 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(address), "r"(registers[0]) : "memory");
  else if constexpr (matrices == 2 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(address), "r"(registers[0]),
                 "r"(registers[1])
                 : "memory");
  else if constexpr (!transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(registers[0]),
                 "r"(registers[1]), "r"(registers[2]), "r"(registers[3])
                 : "memory");
  else if constexpr (matrices == 1)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(address), "r"(registers[0])
                 : "memory");
  else if constexpr (matrices == 2)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(address), "r"(registers[0]),
                 "r"(registers[1])
                 : "memory");
  else
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
                 "r"(registers[0]), "r"(registers[1]), "r"(registers[2]), "r"(registers[3])
                 : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  using Op = stmatrix_operation<matrices, transposed>;
  char const* const name = Op::instruction.name;
  alignas(16) unsigned char bytes[16];
  exchange<typename Copy_Traits<Op>::SrcLayout, typename Copy_Traits<Op>::DstLayout>(registers, bytes, name,
                                                                                     report.file, report.line);
  if (cosmati_sim_lane() < 8 * matrices) {
    report(access_kind::store, row, name);
    unseen_scope const unseen;
    __builtin_memcpy(row, bytes, 16);
  }
#endif
}

template <std::size_t matrices, class... Argument>
COSMATI_HD inline void gather_registers(std::uint32_t (&held)[matrices], void*& row, Argument&&... arguments) {
  int j = 0;
  auto const take = [&](auto& x) {
    if constexpr (sizeof(x) == 16)
      row = &x;
    else
      held[j++] = x;
  };
  (take(arguments), ...);
}
template <int matrices, bool transposed>
template <class... Argument>
COSMATI_HD void stmatrix_operation<matrices, transposed>::copy(Argument&&... arguments) {
  static_assert(sizeof...(Argument) == matrices + 1, "stmatrix: one register a matrix, then the row in shared memory");
  std::uint32_t held[std::size_t{matrices}];
  void* row = nullptr;
  gather_registers(held, row, arguments...);
  store_matrices<matrices, transposed>(held, row, row_of_no_tensor{nullptr, 0});
}

}  // namespace detail

/// Stores `matrices` (1, 2 or 4) 8x8 matrices of 16-bit elements, one register each, to shared memory. The whole warp
/// calls it. Lane 8 j + r passes the address of row r of matrix j, which has 16 bytes; the addresses of other lanes are
/// not used.
template <std::size_t matrices, bool transposed = false>
COSMATI_HD inline void stmatrix(void* row, std::uint32_t const (&registers)[matrices] COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(COSMATI_SIMULATED)
  detail::store_matrices<int{matrices}, transposed>(registers, row, detail::row_of_no_tensor{file, line});
#else
  detail::store_matrices<int{matrices}, transposed>(registers, row, detail::row_of_no_tensor{nullptr, 0});
#endif
}

/// @name Stores from an object of 4, 8 or 16 bytes, one matrix for each word
/// @{
namespace detail {
template <bool transposed, class T>
COSMATI_HD inline void store_matrices_from(T const* fragment, uint128_t* row) {
  std::uint32_t held[words_of_matrices<T>::value];
  __builtin_memcpy(held, static_cast<void const*>(fragment), sizeof(T));
  store_matrices<words_of_matrices<T>::value, transposed>(held, row, row_of_no_tensor{nullptr, 0});
}
}  // namespace detail
template <class T>
COSMATI_HD inline void copy_stsm(T const* fragment, uint128_t* row) {
  detail::store_matrices_from<false>(fragment, row);
}
template <class T>
COSMATI_HD inline void copy_stsm_trans(T const* fragment, uint128_t* row) {
  detail::store_matrices_from<true>(fragment, row);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
