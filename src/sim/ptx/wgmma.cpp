// SPDX-License-Identifier: Apache-2.0
// wgmma: the shapes and types are read from the text. Sums are those of arch/wgmma_simulated.hpp: products are exact
// and added in float, k ascending; they reach the variables when the group is waited for.
#include <cosmati/atom/wgmma_descriptor.hpp>
#include <iterator>
#include <vector>

#include "../aligned.hpp"
#include "elements.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

using cosmati::GMMA::Major;

/// What a lane brings to a product.
struct share {
  thread* t;
  instruction const* i;
  unsigned lanes = 0;
  bool found = true;  // whether the descriptors' addresses are in shared memory
  bool metadata_are_wrong = false;
  bool same = true;  // whether all lanes execute the same instruction
};

/// The operands of the text.
struct form {
  element a, b;
  int extent_n, extent_k;
  int stored_k;  // the elements of a row of A that are stored: half of them in a sparse product
  int selector;  // of a sparse product: the lanes of each four that give metadata
  bool a_in_registers, adds;
  int sign;
  Major major_a, major_b;
};
form form_of(share const& s) {
  instruction const& i = *s.i;
  form f = {};
  f.a = element_of(i.modifiers[static_cast<std::size_t>(i.code)]);
  f.b = element_of(i.modifiers[static_cast<std::size_t>(i.code) + 1]);
  f.extent_n = i.count;
  std::size_t const behind = i.has("sp") ? 2 : 0;  // the metadata and their selector stand before what follows
  f.stored_k = 32 / bytes_of(f.a);
  f.extent_k = behind != 0 ? 2 * f.stored_k : f.stored_k;
  f.a_in_registers = i.operands[1].kind == operand_kind::vector;
  f.adds = s.t->predicate(i.operands[3 + behind]);
  auto const immediate = [&](std::size_t n, int otherwise) {
    std::size_t const at = n + behind;
    return at < i.operands.size() ? static_cast<int>(s.t->get<std::int32_t>(i.operands[at])) : otherwise;
  };
  f.selector = behind != 0 ? static_cast<int>(s.t->get<std::int32_t>(i.operands[4])) : 0;
  f.sign = immediate(4, 1) * immediate(5, 1);
  f.major_a = !f.a_in_registers && immediate(6, 0) != 0 ? Major::MN : Major::K;
  f.major_b = immediate(f.a_in_registers ? 6 : 7, 0) != 0 ? Major::MN : Major::K;
  return f;
}

/// Rows [first, first + rows) of an operand in shared memory, row after row.
bool read_operand(std::uint64_t bits, element e, Major major, int first, int rows, int extent_k, bool reports,
                  share const& by, unsigned char* out) {
  auto const d = cosmati::detail::decoded(bits);
  int const bytes = bytes_of(e), in_chunk = 16 / bytes;
  auto const base = reinterpret_cast<std::uintptr_t>(cosmati_sim_shared_of(d.address));
  if (base == 0) return false;
  bool const along_k = major == Major::K;
  int const run = along_k ? extent_k : rows, across = along_k ? rows : extent_k;
  for (int j = 0; j < across; ++j) {
    for (int c = 0; c < run; c += in_chunk) {
      int const mn = along_k ? first + j : first + c, k = along_k ? c : j;
      std::uintptr_t const at =
          cosmati::detail::exchanged_address(base + cosmati::detail::operand_byte(d, major, bytes, mn, k), d.layout);
      if (reports)
        cosmati_sim_matrix_read(reinterpret_cast<void const*>(at), 16, by.i->name.c_str(), by.t->file, by.t->line);
      auto const* const chunk = reinterpret_cast<unsigned char const*>(at);
      for (int n = 0; n < in_chunk && c + n < run; ++n) {
        int const row = along_k ? j : c + n, column = along_k ? c + n : j;
        for (int b = 0; b < bytes; ++b) out[(row * extent_k + column) * bytes + b] = chunk[n * bytes + b];
      }
    }
  }
  return true;
}

