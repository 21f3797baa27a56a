// SPDX-License-Identifier: Apache-2.0
// mma.sp: A (16, K) is stored without half of its elements. Products are added in float, k ascending, to C.
#include <cosmati/runtime/sim_abi.hpp>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "elements.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

/// What a lane brings to a product, and its part of D.
struct sparse_share {
  thread* t;
  instruction const* i;
  unsigned lanes = 0;
  bool metadata_are_right = true;
  std::uint32_t result[4] = {};
};

/// The operands of the text.
struct sparse_form {
  element a, b;
  int bytes, extent_k, selector;
  bool half_sums, whole;  // whole: of the two shapes of a type the one with the larger K
};
sparse_form form_of(thread const& t, instruction const& i) {
  auto const type = [&](int n) {
    return std::string_view(i.modifiers[static_cast<std::size_t>(i.code) + static_cast<std::size_t>(n)]);
  };
  sparse_form f = {};
  f.a = element_of(type(1));
  f.b = element_of(type(2));
  f.bytes = bytes_of(f.a);
  f.extent_k = i.count;
  f.half_sums = type(0) == "f16";
  f.whole = f.extent_k * f.bytes == 64;
  f.selector = static_cast<int>(t.get<std::uint32_t>(i.operands[5]));
  return f;
}

std::uint32_t register_of(sparse_share const& s, std::size_t operand_number, int n) {
  operand const& o = s.i->operands[operand_number];
  return s.t->get<std::uint32_t>(o.kind == operand_kind::vector ? o.parts[static_cast<std::size_t>(n)] : o);
}

/// The metadata of a row's elements from k on.
std::uint32_t metadata_of(sparse_share* const* lanes, sparse_form const& f, int m, int k, int chunk) {
  int const bit = k / chunk * 4, quad = m % 8 * 4, half = m / 8;
  int lane, shift;
  if (f.bytes == 1) {
    lane = quad + half + 2 * (f.whole ? bit / 32 : f.selector);
    shift = bit % 32;
  } else {
    lane = quad + (f.whole ? 2 * f.selector + bit / 16 : f.selector);
    shift = 16 * half + bit % 16;
  }
  return register_of(*lanes[lane], 4, 0) >> shift & 15u;
}

/// A with its zeros. @return whether the metadata are right
bool read_a(sparse_share* const* lanes, sparse_form const& f, unsigned char* a) {
  int const each = 4 / f.bytes, chunk = f.bytes == 4 ? 2 : 4, stored_k = f.extent_k / 2;
  std::vector<unsigned char> stored(static_cast<std::size_t>(16 * stored_k * f.bytes));
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < (f.whole ? 4 : 2); ++r) {
      int const m = lane / 4 + 8 * (r % 2), k = lane % 4 * each + r / 2 * 4 * each;
      std::uint32_t const word = register_of(*lanes[lane], 1, r);
      std::memcpy(stored.data() + (m * stored_k + k) * f.bytes, &word, 4);
    }
  }
  for (int m = 0; m < 16; ++m) {
    for (int k = 0; k < f.extent_k; k += chunk) {
      std::uint32_t const bits = metadata_of(lanes, f, m, k, chunk);
      for (int i = 0; i < chunk / 2; ++i) {
        int const place = place_in_chunk(bits, i, chunk);
        if (place < 0) return false;
        std::memcpy(a + (m * f.extent_k + k + place) * f.bytes, stored.data() + (m * stored_k + k / 2 + i) * f.bytes,
                    static_cast<std::size_t>(f.bytes));
      }
    }
  }
  return true;
}
/// B (K, 8), column after column.
void read_b(sparse_share* const* lanes, sparse_form const& f, unsigned char* b) {
  int const each = 4 / f.bytes;
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < f.extent_k * f.bytes / 16; ++r) {
      int const n = lane / 4, k = lane % 4 * each + r * 4 * each;
      std::uint32_t const word = register_of(*lanes[lane], 2, r);
      std::memcpy(b + (n * f.extent_k + k) * f.bytes, &word, 4);
    }
  }
}

/// Value v of four of a lane's part of C and D is in this row and column.
int row_of(int lane, int v) { return lane / 4 + 8 * (v / 2); }
int column_of(int lane, int v) { return lane % 4 * 2 + v % 2; }

