// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warp instructions, assembled from the accesses of single lanes, and their cost, while a launch is counted.
///
/// Lanes do not meet at ordinary accesses. Each access therefore gets a key: its place in the program (the instruction
/// and the calls that led to it), and the number of times that the lane has been there. At the warp's next convergence
/// (a barrier, a warp-wide instruction of all lanes, the lanes' end) the accesses with one key form one warp
/// instruction. Lanes that took different paths have different keys, or leave their bit unset.
#pragma once

#include <cosmati/analysis/bulk_cost.hpp>
#include <cosmati/analysis/tma_cost.hpp>
#include <cosmati/analysis/warp_cost.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "state.hpp"

namespace cosmati_sim {

/// Indices of `cosmati_sim_kernel_counters::of`, in the order of `cosmati::instruction_kind`.
enum counted_kind : std::uint8_t {
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
  wgmma,
  counted_kinds
};
static_assert(counted_kinds == sizeof(cosmati_sim_kernel_counters::of) / sizeof(cosmati_sim_instruction_counters));

using counter_totals = std::array<cosmati_sim_instruction_counters, counted_kinds>;

/// The counts of the warp instructions of one kind cost at one place of the program, and the dearest of them.
struct place_costs {
  cosmati_sim_instruction_counters totals{};
  cosmati::memory_instruction instruction;
  cosmati::warp_access worst;  // of most conflicts, or of most sectors too many
  std::int64_t excess = 0;     // of `worst`
};
/// By the site's number times 256, and the kind.
using costs_by_place = std::unordered_map<std::uint64_t, place_costs>;

/// Adds the counts.
void add(cosmati_sim_instruction_counters& to, cosmati_sim_instruction_counters const& c);

/// What one host thread counts for a launch.
class worker_counters {
 public:
  worker_counters();

  void block_begins();
  /// Counts one access of lane `lane` to global or shared memory.
  /// @param low the begin of the allocation
  /// @param instruction the library's name for it, or null
  void access(unsigned lane, std::uintptr_t address, std::size_t bytes, int kind, int space, std::uintptr_t low,
              char const* instruction, void const* pc);
  /// The lane enters (pc is not null) or leaves a step of a loop that the lanes execute together, also if it moves
  /// nothing in it. Steps nest: those of an inner loop are counted anew in each step of the outer one.
  void step(unsigned lane, void const* pc);
  /// The lane enters a function called from `pc` (not null), or leaves it.
  void enter(unsigned lane, void const* pc);
  void leave(unsigned lane);
  /// All running lanes of the warp are at one point.
  void warp_converges(unsigned warp);
  /// The running lane begins a tensor copy of this cost. The bulk copies until its end, one for each chunk, count
  /// nothing.
  void tensor_copy_begins(cosmati::side_cost const& cost, bool is_load);
  /// A warp executes a warpgroup matrix instruction, with this share of its wavefronts in shared memory.
  void matrix_instruction(unsigned wavefronts);
  void tensor_copy_ends() { in_tensor_copy_ = false; }

  counter_totals const& totals() const { return totals_; }
  /// Nothing unless a page is wanted.
  costs_by_place const& places() const { return places_; }

 private:
  /// The lanes that executed the same access for the same number of times.
  struct request {
    cosmati::warp_access at;
    cosmati::warp_access source;  // the source of a cp.async
  };
  /// A place in the program with the lanes' accesses there. The nth access of each lane belongs to the nth request.
  struct place {
    counted_kind kind = global_load;
    unsigned bytes = 0;  // the bytes at each lane's address
    unsigned lanes = 32;
    std::array<std::uint32_t, 32> times{};
    std::vector<request> requests;
    place_costs* costs = nullptr;  // where these are kept by place
  };
  struct lane_path {
    std::uint64_t path = 0;  // the calls that the lane is in
    std::uint64_t step = 0;  // the step of the loop
    std::vector<std::uint64_t> callers;
    std::vector<std::uint64_t> steps;  // the steps around this one
    std::uint64_t last_copy = 0;       // the place of the last cp.async
  };
  struct warp_places {
    std::unordered_map<std::uint64_t, place> places;
    std::unordered_map<std::uint64_t, std::array<std::uint32_t, 32>> steps;
    bool used = false;
  };

  void file(unsigned lane, std::uintptr_t offset, std::size_t bytes, counted_kind kind, unsigned lanes, void const* pc);
  void count(place const& p, request const& r);
  void count_bulk(std::uintptr_t at, std::size_t bytes, counted_kind kind);
  void add_bulk(cosmati::side_cost const& cost, counted_kind kind);

  std::vector<lane_path> lanes_;
  std::vector<warp_places> warps_;
  counter_totals totals_{};
  bool by_place_ = false;
  costs_by_place places_;
  std::uintptr_t bulk_shared_ = 0;  // the begin in shared memory of the running bulk copy
  bool in_tensor_copy_ = false;
};

/// As `worker_counters::access`, for the running lane.
inline void count_access(worker& w, std::uintptr_t address, std::size_t bytes, int kind, int space, std::uintptr_t low,
                         char const* instruction, void const* pc) {
  w.counters->access(w.current, address, bytes, kind, space, low, instruction, pc);
}

}  // namespace cosmati_sim
