// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix, movmatrix.
#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/arch/movmatrix.hpp>
#include <cosmati/arch/stmatrix.hpp>
#include <iterator>

#include "addresses.hpp"

namespace cosmati_sim::ptx {

handler resolve_mma(instruction& i);

namespace {

/// Reports the row of a matrix, for the library's functions.
struct row_report {
  thread const& t;
  instruction const& i;
  char const* file;
  int line;
  void operator()(cosmati::access_kind kind, void const* row, char const*) const {
    note(t, i, reinterpret_cast<std::uintptr_t>(row), 16, static_cast<int>(kind));
  }
};

operand const& matrix_register(operand const& o, int n) {
  return o.kind == operand_kind::vector ? o.parts[static_cast<std::size_t>(n)] : o;
}

template <int matrices, bool transposed>
void load(thread& t, instruction const& i) {
  std::uint32_t held[std::size_t{matrices}];
  auto const* const row = reinterpret_cast<void const*>(address_of(t, i.operands[1], i.code != 0));
  cosmati::detail::load_matrices<matrices, transposed>(row, held, row_report{t, i, t.file, t.line});
  for (int n = 0; n < matrices; ++n) t.set<std::uint32_t>(matrix_register(i.operands[0], n), held[n]);
}
template <int matrices, bool transposed>
void store(thread& t, instruction const& i) {
  std::uint32_t held[std::size_t{matrices}];
  for (int n = 0; n < matrices; ++n) held[n] = t.get<std::uint32_t>(matrix_register(i.operands[1], n));
  auto* const row = reinterpret_cast<void*>(address_of(t, i.operands[0], i.code != 0));
  cosmati::detail::store_matrices<matrices, transposed>(held, row, row_report{t, i, t.file, t.line});
}

template <bool stores>
handler resolve_matrices(instruction& i) {
  if (i.operands.size() != 2 || !i.has("m8n8") || i.type() != "b16") return nullptr;
  operand const& registers = i.operands[stores ? 1 : 0];
  int const matrices = i.has("x1") ? 1 : i.has("x2") ? 2 : i.has("x4") ? 4 : 0;
  bool const vector = registers.kind == operand_kind::vector && static_cast<int>(registers.parts.size()) == matrices;
  if (i.operands[stores ? 0 : 1].kind != operand_kind::address || (!vector && matrices != 1)) return nullptr;
  // Without a space the address is generic.
  i.code = is_shared(i) ? 1 : 0;
  bool const transposed = i.has("trans");
  if constexpr (stores) {
    if (matrices == 1) return transposed ? store<1, true> : store<1, false>;
    if (matrices == 2) return transposed ? store<2, true> : store<2, false>;
    return transposed ? store<4, true> : store<4, false>;
  } else {
    if (matrices == 1) return transposed ? load<1, true> : load<1, false>;
    if (matrices == 2) return transposed ? load<2, true> : load<2, false>;
    return transposed ? load<4, true> : load<4, false>;
  }
}

void transpose(thread& t, instruction const& i) {
  std::uint32_t const x = t.get<std::uint32_t>(i.operands[1]);
  t.set<std::uint32_t>(i.operands[0], cosmati::movmatrix_trans<>(x, t.file, t.line));
}
handler resolve_movmatrix(instruction& i) {
  return i.operands.size() == 2 && i.has("trans") && i.type() == "b16" ? transpose : nullptr;
}

constexpr table_row table[] = {{"ldmatrix", resolve_matrices<false>},
                               {"stmatrix", resolve_matrices<true>},
                               {"movmatrix", resolve_movmatrix},
                               {"mma", resolve_mma}};

}  // namespace

rows matrix_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
