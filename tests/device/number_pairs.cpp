// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arithmetic and comparisons of two narrow numbers, and conversions between narrow types, compared with CUDA's on the
/// host and on a GPU if there is one. By default, only a part of the pairs of 16-bit numbers is tested.
/// COSMATI_ALL_NUMBER_PAIRS=1 tests all 2^32 of each type (16 cores and a GPU: a minute). All other tests are
/// exhaustive.
#if defined(__CUDACC__)

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cuda_numbers.hpp"

namespace {

using namespace cosmati;

bool there_is_a_gpu() {
  int count = 0;
  bool const found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  static_cast<void>(cudaGetLastError());
  return found;
}

/// What two numbers give: the bits of four results, and a bit for each comparison that holds.
struct results_of_pair {
  std::uint16_t sum, difference, product, quotient, comparisons;
};
COSMATI_HD bool same(results_of_pair x, results_of_pair y) {
  return x.sum == y.sum && x.difference == y.difference && x.product == y.product && x.quotient == y.quotient &&
         x.comparisons == y.comparisons;
}
COSMATI_HD std::uint16_t bits_of(bool equal, bool unequal, bool less, bool at_most, bool greater, bool at_least) {
  return static_cast<std::uint16_t>(equal | unequal << 1 | less << 2 | at_most << 3 | greater << 4 | at_least << 5);
}

template <class Number>
COSMATI_HD results_of_pair ours(Number a, Number b) {
  return {(a + b).raw(), (a - b).raw(), (a * b).raw(), (a / b).raw(),
          bits_of(a == b, a != b, a<b, a <= b, a> b, a >= b)};
}
template <class Number>
COSMATI_HD results_of_pair cudas(Number a, Number b) {
  using native = typename Number::cuda_type;
  auto const raw = [](native x) { return __builtin_bit_cast(std::uint16_t, x); };
  native const x = a, y = b;
  return {raw(__hadd(x, y)), raw(__hsub(x, y)), raw(__hmul(x, y)), raw(__hdiv(x, y)),
          bits_of(__heq(x, y), __hneu(x, y), __hlt(x, y), __hle(x, y), __hgt(x, y), __hge(x, y))};
}

constexpr unsigned codes = 0x10000;
template <class Number>
COSMATI_HD Number number_of(unsigned code) {
  return Number::bitcast(static_cast<typename Number::storage_type>(code));
}

/// CUDA's results of one first operand with every second one; `wrong` counts where the library's on the GPU differ.
template <class Number>
__global__ void compute_row(unsigned first, results_of_pair* row, unsigned long long* wrong) {
  unsigned const second = blockIdx.x * blockDim.x + threadIdx.x;
  Number const a = number_of<Number>(first), b = number_of<Number>(second);
  results_of_pair const theirs = cudas(a, b);
  row[second] = theirs;
  if (!same(theirs, ours(a, b))) atomicAdd(wrong, 1ull);
}

/// Rows of results, from the GPU where there is one, otherwise by CUDA's functions for the host.
template <class Number>
class row_source {
 public:
  explicit row_source(bool gpu) : gpu_(gpu) {
    if (gpu_) {
      EXPECT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
      EXPECT_EQ(cudaMalloc(&there_, codes * sizeof *there_), cudaSuccess);
      EXPECT_EQ(cudaMalloc(&wrong_, sizeof *wrong_), cudaSuccess);
      EXPECT_EQ(cudaMemset(wrong_, 0, sizeof *wrong_), cudaSuccess);
      EXPECT_EQ(cudaMallocHost(&row_, codes * sizeof *row_), cudaSuccess);
    } else {
      rows_.resize(codes);
      row_ = rows_.data();
    }
  }
  row_source(row_source const&) = delete;
  row_source& operator=(row_source const&) = delete;
  ~row_source() {
    if (!gpu_) return;
    cudaFreeHost(row_);
    cudaFree(wrong_);
    cudaFree(there_);
    cudaStreamDestroy(stream_);
  }

