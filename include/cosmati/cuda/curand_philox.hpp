// SPDX-License-Identifier: Apache-2.0
/// @file
/// The generator Philox4x32-10 of CUDA's curand_kernel.h: ten rounds over a counter of 128 bits (Salmon and others,
/// "Parallel random numbers: as easy as 1, 2, 3", 2011).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/words.hpp>

/// A thread's state of Philox4x32-10. Each value of the counter gives four numbers.
struct curandStatePhilox4_32_10 {
  uint4 ctr;     ///< the counter, x lowest
  uint4 output;  ///< the counter's four numbers
  uint2 key;
  unsigned STATE;  ///< how many of the four were used
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

namespace cosmati_cuda {

/// The four numbers of a counter.
inline uint4 philox_numbers(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned long long const a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
    c = uint4{static_cast<unsigned>(b >> 32) ^ c.y ^ key.x, static_cast<unsigned>(b),
              static_cast<unsigned>(a >> 32) ^ c.w ^ key.y, static_cast<unsigned>(a)};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return c;
}
/// Adds to the upper half of the counter, or to all of it.
inline void philox_add_high(uint4& c, unsigned long long n) {
  unsigned long long const sum = (static_cast<unsigned long long>(c.w) << 32 | c.z) + n;
  c.z = static_cast<unsigned>(sum);
  c.w = static_cast<unsigned>(sum >> 32);
}
inline void philox_add(uint4& c, unsigned long long n) {
  unsigned long long const low = static_cast<unsigned long long>(c.y) << 32 | c.x, sum = low + n;
  c.x = static_cast<unsigned>(sum);
  c.y = static_cast<unsigned>(sum >> 32);
  if (sum < low) philox_add_high(c, 1);
}

}  // namespace cosmati_cuda

/// @name Steps over numbers, or over sequences of 2^66 numbers
/// @{
inline void skipahead(unsigned long long numbers, curandStatePhilox4_32_10_t* state) {
  state->STATE += static_cast<unsigned>(numbers & 3u);
  unsigned long long counters = numbers / 4;
  if (state->STATE > 3) {
    ++counters;
    state->STATE -= 4;
  }
  cosmati_cuda::philox_add(state->ctr, counters);
  state->output = cosmati_cuda::philox_numbers(state->ctr, state->key);
}
inline void skipahead_sequence(unsigned long long sequences, curandStatePhilox4_32_10_t* state) {
  cosmati_cuda::philox_add_high(state->ctr, sequences);
  state->output = cosmati_cuda::philox_numbers(state->ctr, state->key);
}
/// @}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandStatePhilox4_32_10_t* state) {
  state->ctr = uint4{0, 0, 0, 0};
  state->key = uint2{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
/// The next four numbers, which may come from two counters.
inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 const old = state->output;
  cosmati_cuda::philox_add(state->ctr, 1);
  state->output = cosmati_cuda::philox_numbers(state->ctr, state->key);
  uint4 const next = state->output;
  unsigned const all[8] = {old.x, old.y, old.z, old.w, next.x, next.y, next.z, next.w};
  unsigned const first = state->STATE & 3u;
  return uint4{all[first], all[first + 1], all[first + 2], all[first + 3]};
}
/// The next 32 bits.
inline unsigned curand(curandStatePhilox4_32_10_t* state) {
  uint4 const of = state->output;
  unsigned const all[4] = {of.x, of.y, of.z, of.w};
  unsigned const result = all[state->STATE & 3u];
  if (++state->STATE == 4) {
    cosmati_cuda::philox_add(state->ctr, 1);
    state->output = cosmati_cuda::philox_numbers(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}

#endif

#include <cosmati/core/macros_end.hpp>
