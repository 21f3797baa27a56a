// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a handler sees of the lane that runs an `asm` statement: its registers and its place in the source.
#pragma once

#include <cosmati/number/number_types.hpp>
#include <type_traits>

#include "../aligned.hpp"
#include "program.hpp"

namespace cosmati_sim::ptx {

/// The content of a special register.
std::uint64_t special_value(int number);

/// The running lane.
class thread {
 public:
  thread(word* registers, char const* file, int line, void const* pc)
      : file(file), line(line), pc(pc), registers_(registers) {}

  char const* const file;
  int const line;
  void const* const pc;  ///< where the statement is
  int next = 0;          ///< the index of the next instruction

  word& content(operand const& o) { return registers_[o.index]; }
  bool predicate(operand const& o) const {
    word const w = o.kind == operand_kind::in_register ? registers_[o.index] : word{o.value};
    return ((w & 1) != 0) != o.negated;
  }
  bool guard_holds(instruction const& i) const {
    return i.guard < 0 || ((registers_[i.guard] & 1) != 0) != i.guard_negated;
  }

  /// The bits of an operand, `bytes` wide.
  word bits(operand const& o, std::size_t bytes) const {
    switch (o.kind) {
      case operand_kind::in_register:
        return registers_[o.index];
      case operand_kind::special:
        return special_value(o.index);
      case operand_kind::real:
        return bytes == 4 ? std::uint64_t{narrowed(o.value)} : o.value;
      case operand_kind::vector:
        return packed(o, bytes);
      case operand_kind::integer:
        return static_cast<word>(static_cast<__int128>(static_cast<std::int64_t>(o.value)));
      case operand_kind::address:
        return address(o);
      default:
        return o.value;
    }
  }
  template <class T>
  T get(operand const& o) const {
    word const w = bits(o, sizeof(T));
    T x;
    __builtin_memcpy(&x, &w, sizeof x);
    return x;
  }
  /// Writes a register. A signed integer is extended, because the register may be wider.
  template <class T>
  void set(operand const& o, T const& x) {
    if (o.kind == operand_kind::nothing || o.kind == operand_kind::absent) return;
    word w = 0;
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      w = static_cast<word>(static_cast<__int128>(x));
    else
      __builtin_memcpy(&w, &x, sizeof x);
    if (o.kind == operand_kind::vector) return unpack(o, w, sizeof x);
    registers_[o.index] = w;
  }

  /// The sum in the brackets of an address.
  std::uint64_t address(operand const& o) const {
    std::uint64_t at = o.value;
    for (operand const& term : o.parts) at += get<std::uint64_t>(term);
    return at;
  }

 private:
  static std::uint32_t narrowed(std::uint64_t real) {
    double x;
    __builtin_memcpy(&x, &real, sizeof x);
    return __builtin_bit_cast(std::uint32_t, static_cast<float>(x));
  }
  /// `{low, high}` as one number.
  word packed(operand const& o, std::size_t bytes) const {
    word w = 0;
    std::size_t const each = bytes / o.parts.size(), shift = 8 * each;
    for (std::size_t i = o.parts.size(); i-- > 0;) w = w << shift | (bits(o.parts[i], each) & mask(shift));
    return w;
  }
  void unpack(operand const& o, word w, std::size_t bytes) {
    std::size_t const shift = 8 * (bytes / o.parts.size());
    for (operand const& part : o.parts) {
      if (part.kind == operand_kind::in_register) registers_[part.index] = w & mask(shift);
      w >>= shift;
    }
  }
  static word mask(std::size_t bits) { return bits >= 128 ? ~word{0} : (word{1} << bits) - 1; }

  word* registers_;
};

/// The types of PTX's words for integers and bits: calls f(T()) with the type of the name.
/// @return f's result, or null if the name is of another type
template <class F>
handler for_integer(std::string_view name, F const& f) {
  if (name.size() < 2 || (name[0] != 'u' && name[0] != 's' && name[0] != 'b')) return nullptr;
  bool const is_signed = name[0] == 's';
  std::string_view const bits = name.substr(1);
  if (bits == "8") return is_signed ? f(std::int8_t()) : f(std::uint8_t());
  if (bits == "16") return is_signed ? f(std::int16_t()) : f(std::uint16_t());
  if (bits == "32") return is_signed ? f(std::int32_t()) : f(std::uint32_t());
  if (bits == "64") return is_signed ? f(std::int64_t()) : f(std::uint64_t());
  return nullptr;
}

/// The bytes of a type, or 0 if it is none.
int bytes_of_type(std::string_view name);

/// Ends the lane with a sentence about its instruction.
[[noreturn]] void fail_instruction(thread const& t, char const* kind, std::string const& sentence);

/// @name The rows of the table, by groups
/// @{
struct rows {
  table_row const* begin;
  std::size_t count;
};
rows integer_rows();
rows bit_rows();
rows float_rows();
rows conversion_rows();
rows comparison_rows();
rows move_rows();
rows memory_rows();
rows atomic_rows();
rows warp_rows();
rows barrier_rows();
rows mbarrier_rows();
rows copy_rows();
rows bulk_rows();
rows matrix_rows();
rows wmma_rows();
rows wgmma_rows();
rows control_rows();
/// @}

/// An instruction that all threads of a warp execute together.
inline aligned_instruction aligned(thread const& t, instruction const& i) {
  return {i.name.c_str(), t.file, t.line, t.pc, &i};
}

}  // namespace cosmati_sim::ptx
