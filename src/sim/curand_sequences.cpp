// SPDX-License-Identifier: Apache-2.0
// The numbers of sequences are those of curand_kernel.h. That cuRAND's host generators give arrays in this order was
// compared with CUDA 13.0's, for each distribution, across calls and offsets.
#include "curand_sequences.hpp"

namespace cosmati_sim {

void xorwow_sequences::begin(unsigned long long seed, unsigned long long offset) {
  constexpr std::size_t sequences = 4096;
  states_.resize(sequences);
  curandStateXORWOW_t start;
  curand_init(seed, 0, offset / sequences, &start);
  first_ = offset % sequences;
  for (std::size_t s = 0; s < sequences; ++s) {
    states_[s] = start;
    if (s < first_) static_cast<void>(::curand(&states_[s]));
    skipahead_sequence(1, &start);
  }
}

void philox_sequences::begin(unsigned long long seed, unsigned long long offset) {
  constexpr std::size_t sequences = 65536;
  counters_.resize(sequences);
  key_ = uint2{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  position_ = offset % (4 * sequences);
  for (std::size_t s = 0; s < sequences; ++s) counters_[s] = offset / (4 * sequences) + (s < position_ / 4 ? 1 : 0);
}

}  // namespace cosmati_sim