std::uint32_t float_sum(sparse_form const& f, unsigned char const* a, unsigned char const* b, float sum) {
  for (int k = 0; k < f.extent_k; ++k) sum += value_of(f.a, a, k) * value_of(f.b, b, k);
  return __builtin_bit_cast(std::uint32_t, sum);
}
std::uint32_t integer_sum(sparse_form const& f, unsigned char const* a, unsigned char const* b, std::int64_t sum,
                          bool saturates) {
  for (int k = 0; k < f.extent_k; ++k) sum += std::int64_t{integer_of(f.a, a, k)} * integer_of(f.b, b, k);
  if (saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  return static_cast<std::uint32_t>(sum);
}

/// Value v of C as a float, or as it is.
float addend(sparse_share const& s, bool half_sums, int v) {
  if (!half_sums) return __builtin_bit_cast(float, register_of(s, 3, v));
  auto const bits = static_cast<std::uint16_t>(register_of(s, 3, v / 2) >> 16 * (v % 2));
  return static_cast<float>(__builtin_bit_cast(cosmati::half_t, bits));
}

void multiply_warp(void* const* arguments, unsigned who) {
  sparse_share* lanes[32] = {};
  for (int lane = 0; lane < 32; ++lane) {
    if ((who >> lane & 1u) == 0) continue;
    lanes[lane] = static_cast<sparse_share*>(arguments[lane]);
    lanes[lane]->lanes = who;
  }
  if (who != 0xffffffffu) return;
  sparse_form const f = form_of(*lanes[0]->t, *lanes[0]->i);
  int const row_bytes = f.extent_k * f.bytes;
  std::vector<unsigned char> a(static_cast<std::size_t>(16 * row_bytes)), b(static_cast<std::size_t>(8 * row_bytes));
  bool const right = read_a(lanes, f, a.data());
  for (sparse_share* const s : lanes) s->metadata_are_right = right;
  if (!right) return;
  read_b(lanes, f, b.data());
  bool const saturates = lanes[0]->i->has("satfinite");
  for (int lane = 0; lane < 32; ++lane) {
    sparse_share& s = *lanes[lane];
    for (int v = 0; v < 4; ++v) {
      unsigned char const* const of_a = a.data() + row_of(lane, v) * row_bytes;
      unsigned char const* const of_b = b.data() + column_of(lane, v) * row_bytes;
      if (f.a >= element::s8) {
        s.result[v] = integer_sum(f, of_a, of_b, static_cast<std::int32_t>(register_of(s, 3, v)), saturates);
        continue;
      }
      std::uint32_t const sum = float_sum(f, of_a, of_b, addend(s, f.half_sums, v));
      if (!f.half_sums) {
        s.result[v] = sum;
      } else {
        std::uint32_t const half = __builtin_bit_cast(std::uint16_t, cosmati::half_t(__builtin_bit_cast(float, sum)));
        s.result[v / 2] |= half << 16 * (v % 2);
      }
    }
  }
}

void multiply(thread& t, instruction const& i) {
  sparse_share mine = {&t, &i};
  cosmati_sim_meet(0xffffffffu, &mine, multiply_warp, i.name.c_str(), t.file, t.line);
  if (mine.lanes != 0xffffffffu) cosmati::detail::lanes_are_missing(mine.lanes, i.name.c_str());
  if (!mine.metadata_are_right) {
    fail_instruction(t, "invalid_argument",
                     i.name +
                         ": the metadata of a warp have four bits that PTX does not define; those of tf32 are "
                         "0b0100 and 0b1110, others are two different places of four elements");
  }
  for (std::size_t n = 0; n < i.operands[0].parts.size(); ++n)
    t.set<std::uint32_t>(i.operands[0].parts[n], mine.result[n]);
}

bool has_registers(operand const& o, int count) {
  return o.kind == operand_kind::vector && o.parts.size() == static_cast<std::size_t>(count);
}

}  // namespace

/// mma.sp.sync.aligned.m16n8kK.row.col.D.A.B.C d, a, b, c, e, f: `code` is the index of D's type, `count` is K.
handler resolve_sparse_mma(instruction& i) {
  for (std::size_t n = 0; n + 1 < i.modifiers.size(); ++n) {
    if (i.modifiers[n].starts_with("m16n8k")) i.count = std::atoi(i.modifiers[n].c_str() + 6);
    if (i.modifiers[n] == "col") i.code = static_cast<int>(n) + (i.modifiers[n + 1] == "satfinite" ? 2 : 1);
  }
  if (i.count == 0 || i.code == 0 || static_cast<std::size_t>(i.code) + 4 != i.modifiers.size()) return nullptr;
  auto const type = [&](int n) {
    return std::string_view(i.modifiers[static_cast<std::size_t>(i.code) + static_cast<std::size_t>(n)]);
  };
  element const a = element_of(type(1)), b = element_of(type(2));
  if (a == element::none || b == element::none || a == element::b1 || type(0) != type(3)) return nullptr;
  int const k_bytes = i.count * bytes_of(a), sums = type(0) == "f16" ? 2 : 4;
  bool const right = i.operands.size() == 6 && (k_bytes == 32 || k_bytes == 64) && has_registers(i.operands[0], sums) &&
                     has_registers(i.operands[1], k_bytes / 16) && has_registers(i.operands[2], k_bytes / 16) &&
                     has_registers(i.operands[3], sums);
  return right ? multiply : nullptr;
}

}  // namespace cosmati_sim::ptx