/// A's 16 rows of the warp from registers: the layout of mma.sync's A.
void read_registers(void* const* arguments, form const& f, unsigned char* out) {
  int const bytes = bytes_of(f.a), each = 4 / bytes;
  for (int lane = 0; lane < 32; ++lane) {
    share const& s = *static_cast<share const*>(arguments[lane]);
    for (int r = 0; r < 4; ++r) {
      int const row = lane / 4 + 8 * (r % 2), column = lane % 4 * each + r / 2 * 4 * each;
      auto const word = s.t->get<std::uint32_t>(s.i->operands[1].parts[static_cast<std::size_t>(r)]);
      __builtin_memcpy(out + (row * f.stored_k + column) * bytes, &word, 4);
    }
  }
}

/// A sparse A's 16 rows with their zeros. Of four elements along K two are stored, of tf32 one of two.
/// @return whether the metadata are right
bool expand(void* const* arguments, form const& f, unsigned char const* stored, unsigned char* out) {
  int const bytes = bytes_of(f.a), chunk = bytes == 4 ? 2 : 4;
  for (int m = 0; m < 16; ++m) {
    for (int k = 0; k < f.extent_k; k += chunk) {
      int const bit = k / chunk * 4, quad = m % 8 * 4, half = m / 8;
      int const lane = bytes == 1 ? quad + half + 2 * (bit / 32) : quad + 2 * f.selector + bit / 16;
      int const shift = bytes == 1 ? bit % 32 : 16 * half + bit % 16;
      share const& s = *static_cast<share const*>(arguments[lane]);
      std::uint32_t const bits = s.t->get<std::uint32_t>(s.i->operands[3]) >> shift & 15u;
      for (int i = 0; i < chunk / 2; ++i) {
        int const place = place_in_chunk(bits, i, chunk);
        if (place < 0) return false;
        __builtin_memcpy(out + (m * f.extent_k + k + place) * bytes, stored + (m * f.stored_k + k / 2 + i) * bytes,
                         static_cast<std::size_t>(bytes));
      }
    }
  }
  return true;
}

/// The variables of a lane's sums, as pieces of memory without gaps.
struct piece {
  unsigned char* at;
  int first, bytes;
};
std::vector<piece> pieces_of(share const& s) {
  std::vector<piece> out;
  int n = 0;
  for (operand const& o : s.i->operands[0].parts) {
    auto* const at = reinterpret_cast<unsigned char*>(s.t->get<std::uintptr_t>(o));
    if (!out.empty() && out.back().at + out.back().bytes == at)
      out.back().bytes += 4;
    else
      out.push_back({at, n, 4});
    n += 4;
  }
  return out;
}

/// The place of value v of a lane in sums with rows of N.
int index_of(int lane, int v, int n) { return (lane / 4 + 8 * (v / 2 % 2)) * n + 8 * (v / 4) + 2 * (lane % 4) + v % 2; }

/// Adds the sums before the product, from the variables or from products in flight.
template <class Total, class Get>
void read_sums(void* const* arguments, form const& f, int value_bytes, Total* total, Get const& get) {
  for (int lane = 0; lane < 32; ++lane) {
    share const& s = *static_cast<share const*>(arguments[lane]);
    for (piece const& p : pieces_of(s)) {
      auto const* const held =
          static_cast<unsigned char const*>(cosmati_sim_matrix_sums(static_cast<unsigned>(lane), p.at));
      int const first = p.first / value_bytes;
      for (int v = 0; v < p.bytes / value_bytes; ++v) total[index_of(lane, first + v, f.extent_n)] = get(held, v);
    }
  }
}
/// @param is_float whether the sums are numbers of floating point
template <class Put>
void write_sums(void* const* arguments, form const& f, int value_bytes, bool is_float, Put const& put) {
  unsigned char held[512];
  for (int lane = 0; lane < 32; ++lane) {
    for (piece const& p : pieces_of(*static_cast<share const*>(arguments[lane]))) {
      int const first = p.first / value_bytes;
      for (int v = 0; v < p.bytes / value_bytes; ++v) put(held, v, index_of(lane, first + v, f.extent_n));
      cosmati_sim_matrix_result(static_cast<unsigned>(lane), p.at, held, static_cast<unsigned>(p.bytes),
                                is_float ? static_cast<unsigned>(value_bytes) : 0);
    }
  }
}

