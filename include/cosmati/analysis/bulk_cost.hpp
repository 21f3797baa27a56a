// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of bulk copies (`cp.async.bulk`, one-dimensional): `bulk_load_cost` and `bulk_store_cost` of one
/// instruction, `bulk_cost_of` of a copy between two tensors, as values.
///
/// One thread moves a run of bytes. The hardware cuts the run at every 128-byte line of *shared* memory. Each piece
/// costs the sectors that it touches in global memory. If a run begins at different offsets in a line on the two sides,
/// a line may cost 5 sectors instead of 4. Measured on an H200: bench/results/counters/README.md.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/call_cost.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// Adds a piece of a bulk copy that lies in one line of shared memory. @param at its begin in global memory
constexpr void add_bulk_piece(side_cost& c, bool loads, std::int64_t at, std::int64_t bytes) {
  std::int64_t const end = at + bytes;
  c.sectors += (end - 1) / 32 - at / 32 + 1;
  std::int64_t const lines = (end - 1) / 128 - at / 128 + 1;
  c.lines += lines;
  if (!loads) {
    c.requests += lines;
    return;
  }
  // The whole sectors of a line are read together. A sector that is read in part is read separately.
  std::int64_t const first = (at + 31) / 32, last = end / 32;  // whole sectors
  if (first > last) {                                          // the piece is inside one sector
    ++c.requests;
    return;
  }
  c.requests += (at % 32 != 0 ? 1 : 0) + (end % 32 != 0 ? 1 : 0);
  if (last > first) c.requests += (last - 1) / 4 - first / 4 + 1;
}
/// @param at, shared_at the begin in global and in shared memory, in bytes from multiples of 128
constexpr side_cost bulk_cost(bool loads, std::int64_t at, std::int64_t shared_at, std::int64_t bytes) {
  side_cost c;
  c.instructions = 1;
  for (std::int64_t done = 0; done < bytes;) {
    std::int64_t const to_end = 128 - (shared_at + done) % 128;
    std::int64_t const n = to_end < bytes - done ? to_end : bytes - done;
    add_bulk_piece(c, loads, at + done, n);
    done += n;
  }
  c.ideal_sectors = (bytes + 31) / 32;
  c.ideal_lines = (bytes + 127) / 128;
  c.bytes_used = bytes;
  c.bytes_moved = 32 * c.sectors;
  return c;
}

}  // namespace detail

/// @name The cost in global memory of one bulk copy
/// `lines` are counted piece by piece, as requests of stores are. The hardware may answer two loads of parts of one
/// sector with one request, so `requests` of loads is an upper bound.
/// @param at, shared_at the begin in global and in shared memory, in bytes from multiples of 128
/// @{
constexpr side_cost bulk_load_cost(std::int64_t at, std::int64_t shared_at, std::int64_t bytes) {
  return detail::bulk_cost(true, at, shared_at, bytes);
}
constexpr side_cost bulk_store_cost(std::int64_t at, std::int64_t shared_at, std::int64_t bytes) {
  return detail::bulk_cost(false, at, shared_at, bytes);
}
/// @}

