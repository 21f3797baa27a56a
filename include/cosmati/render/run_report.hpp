// SPDX-License-Identifier: Apache-2.0
/// @file
/// `run_report`: the result of a run on the simulated device. run_page.hpp makes a page of it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/core/config.hpp>
#include <cosmati/render/timeline.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

/// A hazard, in words.
struct run_hazard {
  std::string kind;      ///< "race", ...
  std::string severity;  ///< "error", "review" or "note"
  std::string kernel;
  std::string block, thread;  ///< the indices, such as "(0,0,0)"; empty if no block or thread is to blame
  std::string file, other_file;
  int line = 0, other_line = 0;  ///< 0: unknown
  std::string tensor, message;
};

/// The cost of the warp instructions of one kind: `instruction_costs` of runtime/cost_trace.hpp.
struct run_costs {
  std::string kind;  ///< "global_load", ...
  std::uint64_t instructions = 0;
  std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, lines = 0, bytes_used = 0, bytes_moved = 0;
  std::uint64_t wavefronts = 0, wavefronts_floor = 0, wavefronts_ideal = 0, bank_conflicts = 0, inexact = 0;
};

/// What the warp instructions of one kind cost at one line of the program.
struct run_place {
  std::string kind;  ///< "shared_load", ...
  std::string file;
  int line = 0;  ///< 0: unknown
  std::uint64_t instructions = 0, wavefronts = 0, bank_conflicts = 0;
  std::uint64_t sectors = 0, ideal_sectors = 0;
  std::string remedy;  ///< what to change; empty where nothing is known

  /// Whether more is paid here than the bytes need.
  bool is_dear() const { return bank_conflicts != 0 || sectors > ideal_sectors; }
};

/// All launches of one kernel.
struct run_kernel {
  std::string name;
  std::uint64_t launches = 0;
  std::vector<run_costs> costs;
  std::vector<run_place> places;  ///< that cost more than they need, the dearest first
  std::vector<run_timeline> timelines;
};

/// Adds what one more launch cost to what others did.
inline void add_places(std::vector<run_place>& to, std::vector<run_place> const& more) {
  for (run_place const& p : more) {
    auto at = std::find_if(to.begin(), to.end(), [&](run_place const& x) {
      return x.line == p.line && x.kind == p.kind && x.file == p.file;
    });
    if (at == to.end()) {
      to.push_back(p);
      continue;
    }
    at->instructions += p.instructions;
    at->wavefronts += p.wavefronts;
    at->bank_conflicts += p.bank_conflicts;
    at->sectors += p.sectors;
    at->ideal_sectors += p.ideal_sectors;
    if (at->remedy.empty()) at->remedy = p.remedy;
  }
}

/// All content of the page.
struct run_report {
  std::string title;
  std::string verdict;               ///< "clean", "review", "incomplete" or "error"
  std::vector<std::string> reasons;  ///< the reasons for the verdict
  std::vector<run_hazard> hazards;
  std::vector<run_kernel> kernels;
  std::vector<std::string> unseen;  ///< what the simulated device did not see
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
