// SPDX-License-Identifier: Apache-2.0
/// @file
/// The order in which cuRAND's generators of arrays take numbers from the sequences of a seed.
#pragma once

#include <cosmati/cuda/curand.hpp>

#include <cstddef>
#include <vector>

namespace cosmati_sim {

/// XORWOW: output i comes from sequence i mod 4096. An output is one number, or a pair of normal ones.
class xorwow_sequences {
 public:
  /// @param offset in numbers of 32 bits
  void begin(unsigned long long seed, unsigned long long offset);
  /// The sequence that the next output comes from.
  curandStateXORWOW_t& next() {
    curandStateXORWOW_t& state = states_[first_];
    first_ = (first_ + 1) % states_.size();
    return state;
  }

 private:
  std::vector<curandStateXORWOW_t> states_;
  std::size_t first_ = 0;
};

/// Philox: outputs 4 i to 4 i + 3 come from sequence i mod 65536, from one counter, or from two if they are doubles.
class philox_sequences {
 public:
  void begin(unsigned long long seed, unsigned long long offset);
  /// The place of the next output among the four of its sequence.
  std::size_t place() const { return position_ % 4; }
  /// The numbers of the sequence's next counter, or of the one behind it.
  uint4 numbers(unsigned ahead) const {
    unsigned long long const sequence = position_ / 4, counter = counters_[sequence] + ahead;
    return cosmati_cuda::philox_numbers(
        uint4{static_cast<unsigned>(counter), static_cast<unsigned>(counter >> 32), static_cast<unsigned>(sequence), 0},
        key_);
  }
  /// Goes to the next output. @param counters that four outputs take
  void advance(unsigned counters) {
    if (position_ % 4 == 3) counters_[position_ / 4] += counters;
    position_ = (position_ + 1) % (4 * counters_.size());
  }

 private:
  std::vector<unsigned long long> counters_;
  std::size_t position_ = 0;
  uint2 key_ = {};
};

}  // namespace cosmati_sim
