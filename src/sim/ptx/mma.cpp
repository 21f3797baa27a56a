// SPDX-License-Identifier: Apache-2.0
// mma.sync of every row of the library's table (atom/mma_operations.hpp).
#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_operations.hpp>
#include <map>

#include "elements.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

/// What the handler knows of a row: its function, and the registers of D, A, B and C.
struct mma_row {
  void (*multiply)(void* d, void const* a, void const* b, void const* c);
  int registers[4];
  int bytes[4];  // of a register
};

template <class Registers>
constexpr int count_of = static_cast<int>(std::extent_v<Registers>);
template <class Registers>
constexpr int bytes_of = static_cast<int>(sizeof(std::remove_extent_t<Registers>));

template <class Op>
constexpr mma_row row_of = {cosmati::detail::simulate_mma_sync<Op>,
                            {count_of<typename Op::DRegisters>, count_of<typename Op::ARegisters>,
                             count_of<typename Op::BRegisters>, count_of<typename Op::CRegisters>},
                            {bytes_of<typename Op::DRegisters>, bytes_of<typename Op::ARegisters>,
                             bytes_of<typename Op::BRegisters>, bytes_of<typename Op::CRegisters>}};

std::map<std::string_view, mma_row const*> const& mma_rows() {
  static std::map<std::string_view, mma_row const*> const all = [] {
    std::map<std::string_view, mma_row const*> rows;
    cosmati::mma_operations::for_each_operation([&](auto op) {
      using Op = typename decltype(op)::type;
      if constexpr (cosmati::detail::mma_sync_operation<Op>)
        rows[cosmati::detail::mma_mnemonic<Op>::value] = &row_of<Op>;
    });
    return rows;
  }();
  return all;
}

operand const& part(operand const& o, int n) {
  return o.kind == operand_kind::vector ? o.parts[static_cast<std::size_t>(n)] : o;
}

void multiply(thread& t, instruction const& i) {
  auto const& row = *static_cast<mma_row const*>(i.row);
  alignas(16) unsigned char held[4][64] = {};
  for (int o = 1; o < 4; ++o) {
    for (int n = 0; n < row.registers[o]; ++n) {
      if (row.bytes[o] == 8) {
        auto const x = t.get<std::uint64_t>(part(i.operands[static_cast<std::size_t>(o)], n));
        __builtin_memcpy(held[o] + 8 * n, &x, 8);
      } else {
        auto const x = t.get<std::uint32_t>(part(i.operands[static_cast<std::size_t>(o)], n));
        __builtin_memcpy(held[o] + 4 * n, &x, 4);
      }
    }
  }
  row.multiply(held[0], held[1], held[2], held[3]);
  for (int n = 0; n < row.registers[0]; ++n) {
    std::uint64_t x = 0;
    if (row.bytes[0] == 8)
      __builtin_memcpy(&x, held[0] + 8 * n, 8);
    else
      __builtin_memcpy(&x, held[0] + 4 * n, 4);
    t.set<std::uint64_t>(part(i.operands[0], n), x);
  }
}

}  // namespace

handler resolve_mma(instruction& i) {
  if (i.has("sp") || i.has("sp::ordered_metadata")) return resolve_sparse_mma(i);
  std::string name = i.name;
  if (std::size_t const at = name.find(".kind::f8f6f4"); at != std::string::npos) name.erase(at, 13);
  auto const found = mma_rows().find(name);
  if (found == mma_rows().end() || i.operands.size() != 4) return nullptr;
  for (std::size_t o = 0; o < 4; ++o) {
    operand const& given = i.operands[o];
    int const count = given.kind == operand_kind::vector ? static_cast<int>(given.parts.size()) : 1;
    if (count != found->second->registers[o]) return nullptr;
  }
  i.row = found->second;
  return multiply;
}

}  // namespace cosmati_sim::ptx
