// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/sparse_element.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(sparse_element, compares_as_its_element) {
  using E = sparse_elem<2, short>;
  static_assert(sizeof(E) == 2 && E::sparsity == 2 && is_sparse_v<E> && is_sparse_v<E const&> && !is_sparse_v<short>);
  EXPECT_TRUE(E{3} == E{3} && E{3} != E{4} && E{3} < E{4} && E{4} > E{3} && E{3} <= E{3} && E{3} >= E{3});
}

}  // namespace
