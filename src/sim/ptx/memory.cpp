// SPDX-License-Identifier: Apache-2.0
// Loads, stores and prefetches.
#include "../memory.hpp"

#include <cosmati/runtime/sim_abi.hpp>
#include <iterator>

#include "addresses.hpp"

namespace cosmati_sim::ptx {

namespace {

/// The vector's elements: 1, 2, 4 or 8.
int elements_of(instruction const& i) { return i.has("v2") ? 2 : i.has("v4") ? 4 : i.has("v8") ? 8 : 1; }

bool is_volatile(instruction const& i) { return i.has("volatile") || i.has("mmio"); }
bool is_ordered(instruction const& i) { return i.has("relaxed") || i.has("acquire") || i.has("release"); }

template <class T>
void put(thread& t, operand const& to, unsigned char const* from) {
  T x;
  __builtin_memcpy(&x, from, sizeof x);
  t.set<T>(to, x);
}
template <class T>
void take(thread const& t, operand const& from, unsigned char* to) {
  T const x = t.get<T>(from);
  __builtin_memcpy(to, &x, sizeof x);
}

/// One element in memory: reads and writes it by the register.
struct element {
  void (*put)(thread&, operand const&, unsigned char const*);
  void (*take)(thread const&, operand const&, unsigned char*);
};
template <class T>
inline constexpr element element_of = {put<T>, take<T>};

element const* element_of_type(std::string_view type) {
  if (type == "s8") return &element_of<std::int8_t>;
  if (type == "s16") return &element_of<std::int16_t>;
  if (type == "s32") return &element_of<std::int32_t>;
  if (type == "s64") return &element_of<std::int64_t>;
  switch (bytes_of_type(type)) {
    case 1:
      return &element_of<std::uint8_t>;
    case 2:
      return &element_of<std::uint16_t>;
    case 4:
      return &element_of<std::uint32_t>;
    case 8:
      return &element_of<std::uint64_t>;
    case 16:
      return &element_of<word>;
    default:
      return nullptr;
  }
}

operand const& element_operand(operand const& o, int n) {
  return o.kind == operand_kind::vector ? o.parts[static_cast<std::size_t>(n)] : o;
}

/// Copies whole words; the bytes are of memory that has been checked.
void copy_bytes(unsigned char* to, unsigned char const* from, int bytes) {
  if (bytes == 16) {
    __builtin_memcpy(to, from, 16);
  } else if (bytes == 8) {
    __builtin_memcpy(to, from, 8);
  } else if (bytes == 4) {
    __builtin_memcpy(to, from, 4);
  } else {
    for (int b = 0; b < bytes; ++b) to[b] = from[b];
  }
}

void load(thread& t, instruction const& i) {
  bool const ordered = is_ordered(i);
  std::uintptr_t const at = address_of(t, i.operands[1], i.code != 0);
  auto const bytes = static_cast<std::size_t>(i.bytes) * static_cast<std::size_t>(i.count);
  if (i.has("nc")) cosmati_sim_read_only(reinterpret_cast<void const*>(at), bytes, i.name.c_str(), t.file, t.line);
  note(t, i, at, bytes, ordered ? an_atomic_load : is_volatile(i) ? a_volatile_load : a_load);
  unsigned char held[32];
  copy_bytes(held, reinterpret_cast<unsigned char const*>(at), static_cast<int>(bytes));
  auto const& e = *static_cast<element const*>(i.row);
  for (int n = 0; n < i.count; ++n) e.put(t, element_operand(i.operands[0], n), held + n * i.bytes);
}
void store(thread& t, instruction const& i) {
  std::uintptr_t const at = address_of(t, i.operands[0], i.code != 0);
  auto const bytes = static_cast<std::size_t>(i.bytes) * static_cast<std::size_t>(i.count);
  unsigned char held[32];
  auto const& e = *static_cast<element const*>(i.row);
  for (int n = 0; n < i.count; ++n) e.take(t, element_operand(i.operands[1], n), held + n * i.bytes);
  note(t, i, at, bytes, is_ordered(i) ? an_atomic : is_volatile(i) ? a_volatile_store : a_store, i.has("release"));
  copy_bytes(reinterpret_cast<unsigned char*>(at), held, static_cast<int>(bytes));
}

/// Whether the operand has a register for each element.
bool fits(operand const& o, int count) {
  return count == 1 ? o.kind != operand_kind::vector || o.parts.size() == 1
                    : o.kind == operand_kind::vector && o.parts.size() == static_cast<std::size_t>(count);
}
template <bool stores>
handler resolve_access(instruction& i) {
  if (stores && !i.modifiers.empty() && i.modifiers[0] == "async") return resolve_async_store(i);
  std::size_t const with_policy = i.has("L2::cache_hint") ? 3 : 2;
  if (i.operands.size() != with_policy) return nullptr;
  i.count = elements_of(i);
  i.bytes = bytes_of_type(i.type());
  i.row = element_of_type(i.type());
  i.code = is_shared(i) ? 1 : 0;
  bool const right =
      i.operands[stores ? 0 : 1].kind == operand_kind::address && fits(i.operands[stores ? 1 : 0], i.count);
  if (i.row == nullptr || !right || i.bytes * i.count > 32) return nullptr;
  return stores ? store : load;
}

/// prefetch.global.L2 [a]; prefetchu.L1 [a]; prefetch.tensormap [a]. Only an address of global memory is looked at.
void prefetch(thread& t, instruction const& i) {
  if (!i.has("tensormap")) cosmati_sim_prefetch(reinterpret_cast<void const*>(address_of(t, i.operands[0], false)));
}
handler resolve_prefetch(instruction& i) { return i.operands.size() == 1 ? prefetch : nullptr; }

void nothing(thread&, instruction const&) {}
handler resolve_hint(instruction&) { return nothing; }
/// createpolicy and applypriority only tell the L2 cache something.
handler resolve_policy(instruction& i) {
  if (i.operands.empty()) return nullptr;
  return [](thread& t, instruction const& j) { t.set<std::uint64_t>(j.operands[0], 0); };
}

constexpr table_row table[] = {{"ld", resolve_access<false>},   {"ldu", resolve_access<false>},
                               {"st", resolve_access<true>},    {"prefetch", resolve_prefetch},
                               {"prefetchu", resolve_prefetch}, {"discard", resolve_hint},
                               {"applypriority", resolve_hint}, {"createpolicy", resolve_policy}};

}  // namespace

rows memory_rows() { return {table, std::size(table)}; }

int bytes_of_type(std::string_view name) {
  if (name == "f16x2" || name == "bf16x2" || name == "tf32") return 4;
  if (name == "f32x2") return 8;
  if (name == "e4m3x2" || name == "e5m2x2" || name == "bf16") return 2;
  if (name.size() < 2 || std::string_view("usbf").find(name[0]) == std::string_view::npos) return 0;
  std::string_view const bits = name.substr(1);
  return bits == "8" ? 1 : bits == "16" ? 2 : bits == "32" ? 4 : bits == "64" ? 8 : bits == "128" ? 16 : 0;
}

}  // namespace cosmati_sim::ptx