namespace detail {

/// A layout with the same elements in the same order, without gaps.
template <class Num>
constexpr bool are_one_run(tensor_values<Num> const& a, tensor_values<Num> const& b) {
  bool same = !a.composed && !b.composed && a.layout.leaves == b.layout.leaves && algebra::is_bijective(a.layout);
  for (int i = 0; i < a.layout.leaves && same; ++i) {
    same = algebra::known(a.layout.shape[i], "") == algebra::known(b.layout.shape[i], "") &&
           algebra::known(a.layout.stride[i], "") == algebra::known(b.layout.stride[i], "");
  }
  return same;
}
/// The number of elements from the first that are contiguous in both tensors. One instruction moves them.
template <class Num>
constexpr std::int64_t bulk_run(tensor_values<Num> const& src, tensor_values<Num> const& dst) {
  tensor_values<Num> const& one = src.in_memory() ? src : dst;
  if (are_one_run(one, dst.in_memory() ? dst : src)) return algebra::known(algebra::size(one.layout), "");
  auto const run = [](tensor_values<Num> const& t) {
    std::int64_t const all = algebra::contiguous_run(t.layout);
    return t.composed ? algebra::gcd(all, kept_together(t.swizzle)) : all;
  };
  if (!src.in_memory()) return run(dst);
  if (!dst.in_memory()) return run(src);
  return algebra::gcd(run(src), run(dst));
}
/// The offsets at which the instructions of a tensor begin.
template <class Num>
constexpr side_access bulk_access(tensor_values<Num> const& tensor, int value_bits, std::int64_t run, bool& possible) {
  side_access a;
  a.value_bits = value_bits;
  a.offset = tensor.offset;
  std::int64_t const size = algebra::known(algebra::size(tensor.layout), "what a copy costs");
  if (run != size) possible = possible && cut_modes(plain_modes_of(tensor.layout), run, a.steps);
  possible = possible && a.offset * value_bits % 128 == 0;
  for (int i = 0; i < a.steps.count; ++i) possible = possible && a.steps.stride[i] * value_bits % 128 == 0;
  return a;
}
/// The begin of instruction k, in bytes from a multiple of 128.
constexpr std::int64_t bulk_begin(side_access const& a, std::int64_t k) {
  std::int64_t const at = a.bytes_at(a.steps(k)) % 128;
  return at < 0 ? at + 128 : at;
}

}  // namespace detail

/// The cost of one thread's `copy(Copy_Atom<SM90_BULK_COPY_AUTO, T>, src, dst)`. It takes one instruction for each
/// common run of the tensors. `vector` is such a run. `vector.possible` is false if the run or one of its begins is not
/// a multiple of 16 bytes. The side in shared memory counts instructions only. @param src, dst one in global memory,
/// the other in shared memory or absent
template <class Num>
constexpr copy_cost bulk_cost_of(int value_bits, tensor_values<Num> const& src, tensor_values<Num> const& dst) {
  copy_cost cost;
  std::int64_t const run = detail::bulk_run(src, dst);
  cost.vector.values = static_cast<int>(run);
  cost.vector.bits = static_cast<int>(run * value_bits);
  cost.vector.possible = run * value_bits % 128 == 0;
  cost.vector.limit = width_limit::values;
  cost.vector.number = run;
  side_access begins[2];  // the instructions' begins in the source and in the destination
  for (int k = 0; k < 2; ++k) {
    tensor_values<Num> const& tensor = k == 0 ? src : dst;
    bool aligned = true;
    if (tensor.in_memory()) {
      begins[k] = detail::bulk_access(tensor, value_bits, run, aligned);
    } else {  // runs follow each other
      begins[k].value_bits = value_bits;
      begins[k].steps.add(std::int64_t{1} << 30, run);
    }
    if (aligned || !cost.vector.possible) continue;
    cost.vector.possible = false;
    cost.vector.at_source = k == 0;
    cost.vector.limit = width_limit::alignment;
  }
  if (!cost.vector.possible) return cost;
  tensor_values<Num> const& any = src.in_memory() ? src : dst;
  std::int64_t const count = algebra::known(algebra::size(any.layout), "what a copy costs") / run;
  std::int64_t const bytes = run * value_bits / 8;
  if (count * (bytes / 128 + 1) > (std::int64_t{1} << 24)) detail::too_many_different_instructions(count, 128);
  bool const stores = dst.space == memory_space::gmem || src.space == memory_space::smem;
  side_cost in_global, in_shared;
  for (std::int64_t k = 0; k < count; ++k) {
    in_global.add(detail::bulk_cost(!stores, detail::bulk_begin(begins[stores ? 1 : 0], k),
                                    detail::bulk_begin(begins[stores ? 0 : 1], k), bytes));
  }
  in_shared.instructions = count;
  if (src.in_memory()) cost.source = stores ? in_shared : in_global;
  if (dst.in_memory()) cost.destination = stores ? in_global : in_shared;
  return cost;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
