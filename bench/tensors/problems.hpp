// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copies that are measured: pitched rows, transposes, permutations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cosmati/kernel/copy_problem/problem.hpp>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace bench {
using cosmati::copy_problem;

struct case_of_copy {
  std::string work;   ///< "area/what"
  std::string shape;  ///< in words, for the result
  cosmati::copy_problem problem;
};

/// `extents` in C order (the last one fastest) becomes the tensor with its modes in the order `permutation`, C order.
inline cosmati::copy_problem permuted(int element_bytes, std::vector<std::int64_t> const& extents,
                                      std::vector<int> const& permutation) {
  cosmati::copy_problem p;
  p.element_bytes = element_bytes;
  std::size_t const rank = extents.size();
  std::vector<std::int64_t> source(rank), target(rank);
  std::int64_t stride = 1;
  for (std::size_t k = rank; k-- > 0; stride *= extents[k]) source[k] = stride;
  stride = 1;
  for (std::size_t k = rank; k-- > 0;) {
    auto const m = static_cast<std::size_t>(permutation[k]);
    target[m] = stride;
    stride *= extents[m];
  }
  for (std::size_t k = 0; k < rank; ++k) p.push(extents[k], source[k], target[k]);
  return p;
}

inline std::string text_of(std::vector<std::int64_t> const& extents, std::vector<int> const& permutation) {
  std::ostringstream s;
  for (std::size_t k = 0; k < extents.size(); ++k) s << (k == 0 ? '(' : ',') << extents[k];
  for (std::size_t k = 0; k < permutation.size(); ++k) s << (k == 0 ? ") -> (" : ",") << permutation[k];
  s << ')';
  return s.str();
}

/// All orders of a rank-5 tensor of 2-byte elements, 1 GiB.
inline std::vector<case_of_copy> all_permutations() {
  std::vector<std::int64_t> const extents = {31, 45, 57, 63, 101};
  std::vector<int> order = {0, 1, 2, 3, 4};
  std::vector<case_of_copy> list;
  do {
    list.push_back({"tensors/permute_rank5", text_of(extents, order), permuted(2, extents, order)});
  } while (std::next_permutation(order.begin(), order.end()));
  return list;
}
/// Rank-6 tensors of 2-byte elements, extents 3 to 61, 1 to 1.5 GiB, in random order.
inline std::vector<case_of_copy> random_permutations(int count, unsigned seed = 6) {
  std::mt19937 random(seed);
  std::vector<case_of_copy> list;
  while (static_cast<int>(list.size()) < count) {
    std::vector<std::int64_t> extents(6);
    std::int64_t size = 1;
    for (auto& n : extents) {
      n = 3 + static_cast<std::int64_t>(random() % 59);
      size *= n;
    }
    std::vector<int> order = {0, 1, 2, 3, 4, 5};
    std::shuffle(order.begin(), order.end(), random);
    if (size < (std::int64_t{1} << 29) || size > (std::int64_t{3} << 28)) continue;
    list.push_back({"tensors/permute_rank6", text_of(extents, order), permuted(2, extents, order)});
  }
  return list;
}

/// Batches of rows x columns, C order, to columns x rows.
inline case_of_copy transposed(int element_bytes, std::int64_t batches, std::int64_t rows, std::int64_t columns) {
  cosmati::copy_problem p;
  p.element_bytes = element_bytes;
  p.push(batches, rows * columns, rows * columns);
  p.push(rows, columns, 1);
  p.push(columns, 1, rows);
  return {"tensors/transpose_b" + std::to_string(8 * element_bytes) + (rows % 2 == 0 ? "" : "_ragged"),
          std::to_string(batches) + " x " + std::to_string(rows) + " x " + std::to_string(columns), p};
}
/// `rows` rows of `bytes` bytes, `pitch` apart in both.
inline case_of_copy pitched(std::int64_t rows, std::int64_t bytes, std::int64_t pitch) {
  cosmati::copy_problem p;
  p.push(bytes, 1, 1);
  p.push(rows, pitch, pitch);
  return {"tensors/pitched_" + std::to_string(bytes),
          std::to_string(rows) + " rows of " + std::to_string(bytes) + " bytes, " + std::to_string(pitch) + " apart",
          p};
}

/// Bytes from the first element of a side to behind its last, strides being positive.
inline std::int64_t span_of(copy_problem const& p, bool source) {
  std::int64_t n = 1;
  for (int m = 0; m < p.rank; ++m) n += (p.mode[m].extent - 1) * (source ? p.mode[m].source : p.mode[m].target);
  return n * p.element_bytes;
}