  results_of_pair const* row(unsigned first) {
    if (gpu_) {
      compute_row<Number><<<codes / 256, 256, 0, stream_>>>(first, there_, wrong_);
      EXPECT_EQ(cudaMemcpyAsync(row_, there_, codes * sizeof *row_, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
      EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    } else {
      for (unsigned second = 0; second < codes; ++second) {
        row_[second] = cudas(number_of<Number>(first), number_of<Number>(second));
      }
    }
    return row_;
  }
  /// Pairs of which the library's results on the GPU were not CUDA's.
  unsigned long long wrong() const {
    unsigned long long count = 0;
    if (gpu_) EXPECT_EQ(cudaMemcpy(&count, wrong_, sizeof count, cudaMemcpyDeviceToHost), cudaSuccess);
    return count;
  }

 private:
  bool gpu_;
  cudaStream_t stream_ = nullptr;
  results_of_pair* there_ = nullptr;
  unsigned long long* wrong_ = nullptr;
  results_of_pair* row_ = nullptr;
  std::vector<results_of_pair> rows_;
};

/// Zeros, the smallest, those around one, the largest, infinities and NaNs, with both signs; then every 1021st; or all.
template <class Number>
std::vector<unsigned> first_operands() {
  std::vector<unsigned> firsts;
  char const* const all = std::getenv("COSMATI_ALL_NUMBER_PAIRS");
  if (all != nullptr && *all != '\0' && *all != '0') {
    for (unsigned code = 0; code < codes; ++code) firsts.push_back(code);
    return firsts;
  }
  unsigned const one = Number(1).raw(), infinity = std::numeric_limits<Number>::infinity().raw();
  for (unsigned const code : {0u, 1u, one - 1, one, one + 1, infinity - 1, infinity, infinity + 1, 0x7fffu}) {
    firsts.push_back(code);
    firsts.push_back(code | 0x8000u);
  }
  for (unsigned code = 0; code < codes; code += 1021) firsts.push_back(code);
  return firsts;
}

template <class Number>
void check_pairs() {
  std::vector<unsigned> const firsts = first_operands<Number>();
  bool const gpu = there_is_a_gpu();
  std::atomic<std::size_t> next = 0;
  std::atomic<unsigned long long> differ_here = 0, differ_there = 0;
  std::mutex writing;
  std::string example;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      row_source<Number> source(gpu);
      for (std::size_t i; (i = next++) < firsts.size();) {
        results_of_pair const* const row = source.row(firsts[i]);
        for (unsigned second = 0; second < codes; ++second) {
          results_of_pair const here = ours(number_of<Number>(firsts[i]), number_of<Number>(second)),
                                theirs = row[second];
          if (same(here, theirs)) continue;
          if (differ_here++ >= 10) continue;
          std::lock_guard const lock(writing);
          std::ostringstream text;
          text << std::hex << "\n"
               << firsts[i] << " with " << second << ": " << here.sum << ' ' << here.difference << ' ' << here.product
               << ' ' << here.quotient << ' ' << here.comparisons << ", CUDA's " << theirs.sum << ' '
               << theirs.difference << ' ' << theirs.product << ' ' << theirs.quotient << ' ' << theirs.comparisons;
          example += text.str();
        }
      }
      differ_there += source.wrong();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differ_here, 0u) << "+ - * / and the bits of == != < <= > >=, in hexadecimal:" << example;
  EXPECT_EQ(differ_there, 0u) << "results on the GPU";
  std::cout << firsts.size() * codes << " pairs beside CUDA's on the " << (gpu ? "GPU" : "host") << ", " << differ_here
            << " differ; the library's own on the GPU: " << differ_there << " differ\n";
}
TEST(number_pairs, of_half_are_as_cuda_s) { check_pairs<half_t>(); }
TEST(number_pairs, of_bfloat16_are_as_cuda_s) { check_pairs<bfloat16_t>(); }

// CUDA has no arithmetic for narrower types: there it is that of float, rounded by CUDA's conversion.

template <class Native>
COSMATI_HD unsigned raw_of(Native x) {
  if constexpr (sizeof(Native) == 1) {
    return __builtin_bit_cast(std::uint8_t, x);
  } else {
    return __builtin_bit_cast(std::uint16_t, x);
  }
}

/// A bit for each of + - * / that is not CUDA's, and 16 for comparisons that are not float's.
template <class Number>
COSMATI_HD unsigned differences_of_narrow(unsigned first, unsigned second) {
  using native = typename Number::cuda_type;
  Number const a = number_of<Number>(first), b = number_of<Number>(second);
  native const x = a, y = b;
  float const p = float(x), q = float(y);
  return unsigned{(a + b).raw() != raw_of(native(p + q))} | unsigned{(a - b).raw() != raw_of(native(p - q))} << 1 |
         unsigned{(a * b).raw() != raw_of(native(p * q))} << 2 | unsigned{(a / b).raw() != raw_of(native(p / q))} << 3 |
         unsigned{bits_of(a == b, a != b, a<b, a <= b, a> b, a >= b) !=
                  bits_of(p == q, p != q, p<q, p <= q, p> q, p >= q)}
             << 4;
}

/// Conversions between types: to `To`, from every number of `From`. A NaN of one that CUDA makes a NaN is right.
template <class To, class From>
COSMATI_HD bool converts_differently(unsigned code) {
  using native_to = typename To::cuda_type;
  typename From::cuda_type const x = number_of<From>(code);
  native_to y;
  if constexpr (sizeof(To) == 2 && sizeof(From) == 1) {
    y = x.operator native_to();
  } else if constexpr (sizeof(To) == 2) {
    y = native_to(float(x));  // between the two of 16 bits CUDA's way leads through float
  } else {
    y = native_to(x);
  }
  To const here = To(number_of<From>(code)), theirs = To(y);
  return here.raw() != theirs.raw() && !(isnan(here) && isnan(theirs));
}

template <class Question>
__global__ void ask(Question question, unsigned firsts, unsigned seconds, unsigned* answers) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < firsts * seconds; i += gridDim.x * blockDim.x) {
    answers[i] = question(i / seconds, i % seconds);
  }
}
/// Asks of every pair, on the host and on the GPU: the answer has to be 0.
template <class Question>
void ask_all(Question question, unsigned firsts, unsigned seconds, char const* name) {
  for (unsigned i = 0; i < firsts * seconds; ++i) {
    ASSERT_EQ(question(i / seconds, i % seconds), 0u) << name << ' ' << std::hex << i / seconds << ' ' << i % seconds;
  }
  if (!there_is_a_gpu()) return;
  unsigned* there = nullptr;
  std::vector<unsigned> answers(firsts * seconds);
  ASSERT_EQ(cudaMalloc(&there, answers.size() * sizeof(unsigned)), cudaSuccess);
  ask<<<64, 256>>>(question, firsts, seconds, there);
  ASSERT_EQ(cudaMemcpy(answers.data(), there, answers.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), cudaSuccess);
  cudaFree(there);
  for (unsigned i = 0; i < firsts * seconds; ++i) {
    ASSERT_EQ(answers[i], 0u) << "GPU: " << name << ' ' << std::hex << i / seconds << ' ' << i % seconds;
  }
}

