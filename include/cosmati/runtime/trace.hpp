// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a kernel executed on the simulated device: accesses counted by kind, space, width and instruction, and, when
/// asked for, each thread's first accesses one by one. Opt-in: without a trace, nothing is counted.
///
/// Accesses are those of single threads: a warp's load of 16 bytes each is 32 accesses of 16 bytes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdint>
#include <vector>

namespace COSMATI_NAMESPACE {

/// Where memory lies. `local`: the thread's own variables; `other`: globals and constants of the program.
enum class traced_space : int { global = 0, shared = 1, local = 2, other = 3 };

/// How often threads did the same thing.
struct access_count {
  access_kind kind;
  traced_space space;
  std::uint32_t bytes;      ///< width
  char const* instruction;  ///< what the library called it; "" for a raw access of the program
  std::uint64_t accesses;
};

/// One access of one thread to global or shared memory.
struct access_record {
  std::uint64_t block;   ///< linear, x fastest
  std::uint32_t thread;  ///< linear, x fastest
  access_kind kind;
  traced_space space;
  std::uint32_t bytes;
  std::uint64_t allocation;  ///< address of the buffer's or the shared array's first byte
  std::uint64_t offset;      ///< bytes from there
  char const* instruction;   ///< as in `access_count`
};

/// What a trace keeps beside its counts.
struct trace_options {
  std::uint32_t records_per_thread = 0;   ///< how many of each thread's accesses are kept one by one
  std::uint64_t blocks_recorded = ~0ull;  ///< for how many blocks of a launch, from the first
};

#if defined(COSMATI_SIMULATED)
/// While it lives, launches on the simulated device are traced. One at a time: a second throws `error`.
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

  /// All that was executed since it began, ordered by kind, space, width and instruction.
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

  /// The accesses that were kept: launch after launch, ordered by block and thread, each thread's in its order.
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
/// Where nvcc compiles there is nothing to trace: the sentence says so, where one is made.
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
