// SPDX-License-Identifier: Apache-2.0
/// @file
/// The text of an `asm` statement as instructions that a lane can run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cosmati_sim::ptx {

/// The content of a register. Every register has room for PTX's widest type.
__extension__ typedef unsigned __int128 word;  // NOLINT(modernize-use-using)

enum class operand_kind : std::uint8_t {
  absent,
  in_register,
  integer,  ///< `value` is the number
  real,     ///< `value` has the bits of a double
  real_32,  ///< `0f3F800000`: `value` has the bits of a float
  special,  ///< `index` is the number of a special register
  address,  ///< `parts` are added to `value`; `more` follows in the brackets
  vector,   ///< `parts` are the elements
  nothing,  ///< `_`
  symbol    ///< a name that nothing declares; a label
};

/// An operand of an instruction.
struct operand {
  operand_kind kind = operand_kind::absent;
  bool negated = false;    ///< `!p`
  bool predicate = false;  ///< a register of type .pred
  bool paired = false;     ///< the second of `d|p`
  int index = -1;
  std::uint64_t value = 0;
  std::vector<operand> parts = {}, more = {};
  std::string name = {};
};

class thread;
struct instruction;
/// Executes an instruction by the running lane.
using handler = void (*)(thread&, instruction const&);

/// One instruction.
struct instruction {
  std::string text;                    ///< as written, for messages
  std::string name;                    ///< the opcode with its modifiers, for reports
  std::string opcode;                  ///< the first word: "ld"
  std::vector<std::string> modifiers;  ///< the other words: "global", "v4", "f32"
  std::vector<operand> operands;
  int guard = -1;  ///< the register of `@p`
  bool guard_negated = false;
  int target = -1;        ///< of a branch
  handler run = nullptr;  ///< null: the simulated device does not have it
  // What the row of the table keeps for its handler.
  int code = 0, count = 0, bytes = 0;
  void const* row = nullptr;
  std::shared_ptr<void const> own;  // what `row` points to, if the instruction owns it

  bool has(std::string_view modifier) const {
    for (std::string const& m : modifiers) {
      if (m == modifier) return true;
    }
    return false;
  }
  /// The last modifier, most often the type.
  std::string_view type() const { return modifiers.empty() ? std::string_view() : modifiers.back(); }
  /// The last modifier but one.
  std::string_view type_before() const {
    return modifiers.size() < 2 ? std::string_view() : modifiers[modifiers.size() - 2];
  }
};

/// The instructions of a text.
struct program {
  std::vector<instruction> code;
  int registers = 0;  ///< those of the statement's operands come first
  std::string error;  ///< why the text cannot be read; empty if it can
};

/// Reads a text. Instructions without a row in the table have no handler.
/// @param operands the number of operands of the statement
program parse(std::string_view text, int operands);

/// Finds the handler of an instruction, and what it keeps. @return null if no row fits
using resolver = handler (*)(instruction&);
struct table_row {
  std::string_view opcode;
  resolver resolve;
};
/// The rows of an opcode. Several rows may have one opcode; the first that gives a handler counts.
void resolve(instruction& i);

/// The number of a special register such as "tid.x", or -1.
int special_register(std::string_view name);

}  // namespace cosmati_sim::ptx
