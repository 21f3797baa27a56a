// SPDX-License-Identifier: Apache-2.0
// Attention forward (attention/forward.hpp) beside sums in double: heads of 64, 128 and 256, with and without a causal
// mask, and lengths that no tile divides.
#include "attention/forward.hpp"

#include <cmath>
#include <cstdio>
#include <random>

namespace {

using cosmati::bfloat16_t;

/// (batch, head, row, column) of a matrix whose heads lie side by side in each row.
struct host_matrix {
  int length, heads, width;
  std::vector<bfloat16_t> values;
  host_matrix(int batches, int rows, int heads_, int width_)
      : length(rows),
        heads(heads_),
        width(width_),
        values(static_cast<std::size_t>(batches) * static_cast<std::size_t>(rows * heads_ * width_)) {}
  std::size_t index(int batch, int head, int row, int column) const {
    return ((static_cast<std::size_t>(batch) * static_cast<std::size_t>(length) + static_cast<std::size_t>(row)) *
                static_cast<std::size_t>(heads) +
            static_cast<std::size_t>(head)) *
               static_cast<std::size_t>(width) +
           static_cast<std::size_t>(column);
  }
  double operator()(int batch, int head, int row, int column) const {
    return static_cast<double>(static_cast<float>(values[index(batch, head, row, column)]));
  }
  attention::matrix on_device(bfloat16_t* data) const {
    return {data, std::int64_t{heads} * width, width, std::int64_t{length} * heads * width};
  }
};

/// The greatest difference from softmax(scale Q K^T) V in double.
template <int HEAD, bool causal>
double greatest_error(int batches, int heads, int queries, int keys) {
  std::mt19937 random(static_cast<unsigned>(HEAD + queries));
  std::normal_distribution<float> number;
  host_matrix q(batches, queries, heads, HEAD), k(batches, keys, heads, HEAD), v(batches, keys, heads, HEAD);
  for (host_matrix* m : {&q, &k, &v})
    for (bfloat16_t& x : m->values) x = bfloat16_t(number(random));
  host_matrix o(batches, queries, heads, HEAD);
  cosmati::device_buffer<bfloat16_t> dev_q(q.values), dev_k(k.values), dev_v(v.values), dev_o(o.values.size());
  float const scale = 1 / std::sqrt(static_cast<float>(HEAD));
  attention::forward<HEAD, causal>({q.on_device(dev_q.data()), k.on_device(dev_k.data()), v.on_device(dev_v.data()),
                                    o.on_device(dev_o.data()), queries, keys, heads, batches, scale});
  o.values = dev_o.download();
  double greatest = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (int head = 0; head < heads; ++head) {
      for (int row = 0; row < queries; ++row) {
        int const seen = causal ? std::min(keys, row + keys - queries + 1) : keys;
        std::vector<double> sum(HEAD, 0.);
        double all = 0;
        for (int key = 0; key < seen; ++key) {
          double score = 0;
          for (int i = 0; i < HEAD; ++i) score += q(batch, head, row, i) * k(batch, head, key, i);
          double const weight = std::exp(score * static_cast<double>(scale));
          all += weight;
          for (int i = 0; i < HEAD; ++i) sum[static_cast<std::size_t>(i)] += weight * v(batch, head, key, i);
        }
        for (int i = 0; i < HEAD; ++i) {
          double const expected = all == 0 ? 0 : sum[static_cast<std::size_t>(i)] / all;
          greatest = std::fmax(greatest, std::fabs(o(batch, head, row, i) - expected));
        }
      }
    }
  }
  return greatest;
}

template <int HEAD, bool causal>
bool check(int batches, int heads, int queries, int keys) {
  // Weights and results are rounded to 8 bits; the values are normal, so that few are above 4.
  double const error = greatest_error<HEAD, causal>(batches, heads, queries, keys), bound = 0.02;
  std::printf("head %3d, %d x %d, %3d queries, %3d keys%s: greatest error %.4f\n", HEAD, batches, heads, queries, keys,
              causal ? ", causal" : "", error);
  return error < bound;
}

}  // namespace

int main() {
#if !defined(COSMATI_SIMULATED)
  if (cosmati::current_device().compute_capability != 90) {
    std::puts("skipped: the GPU has no warpgroup matrix instructions of sm_90a");
    return 0;
  }
#endif
  bool right = check<64, false>(1, 1, 128, 256);
  right &= check<64, true>(1, 2, 200, 200);
  right &= check<128, false>(2, 1, 70, 300);
  right &= check<128, true>(1, 1, 256, 256);
  right &= check<128, true>(1, 1, 40, 170);
  right &= check<128, true>(1, 1, 150, 90);
  right &= check<256, false>(1, 1, 130, 100);
  right &= check<256, true>(1, 1, 130, 130);
  return right ? 0 : 1;
}
