// SPDX-License-Identifier: Apache-2.0
// Reductions of bulk copies and tensor copies: sums and other operations at the destination.
#include <bit>
#include <cosmati/arch/tensor_map.hpp>
#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/half.hpp>
#include <cstring>

#include "bulk.hpp"
#include "cluster.hpp"
#include "formatted.hpp"

namespace cosmati_sim {
namespace {

using cosmati::tensor_map_type;

enum operation { add, min, max, inc, dec, bit_and, bit_or, bit_xor };

template <class T>
T reduced(int operation, T old, T by) {
  auto const sum = [&] {
    if constexpr (sizeof(T) == 2)
      return static_cast<T>(static_cast<float>(old) + static_cast<float>(by));
    else
      return static_cast<T>(old + by);
  };
  switch (operation) {
    case add:
      return sum();
    case min:
      return by < old ? by : old;
    case max:
      return old < by ? by : old;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (operation) {
      case inc:
        return old >= by ? T{0} : static_cast<T>(old + 1);
      case dec:
        return old == 0 || old > by ? by : static_cast<T>(old - 1);
      case bit_and:
        return static_cast<T>(old & by);
      case bit_or:
        return static_cast<T>(old | by);
      default:
        return static_cast<T>(old ^ by);
    }
  }
  return old;
}

/// Changes each element by a compare and exchange, because other blocks may change it at the same time.
template <class T, class Bits>
void reduce_elements(int operation, char* to, char const* from, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i += sizeof(T)) {
    auto* const at = reinterpret_cast<Bits*>(to + i);
    T by;
    std::memcpy(&by, from + i, sizeof by);
    Bits old = __atomic_load_n(at, __ATOMIC_RELAXED), next;
    do {
      T value;
      std::memcpy(&value, &old, sizeof value);
      value = reduced(operation, value, by);
      std::memcpy(&next, &value, sizeof next);
    } while (!__atomic_compare_exchange_n(at, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
}

char const bulk_name[] = "cp.reduce.async.bulk";

unsigned bytes_of(int type) {
  return static_cast<unsigned>(cosmati::detail::bytes_of(static_cast<tensor_map_type>(type)));
}

}  // namespace

void reduce(reduction const& how, char* to, char const* from, unsigned bytes) {
  using std::uint16_t, std::uint32_t, std::uint64_t;
  switch (static_cast<tensor_map_type>(how.type)) {
    case tensor_map_type::u16:
      return reduce_elements<uint16_t, uint16_t>(how.operation, to, from, bytes);
    case tensor_map_type::u32:
      return reduce_elements<uint32_t, uint32_t>(how.operation, to, from, bytes);
    case tensor_map_type::s32:
      return reduce_elements<std::int32_t, uint32_t>(how.operation, to, from, bytes);
    case tensor_map_type::u64:
      return reduce_elements<uint64_t, uint64_t>(how.operation, to, from, bytes);
    case tensor_map_type::s64:
      return reduce_elements<std::int64_t, uint64_t>(how.operation, to, from, bytes);
    case tensor_map_type::f16:
      return reduce_elements<cosmati::half_t, uint16_t>(how.operation, to, from, bytes);
    case tensor_map_type::bf16:
      return reduce_elements<cosmati::bfloat16_t, uint16_t>(how.operation, to, from, bytes);
    case tensor_map_type::f64:
      return reduce_elements<double, uint64_t>(how.operation, to, from, bytes);
    default:
      return reduce_elements<float, uint32_t>(how.operation, to, from, bytes);
  }
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_bulk_reduce(void* global, void const* shared, unsigned bytes, int operation, int type,
                             char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(bulk_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, bulk_name);
  check_bulk_size(bulk_name, bytes, where);
  async_copy c = bulk_copy_between(w, copy_kind::bulk_store, bulk_name, shared, global, bytes, 16, where, pc);
  c.reduces = {bytes_of(type), operation, type};
  begin_bulk_store(w, std::move(c));
}

void cosmati_sim_bulk_reduce_send(void* shared, unsigned rank, void const* from, unsigned bytes, std::uint64_t* barrier,
                                  int operation, int type, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(bulk_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, bulk_name);
  check_bulk_size(bulk_name, bytes, where);
  bulk_send(w, bulk_name, shared, rank, from, bytes, barrier, {bytes_of(type), operation, type}, where, pc);
}

}  // extern "C"
