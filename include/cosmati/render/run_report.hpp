// SPDX-License-Identifier: Apache-2.0
/// @file
/// `run_report`: the result of a run on the simulated device. run_page.hpp makes a page of it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/render/timeline.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

/// A hazard, in words.
struct run_hazard {
  std::string kind;      ///< "race", ...
  std::string severity;  ///< "error" or "review"
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

/// All launches of one kernel.
struct run_kernel {
  std::string name;
  std::uint64_t launches = 0;
  std::vector<run_costs> costs;
  std::vector<run_timeline> timelines;
};

/// The content of the page.
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
