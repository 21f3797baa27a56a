// SPDX-License-Identifier: Apache-2.0
// Copies with bounds: every element inside is copied, and nothing else is read or written.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy.hpp>

#include <vector>

using namespace cosmati;

namespace {

/// All threads of a tiled copy, one after the other.
template <class TC, class Src, class Dst, class Bounds>
void by_all_threads(TC const& tc, Src const& src, Dst const& dst, Bounds const& bounds) {
  for (int t = 0; t < static_cast<int>(decltype(size(tc))::value); ++t) {
    auto const thr = tc.get_slice(t);
    copy(tc, thr.partition_S(src), thr.partition_D(dst), bounds);
  }
}

// A 16 x 16 tile on 8 x 16 or 20 x 16 elements: CuTe reads and writes outside.
TEST(CopyInside, OfATensor) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                  Layout<Shape<_16, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _4>>{});
  for (int m : {1, 8, 15, 16, 17, 20, 33}) {
    for (int n : {1, 3, 4, 13, 16, 30}) {
      int const ld = (n + 3) / 4 * 4;
      std::vector<float> from(static_cast<std::size_t>((m - 1) * ld + n));
      std::vector<float> to(from.size(), -1);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
      auto const layout = make_layout(make_shape(m, n), make_stride(ld, _1{}));
      auto const src = make_tensor(make_gmem_ptr(from.data()), layout);
      auto dst = make_tensor(make_gmem_ptr(to.data()), layout);
      by_all_threads(tc, src, dst, make_shape(m, n));
      for (int i = 0; i < static_cast<int>(from.size()); ++i) {
        ASSERT_EQ(to[static_cast<std::size_t>(i)], i % ld < n ? from[static_cast<std::size_t>(i)] : -1)
            << m << 'x' << n << ' ' << i;
      }
    }
  }
}

// Vectors of four elements that the bounds cut anywhere. A copy moves bits, for all element types.
TEST(CopyInside, SplitVectorsMoveBits) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<_2>{}, Layout<_4>{});
  for (int n = 0; n <= 8; ++n) {
    std::vector<int> from(8);
    std::vector<float> to(8, 0.f);
    for (int i = 0; i < 8; ++i) from[static_cast<std::size_t>(i)] = i + 1;
    by_all_threads(tc, make_tensor(make_gmem_ptr(from.data()), make_shape(_8{})),
                   make_tensor(make_gmem_ptr(to.data()), make_shape(_8{})), make_shape(n));
    for (std::size_t i = 0; i < 8; ++i) {
      float const expected = static_cast<int>(i) < n ? __builtin_bit_cast(float, from[i]) : 0.f;
      ASSERT_EQ(to[i], expected) << i << " of " << n;
    }
  }
}

}  // namespace
