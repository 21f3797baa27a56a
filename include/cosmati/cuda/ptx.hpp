// SPDX-License-Identifier: Apache-2.0
/// @file
/// Inline PTX of CUDA files. `cosmati sim` turns `asm volatile("text" : outputs : inputs)` into a call of `ptx_asm`,
/// and the simulated device reads the text and runs it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(COSMATI_SIMULATED)

/// A place in the source: what the simulated device has read there.
struct cosmati_sim_ptx_site {
  void const* program;
};

namespace cosmati_cuda {
/// The content of an operand: its bits, and zeros or the sign above.
__extension__ typedef unsigned __int128 ptx_word;  // NOLINT(modernize-use-using)
}  // namespace cosmati_cuda

extern "C" {
/// Runs an asm statement by the running lane.
/// @param constraints those of the operands, with commas between them
/// @param operands the outputs, then the inputs; the outputs receive their values
/// @param counts the number of operands, and that of outputs times 65536
void cosmati_sim_ptx(cosmati_sim_ptx_site* site, char const* text, char const* constraints, char const* file, int line,
                     cosmati_cuda::ptx_word* operands, unsigned counts);
}

namespace cosmati_cuda {

/// Whether nvcc takes an operand of type V for a constraint: integers of 2, 4, 8 and 16 bytes for h, r, l and q, float
/// and double for f and d, an integer constant for n. Pointers are integers of 8 bytes.
template <class V, char constraint>
constexpr bool ptx_fits() {
  constexpr bool is_integer = std::is_integral_v<V> || std::is_enum_v<V> || std::is_pointer_v<V> || sizeof(V) == 16;
  switch (constraint) {
    case 'h':
      return is_integer && sizeof(V) == 2;
    case 'r':
      return is_integer && sizeof(V) == 4;
    case 'l':
      return (is_integer || std::is_null_pointer_v<V>)&&sizeof(V) == 8;
    case 'q':
      return sizeof(V) == 16;
    case 'f':
      return std::is_same_v<V, float>;
    case 'd':
      return std::is_same_v<V, double>;
    case 'n':
      return is_integer;
    default:
      return true;
  }
}
/// Ends the compilation if an operand does not fit its constraint. `cosmati sim` makes a sentence of the arguments.
/// @tparam operand its number in the statement, @tparam bytes the size of V
template <int operand, char constraint, class V, int bytes>
struct ptx_operand {
  static_assert(ptx_fits<V, constraint>(),
                "ptx_operand<NUMBER, CONSTRAINT, TYPE, BYTES>: the operand's type does not fit its constraint");
  static constexpr bool fits = true;
};

/// The bits of an operand. Integers are extended as their type is.
template <class T>
inline __attribute__((always_inline)) ptx_word ptx_bits(T value) {
  using V = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<V, ptx_word>) {
    return value;
  } else if constexpr (std::is_enum_v<V>) {
    return ptx_bits(static_cast<std::underlying_type_t<V>>(value));
  } else if constexpr (std::is_integral_v<V>) {
    return static_cast<ptx_word>(
        static_cast<std::conditional_t<std::is_signed_v<V>, long long, unsigned long long>>(value));
  } else if constexpr (std::is_pointer_v<V>) {
    return static_cast<ptx_word>(reinterpret_cast<std::uintptr_t>(value));
  } else if constexpr (std::is_same_v<V, float>) {
    return __builtin_bit_cast(std::uint32_t, value);
  } else if constexpr (std::is_same_v<V, double>) {
    return __builtin_bit_cast(std::uint64_t, value);
  } else {
    static_assert(sizeof(V) <= sizeof(ptx_word) && std::is_trivially_copyable_v<V>,
                  "an operand of an asm statement has at most 16 bytes");
    ptx_word bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
  }
}

/// The bits of an input, whose type must fit its constraint.
template <int operand, char constraint, class T>
inline __attribute__((always_inline)) ptx_word ptx_input(T value) {
  static_assert(ptx_operand<operand, constraint, std::remove_cv_t<T>, static_cast<int>(sizeof(T))>::fits);
  return ptx_bits(value);
}
/// An output, whose type must fit its constraint.
template <int operand, char constraint, class T>
inline __attribute__((always_inline)) T& ptx_output(T& to) {
  static_assert(ptx_operand<operand, constraint, std::remove_cv_t<T>, static_cast<int>(sizeof(T))>::fits);
  return to;
}

/// Gives an output its value.
template <class T>
inline __attribute__((always_inline)) void ptx_take(T& to, ptx_word bits) {
  using V = std::remove_cv_t<T>;
  if constexpr (std::is_enum_v<V> || std::is_integral_v<V>) {
    to = static_cast<V>(static_cast<unsigned long long>(bits));
  } else if constexpr (std::is_pointer_v<V>) {
    to = reinterpret_cast<V>(static_cast<std::uintptr_t>(bits));
  } else if constexpr (std::is_same_v<V, float>) {
    to = __builtin_bit_cast(float, static_cast<std::uint32_t>(bits));
  } else if constexpr (std::is_same_v<V, double>) {
    to = __builtin_bit_cast(double, static_cast<std::uint64_t>(bits));
  } else {
    static_assert(sizeof(V) <= sizeof(ptx_word) && std::is_trivially_copyable_v<V>,
                  "an operand of an asm statement has at most 16 bytes");
    __builtin_memcpy(&to, &bits, sizeof to);
  }
}

/// The address of an output, for instructions that write it later.
template <class T>
inline __attribute__((always_inline)) ptx_word ptx_address(T& to) {
  return static_cast<ptx_word>(reinterpret_cast<std::uintptr_t>(&to));
}

/// One asm statement.
/// @tparam number different for each statement of a program
/// @tparam outputs the number of operands that are written; they come first. The others are `ptx_bits`
template <int number, int outputs, class... Operand>
static inline __attribute__((always_inline)) void ptx_asm(char const* file, int line, char const* text,
                                                          char const* constraints, Operand&&... operand) {
  static cosmati_sim_ptx_site site;
  constexpr unsigned count = sizeof...(Operand);
  ptx_word bits[count + 1] = {ptx_bits(operand)...};
  cosmati_sim_ptx(&site, text, constraints, file, line, bits, count | unsigned{outputs} << 16);
  int n = 0;
  [[maybe_unused]] auto const take = [&](auto&& to) __attribute__((always_inline)) {
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(to)>>) {
      if (n < outputs) ptx_take(to, bits[n]);
    }
    ++n;
  };
  (take(static_cast<Operand&&>(operand)), ...);
}

/// An asm statement with wgmma.mma_async. The outputs are given by their addresses, because they receive their values
/// when the group is waited for.
template <int number, int outputs, class... Operand>
static inline __attribute__((always_inline)) void ptx_asm_later(char const* file, int line, char const* text,
                                                                char const* constraints, Operand&&... operand) {
  static cosmati_sim_ptx_site site;
  constexpr unsigned count = sizeof...(Operand);
  ptx_word bits[count + 1];
  unsigned n = 0;
  auto const give = [&](auto& o) __attribute__((always_inline)) {
    bits[n] = n < unsigned{outputs} ? ptx_address(o) : ptx_bits(o);
    ++n;
  };
  (give(operand), ...);
  cosmati_sim_ptx(&site, text, constraints, file, line, bits, count);
}

}  // namespace cosmati_cuda

#endif

#include <cosmati/core/macros_end.hpp>
