// SPDX-License-Identifier: Apache-2.0
/// @file
/// The compiler that `cosmati sim` calls.
#pragma once

#include "captured_text.hpp"
#include "process.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cosmati::cli {

/// A compiler that was found, and how it is run.
class compiler {
 public:
  /// Finds it, and asks which one it is.
  /// @param wanted the words of --cxx; empty means $CXX, g++ or clang++
  /// @param folder of its temporary files
  /// @param seconds the time limit of each run; 0 for none
  /// @throws command_error: failure if there is none, or none that is known; bad_input if it does not answer in time
  compiler(std::string const& wanted, temporary_folder const& folder, double seconds);

  /// The program, perhaps after ccache.
  std::vector<std::string> const& words() const { return words_; }
  bool is_clang() const { return is_clang_; }

  /// Runs it with limits on its output and time. Its temporary files are in the folder. @param words all of them
  process_end run(std::vector<std::string> const& words, captured_text& said) const;
  /// If it failed because the file system is full, the error says only that.
  /// @throws command_error
  void check_room(std::string const& said) const;

  static constexpr std::size_t most_output = std::size_t{16} << 20;  ///< the limit of its output, in bytes

 private:
  /// The predefined macros decide, not the name.
  bool ask_for_clang() const;

  temporary_folder const& temporary_;
  double seconds_;
  std::vector<std::string> words_;
  bool is_clang_;
};

}  // namespace cosmati::cli
