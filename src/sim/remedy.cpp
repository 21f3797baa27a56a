// SPDX-License-Identifier: Apache-2.0
#include "remedy.hpp"

#include <cosmati/layout/any_swizzle.hpp>
#include <numeric>

#include "formatted.hpp"

namespace cosmati_sim {
namespace {

using cosmati::memory_instruction;
using cosmati::warp_access;

std::int64_t conflicts_of(memory_instruction const& instruction, warp_access const& at) {
  return cosmati::warp_cost_of(instruction, at).shared.bank_conflicts;
}
template <class Change>
warp_access changed(warp_access at, Change&& change) {
  for (int l = 0; l < 32; ++l) {
    if (at.takes_part(l)) at.offset[l] = change(at.offset[l]);
  }
  return at;
}

/// The bytes of a row: what all distances between lanes that ask one bank for different words have in common.
std::int64_t row_bytes(warp_access const& at) {
  std::int64_t row = 0;
  for (int a = 0; a < 32; ++a) {
    for (int b = a + 1; b < 32; ++b) {
      if (!at.takes_part(a) || !at.takes_part(b)) continue;
      std::int64_t const first = at.offset[a] / 4, second = at.offset[b] / 4;
      if (first != second && first % 32 == second % 32) row = std::gcd(row, 4 * (second - first));
    }
  }
  return row;
}

/// Few bytes more a row. @returns 0 where none of those tried helps
std::int64_t padding_of(memory_instruction const& instruction, warp_access const& at, std::int64_t row) {
  std::int64_t const step = instruction.bytes < 4 ? 4 : instruction.bytes;
  for (std::int64_t pad = step; pad <= 64; pad += step) {
    if (conflicts_of(instruction, changed(at, [&](std::int64_t x) { return x + x / row * pad; })) == 0) return pad;
  }
  return 0;
}

/// A swizzle of offsets in bytes that leaves each lane's bytes together. @returns one of no bits where none helps
cosmati::AnySwizzle swizzle_of(memory_instruction const& instruction, warp_access const& at) {
  int least = 0;
  while (1 << least < (instruction.bytes < 4 ? 4 : instruction.bytes)) ++least;
  constexpr int bits_of_a_line = 7;  // all banks: 128 bytes
  for (int bits = 1; bits <= bits_of_a_line - least; ++bits) {
    for (int base = least; base + bits <= bits_of_a_line; ++base) {
      for (int shift = bits; shift <= 12; ++shift) {
        cosmati::AnySwizzle const s(bits, base, shift);
        if (conflicts_of(instruction, changed(at, [&](std::int64_t x) { return s(x); })) == 0) return s;
      }
    }
  }
  return {};
}

}  // namespace

std::string remedy_of_conflicts(memory_instruction const& instruction, warp_access const& at) {
  if (conflicts_of(instruction, at) == 0) return {};
  std::int64_t const row = row_bytes(at);
  std::int64_t const pad = row > 0 ? padding_of(instruction, at, row) : 0;
  cosmati::AnySwizzle const s = swizzle_of(instruction, at);
  std::string padded = formatted("put {} bytes of padding behind every {} bytes", pad, row);
  bool const of_vectors = instruction.moves_matrices() || instruction.bytes > 8;  // of elements of any width
  int const element = of_vectors ? 2 : instruction.bytes;
  int const narrower = element == 1 ? 0 : element == 2 ? 1 : element == 4 ? 2 : 3;
  std::string swizzled = formatted("swizzle the layout, by Swizzle<{},{},{}> for elements of {} byte{}", s.bits,
                                   s.base - narrower, s.shift, element, element == 1 ? "" : "s");
  if (pad != 0 && !s.is_identity()) return padded + ", or " + swizzled;
  if (pad != 0) return padded;
  if (!s.is_identity()) return swizzled;
  return "let the lanes of a warp ask for words of different banks: neighbouring lanes for neighbouring words";
}

std::string remedy_of_sectors(memory_instruction const& instruction, warp_access const& at) {
  cosmati::global_cost const cost = cosmati::global_cost_of(instruction, at);
  if (cost.sectors <= cost.ideal_sectors) return {};
  int first = 0;
  while (first < 31 && !at.takes_part(first)) ++first;
  if (first == 31 || !at.takes_part(first + 1)) return {};
  std::int64_t const apart = at.offset[first + 1] - at.offset[first];
  if (apart == instruction.bytes) return "begin the rows at multiples of 32 bytes";
  return formatted(
      "neighbouring lanes are {} bytes apart and move {}: number the threads along the mode of stride 1, or let each "
      "move "
      "up to 16 bytes that lie side by side",
      apart, instruction.bytes);
}

}  // namespace cosmati_sim
