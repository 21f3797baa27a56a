// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the blocks of a launch print, in the order of the blocks.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace cosmati_sim {

/// Prints a block's text once all lower blocks have added theirs.
class ordered_output {
 public:
  /// @param text what block number `block` has printed; may be empty
  void add(std::uint64_t block, std::string&& text) {
    std::lock_guard const lock(mutex_);
    texts_[block] = std::move(text);
    while (!texts_.empty() && texts_.begin()->first == next_) {
      print(texts_.begin()->second);
      texts_.erase(texts_.begin());
      ++next_;
    }
  }
  /// Prints what is left, where a block has not run.
  void finish() {
    for (auto const& [block, text] : texts_) print(text);
    texts_.clear();
    if (printed_) std::fflush(stdout);
  }

 private:
  void print(std::string const& text) {
    if (text.empty()) return;
    printed_ = true;
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  std::mutex mutex_;
  std::map<std::uint64_t, std::string> texts_;
  std::uint64_t next_ = 0;
  bool printed_ = false;
};

}  // namespace cosmati_sim
