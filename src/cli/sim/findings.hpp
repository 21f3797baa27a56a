// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a run on the simulated device found: the report of the device, how the program ended, and the verdict on both.
#pragma once

#include <array>
#include <cosmati/render/run_report.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "process.hpp"
#include "program.hpp"

namespace cosmati::cli {

enum class verdict { clean, review, incomplete, error };
inline constexpr char const* verdict_names[] = {"clean", "review", "incomplete", "error"};

/// What all launches of one kernel cost.
struct kernel_counters {
  std::uint64_t launches = 0;
  std::map<std::string, std::uint64_t> instructions;  ///< by kind
  /// The members of cosmati_sim_instruction_counters, by kind.
  using numbers = std::array<std::uint64_t, 12>;
  std::map<std::string, numbers> all;
  std::vector<run_timeline> timelines;  ///< of the blocks that a page shows
  std::vector<run_place> places;        ///< that a page shows
  std::uint64_t global_requests = 0, global_sectors = 0, shared_wavefronts = 0, shared_bank_conflicts = 0;
};

/// Code that lanes ran and whose accesses were not seen.
struct unseen_code {
  std::string what, kernel, file;
  int line = 0;
};

struct findings {
  cosmati::cli::verdict verdict = verdict::clean;
  std::vector<std::string> reasons;  ///< of the verdict, sentences
  std::vector<nlohmann::ordered_json> hazards;
  std::vector<unseen_code> unseen;
  std::map<std::string, kernel_counters> counters;  ///< by the kernel's whole name
  process_end program;
  std::uint64_t launches = 0;
  std::map<std::string, std::string> texts;  ///< of kernels' names

  /// The name for people: short, and different from the other kernels'.
  std::string kernel_text(std::string const& name) const;
};

/// Places where the program holds what may come from a local variable that nobody has written.
struct suspicions {
  std::set<std::string> places;  ///< kernel, file and line
  bool certain = false;          ///< what the program holds there on purpose is taken out
};
suspicions suspicions_in(std::filesystem::path const& report);

/// Reads the report that the program left and judges.
/// @param source as given: hazards in it name it so; @param seconds that the program was given
/// @param suspected of the suspicions in the report, those that hold
findings find(std::filesystem::path const& report, std::string const& source, program const& made,
              process_end const& end, double seconds, suspicions const& suspected);

/// Everything, for other programs.
nlohmann::ordered_json json_of(findings const& f, std::string const& source, std::uint64_t seed);
/// Everything, for people.
std::string text_of(findings const& f);

}  // namespace cosmati::cli
