// SPDX-License-Identifier: Apache-2.0
/// @file
/// The generator XORWOW of CUDA's curand_kernel.h: five words of Marsaglia's xorshift and a Weyl sequence (Journal of
/// Statistical Software 8, 2003). Sequences with one seed are 2^67 numbers apart.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles

extern "C" {
/// Moves the five words by `steps` times 2^power numbers. @param power 0 or 67
void cosmati_sim_xorwow_skip(unsigned* words, unsigned long long steps, int power);
}

/// A thread's state of XORWOW.
struct curandStateXORWOW {
  unsigned d;     ///< the Weyl sequence
  unsigned v[5];  ///< the xorshift's words
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  unsigned gap;  ///< where CUDA's state has a gap, so that a copy of a state reads only what was written
  double boxmuller_extra_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

/// The next 32 bits.
inline unsigned curand(curandStateXORWOW_t* state) {
  unsigned const t = state->v[0] ^ (state->v[0] >> 2);
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437u;
  return state->v[4] + state->d;
}
/// @name Steps over numbers, or over sequences
/// @{
inline void skipahead(unsigned long long numbers, curandStateXORWOW_t* state) {
  unsigned words[5];
  for (int i = 0; i < 5; ++i) words[i] = state->v[i];
  cosmati_sim_xorwow_skip(words, numbers, 0);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
  state->d += 362437u * static_cast<unsigned>(numbers);
}
inline void skipahead_sequence(unsigned long long sequences, curandStateXORWOW_t* state) {
  unsigned words[5];
  for (int i = 0; i < 5; ++i) words[i] = state->v[i];
  cosmati_sim_xorwow_skip(words, sequences, 67);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
}
/// @}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandStateXORWOW_t* state) {
  unsigned const low = static_cast<unsigned>(seed) ^ 0xaad26b49u,
                 high = static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu;
  unsigned const a = 1099087573u * low, b = 2591861531u * high;
  state->d = 6615241u + b + a;
  state->v[0] = 123456789u + a;
  state->v[1] = 362436069u ^ a;
  state->v[2] = 521288629u + b;
  state->v[3] = 88675123u ^ b;
  state->v[4] = 5783321u + a;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->gap = 0;
  state->boxmuller_extra_double = 0;
}

#endif

#include <cosmati/core/macros_end.hpp>
