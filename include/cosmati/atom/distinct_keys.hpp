// SPDX-License-Identifier: Apache-2.0
/// @file
/// `distinct_keys`: the set of different words, sectors or lines that a warp touches. It needs few steps of a constant
/// evaluation.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE::detail {

/// At most 128 different integers, in 32 chains by their low five bits, which are the bank of a word.
struct distinct_keys {
  static constexpr int capacity = 128;  // 32 lanes with 4 words each

  std::int64_t key[capacity] = {};
  std::int16_t next[capacity] = {};  // index of the next key in the chain, plus 1
  std::int16_t first[32] = {};
  int count = 0;

  /// Returns the key's index. A new key gets the next free one.
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
