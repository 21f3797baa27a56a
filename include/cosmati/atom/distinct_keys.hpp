// SPDX-License-Identifier: Apache-2.0
/// @file
/// `distinct_keys`: the different words, sectors or lines that a warp touches, found in few steps of a constant
/// evaluation.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE::detail {

/// At most 128 integers, each once: 32 chains, by the low five bits (which are a word's bank).
struct distinct_keys {
  static constexpr int capacity = 128;  // 32 lanes x 4 words

  std::int64_t key[capacity] = {};
  std::int16_t next[capacity] = {};  // 1 + the index of the next key of the chain
  std::int16_t first[32] = {};
  int count = 0;

  /// The key's index; a new key gets the next one.
  COSMATI_HD constexpr int insert(std::int64_t k) {
    int const chain = static_cast<int>(k & 31);
    for (int i = first[chain]; i != 0; i = next[i - 1]) {
      if (key[i - 1] == k) return i - 1;
    }
    key[count] = k;
    next[count] = first[chain];
    first[chain] = static_cast<std::int16_t>(count + 1);
    return count++;
  }
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
