// SPDX-License-Identifier: Apache-2.0
/// @file
/// `memory_instruction`: the properties of a warp's memory instruction that its cost depends on. `warp_access`: the
/// addresses of its 32 lanes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// The kinds of memory instructions.
enum class memory_operation : std::uint8_t {
  load_shared,   ///< LDS
  store_shared,  ///< STS
  load_matrix,   ///< LDSM, ldmatrix
  store_matrix,  ///< STSM, stmatrix
  copy_async,    ///< LDGSTS, cp.async: from global to shared memory
  load_global,   ///< LDG
  store_global,  ///< STG
};

/// A memory instruction: its kind, its width, and the number of lanes that give an address.
struct memory_instruction {
  memory_operation operation = memory_operation::load_global;
  std::uint8_t bytes = 4;   ///< the bytes at one lane's address: 1, 2, 4, 8 or 16; a row of a matrix has 16
  std::uint8_t lanes = 32;  ///< the lanes that give an address: 8, 16 or 32 for 1, 2 or 4 matrices, otherwise 32

  /// True for ldmatrix and stmatrix, whose lanes give rows of matrices.
  COSMATI_HD constexpr bool moves_matrices() const {
    return operation == memory_operation::load_matrix || operation == memory_operation::store_matrix;
  }
  /// Whether the instruction accesses global memory, or shared memory. cp.async accesses both.
  COSMATI_HD constexpr bool touches_global() const { return operation >= memory_operation::copy_async; }
  COSMATI_HD constexpr bool touches_shared() const { return operation <= memory_operation::copy_async; }
  /// The number of neighbouring lanes that share a pass through shared memory: as many as make 128 bytes.
  COSMATI_HD constexpr int lanes_a_group() const { return bytes >= 16 ? 8 : bytes == 8 ? 16 : 32; }

  friend COSMATI_HD constexpr bool operator==(memory_instruction const& a, memory_instruction const& b) {
    return a.operation == b.operation && a.bytes == b.bytes && a.lanes == b.lanes;
  }
};

/// @name The instructions
/// @param bytes the bytes at one lane's address
/// @{
COSMATI_HD constexpr memory_instruction load_shared(int bytes) {
  return {memory_operation::load_shared, static_cast<std::uint8_t>(bytes), 32};
}
COSMATI_HD constexpr memory_instruction store_shared(int bytes) {
  return {memory_operation::store_shared, static_cast<std::uint8_t>(bytes), 32};
}
COSMATI_HD constexpr memory_instruction load_global(int bytes) {
  return {memory_operation::load_global, static_cast<std::uint8_t>(bytes), 32};
}
COSMATI_HD constexpr memory_instruction store_global(int bytes) {
  return {memory_operation::store_global, static_cast<std::uint8_t>(bytes), 32};
}
/// cp.async. `.ca` and `.cg` count alike, because the hardware's own count of `.cg` follows no known rule.
COSMATI_HD constexpr memory_instruction copy_async(int bytes) {
  return {memory_operation::copy_async, static_cast<std::uint8_t>(bytes), 32};
}
/// ldmatrix of 1, 2 or 4 matrices of 8x8 16-bit values. Transposition does not matter.
COSMATI_HD constexpr memory_instruction load_matrix(int matrices) {
  return {memory_operation::load_matrix, 16, static_cast<std::uint8_t>(8 * matrices)};
}
/// stmatrix of 1, 2 or 4 matrices.
COSMATI_HD constexpr memory_instruction store_matrix(int matrices) {
  return {memory_operation::store_matrix, 16, static_cast<std::uint8_t>(8 * matrices)};
}
/// @}

/// The addresses of a warp's lanes: a byte offset for each lane, and which lanes take part.
struct warp_access {
  std::int64_t offset[32] = {};        ///< the byte offset of each lane, from an address that is a multiple of 128
  std::uint32_t active = 0xffffffffu;  ///< bit l: lane l takes part

  /// False for a lane that is masked out.
  COSMATI_HD constexpr bool takes_part(int lane) const { return (active >> lane & 1u) != 0; }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
