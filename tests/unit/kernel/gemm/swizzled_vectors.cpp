// SPDX-License-Identifier: Apache-2.0
// A thread's vectors in swizzled stages: by exclusive or the same addresses as by the layout, for every vector and
// stage.
#include <gtest/gtest.h>
#include <cosmati/kernel/gemm/swizzled_vectors.hpp>
#include <cosmati/layout/operations.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

#include "sim/message.hpp"

#include <vector>

using namespace cosmati;

namespace {

constexpr int columns = 64, rows = 8, stages = 3;

TEST(SwizzledVectors, StandWhereTheLayoutPutsThem) {
  // Rows of 64 halves, 16-byte chunks exchanged among 8 rows; 64 threads copy 8 x 64 at once.
  auto const stage =
      composition(Swizzle<3, 3, 3>{},
                  Layout<Shape<Int<rows>, Int<columns>, Int<stages>>, Stride<Int<columns>, _1, Int<rows * columns>>>{});
  std::vector<half_t> memory(static_cast<std::size_t>(rows * columns * stages));
  auto const sT = make_tensor(make_smem_ptr(memory.data()), stage);
  auto const copy = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint64_t>, half_t>{},
                                    Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  for (int thread = 0; thread < 32; ++thread) {
    auto const mine = copy.get_slice(thread).partition_D(sT);  // (values, rows / 4, columns / 32, stages)
    auto const vectors = detail::make_swizzled_vectors<4>(mine);
    for (int s = 0; s < stages; ++s) {
      auto const expect_vector = [&](auto m, auto n) {
        auto const v = vectors(s, _0{}, m, n);
        static_assert(size(typename decltype(v)::layout_type{}) == 4);
        for (int i = 0; i < 4; ++i) {
          EXPECT_EQ(&v(i) - memory.data(), &mine(i, static_cast<int>(m), static_cast<int>(n), s) - memory.data())
              << thread << ": " << s << ", " << static_cast<int>(m) << ", " << static_cast<int>(n);
        }
      };
      expect_vector(_0{}, _0{});
      expect_vector(_1{}, _0{});
      expect_vector(_0{}, _1{});
      expect_vector(_1{}, _1{});
    }
  }
}

}  // namespace