template <class Number>
struct pair_differs {
  COSMATI_HD unsigned operator()(unsigned first, unsigned second) const {
    return differences_of_narrow<Number>(first, second);
  }
};
template <class To, class From>
struct conversion_differs {
  COSMATI_HD unsigned operator()(unsigned, unsigned code) const { return converts_differently<To, From>(code); }
};
template <class Number>
constexpr unsigned codes_of = 1u << minifloat_code<typename Number::format>::width;

template <class Number>
class narrow_numbers : public testing::Test {};
using narrow_types =
    testing::Types<float_e4m3_t, float_e5m2_t, float_ue8m0_t, float_e2m1_t, float_e2m3_t, float_e3m2_t>;
TYPED_TEST_SUITE(narrow_numbers, narrow_types);

TYPED_TEST(narrow_numbers, pairs_are_as_cuda_s) {
  ask_all(pair_differs<TypeParam>{}, codes_of<TypeParam>, codes_of<TypeParam>, "pair");
}
TYPED_TEST(narrow_numbers, conversions_are_as_cuda_s) {
  ask_all(conversion_differs<TypeParam, half_t>{}, 1, codes, "from half");
  ask_all(conversion_differs<TypeParam, bfloat16_t>{}, 1, codes, "from bfloat16");
  ask_all(conversion_differs<half_t, TypeParam>{}, 1, codes_of<TypeParam>, "to half");
  ask_all(conversion_differs<bfloat16_t, TypeParam>{}, 1, codes_of<TypeParam>, "to bfloat16");
}
TEST(number_pairs, conversions_between_half_and_bfloat16_are_as_cuda_s) {
  ask_all(conversion_differs<half_t, bfloat16_t>{}, 1, codes, "bfloat16 to half");
  ask_all(conversion_differs<bfloat16_t, half_t>{}, 1, codes, "half to bfloat16");
}

}  // namespace

#endif
