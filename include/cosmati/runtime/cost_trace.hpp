// SPDX-License-Identifier: Apache-2.0
/// @file
/// What kernels cost on the simulated device: warp instructions by kind, requests and sectors of global memory,
/// wavefronts and bank conflicts of shared memory, as a GPU's counters would say. Opt-in: without a `cost_trace`,
/// nothing is counted.
///
/// @code
///   cost_trace const costs;
///   launch(transpose, {.grid = 64, .block = 256}, in.data(), out.data());
///   EXPECT_EQ(costs.of("transpose").shared_bank_conflicts(), 0u);
/// @endcode
///
/// Accesses of lanes become one warp instruction where lanes of a warp execute the same access of the program equally
/// often between two convergences. What the GPU's compiler merges, widens or drops is not known here: compare the
/// numbers of instructions first.
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

/// Memory instructions, as costs are kept apart. `bulk_load`, `bulk_store`: cp.async.bulk and tensor copies to shared
/// memory, and to global memory.
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
  bulk_store
};
inline constexpr int instruction_kinds = 11;
/// "global_load", ...
inline constexpr char const* instruction_kind_names[instruction_kinds] = {
    "global_load", "global_store",  "shared_load",   "shared_store", "ldmatrix",  "stmatrix",
    "cp_async",    "global_atomic", "shared_atomic", "bulk_load",    "bulk_store"};

/// The cost of all warp instructions of a kind. Those of shared memory are 0 for atomics: how these are served was not
/// measured.
struct instruction_costs {
  std::uint64_t instructions = 0;          ///< executed by warps
  std::uint64_t requests = 0;              ///< to global memory
  std::uint64_t sectors = 0;               ///< of 32 bytes
  std::uint64_t ideal_sectors = 0;         ///< the fewest that could hold the bytes used, instruction by instruction
  std::uint64_t lines = 0;                 ///< of 128 bytes
  std::uint64_t bytes_used = 0;            ///< of global memory, each once an instruction
  std::uint64_t bytes_moved = 0;           ///< 32 a sector
  std::uint64_t wavefronts = 0;            ///< of shared memory
  std::uint64_t wavefronts_floor = 0;      ///< of them without conflicts
  std::uint64_t wavefronts_ideal = 0;      ///< the fewest that could carry the distinct words
  std::uint64_t bank_conflicts = 0;        ///< `shared_cost::bank_conflicts`
  std::uint64_t inexact_instructions = 0;  ///< for which the hardware's rule is not known (`shared_cost::exact`)
};

/// What all launches of one kernel cost.
struct kernel_costs {
  std::string kernel;  ///< its name, without arguments
  std::uint64_t launches = 0;
  instruction_costs of[instruction_kinds];

  instruction_costs const& operator[](instruction_kind k) const { return of[static_cast<int>(k)]; }
  /// @name Sums over loads, stores and asynchronous copies: what the hardware's counters of these names hold
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
/// While it lives, launches on the simulated device are counted. One at a time: a second throws `error`.
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

  /// Every kernel launched since, ordered by name.
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

  /// The kernel of this name; of a template, all its instances together.
  /// @throws error when none was launched
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
/// Where nvcc compiles there is nothing to count: the sentence says so, where one is made.
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
