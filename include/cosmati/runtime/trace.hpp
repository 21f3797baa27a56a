// SPDX-License-Identifier: Apache-2.0
/// @file
/// The accesses of a kernel on the simulated device, counted by kind, space, width and instruction. On request each
/// thread's first accesses are kept one by one. This header is opt-in: without a trace, nothing is counted.
///
/// The accesses are those of single threads: a warp's load of 16 bytes each is 32 accesses of 16 bytes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdint>
#include <vector>

namespace COSMATI_NAMESPACE {

/// The space of an access. `local`: the thread's own variables. `other`: globals and constants of the program.
enum class traced_space : int { global = 0, shared = 1, local = 2, other = 3 };

/// The number of equal accesses of threads.
struct access_count {
  access_kind kind;
  traced_space space;
  std::uint32_t bytes;      ///< the width
  char const* instruction;  ///< the name that the library gives it; "" for a raw access of the program
  std::uint64_t accesses;
};

/// One access of one thread to global or shared memory.
struct access_record {
  std::uint64_t block;   ///< the linear index, x fastest
  std::uint32_t thread;  ///< the linear index, x fastest
  access_kind kind;
  traced_space space;
  std::uint32_t bytes;
  std::uint64_t allocation;  ///< the address of the first byte of the buffer or shared array
  std::uint64_t offset;      ///< the bytes from that address
  char const* instruction;   ///< the name of the instruction, as in `access_count`
};

/// The records that a trace keeps in addition to its counts.
struct trace_options {
  std::uint32_t records_per_thread = 0;   ///< the number of each thread's accesses that are kept one by one
  std::uint64_t blocks_recorded = ~0ull;  ///< the number of blocks of a launch, from the first, whose accesses are kept
};

#if defined(COSMATI_SIMULATED)
/// While an object of this class lives, launches on the simulated device are traced. There is one at a time: a second
/// throws `error`.
class access_trace {
 public:
  explicit access_trace(trace_options const& options = {}) {
    if (cosmati_sim_trace_begin(options.records_per_thread, options.blocks_recorded) != 0) {
      throw error("access_trace: another trace is alive, there can be one at a time");
    }
  }
  ~access_trace() { cosmati_sim_trace_end(); }
  access_trace(access_trace const&) = delete;
  access_trace& operator=(access_trace const&) = delete;

  /// All accesses since the object was made, ordered by kind, space, width and instruction.
  std::vector<access_count> counts() const {
    std::vector<access_count> all;
    cosmati_sim_trace_counts(
        [](void* out, cosmati_sim_traced const* t) {
          static_cast<std::vector<access_count>*>(out)->push_back({static_cast<access_kind>(t->kind),
                                                                   static_cast<traced_space>(t->space), t->bytes,
                                                                   t->instruction, t->accesses});
        },
        &all);
    return all;
  }

  /// The kept accesses: launch after launch, ordered by block and thread, and in each thread's order.
  std::vector<access_record> records() const {
    std::vector<access_record> all;
    cosmati_sim_trace_records(
        [](void* out, cosmati_sim_traced const* t) {
          static_cast<std::vector<access_record>*>(out)->push_back(
              {t->block, t->thread, static_cast<access_kind>(t->kind), static_cast<traced_space>(t->space), t->bytes,
               t->allocation, t->offset, t->instruction});
        },
        &all);
    return all;
  }
};
#else
namespace detail {
template <class>
inline constexpr bool traced_by_the_simulated_device = false;
}
/// Code that nvcc compiles has nothing to trace. Making an object is an error whose sentence says so.
class access_trace {
 public:
  template <class T = trace_options>
  explicit access_trace(T const& = {}) {
    static_assert(detail::traced_by_the_simulated_device<T>,
                  "access_trace sees the simulated device, and nvcc compiles for a GPU: compile this file with g++ or "
                  "clang, run it by cosmati sim, or put these lines in #if defined(COSMATI_SIMULATED)");
  }
  std::vector<access_count> counts() const { return {}; }
  std::vector<access_record> records() const { return {}; }
};
#endif

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
