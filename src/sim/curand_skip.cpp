// SPDX-License-Identifier: Apache-2.0
// Steps of the generator XORWOW. One step is linear in the 160 bits of its five words, so 2^i steps are the matrix of
// one step squared i times. The squares are computed when they are first needed.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace {

constexpr int words = 5, bits = 32 * words;

struct vector160 {
  std::uint32_t word[words] = {};
  bool bit(int i) const { return (word[i / 32] >> (i % 32) & 1u) != 0; }
  void add(vector160 const& v) {
    for (int i = 0; i < words; ++i) word[i] ^= v.word[i];
  }
};
/// Column i is what becomes of bit i.
struct matrix160 {
  vector160 column[bits];
  vector160 times(vector160 const& v) const {
    vector160 sum;
    for (int i = 0; i < bits; ++i) {
      if (v.bit(i)) sum.add(column[i]);
    }
    return sum;
  }
};

vector160 one_step(vector160 v) {
  std::uint32_t const t = v.word[0] ^ (v.word[0] >> 2), last = v.word[4];
  for (int i = 0; i < 4; ++i) v.word[i] = v.word[i + 1];
  v.word[4] = (last ^ (last << 4)) ^ (t ^ (t << 1));
  return v;
}

/// The matrix of 2^i steps.
matrix160 const& steps_of(int i) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<matrix160>> powers;
  std::lock_guard const lock(mutex);
  while (powers.size() <= static_cast<std::size_t>(i)) {
    auto next = std::make_unique<matrix160>();
    for (int k = 0; k < bits; ++k) {
      vector160 unit;
      unit.word[k / 32] = 1u << (k % 32);
      next->column[k] = powers.empty() ? one_step(unit) : powers.back()->times(powers.back()->column[k]);
    }
    powers.push_back(std::move(next));
  }
  return *powers[static_cast<std::size_t>(i)];
}

}  // namespace

extern "C" void cosmati_sim_xorwow_skip(unsigned* state, unsigned long long steps, int power) {
  vector160 v;
  for (int i = 0; i < words; ++i) v.word[i] = state[i];
  for (int i = 0; steps != 0; ++i, steps >>= 1) {
    if ((steps & 1u) != 0) v = steps_of(power + i).times(v);
  }
  for (int i = 0; i < words; ++i) state[i] = v.word[i];
}
