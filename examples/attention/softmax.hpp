// SPDX-License-Identifier: Apache-2.0
// The softmax of attention, in the registers of a warpgroup: a thread holds scores of two rows as sums of `wgmma` lie.
// Value i is of row i / 2 % 2, and four neighbouring lanes have the parts of a row.
#pragma once
#include <cosmati/arch/convert.hpp>
#include <cosmati/cosmati.hpp>

namespace attention {

using namespace cosmati;

/// 2^x, without the steps that make results below 2^-126 exact.
__device__ inline float exp2_fast(float x) {
#if defined(__CUDA_ARCH__)
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return exp2f(x);
#endif
}

/// The softmax of two rows of a thread, tile after tile. Four neighbouring lanes have the parts of a row.
class softmax {
 public:
  /// Scores become weights, relative to the greatest score of the row so far.
  /// @return what the results up to now are multiplied by
  template <class Scores>
  __device__ array<float, 2> weigh(Scores& scores, float scale_log2) {
    array<float, 2> factor;
    COSMATI_UNROLL
    for (int r = 0; r < 2; ++r) {
      float greatest = greatest_[r];
      COSMATI_UNROLL
      for (int i = 0; i < size(scores); i += 4)
        greatest = fmaxf(greatest, fmaxf(scores(i + 2 * r), scores(i + 2 * r + 1)));
      greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, 1));
      greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, 2));
      // A row that has seen no key yet has no greatest score; its weights are 0.
      float const base = greatest == -infinity ? 0.f : greatest * scale_log2;
      factor[r] = exp2_fast(greatest_[r] * scale_log2 - base);
      greatest_[r] = greatest;
      float sum = 0;
      COSMATI_UNROLL
      for (int i = 0; i < size(scores); i += 4) {
        COSMATI_UNROLL
        for (int j = 2 * r; j < 2 * r + 2; ++j) {
          scores(i + j) = exp2_fast(scores(i + j) * scale_log2 - base);
          sum += scores(i + j);
        }
      }
      sum_[r] = sum_[r] * factor[r] + sum;
    }
    return factor;
  }
  /// What the results are multiplied by at the end.
  __device__ array<float, 2> last_factor() {
    array<float, 2> factor;
    COSMATI_UNROLL
    for (int r = 0; r < 2; ++r) {
      sum_[r] += __shfl_xor_sync(0xffffffffu, sum_[r], 1);
      sum_[r] += __shfl_xor_sync(0xffffffffu, sum_[r], 2);
      factor[r] = sum_[r] == 0 ? 0.f : 1 / sum_[r];
    }
    return factor;
  }
  static constexpr float infinity = __builtin_huge_valf();

 private:
  array<float, 2> greatest_ = {-infinity, -infinity}, sum_ = {0, 0};
};

/// A thread's values of two rows, times the rows' factors.
template <class Values>
__device__ void scale_rows(Values& values, array<float, 2> const& factor) {
  COSMATI_UNROLL
  for (int i = 0; i < size(values); ++i) values(i) *= factor[i / 2 % 2];
}
/// Two neighbouring values as a word of two bfloat16.
template <class Values>
__device__ std::uint32_t rounded(Values const& values, int i) {
  return convert_two<float, bfloat16_t>(*reinterpret_cast<register_words<8> const*>(&values(i))).word[0];
}
/// The weights as the operand A of the second product: the values that a thread holds of 16 keys are its A of an
/// instruction.
template <class Scores, class Weights>
__device__ void round_weights(Scores const& scores, Weights& weights) {
  COSMATI_UNROLL
  for (int i = 0; i < size(scores); i += 2)
    *reinterpret_cast<std::uint32_t*>(raw_pointer_cast(weights.data() + i)) = rounded(scores, i);
}

}  // namespace attention
