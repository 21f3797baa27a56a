// SPDX-License-Identifier: Apache-2.0
/// @file
/// The findings of a run on the simulated device: its report, the end of the program, and the verdict on both.
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

/// The cost of all launches of one kernel.
struct kernel_counters {
  std::uint64_t launches = 0;
  std::map<std::string, std::uint64_t> instructions;  ///< the instructions by kind
  /// The members of cosmati_sim_instruction_counters, by kind.
  using numbers = std::array<std::uint64_t, 12>;
  std::map<std::string, numbers> all;
  std::vector<run_timeline> timelines;  ///< the time lines of the blocks that a page shows
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
  cosmati::cli::verdict without_hazards = verdict::clean;  ///< what the verdict would be if there were no hazard
  std::vector<std::string> reasons;                        ///< the sentences that explain the verdict
  std::vector<std::string> other_reasons;                  ///< those that say nothing of hazards
  std::vector<nlohmann::ordered_json> hazards;
  std::vector<nlohmann::ordered_json> notes;  ///< hazards that do not change the verdict, such as memory never freed
  std::vector<unseen_code> unseen;
  std::map<std::string, kernel_counters> counters;  ///< the counters by the kernel's full name
  process_end program;
  std::uint64_t launches = 0;
  std::map<std::string, std::uint64_t> library_calls;  // work of functions such as cublasSgemm
  std::map<std::string, std::string> texts;            ///< the short names by the kernel's full name

  /// The name for people, which is short and differs from the other kernels'.
  std::string kernel_text(std::string const& name) const;
};

/// Places where the program holds a value that may come from an unwritten register or local variable.
struct suspicions {
  std::set<std::string> places;  ///< kernel, file and line
  bool of_locals = false;        ///< whether one may come from a local variable
  bool certain = false;          ///< whether values that the program holds on purpose have been removed
  bool timed_out = false;        ///< whether a run that decides them had not ended
};
suspicions suspicions_in(std::filesystem::path const& report);

/// Reads the report that the program left, and judges it.
/// @param sources the names of the sources as given, which hazards use
/// @param seconds the time limit of the program
/// @param suspected those suspicions of the report that hold
findings find(std::filesystem::path const& report, std::vector<std::string> const& sources, program const& made,
              process_end const& end, double seconds, suspicions const& suspected);

/// Everything, as JSON for other programs. @param source the names of the sources as one text
nlohmann::ordered_json json_of(findings const& f, std::string const& source, std::uint64_t seed);
/// Everything, as text for people.
std::string text_of(findings const& f);

}  // namespace cosmati::cli
