// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of kernels on the simulated device, as a GPU's counters report it: warp instructions by kind, requests and
/// sectors of global memory, wavefronts and bank conflicts of shared memory. This header is opt-in: without a
/// `cost_trace`, nothing is counted.
///
/// @code
///   cost_trace const costs;
///   launch(transpose, {.grid = 64, .block = 256}, in.data(), out.data());
///   EXPECT_EQ(costs.of("transpose").shared_bank_conflicts(), 0u);
/// @endcode
///
/// Accesses of a warp's lanes form one warp instruction if the lanes execute the same access of the program, and
/// equally often between two convergences. The GPU's compiler may merge, widen or drop accesses, which is not known
/// here, so compare the numbers of instructions first.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace COSMATI_NAMESPACE {

/// The kinds of memory instructions whose costs are separate. `bulk_load`, `bulk_store`: cp.async.bulk and tensor
/// copies, to shared memory and to global memory, as analysis/tma_cost.hpp counts them. `wgmma`: warpgroup matrix
/// instructions, once for each warp, with the wavefronts of their operands in shared memory.
enum class instruction_kind : int {
  global_load,
  global_store,
  shared_load,
  shared_store,
  ldmatrix,
  stmatrix,
  cp_async,
  global_atomic,
  shared_atomic,
  bulk_load,
  bulk_store,
  wgmma
};
inline constexpr int instruction_kinds = 12;
/// "global_load", ...
inline constexpr char const* instruction_kind_names[instruction_kinds] = {
    "global_load", "global_store",  "shared_load",   "shared_store", "ldmatrix",   "stmatrix",
    "cp_async",    "global_atomic", "shared_atomic", "bulk_load",    "bulk_store", "wgmma"};

/// The cost of all warp instructions of a kind. The numbers of shared memory are 0 for atomics, because their rules
/// were not measured.
struct instruction_costs {
  std::uint64_t instructions = 0;          ///< the instructions that warps executed
  std::uint64_t requests = 0;              ///< the requests to global memory
  std::uint64_t sectors = 0;               ///< the sectors of 32 bytes
  std::uint64_t ideal_sectors = 0;         ///< the fewest that could hold the used bytes, for each instruction
  std::uint64_t lines = 0;                 ///< the lines of 128 bytes
  std::uint64_t bytes_used = 0;            ///< the used bytes of global memory, each byte once for each instruction
  std::uint64_t bytes_moved = 0;           ///< the moved bytes, 32 for each sector
  std::uint64_t wavefronts = 0;            ///< the wavefronts of shared memory
  std::uint64_t wavefronts_floor = 0;      ///< wavefronts without conflicts
  std::uint64_t wavefronts_ideal = 0;      ///< the fewest wavefronts that could carry the distinct words
  std::uint64_t bank_conflicts = 0;        ///< `shared_cost::bank_conflicts`
  std::uint64_t inexact_instructions = 0;  ///< instructions whose hardware rule is not known (`shared_cost::exact`)
};

/// The cost of all launches of one kernel.
struct kernel_costs {
  std::string kernel;  ///< the name of the kernel, without arguments
  std::uint64_t launches = 0;
  instruction_costs of[instruction_kinds];

  instruction_costs const& operator[](instruction_kind k) const { return of[static_cast<int>(k)]; }
  /// @name Sums over loads, stores and asynchronous copies, as the hardware's counters of these names
  /// @{
  std::uint64_t global_requests() const { return sum(&instruction_costs::requests); }
  std::uint64_t global_sectors() const { return sum(&instruction_costs::sectors); }
  std::uint64_t shared_wavefronts() const { return sum(&instruction_costs::wavefronts); }
  std::uint64_t shared_bank_conflicts() const { return sum(&instruction_costs::bank_conflicts); }
  /// @}

 private:
  std::uint64_t sum(std::uint64_t instruction_costs::*field) const {
    std::uint64_t total = 0;
    for (int k = 0; k < static_cast<int>(instruction_kind::global_atomic); ++k) total += of[k].*field;
    return total;
  }
};

#if defined(COSMATI_SIMULATED)
/// While an object of this class lives, launches on the simulated device are counted. There is one at a time: a second
/// throws `error`.
class cost_trace {
 public:
  cost_trace() {
    if (cosmati_sim_counters_begin() != 0) {
      throw error("cost_trace: another one is alive, there can be one at a time");
    }
  }
  ~cost_trace() { cosmati_sim_counters_end(); }
  cost_trace(cost_trace const&) = delete;
  cost_trace& operator=(cost_trace const&) = delete;

  /// Every kernel launched since the object was made, ordered by name.
  std::vector<kernel_costs> kernels() const {
    std::vector<kernel_costs> all;
    cosmati_sim_counters_visit(
        [](void* out, cosmati_sim_kernel_counters const* k) {
          kernel_costs c;
          c.kernel = k->kernel;
          c.launches = k->launches;
          for (int i = 0; i < instruction_kinds; ++i) {
            cosmati_sim_instruction_counters const& x = k->of[i];
            c.of[i] = {x.instructions,   x.requests,    x.sectors,    x.ideal_sectors,    x.lines,
                       x.bytes_used,     x.bytes_moved, x.wavefronts, x.wavefronts_floor, x.wavefronts_ideal,
                       x.bank_conflicts, x.inexact};
          }
          static_cast<std::vector<kernel_costs>*>(out)->push_back(c);
        },
        &all);
    return all;
  }

  /// The kernel of this name; for a template, all its instances together.
  /// @throws error if none was launched
  kernel_costs of(std::string_view name) const {
    kernel_costs total;
    for (kernel_costs const& k : kernels()) {
      std::string_view const full = k.kernel;
      if (!full.starts_with(name) || (full.size() > name.size() && full[name.size()] != '<')) continue;
      total.kernel = k.kernel;
      total.launches += k.launches;
      for (int i = 0; i < instruction_kinds; ++i) add(total.of[i], k.of[i]);
    }
    if (total.launches == 0) {
      throw error("cost_trace: no kernel called %.*s was launched", static_cast<int>(name.size()), name.data());
    }
    return total;
  }

 private:
  static void add(instruction_costs& to, instruction_costs const& c) {
    for (auto const field :
         {&instruction_costs::instructions, &instruction_costs::requests, &instruction_costs::sectors,
          &instruction_costs::ideal_sectors, &instruction_costs::lines, &instruction_costs::bytes_used,
          &instruction_costs::bytes_moved, &instruction_costs::wavefronts, &instruction_costs::wavefronts_floor,
          &instruction_costs::wavefronts_ideal, &instruction_costs::bank_conflicts,
          &instruction_costs::inexact_instructions}) {
      to.*field += c.*field;
    }
  }
};
#else
namespace detail {
template <class>
inline constexpr bool compiled_for_the_simulated_device = false;
}
/// Code that nvcc compiles has nothing to count. Making an object is an error whose sentence says so.
class cost_trace {
 public:
  template <class T = void>
  cost_trace() {
    static_assert(detail::compiled_for_the_simulated_device<T>,
                  "cost_trace counts on the simulated device, and nvcc compiles for a GPU: compile this file with g++ "
                  "or clang, run it by cosmati sim, or put these lines in #if defined(COSMATI_SIMULATED)");
  }
  std::vector<kernel_costs> kernels() const { return {}; }
  kernel_costs of(std::string_view) const { return {}; }
};
#endif

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
