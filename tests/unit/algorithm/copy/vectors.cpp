// SPDX-License-Identifier: Apache-2.0
// The loop of a copy: every vector arrives, for all numbers of vectors, static or run-time.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/vectors.hpp>

#include <vector>

using namespace cosmati;

namespace {

/// Copies n floats in vectors of `vector` elements. The memory after them stays as it was.
template <int vector, class N>
void check(N const& n) {
  auto const count = static_cast<std::size_t>(n);
  std::vector<float> from(count + 8), to(count + 8, -1.f);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
  auto const src = make_tensor(make_gmem_ptr(from.data()), make_layout(n));
  auto dst = make_tensor(make_smem_ptr(to.data()), make_layout(n));
  detail::copy_vectors<4 * vector, vector>(src, dst);
  for (std::size_t i = 0; i < to.size(); ++i)
    ASSERT_EQ(to[i], i < count ? from[i] : -1.f) << "element " << i << " of " << count;
}

TEST(CopyVectors, AnyNumber) {
  check<4>(_4{});         // one vector
  check<4>(_32{});        // one batch
  check<2>(Int<22>{});    // one batch and three vectors
  check<1>(Int<256>{});   // the largest unrolled count
  check<1>(Int<257>{});   // the smallest count with a loop
  check<4>(Int<4096>{});  // a loop of vectors
  check<4>(0);            // the count is known at run time
  check<4>(36);
  check<1>(1031);
}

TEST(CopyVectors, BatchesLoadBeforeTheyStore) {
  // Destination and source overlap by one vector. A batch of eight loads all its vectors before it stores the first.
  float memory[12] = {};
  for (int i = 0; i < 12; ++i) memory[i] = static_cast<float>(i);
  auto const src = make_tensor(make_gmem_ptr(&memory[0]), Layout<_8>{});
  auto dst = make_tensor(make_gmem_ptr(&memory[1]), Layout<_8>{});
  detail::copy_vectors<4, 1>(src, dst);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(memory[i], static_cast<float>(i == 0 || i > 8 ? i : i - 1));
}

TEST(CopyVectors, WithoutAnAccessElementsAreConverted) {
  int from[4] = {1, -2, 3, 300};
  float to[4] = {};
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<_4>{});
  auto dst = make_tensor(make_gmem_ptr(&to[0]), Layout<_4>{});
  detail::copy_vectors<0, 1>(src, dst);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(to[i], static_cast<float>(from[i]));
}

constexpr int sum_of_a_constant_copy() {
  auto src = make_tensor<int>(Layout<_4>{});
  auto dst = make_tensor<int>(Layout<_4>{});
  for (int i = 0; i < 4; ++i) src(i) = i + 1, dst(i) = 0;
  detail::copy_vectors<16, 4>(src, dst);
  return dst(0) + 10 * dst(1) + 100 * dst(2) + 1000 * dst(3);
}
static_assert(sum_of_a_constant_copy() == 4321);

}  // namespace