void multiply_floats(void* const* arguments, form const& f, bool half_sums, unsigned char const* a,
                     unsigned char const* b) {
  int const extent_n = f.extent_n, extent_k = f.extent_k;
  std::vector<float> total(static_cast<std::size_t>(16 * extent_n)),
      b_by_k(static_cast<std::size_t>(extent_n * extent_k));
  if (f.adds) {
    read_sums(arguments, f, half_sums ? 2 : 4, total.data(), [&](unsigned char const* p, int v) {
      return half_sums ? held_value<cosmati::half_t>::get(p, v) : held_value<float>::get(p, v);
    });
  }
  for (int n = 0; n < extent_n; ++n) {
    for (int k = 0; k < extent_k; ++k) b_by_k.data()[k * extent_n + n] = value_of(f.b, b, n * extent_k + k);
  }
  for (int m = 0; m < 16; ++m) {
    float* const row = total.data() + m * extent_n;
    for (int k = 0; k < extent_k; ++k) {
      float const x = static_cast<float>(f.sign) * value_of(f.a, a, m * extent_k + k);
      float const* const of_k = b_by_k.data() + k * extent_n;
      for (int n = 0; n < extent_n; ++n) row[n] += x * of_k[n];
    }
  }
  write_sums(arguments, f, half_sums ? 2 : 4, true, [&](unsigned char* p, int v, int at) {
    float const x = total[static_cast<std::size_t>(at)];
    cosmati::half_t const h(x);
    if (half_sums)
      __builtin_memcpy(p + 2 * v, &h, 2);
    else
      __builtin_memcpy(p + 4 * v, &x, 4);
  });
}

void multiply_integers(void* const* arguments, form const& f, bool saturates, unsigned char const* a,
                       unsigned char const* b) {
  int const extent_n = f.extent_n;
  std::vector<std::int64_t> total(static_cast<std::size_t>(16 * extent_n));
  if (f.adds) {
    read_sums(arguments, f, 4, total.data(),
              [](unsigned char const* p, int v) { return std::int64_t{held_value<std::int32_t>::get(p, v)}; });
  }
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < extent_n; ++n) {
      std::int64_t sum = 0;
      for (int k = 0; k < f.extent_k; ++k) {
        int const x = m * f.extent_k + k, y = n * f.extent_k + k;
        sum += f.a == element::b1 ? __builtin_popcount(a[x] & b[y]) : integer_of(f.a, a, x) * integer_of(f.b, b, y);
      }
      total.data()[m * extent_n + n] += sum;
    }
  }
  write_sums(arguments, f, 4, false, [&](unsigned char* p, int v, int at) {
    std::int64_t x = total[static_cast<std::size_t>(at)];
    if (saturates) x = x > 0x7fffffff ? 0x7fffffff : x < -INT64_C(0x80000000) ? -INT64_C(0x80000000) : x;
    auto const word = static_cast<std::uint32_t>(x);
    __builtin_memcpy(p + 4 * v, &word, 4);
  });
}

/// The warp's 16 rows of the product.
void multiply_warp(void* const* arguments, unsigned lanes) {
  share const* one = nullptr;
  for (int lane = 0; lane < 32; ++lane) {
    if (arguments[lane] == nullptr) continue;
    auto& s = *static_cast<share*>(arguments[lane]);
    s.lanes = lanes;
    if (one != nullptr && one->i != s.i) s.same = false;
    one = &s;
  }
  if (lanes != 0xffffffffu) return;
  bool same = true;
  for (int lane = 0; lane < 32; ++lane) same = same && static_cast<share*>(arguments[lane])->same;
  for (int lane = 0; lane < 32; ++lane) static_cast<share*>(arguments[lane])->same = same;
  if (!same) return;
  share const& s = *one;
  form const f = form_of(s);
  int const warp = static_cast<int>(cosmati_sim_warp() % 4), row_bytes = f.extent_k * bytes_of(f.a);
  std::vector<unsigned char> a(static_cast<std::size_t>(16 * f.stored_k * bytes_of(f.a))),
      b(static_cast<std::size_t>(f.extent_n * row_bytes));
  bool found = true;
  if (f.a_in_registers)
    read_registers(arguments, f, a.data());
  else
    found = read_operand(s.t->get<std::uint64_t>(s.i->operands[1]), f.a, f.major_a, 16 * warp, 16, f.stored_k, true, s,
                         a.data());
  found = found && read_operand(s.t->get<std::uint64_t>(s.i->operands[2]), f.b, f.major_b, 0, f.extent_n, f.extent_k,
                                warp == 0, s, b.data());
  for (int lane = 0; lane < 32; ++lane) static_cast<share*>(arguments[lane])->found = found;
  if (!found) return;
  if (f.extent_k != f.stored_k) {
    std::vector<unsigned char> whole(static_cast<std::size_t>(16 * row_bytes));
    bool const right = expand(arguments, f, a.data(), whole.data());
    for (int lane = 0; lane < 32; ++lane) static_cast<share*>(arguments[lane])->metadata_are_wrong = !right;
    if (!right) return;
    a = std::move(whole);
  }
  if (f.a >= element::s8)
    multiply_integers(arguments, f, s.i->has("satfinite"), a.data(), b.data());
  else
    multiply_floats(arguments, f, s.i->modifiers[static_cast<std::size_t>(s.i->code) - 1] == "f16", a.data(), b.data());
}

