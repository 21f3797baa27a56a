// SPDX-License-Identifier: Apache-2.0
/// @file
/// The output of a program, of which only the beginning and the end are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace cosmati::cli {

class captured_text {
 public:
  static constexpr std::size_t kept = std::size_t{1} << 18;  ///< the bytes that are kept at the beginning and at the
                                                             ///< end

  void add(std::string_view text) {
    bytes_ += text.size();
    std::size_t const first = std::min(text.size(), kept - head_.size());
    head_ += text.substr(0, first);
    tail_ += text.substr(first);
    if (tail_.size() > 2 * kept) tail_.erase(0, tail_.size() - kept);
  }
  /// The number of bytes that came.
  std::size_t bytes() const { return bytes_; }
  /// The output, without its middle if it is long.
  std::string text() const {
    if (tail_.size() <= kept) return head_ + tail_;
    return head_ + "\n...\n" + tail_.substr(tail_.size() - kept);
  }

 private:
  std::string head_, tail_;
  std::size_t bytes_ = 0;
};

}  // namespace cosmati::cli
