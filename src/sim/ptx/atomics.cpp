// SPDX-License-Identifier: Apache-2.0
// atom and red.
#include <iterator>

#include "addresses.hpp"
#include "floats.hpp"

namespace cosmati_sim::ptx {
namespace {

enum operation { adds, mins, maxs, incs, decs, ands, ors, xors, exchanges, compares, operations };
constexpr std::string_view operation_names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"};

/// The new content of memory.
template <class T>
T updated(int op, T old, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    switch (op) {
      case adds:
        return static_cast<T>(U(old) + U(b));
      case mins:
        return b < old ? b : old;
      case maxs:
        return old < b ? b : old;
      case incs:
        return U(old) >= U(b) ? T{0} : static_cast<T>(old + 1);
      case decs:
        return old == 0 || U(old) > U(b) ? b : static_cast<T>(old - 1);
      case ands:
        return static_cast<T>(old & b);
      case ors:
        return static_cast<T>(old | b);
      case xors:
        return static_cast<T>(old ^ b);
      case compares:
        return old == b ? c : old;
      default:
        return b;
    }
  } else if constexpr (std::is_same_v<T, word>) {
    return op == compares ? (old == b ? c : old) : b;
  } else {
    using W = computed<T>;
    auto const x = W::from(old), y = W::from(b);
    if (op == adds) return W::to(x + y);
    return std::isnan(x) ? b : std::isnan(y) ? old : (op == mins) == (y < x) ? b : old;
  }
}

/// Blocks run on several host threads, so the update is atomic for the host too.
template <class T>
T update(std::uintptr_t at, int op, T b, T c) {
  auto* const p = reinterpret_cast<T*>(at);
  if constexpr (sizeof(T) == 16) {
    static int lock = 0;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0) {
    }
    T const old = *p;
    *p = updated(op, old, b, c);
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    return old;
  } else {
    using B = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                 std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    auto* const bits = reinterpret_cast<B*>(p);
    B old = __atomic_load_n(bits, __ATOMIC_SEQ_CST), fresh;
    T before, after;
    do {
      __builtin_memcpy(&before, &old, sizeof before);
      after = updated(op, before, b, c);
      __builtin_memcpy(&fresh, &after, sizeof fresh);
    } while (!__atomic_compare_exchange_n(bits, &old, fresh, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return before;
  }
}

bool releases(instruction const& i) { return i.has("release") || i.has("acq_rel"); }

/// atom.op.type d, [a], b{, c} and red.op.type [a], b. A vector's elements are atomic one by one.
template <class T>
void atomic(thread& t, instruction const& i) {
  std::size_t const first = i.opcode == "atom" ? 1 : 0;
  operand const& b = i.operands[first + 1];
  std::uintptr_t const at = address_of(t, i.operands[first], is_shared(i));
  for (int n = 0; n < i.count; ++n) {
    auto const part = [&](operand const& o) -> operand const& {
      return i.count > 1 && o.kind == operand_kind::vector ? o.parts[static_cast<std::size_t>(n)] : o;
    };
    std::uintptr_t const place = at + static_cast<std::size_t>(n) * sizeof(T);
    T const value = t.get<T>(part(b)), other = i.code == compares ? t.get<T>(i.operands[first + 2]) : T{};
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
      unsigned long long bits = 0;
      __builtin_memcpy(&bits, &value, sizeof value);
      cosmati_sim_operand(bits, sizeof(T), "an atomic operation with", t.file, t.line);
    }
    note(t, i, place, sizeof(T), an_atomic, releases(i));
    T const old = update<T>(place, i.code, value, other);
    if (first == 1) t.set<T>(part(i.operands[0]), old);
  }
}
/// f16x2 and bf16x2: each half is atomic.
template <class T>
void atomic_of_two(thread& t, instruction const& i) {
  struct two {
    T low, high;
  };
  std::size_t const first = i.opcode == "atom" ? 1 : 0;
  std::uintptr_t const at = address_of(t, i.operands[first], is_shared(i));
  for (int n = 0; n < i.count; ++n) {
    auto const part = [&](operand const& o) -> operand const& {
      return i.count > 1 && o.kind == operand_kind::vector ? o.parts[static_cast<std::size_t>(n)] : o;
    };
    std::uintptr_t const place = at + static_cast<std::size_t>(n) * 4;
    two const value = t.get<two>(part(i.operands[first + 1]));
    note(t, i, place, 4, an_atomic, releases(i));
    two const old = {update<T>(place, i.code, value.low, T{}), update<T>(place + 2, i.code, value.high, T{})};
    if (first == 1) t.set<two>(part(i.operands[0]), old);
  }
}

handler resolve_atomic(instruction& i) {
  if (i.opcode == "red" && i.has("async")) return resolve_async_store(i);
  i.code = -1;
  for (int op = 0; op < operations; ++op) {
    if (i.has(operation_names[op])) i.code = op;
  }
  i.count = i.has("v2") ? 2 : i.has("v4") ? 4 : i.has("v8") ? 8 : 1;
  std::size_t const sources =
      (i.opcode == "atom" ? 3u : 2u) + (i.code == compares ? 1u : 0u) + (i.has("L2::cache_hint") ? 1u : 0u);
  if (i.code < 0 || i.operands.size() != sources) return nullptr;
  std::string_view const type = i.type();
  bool const arithmetic = i.code == adds || i.code == mins || i.code == maxs;
  if (type == "f32" && arithmetic) return atomic<float>;
  if (type == "f64" && arithmetic) return atomic<double>;
  if (type == "f16" && arithmetic) return atomic<half_t>;
  if (type == "bf16" && arithmetic) return atomic<bfloat16_t>;
  if (type == "f16x2" && arithmetic) return atomic_of_two<half_t>;
  if (type == "bf16x2" && arithmetic) return atomic_of_two<bfloat16_t>;
  if (type == "b128" && i.code >= exchanges) return atomic<word>;
  if (bytes_of_type(type) < 2 || (type[0] == 'f')) return nullptr;
  return for_integer(type, [](auto x) -> handler {
    if constexpr (sizeof(x) >= 2)
      return atomic<decltype(x)>;
    else
      return nullptr;
  });
}

constexpr table_row table[] = {{"atom", resolve_atomic}, {"red", resolve_atomic}};

}  // namespace

rows atomic_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
