// SPDX-License-Identifier: Apache-2.0
// wmma.load, wmma.store and wmma.mma. PTX leaves open which element a lane holds. Here element e of a matrix is in
// lane e / E, where E is the number of elements of a lane; lanes that are left begin again at element 0.
#include <cosmati/arch/mma_simulated.hpp>
#include <iterator>
#include <vector>

#include "addresses.hpp"

namespace cosmati_sim::ptx {
namespace {

using cosmati::detail::held_value;

enum class element { f16, bf16, tf32, f32, f64, s8, u8, s32, s4, u4, b1, none };
constexpr std::string_view element_names[] = {"f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s32", "s4", "u4", "b1"};
constexpr int element_bits[] = {16, 16, 32, 32, 64, 8, 8, 32, 4, 4, 1};

element element_of(std::string_view name) {
  for (int e = 0; e < static_cast<int>(element::none); ++e) {
    if (element_names[e] == name) return static_cast<element>(e);
  }
  return element::none;
}
int bits_of(element e) { return element_bits[static_cast<int>(e)]; }
bool is_integer(element e) { return e >= element::s8; }

struct shape {
  int m, n, k;
};
/// "m16n16k16".
bool read_shape(instruction const& i, shape& s) {
  for (std::string const& text : i.modifiers) {
    std::size_t const n = text.find('n'), k = text.find('k');
    if (text[0] != 'm' || n == std::string::npos || k == std::string::npos || text.size() < 6) continue;
    s = {std::atoi(text.c_str() + 1), std::atoi(text.c_str() + n + 1), std::atoi(text.c_str() + k + 1)};
    return s.m > 0 && s.n > 0 && s.k > 0;
  }
  return false;
}

/// A matrix in the registers of a warp. B is held by columns, so that k is contiguous in all operands.
struct fragment {
  element type;
  int rows, columns;  // of B: n and k
  int elements() const { return rows * columns; }
  int of_lane(int registers) const { return registers * (bits_of(type) == 64 ? 1 : 32 / bits_of(type)); }
};
fragment fragment_of(char which, element type, shape const& s) {
  return which == 'a' ? fragment{type, s.m, s.k} : which == 'b' ? fragment{type, s.n, s.k} : fragment{type, s.m, s.n};
}

int count_of(operand const& o) { return o.kind == operand_kind::vector ? static_cast<int>(o.parts.size()) : 1; }
operand const& part(operand const& o, int n) {
  return o.kind == operand_kind::vector ? o.parts[static_cast<std::size_t>(n)] : o;
}
std::uint64_t code_of(thread const& t, operand const& o, element type, int n) {
  int const bits = bits_of(type);
  if (bits == 64) return t.get<std::uint64_t>(part(o, n));
  int const each = 32 / bits;
  std::uint32_t const word = t.get<std::uint32_t>(part(o, n / each));
  return bits == 32 ? word : word >> (n % each * bits) & ((1u << bits) - 1);
}
void put_code(thread& t, operand const& o, element type, int n, std::uint64_t code) {
  int const bits = bits_of(type);
  if (bits == 64) return t.set<std::uint64_t>(part(o, n), code);
  int const each = 32 / bits, at = n % each * bits;
  operand const& to = part(o, n / each);
  std::uint32_t const mask = bits == 32 ? ~0u : ((1u << bits) - 1) << at;
  t.set<std::uint32_t>(to, (t.get<std::uint32_t>(to) & ~mask) | (static_cast<std::uint32_t>(code) << at & mask));
}

/// What load and store keep: the fragment, whether its `columns` are contiguous in memory, and the space.
struct place {
  fragment f;
  bool contiguous;
  bool shared;
};

/// Element n of a lane in memory, in bits from the matrix's first.
std::int64_t bit_of(place const& p, int element_number, std::int64_t stride) {
  std::int64_t const row = element_number / p.f.columns, column = element_number % p.f.columns;
  return (p.contiguous ? row * stride + column : column * stride + row) * bits_of(p.f.type);
}

void load(thread& t, instruction const& i) {
  auto const& p = *static_cast<place const*>(i.row);
  std::int64_t const stride = i.operands.size() > 2 ? t.get<std::int32_t>(i.operands[2]) : i.code;
  std::uintptr_t const from = address_of(t, i.operands[1], p.shared);
  int const held = p.f.of_lane(count_of(i.operands[0])), bits = bits_of(p.f.type);
  int const first = static_cast<int>(cosmati_sim_lane()) * held % p.f.elements();
  int const step = bits < 8 ? 8 / bits : 1, bytes = bits < 8 ? 1 : bits / 8;
  for (int n = 0; n < held; n += step) {
    std::uintptr_t const at = from + static_cast<std::uintptr_t>(bit_of(p, (first + n) % p.f.elements(), stride) / 8);
    note(t, i, at, static_cast<std::size_t>(bytes), a_load);
    std::uint64_t code = 0;
    for (int b = bytes; b-- > 0;)
      code = code << 8 | *reinterpret_cast<unsigned char const*>(at + static_cast<unsigned>(b));
    for (int e = 0; e < step; ++e) put_code(t, i.operands[0], p.f.type, n + e, bits < 8 ? code >> (e * bits) : code);
  }
}
void store(thread& t, instruction const& i) {
  auto const& p = *static_cast<place const*>(i.row);
  std::int64_t const stride = i.operands.size() > 2 ? t.get<std::int32_t>(i.operands[2]) : i.code;
  std::uintptr_t const to = address_of(t, i.operands[0], p.shared);
  int const held = p.f.of_lane(count_of(i.operands[1])), bytes = bits_of(p.f.type) / 8;
  int const first = static_cast<int>(cosmati_sim_lane()) * held;
  for (int n = 0; n < held; ++n) {
    std::uintptr_t const at = to + static_cast<std::uintptr_t>(bit_of(p, first + n, stride) / 8);
    note(t, i, at, static_cast<std::size_t>(bytes), a_store);
    std::uint64_t const code = code_of(t, i.operands[1], p.f.type, n);
    for (int b = 0; b < bytes; ++b)
      *reinterpret_cast<unsigned char*>(at + static_cast<unsigned>(b)) = static_cast<unsigned char>(code >> (8 * b));
  }
}

/// What wmma.mma keeps.
struct product {
  shape s;
  fragment a, b, c, d;
  bool saturates, exclusive_or;
};
struct share {
  thread* t;
  instruction const* i;
  unsigned lanes = 0;
};

double real_of(element e, std::uint64_t code) {
  auto const* const p = reinterpret_cast<unsigned char const*>(&code);
  switch (e) {
    case element::f16:
      return static_cast<double>(held_value<cosmati::half_t>::get(p, 0));
    case element::bf16:
      return static_cast<double>(held_value<cosmati::bfloat16_t>::get(p, 0));
    case element::tf32:
      return static_cast<double>(held_value<cosmati::tfloat32_t>::get(p, 0));
    case element::f32:
      return static_cast<double>(held_value<float>::get(p, 0));
    default:
      return held_value<double>::get(p, 0);
  }
}
std::int64_t integer_of(element e, std::uint64_t code) {
  switch (e) {
    case element::s8:
      return static_cast<std::int8_t>(code);
    case element::s4:
      return static_cast<std::int64_t>(code ^ 8u) - 8;
    case element::s32:
      return static_cast<std::int32_t>(code);
    default:
      return static_cast<std::int64_t>(code);
  }
}
template <class T>
T value_of(element e, std::uint64_t code) {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return integer_of(e, code);
  else
    return static_cast<T>(real_of(e, code));
}
std::uint64_t code_of_sum(product const&, element e, double sum) {
  if (e == element::f64) return __builtin_bit_cast(std::uint64_t, sum);
  if (e == element::f16) return cosmati::half_t(static_cast<float>(sum)).storage;
  return __builtin_bit_cast(std::uint32_t, static_cast<float>(sum));
}
std::uint64_t code_of_sum(product const& p, element, std::int64_t sum) {
  if (p.saturates) sum = sum > 0x7fffffff ? 0x7fffffff : sum < -INT64_C(0x80000000) ? -INT64_C(0x80000000) : sum;
  return static_cast<std::uint32_t>(sum);
}

/// The whole matrix of an operand, row after row.
template <class T>
std::vector<T> gathered(void* const* arguments, std::size_t which, fragment const& f) {
  std::vector<T> out(static_cast<std::size_t>(f.elements()));
  for (int lane = 31; lane >= 0; --lane) {
    share const& s = *static_cast<share const*>(arguments[lane]);
    operand const& o = s.i->operands[which];
    int const held = f.of_lane(count_of(o));
    for (int n = 0; n < held; ++n)
      out[static_cast<std::size_t>((lane * held + n) % f.elements())] =
          value_of<T>(f.type, code_of(*s.t, o, f.type, n));
  }
  return out;
}

template <class T>
void multiply(void* const* arguments, product const& p) {
  auto const a = gathered<T>(arguments, 1, p.a), b = gathered<T>(arguments, 2, p.b);
  auto sum = gathered<T>(arguments, 3, p.c);
  for (int m = 0; m < p.s.m; ++m) {
    for (int n = 0; n < p.s.n; ++n) {
      T x = sum.data()[m * p.s.n + n];
      for (int k = 0; k < p.s.k; ++k) {
        T const y = a.data()[m * p.s.k + k], z = b.data()[n * p.s.k + k];
        if constexpr (std::is_same_v<T, double>)
          x = __builtin_fma(y, z, x);
        else if (p.exclusive_or)
          x += y != z ? T{1} : T{0};
        else
          x += y * z;
      }
      sum.data()[m * p.s.n + n] = x;
    }
  }
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
  for (int lane = 0; lane < 32; ++lane) {
    share const& s = *static_cast<share const*>(arguments[lane]);
    int const held = p.d.of_lane(count_of(s.i->operands[0]));
    for (int n = 0; n < held; ++n) {
      auto const x = static_cast<Sum>(sum.data()[lane * held + n]);
      put_code(*s.t, s.i->operands[0], p.d.type, n, code_of_sum(p, p.d.type, x));
    }
  }
}
void multiply_together(void* const* arguments, unsigned lanes) {
  for (int lane = 0; lane < 32; ++lane) {
    if (arguments[lane] != nullptr) static_cast<share*>(arguments[lane])->lanes = lanes;
  }
  if (lanes != 0xffffffffu) return;
  auto const& p = *static_cast<product const*>(static_cast<share const*>(arguments[0])->i->row);
  if (is_integer(p.a.type)) return multiply<std::int64_t>(arguments, p);
  return p.a.type == element::f64 ? multiply<double>(arguments, p) : multiply<float>(arguments, p);
}
void multiply_by_warp(thread& t, instruction const& i) {
  share mine = {&t, &i};
  cosmati_sim_meet(0xffffffffu, &mine, multiply_together, i.name.c_str(), t.file, t.line);
  if (mine.lanes != 0xffffffffu) cosmati::detail::lanes_are_missing(mine.lanes, i.name.c_str());
}

/// Whether the registers hold the matrix, once or several times.
bool holds(operand const& o, fragment const& f, bool once) {
  int const all = 32 * f.of_lane(count_of(o));
  return once ? all == f.elements() : all >= f.elements() && all % f.elements() == 0;
}

handler resolve_move(instruction& i, bool stores) {
  shape s = {};
  element const type = element_of(i.type());
  std::size_t const n = i.operands.size();
  if (type == element::none || !read_shape(i, s) || n < 2 || n > 3) return nullptr;
  char const which = i.modifiers[1][0];
  fragment const f = fragment_of(which, type, s);
  bool const rows = i.has("row");
  i.own = std::make_shared<place>(place{f, which == 'b' ? !rows : rows, is_shared(i)});
  i.row = i.own.get();
  i.code = which == 'b' ? (rows ? s.n : s.k) : rows ? f.columns : f.rows;  // the stride that is left out
  if (i.operands[stores ? 0 : 1].kind != operand_kind::address || !holds(i.operands[stores ? 1 : 0], f, which > 'b'))
    return nullptr;
  return stores ? store : load;
}
handler resolve_product(instruction& i) {
  std::vector<element> types;
  for (std::string const& m : i.modifiers) {
    if (element const e = element_of(m); e != element::none) types.push_back(e);
  }
  product p = {};
  if (!read_shape(i, p.s) || i.operands.size() != 4 || (types.size() != 2 && types.size() != 4)) return nullptr;
  if (types.size() == 2) types = {types[0], element::f16, element::f16, types[1]};
  p.a = fragment_of('a', types[1], p.s);
  p.b = fragment_of('b', types[2], p.s);
  p.c = fragment_of('c', types[3], p.s);
  p.d = fragment_of('d', types[0], p.s);
  p.saturates = i.has("satfinite");
  p.exclusive_or = i.has("xor");
  bool const right = holds(i.operands[0], p.d, true) && holds(i.operands[1], p.a, false) &&
                     holds(i.operands[2], p.b, false) && holds(i.operands[3], p.c, true);
  i.own = std::make_shared<product>(p);
  i.row = i.own.get();
  return right ? multiply_by_warp : nullptr;
}
handler resolve_wmma(instruction& i) {
  if (i.modifiers.size() < 4) return nullptr;
  if (i.modifiers[0] == "mma") return resolve_product(i);
  return i.modifiers[0] == "load" || i.modifiers[0] == "store" ? resolve_move(i, i.modifiers[0] == "store") : nullptr;
}

constexpr table_row table[] = {{"wmma", resolve_wmma}};

}  // namespace

rows wmma_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