void multiply(thread& t, instruction const& i) {
  share mine = {&t, &i};
  std::uint32_t a[4] = {};
  bool const in_registers = i.operands[1].kind == operand_kind::vector;
  for (std::size_t r = 0; in_registers && r < 4; ++r) a[r] = t.get<std::uint32_t>(i.operands[1].parts[r]);
  cosmati_sim_matrix_begins(in_registers ? a : nullptr, i.name.c_str(), t.file, t.line);
  cosmati_sim_meet(0xffffffffu, &mine, multiply_warp, i.name.c_str(), t.file, t.line);
  if (mine.lanes != 0xffffffffu) cosmati::detail::lanes_are_missing(mine.lanes, i.name.c_str());
  if (mine.metadata_are_wrong) {
    fail_instruction(t, "invalid_argument",
                     i.name +
                         ": the metadata of a warp have four bits that PTX does not define; those of tf32 are "
                         "0b0100 and 0b1110, others are two different places of four elements");
  }
  if (!mine.same)
    fail_instruction(t, "divergence",
                     i.name +
                         ": lanes of one warp execute different instructions of this name; `.aligned` needs one "
                         "instruction for all 32: move it out of the branch");
  if (!mine.found)
    fail_instruction(
        t, "out_of_bounds",
        i.name +
            ": a descriptor's address is not in the block's shared memory; make it of an address in shared memory");
}

/// wgmma.mma_async.sync.aligned.m64nNkK.D.A.B: `code` is the index of A's type, `count` is N.
handler resolve_product(instruction& i) {
  for (std::size_t n = 0; n + 3 < i.modifiers.size(); ++n) {
    std::string const& m = i.modifiers[n];
    if (!m.starts_with("m64n")) continue;
    i.count = std::atoi(m.c_str() + 4);
    i.code = static_cast<int>(n) + 2;
  }
  bool const sparse = i.has("sp");
  if (i.count < 8 || i.count > 256 || i.count % 8 != 0 || i.operands.size() < (sparse ? 6u : 4u)) return nullptr;
  element const a = element_of(i.modifiers[static_cast<std::size_t>(i.code)]);
  if (sparse && a == element::b1) return nullptr;
  if (a == element::none || element_of(i.modifiers[static_cast<std::size_t>(i.code) + 1]) == element::none)
    return nullptr;
  bool const half_sums = i.modifiers[static_cast<std::size_t>(i.code) - 1] == "f16";
  std::size_t const registers = static_cast<std::size_t>(half_sums ? i.count / 4 : i.count / 2);
  bool const right = i.operands[0].kind == operand_kind::vector && i.operands[0].parts.size() == registers;
  bool const a_right = i.operands[1].kind != operand_kind::vector || i.operands[1].parts.size() == 4;
  return right && a_right ? multiply : nullptr;
}

void fence(thread& t, instruction const& i) { matrix_fence(aligned(t, i)); }
void commit(thread& t, instruction const& i) { matrix_commit(aligned(t, i)); }
void wait(thread& t, instruction const& i) {
  matrix_wait(aligned(t, i), static_cast<int>(t.get<std::uint32_t>(i.operands[0])));
}
handler resolve_wgmma(instruction& i) {
  if (i.modifiers.empty()) return nullptr;
  std::string_view const what = i.modifiers[0];
  if (what == "fence") return fence;
  if (what == "commit_group") return commit;
  if (what == "wait_group") return i.operands.size() == 1 ? wait : nullptr;
  return what == "mma_async" ? resolve_product(i) : nullptr;
}

constexpr table_row table[] = {{"wgmma", resolve_wgmma}};

}  // namespace

rows wgmma_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
