// SPDX-License-Identifier: Apache-2.0
/// @file
/// The copies that are measured: pitched rows, transposes, permutations.
#pragma once

#include <algorithm>
#include <cosmati/kernel/copy/problem.hpp>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

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
inline std::vector<case_of_copy> random_permutations(int count) {
  std::mt19937 random(6);
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

}  // namespace bench