/// Bytes of either buffer that a copy touches, at most.
inline std::size_t touched_by(copy_problem const& p) {
  std::int64_t const source = p.source_offset * p.element_bytes + span_of(p, true),
                     target = p.target_offset * p.element_bytes + span_of(p, false);
  return static_cast<std::size_t>(std::max(source, target));
}

/// Where in the buffers one launch after the other copies, so that L2 has nothing of it, neither the source nor lines
/// of the target that wait to be written: these made copies of 100 MB take two thirds of their time, or all of it.
class places {
 public:
  explicit places(std::size_t bytes) : bytes_(bytes) {}

  std::size_t begin() const { return begin_; }
  /// Behind what touches so many bytes, by pages of 2 MiB, or at the front again where the buffers end: what takes more
  /// than half of them stays there, and so do 0 bytes.
  void next(std::size_t span) {
    constexpr std::size_t page = std::size_t{2} << 20;
    begin_ += (span + page - 1) / page * page;
    if (span == 0 || begin_ + span > bytes_) begin_ = 0;
  }

 private:
  std::size_t bytes_, begin_ = 0;
};

/// Random copies of 64 MiB to 1 GiB, as many of each size as of twice the size: more than the L2 cache holds, and long
/// enough (30 us and more) that events tell times 1 % apart. Elements of 1 to 16 bytes, ranks 2 to 6; whole tensors in
/// another order, pitched rows, slices of larger tensors, broadcast modes, and several of these at once, of up to 4 GiB
/// from the first element to the last.
class random_copies {
 public:
  static constexpr std::int64_t largest_span = std::int64_t{4} << 30;
  explicit random_copies(unsigned seed) : random_(seed) {}

  case_of_copy next() {
    for (;;) {
      case_of_copy one;
      copy_problem& p = one.problem;
      p.element_bytes = 1 << below(5);
      std::size_t const rank = 2 + below(5);
      std::vector<std::int64_t> const extents = extents_of(rank, p.element_bytes);
      if (extents.empty()) continue;
      bool const turned = below(3) != 0, source_gaps = below(3) == 0, target_gaps = below(4) == 0;
      std::vector<std::size_t> order(rank);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::vector<std::int64_t> const target = strides_of(extents, order, target_gaps, p.element_bytes);
      if (turned) std::shuffle(order.begin(), order.end(), random_);
      std::vector<std::int64_t> source = strides_of(extents, order, source_gaps, p.element_bytes);
      bool const broadcast = below(6) == 0;
      if (broadcast) source[below(static_cast<unsigned>(rank))] = 0;
      one.work = std::string("tensors/") + (turned ? "permuted" : "straight") + (source_gaps ? "_slice" : "") +
                 (target_gaps ? "_pitched" : "") + (broadcast ? "_broadcast" : "");
      for (std::size_t m = 0; m < rank; ++m) p.push(extents[m], source[m], target[m]);
      if (span_of(p, true) > largest_span || span_of(p, false) > largest_span) continue;
      // What lies together on both sides is easy: not as often as chance has it.
      if (is_contiguous(simplified(p)) && below(4) != 0) continue;
      return one;
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  double uniform() { return static_cast<double>(random_()) / 4294967296.0; }
  /// Empty where chance gave none.
  std::vector<std::int64_t> extents_of(std::size_t rank, int element_bytes) {
    double const wanted = std::exp2(26 + 4 * uniform()) / element_bytes;
    std::vector<std::int64_t> extents(rank);
    double size = 1;
    for (std::size_t m = 0; m + 1 < rank; ++m) {
      std::int64_t n = static_cast<std::int64_t>(2 * std::exp(uniform() * std::log(400.0)));
      if (below(3) == 0) n = (n + 7) / 8 * 8;
      extents[m] = n;
      size *= static_cast<double>(n);
    }
    extents[rank - 1] = static_cast<std::int64_t>(wanted / size);
    if (extents[rank - 1] < 2) return {};
    std::shuffle(extents.begin(), extents.end(), random_);
    return extents;
  }
  /// The modes behind each other, as `order` has them.
  std::vector<std::int64_t> strides_of(std::vector<std::int64_t> const& extents, std::vector<std::size_t> const& order,
                                       bool gaps, int element_bytes) {
    std::vector<std::int64_t> strides(extents.size());
    std::int64_t next = 1;
    bool const aligned = below(2) == 0;
    for (std::size_t const m : order) {
      strides[m] = next;
      next *= extents[m];
      if (gaps && below(2) == 0) {
        std::int64_t const unit = aligned ? 128 / element_bytes : 1;
        next = (next + static_cast<std::int64_t>(below(16)) + unit) / unit * unit;
      }
    }
    return strides;
  }
  std::mt19937 random_;
};

}  // namespace bench
